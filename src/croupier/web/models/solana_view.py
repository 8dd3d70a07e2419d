"""What a browser may see of the table on the chain. Nothing here needs the runtime, so the page can always be built."""

from dataclasses import dataclass

from croupier.choices import Choice


@dataclass(frozen=True, slots=True)
class AccountUse:
    """An account of an instruction: its role, its address, and whether it signs or is written."""

    role: str
    address: str
    signs: bool
    is_writable: bool


@dataclass(frozen=True, slots=True)
class PurseChange:
    """One account's lamports before and after a transaction."""

    name: str
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Transaction:
    """A transaction on the chain.

    Attributes
    ----------
    signature
        Its signature, which identifies it.
    payer
        Who paid the fee.
    fee, compute_units
        Its cost in lamports and in work.
    accounts, data
        The instruction: its accounts, and its data in hex.
    logs
        The runtime's log.
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
    """An entry in the game's history: a transaction, or slots that passed without one.

    Attributes
    ----------
    number
        Its number, from 1.
    action
        The action: ``create``, ``deal``, ``hit``, ``stand``, ``reveal``, ``claim``, ``cleanup`` or ``wait``.
    sentence
        The same in words.
    slot
        The slot in which it happened.
    drawn
        The cards drawn.
    purses
        The lamports of player, house and game, before and after.
    before, after
        The bytes of the account, before and after; empty if it did not exist.
    transaction
        The transaction; None if slots passed.
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
    """The cards of one side, and their total."""

    cards: tuple[int, ...] = ()
    total: str = ""


@dataclass(frozen=True, slots=True)
class Account:
    """The game's account on the chain."""

    program: str
    player: str
    house: str
    address: str
    number: int
    slot: int
    deadline: str


@dataclass(frozen=True, slots=True)
class Purse:
    """One side's lamports over the whole game: at the start, spent, and now."""

    name: str
    start: int
    fees: int
    rent: int
    now: int

    @property
    def missing(self) -> int:
        """The lamports that are unaccounted for; always zero.

        >>> Purse("player", start=100, fees=10, rent=20, now=70).missing
        0
        """
        return self.start - self.fees - self.rent - self.now


@dataclass(frozen=True, slots=True)
class ProvenStep:
    """One entry of the public record, and every check that it passed."""

    title: str
    checks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Proof:
    """The outcome of a verification: the checks passed, and the verdict."""

    steps: tuple[ProvenStep, ...]
    problem: str | None
    end_checks: tuple[str, ...]
    verdict: str


@dataclass(frozen=True, slots=True)
class Forgery:
    """A copy of the record with a changed card, and the proof that finds it."""

    change: str
    proof: Proof


@dataclass(frozen=True, slots=True)
class SolanaView:
    """The view of the whole table.

    Attributes
    ----------
    prompt, choices
        The state of the game in words, and the possible actions.
    is_watched
        Whether the game plays automatically.
    watched_seed
        The seed of a watched game, chosen by the visitor.
    house_answers
        Whether the house answers at once.
    decks
        The number of decks.
    player, dealer
        The hands, all face up.
    account
        The game's account; None before the first game.
    entries
        The history, in order.
    purses
        The lamports of both sides.
    proof, forgery
        The verification, if it was requested.
    record
        The public record as a file, once the game is over.
    score
        Games won, tied and lost by the visitor; watched games do not count.
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
