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
    """The SHA-256 of its bytes, without zeros at their end, in hex."""
    sbpf: int
    """The version of the bytecode."""
    is_delivered: bool
    """Whether it equals the program that comes with the package."""


class Keys(Output):
    """The keys of a table."""

    player: str | None
    """The player's public key; null with `--as house`."""
    house: str | None
    """The public key of the house; null with `--as player`."""
    made: list[str]
    """The files that were missing and were made."""


class Deployment(Output):
    """A deployed program."""

    program: str
    """Its address."""
    bytes: int
    """Its size."""
    sha256: str
    """The SHA-256 of its bytes, without zeros at their end, in hex."""
    buffer: str
    """The address of the buffer that it was written into."""
    resumed_bytes: int
    """How many bytes an earlier attempt had written."""
    upgrade_authority: str | None
    """The key that may change it; null if nobody may."""
    idl: str | None
    """The address at which its IDL is published; null if the cluster cannot hold one, or with `--no-idl`."""


class Buffer(Document):
    """What an unfinished deployment has left."""

    address: str
    """The address of the buffer."""
    bytes: int
    """Its room for a program."""
    lamports: int
    """What it holds."""


class Buffers(Output):
    """The buffers of a key."""

    authority: str
    """The key that has paid for them."""
    buffers: list[Buffer]
    """The buffers."""
    are_closed: bool
    """Whether they were closed, with `--close`."""


class HouseJournal(Document):
    """What the service of a house has done."""

    spent_today: int
    """Lamports of fees today, in UTC."""
    offered_this_hour: int
    """Games that it has put on offer in this hour."""
    offered: int
    """Games that it has put on offer."""
    answered: int
    """Requests that it has answered."""
    failures: int
    """Answers that failed, and times that the cluster did not answer."""
    last_seen: int
    """When it was last active, in seconds since 1970."""


class BankrollState(Document):
    """The account from which a house covers bets; all sums are in lamports."""

    lamports: int
    """What it holds."""
    least_bet: int
    """The smallest bet."""
    most_bet: int
    """The largest bet."""
    bond: int
    """What the house puts into each game beyond the bet, and loses if it does not answer."""
    reserve: int
    """What stays; no bet is taken that would need it."""
    most_covered: int
    """The largest bet that it takes now; 0 if it takes none."""
    open_games: int
    """Games that are not settled yet."""


class Bankroll(Output):
    """The bankroll of a house."""

    address: str
    """Its address."""
    bankroll: BankrollState | None
    """What it holds; null if there is none."""


class House(Output):
    """The state of a house that plays with strangers."""

    house: str
    """The public key of the house."""
    account: str
    """The address of its account with commitments."""
    lamports: int
    """What the house has for fees."""
    capacity: int
    """Games that it can offer at a time; 0 without an account."""
    on_offer: int
    """Games that a player can open now."""
    waiting: int
    """Games that wait for an answer of the house."""
    oldest_wait: int
    """How many slots the oldest of them has been waiting."""
    bankroll: BankrollState | None
    """From what it covers bets; null if it takes none."""
    journal: HouseJournal
    """What its service has done."""


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


class Stake(Document):
    """What lies in a game's account beside its rent, in lamports."""

    bankroll: str
    """The address that gets the share of the house."""
    bet: int
    """The player's."""
    cover: int
    """The house's: the bet and the bond."""


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
    stake: Stake | None
    """Bet and cover; null in a game without stakes."""


class Played(Output):
    """What a command that plays has done."""

    transactions: list[Transaction]
    """The transactions, in order."""
    game: Game
    """The game afterwards."""


class Cleanup(Output, Transaction):
    """The transaction that closed a game."""

    lamports_returned: int
    """What the player got: the rent, and the player's share of the stakes."""
    lamports_to_bankroll: int
    """The share of the house; 0 without stakes."""


class ShownGame(Output, Game):
    """A game as it stands on the cluster."""

    lamports: int
    """What the account holds."""
    cluster_slot: int
    """The current slot."""
    data: str | None
    """The bytes of the account, in hex; null without `--bytes`."""


class Verification(Output):
    """Whether every card follows from the signed transactions, and where they were executed."""

    verdict: Literal["proven", "consistent", "refuted"]
    """`proven` on this network (exit code 0), `consistent` offline (3), or forged or incomplete, `refuted` (1)."""
    problem: str | None
    """The first thing that does not fit; null if everything does."""
    network: str | None
    """The network's name or the hash of its first block; null offline."""
    program: str
    """The address of the program."""
    program_sha256: str | None
    """The SHA-256 of the bytes of the program on the network, without zeros at their end; null offline."""
    upgrade_authority: str | None
    """The key that may change the program; null if there is none, and offline."""
    house: str | None
    """The public key of the house; null if the record does not say."""
    player: str | None
    """The player's public key; null if the record does not say."""
    steps: list[str]
    """What happened, as far as it was checked."""
    findings: list[str]
    """What is unusual but does not contradict the game, such as a log that was cut short."""
    not_proven: list[str]
    """What the verdict does not show."""
    result: GameResult | None
    """How the game ended; null if the record holds no game."""
    stake: Stake | None
    """Bet and cover; null in a game without stakes."""
    player_cards: list[str]
    """The player's cards."""
    dealer_cards: list[str]
    """The dealer's cards."""


class RecordedCall(Document):
    """A call that a program made during a transaction."""

    instruction: int
    """The place of the transaction's instruction that made it."""
    program: str
    """The address of the called program."""
    accounts: list[str]
    """The addresses of its accounts."""
    data: str
    """Its data, in base64."""


class RecordedTransaction(Document):
    """A transaction of a record: its signed bytes, and what the node says about it."""

    slot: int
    """The slot in which it was executed."""
    wire: str
    """Its bytes with all signatures, in base64."""
    logs: list[str]
    """What its programs logged; a node may cut it short."""
    loaded: list[str]
    """The addresses that it took from lookup tables."""
    inner: list[RecordedCall]
    """The calls that its programs made."""


class SavedRecord(Document):
    """The record of a game that `solana verify --save` and `solana demo --record` write and `solana verify FILE` reads."""

    version: int
    """2."""
    network: str | None
    """The hash of the network's first block; null if there is no network."""
    program: str
    """The address of the program."""
    game: str
    """The address of the game."""
    transactions: list[RecordedTransaction]
    """Every successful transaction that names the game's address, oldest first."""
