"""What the commands of ``croupier solana`` print as JSON, and the record of a game."""

from typing import Literal

from croupier.schemas.document import Document, Output

GameStatus = Literal[
    "CREATED", "DEAL_REQUESTED", "PLAYER_TURN", "HIT_REQUESTED", "STAND_REQUESTED", "FINISHED"
]
GameResult = Literal[
    "OPEN",
    "PLAYER_WINS",
    "DEALER_WINS",
    "TIE",
    "PLAYER_BUST",
    "DEALER_BUST",
    "HOUSE_FORFEIT",
    "PLAYER_FORFEIT",
]


class Build(Output):
    """The program, compiled."""

    bytes: int
    """The size of the program."""
    sha256: str
    """Its SHA-256, in hex."""
    sbpf: int
    """The version of the bytecode."""
    is_delivered: bool
    """Whether it equals the program that comes with the package."""


class Keys(Output):
    """The keys of a table."""

    player: str
    """The player's public key."""
    house: str
    """The public key of the house."""
    made: list[str]
    """The files that were missing and were made."""


class Deployment(Output):
    """A deployed program."""

    program: str
    """Its address."""
    bytes: int
    """Its size."""


class Transaction(Document):
    """A transaction that the cluster has confirmed."""

    instruction: str
    """What was asked for: `new`, `deal`, `hit`, `stand`, `reveal`, `claim` or `cleanup`."""
    signature: str
    """The signature of the transaction."""
    slot: int
    """The slot in which it was confirmed."""
    compute_units: int
    """What it cost to run."""
    fee: int
    """The fee, in lamports."""


class Game(Document):
    """A game as its account holds it."""

    address: str
    """The address of the account."""
    number: int
    """The number of the game."""
    player: str
    """The player's public key."""
    house: str
    """The public key of the house."""
    decks: int
    """Decks in the shoe."""
    status: GameStatus
    """Who has to do what next."""
    result: GameResult
    """How the game ended; `OPEN` before."""
    player_cards: list[str]
    """The player's cards."""
    player_total: int
    """The player's total; 0 without cards."""
    dealer_cards: list[str]
    """The dealer's cards."""
    dealer_total: int
    """The dealer's total; 0 without cards."""
    cards_left: int
    """Cards left in the shoe."""
    slot: int
    """The slot of the last change."""
    chain_tip: str
    """The newest link of the hash chain of the house, in hex."""
    player_seed: str
    """The player's seed, in hex."""


class Played(Output):
    """What a command that plays has done."""

    transactions: list[Transaction]
    """The transactions, in order."""
    game: Game
    """The game afterwards."""


class Cleanup(Output, Transaction):
    """The transaction that closed a game."""

    lamports_returned: int
    """What the account held, which went back to the player."""


class ShownGame(Output, Game):
    """A game as it stands on the cluster."""

    lamports: int
    """What the account holds."""
    cluster_slot: int
    """The current slot."""
    data: str | None
    """The bytes of the account, in hex; null without `--bytes`."""


class Verification(Output):
    """Whether every card follows from the public record. The exit code is 1 if not."""

    fair: bool
    """Whether everything fits."""
    problem: str | None
    """The first thing that does not fit; null if everything does."""
    steps: list[str]
    """What was checked, one sentence each."""
    result: GameResult | None
    """How the game ended; null if the record holds no game."""
    player_cards: list[str]
    """The player's cards."""
    dealer_cards: list[str]
    """The dealer's cards."""


class SavedRecord(Document):
    """The record of a game that `solana verify --save` and `solana demo --record` write and `solana verify FILE` reads."""

    program: str
    """The address of the program."""
    events: list[str]
    """The events that the program logged, in order: their bytes in base64."""
