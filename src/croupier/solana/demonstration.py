"""A reproducible game: one seed fixes the chain, the keys and the secrets, and the player follows a fixed rule."""

import hashlib
from dataclasses import dataclass

from solders.keypair import Keypair

from croupier.solana.codes import Status, Tag
from croupier.solana.game import Game
from croupier.solana.local_chain import LocalChain
from croupier.solana.local_game import LocalGame
from croupier.solana.toolchain.compiler import read_program

#: The player of a demonstration follows the dealer's rule.
STAND_FROM = 17


@dataclass(frozen=True, slots=True)
class Stage:
    """A chain with the program deployed and two funded keys; the seed determines all of it.

    Examples
    --------
    >>> game = Stage.of(4).open()
    >>> while not game.is_finished:
    ...     _ = game.ask(next_request(game.state)), game.answer()
    >>> print(game.state)  # doctest: +ELLIPSIS
    game 2 of ...: finished; player TS 7H (17), dealer QS 6C 7C (bust with 23); dealer bust
    """

    seed: int
    chain: LocalChain
    player: Keypair
    house: Keypair

    @classmethod
    def of(cls, seed: int) -> "Stage":
        """Deploy the program on a new chain."""
        chain = LocalChain(seed=seed)
        chain.deploy(read_program())
        return cls(seed, chain, chain.funded_key(), chain.funded_key())

    def prepared(self) -> LocalGame:
        """Return the game before its first transaction."""
        return LocalGame.prepared(self.chain, self.player, self.house, secret=self._digest("house"))

    def open(self, decks: int = 1) -> LocalGame:
        """Create the game."""
        game = self.prepared()
        game.send(game.creation(self.player_seed, decks), self.player, self.house)
        return game

    @property
    def player_seed(self) -> bytes:
        """The player's part of the randomness."""
        return self._digest("player")

    def _digest(self, side: str) -> bytes:
        return hashlib.sha256(f"{side} of demonstration {self.seed}".encode()).digest()


def next_request(game: Game) -> Tag:
    """Return the next request of a player who hits below 17 and then stands, as the dealer does.

    >>> from solders.pubkey import Pubkey
    >>> next_request(Game.created(Pubkey.default(), Pubkey.default(), bytes(32), bytes(32), number=7)).name
    'DEAL'
    """
    if game.status is Status.CREATED:
        return Tag.DEAL
    return Tag.HIT if game.player_value.total < STAND_FROM else Tag.STAND
