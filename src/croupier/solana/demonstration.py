"""A game that follows from one number: the chain, both sides' keys, their secrets, and a player who plays by rote."""

import hashlib
from dataclasses import dataclass

from solders.keypair import Keypair

from croupier.solana.codes import Status, Tag
from croupier.solana.game import Game
from croupier.solana.local_chain import LocalChain
from croupier.solana.local_game import LocalGame
from croupier.solana.toolchain.compiler import read_program

#: The player of a demonstration plays as the dealer does.
STAND_FROM = 17


@dataclass(frozen=True, slots=True)
class Stage:
    """A chain with the program on it, and two sides with full purses; all of it follows from the seed.

    Examples
    --------
    >>> game = Stage.of(4).open()
    >>> while not game.is_finished:
    ...     _ = game.ask(rote_request(game.state)), game.answer()
    >>> print(game.state)  # doctest: +ELLIPSIS
    game 2 of ...: finished; player TS 7H (17), dealer QS 6C 7C (bust with 23); dealer bust
    """

    seed: int
    chain: LocalChain
    player: Keypair
    house: Keypair

    @classmethod
    def of(cls, seed: int) -> "Stage":
        """Deploy the program on a fresh chain."""
        chain = LocalChain(seed=seed)
        chain.deploy(read_program())
        return cls(seed, chain, chain.funded_key(), chain.funded_key())

    def prepared(self) -> LocalGame:
        """Return the game of this stage before anything of it was sent."""
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


def rote_request(game: Game) -> Tag:
    """Return what a player asks for who hits below 17 and stands from there on, as the dealer does.

    >>> from solders.pubkey import Pubkey
    >>> rote_request(Game.created(Pubkey.default(), Pubkey.default(), bytes(32), bytes(32), number=7)).name
    'DEAL'
    """
    if game.status is Status.CREATED:
        return Tag.DEAL
    return Tag.HIT if game.player_value.total < STAND_FROM else Tag.STAND
