"""What a browser may know of the table on the chain. Nothing here needs the runtime, so that a page can always be built."""

from dataclasses import dataclass

from croupier.choices import Choice


@dataclass(frozen=True, slots=True)
class AccountUse:
    """An account that an instruction names: who it is, and what the instruction may do with it."""

    role: str
    address: str
    signs: bool
    is_writable: bool


@dataclass(frozen=True, slots=True)
class PurseChange:
    """What a transaction did to the lamports of somebody."""

    name: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Transaction:
    """What the chain says of a transaction.

    Attributes
    ----------
    signature
        Its name.
    payer
        Who has paid the fee.
    fee, compute_units
        What it has cost, in lamports and in work.
    accounts, data
        The instruction: the accounts that it names, and its data in hex.
    logs
        What the runtime has logged.
    """

    signature: str
    payer: str
    fee: int
    compute_units: int
    accounts: tuple[AccountUse, ...]
    data: str
    logs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that has happened: a transaction, or slots that have passed without one.

    Attributes
    ----------
    number
        Its place, from 1.
    action
        What it was: ``create``, ``deal``, ``hit``, ``stand``, ``reveal``, ``claim``, ``cleanup`` or ``wait``.
    sentence
        The same in words.
    slot
        When.
    drawn
        The cards that came.
    purses
        The lamports of player, house and game, before and after.
    before, after
        The bytes of the account, before and after; none where it did not exist.
    transaction
        The transaction; None for slots that have passed.
    """

    number: int
    action: str
    sentence: str
    slot: int
    drawn: tuple[int, ...]
    purses: tuple[PurseChange, ...]
    before: bytes
    after: bytes
    transaction: Transaction | None


@dataclass(frozen=True, slots=True)
class Hand:
    """The cards of one side, and what they count."""

    cards: tuple[int, ...] = ()
    total: str = ""


@dataclass(frozen=True, slots=True)
class Account:
    """Where the game is on the chain."""

    program: str
    player: str
    house: str
    address: str
    number: int
    slot: int
    deadline: str


@dataclass(frozen=True, slots=True)
class Purse:
    """Somebody's lamports over the whole game: what there was, where it went, and what is missing, which must be nothing."""

    name: str
    start: int
    fees: int
    rent: int
    now: int

    @property
    def missing(self) -> int:
        """What cannot be accounted for.

        >>> Purse("player", start=100, fees=10, rent=20, now=70).missing
        0
        """
        return self.start - self.fees - self.rent - self.now


@dataclass(frozen=True, slots=True)
class ProvenStep:
    """One entry of the public record, and everything that was checked about it."""

    title: str
    checks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Proof:
    """What came out of a verification: what fits, and the first thing that does not."""

    steps: tuple[ProvenStep, ...]
    problem: str | None
    end_checks: tuple[str, ...]
    verdict: str


@dataclass(frozen=True, slots=True)
class Forgery:
    """A copy of the record in which a card was changed, and how that is found out."""

    change: str
    proof: Proof


@dataclass(frozen=True, slots=True)
class SolanaView:
    """The whole table.

    Attributes
    ----------
    prompt, choices
        What is to be done, and how.
    is_watched
        Whether the game plays itself.
    watched_seed
        The number that a watched game follows from, which whoever watches has named.
    house_answers
        Whether the house answers by itself.
    decks
        How many decks the shoe has.
    player, dealer
        The cards, all of them open.
    account
        Where the game is; None before the first.
    entries
        What has happened, in order.
    purses
        Every lamport.
    proof, forgery
        The verification, when it was asked for.
    record
        The public record as a file, once the game is over.
    score
        Games won, tied and lost by the person; watched ones do not count.
    """

    prompt: str
    choices: tuple[Choice, ...]
    is_watched: bool = False
    watched_seed: int | None = None
    house_answers: bool = True
    decks: int = 1
    player: Hand = Hand()
    dealer: Hand = Hand()
    account: Account | None = None
    entries: tuple[Entry, ...] = ()
    purses: tuple[Purse, ...] = ()
    proof: Proof | None = None
    forgery: Forgery | None = None
    record: str | None = None
    score: tuple[int, int, int] = (0, 0, 0)
