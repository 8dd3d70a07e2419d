"""A game on a local chain with both keys: for demonstrations, measurements and tests."""

from dataclasses import dataclass, field

from solders.instruction import Instruction
from solders.keypair import Keypair
from solders.pubkey import Pubkey

from croupier.solana import instructions
from croupier.solana.addresses import game_address, next_number
from croupier.solana.codes import Status, Tag
from croupier.solana.game import Game
from croupier.solana.house import chain_links
from croupier.solana.layout import KEY_SIZE
from croupier.solana.local_chain import LocalChain
from croupier.solana.receipt import Receipt
from croupier.solana.record import GameRecord
from croupier.solana.stake_instructions import closing

_REQUESTS = {Tag.DEAL: instructions.deal, Tag.HIT: instructions.hit, Tag.STAND: instructions.stand}


@dataclass(slots=True)
class LocalGame:
    """One game between a player and a house that answers at once.

    Examples
    --------
    >>> from croupier.solana.toolchain.compiler import read_program
    >>> chain = LocalChain(seed=5)
    >>> chain.deploy(read_program())
    >>> game = LocalGame.open(chain, chain.funded_key(), chain.funded_key(), secret=bytes(32))
    >>> for tag in (Tag.DEAL, Tag.STAND):
    ...     if game.state.status is not Status.FINISHED:
    ...         _ = game.ask(tag), game.answer()
    >>> game.state.status.name, len(game.record().events)
    ('FINISHED', 3)
    """

    chain: LocalChain
    player: Keypair
    house: Keypair
    links: tuple[bytes, ...]
    number: int
    address: Pubkey
    receipts: list[Receipt] = field(default_factory=list)

    @classmethod
    def open(
        cls,
        chain: LocalChain,
        player: Keypair,
        house: Keypair,
        *,
        secret: bytes,
        start_number: int = 0,
        player_seed: bytes = bytes(32),
        decks: int = 1,
    ) -> "LocalGame":
        """Create a game with the first number from ``start_number`` on that has an address."""
        game = cls.prepared(chain, player, house, secret=secret, start_number=start_number)
        game.send(game.creation(player_seed, decks), player, house)
        return game

    @classmethod
    def prepared(
        cls, chain: LocalChain, player: Keypair, house: Keypair, *, secret: bytes, start_number: int = 0
    ) -> "LocalGame":
        """Choose the number, address and hash chain of a game, without creating it."""
        number = next_number(chain.program, player.pubkey(), start_number)
        address = game_address(chain.program, player.pubkey(), number)
        return cls(chain, player, house, chain_links(secret, number), number, address)

    def creation(self, player_seed: bytes, decks: int = 1) -> Instruction:
        """Return the instruction that creates this game."""
        return instructions.create(
            self.chain.program,
            self.player.pubkey(),
            self.house.pubkey(),
            number=self.number,
            player_seed=player_seed,
            chain_tip=self.links[-1],
            decks=decks,
        )

    def request(self, tag: Tag) -> Instruction:
        """Return the player's instruction for a deal, a hit or a stand."""
        return _REQUESTS[tag](self.chain.program, self.address, self.player.pubkey())

    def revelation(self) -> Instruction:
        """Return the house's instruction that answers the open request."""
        state = self.state
        preimage = self.links[self.links.index(state.chain_tip) - 1]
        slot_hash = self.chain.slot_hash(state.slot) or bytes(KEY_SIZE)
        return instructions.reveal(self.chain.program, self.address, self.house.pubkey(), preimage, slot_hash)

    def ask(self, tag: Tag) -> Receipt:
        """Send the player's request."""
        return self.send(self.request(tag), self.player)

    def answer(self, after: int = 1) -> Receipt:
        """Let ``after`` slots pass, then reveal as the house."""
        self.chain.advance(after)
        return self.send(self.revelation(), self.house)

    def claim(self, claimant: Keypair) -> Receipt:
        """End the game because the other side is late; the claimant signs."""
        return self.send(instructions.claim(self.chain.program, self.address, claimant.pubkey()), claimant)

    def cleanup(self, payer: Keypair | None = None) -> Receipt:
        """Close the game, and settle its stakes; anyone may pay the fee (the house by default)."""
        stake = self.state.stake
        instruction = closing(self.chain.program, self.address, self.player.pubkey(), stake)
        return self.send(instruction, payer or self.house)

    def send(self, instruction: Instruction, *signers: Keypair) -> Receipt:
        """Send one instruction and keep its receipt."""
        receipt = self.chain.send([instruction], signers)
        self.receipts.append(receipt)
        return receipt

    @property
    def state(self) -> Game:
        """The game on the chain; only before it is cleaned up."""
        state = self.chain.game(self.address)
        assert state is not None, "the game was cleaned up"
        return state

    @property
    def is_finished(self) -> bool:
        """Whether the game is over."""
        return self.state.status is Status.FINISHED

    def record(self) -> GameRecord:
        """Return the game's public record."""
        transactions = tuple(receipt.transaction for receipt in self.receipts)
        return GameRecord(self.chain.program, self.address, transactions)
