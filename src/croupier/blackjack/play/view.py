"""What a browser may know of a blackjack table: open cards, bets, what can be done, what it came to. Nothing hidden is in here."""

from dataclasses import dataclass
from fractions import Fraction

from croupier.blackjack.counting.system import find_system, verify_countable
from croupier.blackjack.engine import (
    Action,
    ActionKind,
    BlackjackRules,
    Hand,
    Outcome,
    Phase,
    RoundState,
    Session,
    SideBets,
    Turn,
)
from croupier.blackjack.play.coach import Advice, seen_cards
from croupier.cards import DECK_SIZE, POINT_CLASSES, point_class, point_class_of_rank, rank_of
from croupier.choices import Choice
from croupier.numerics.numbers import signed

#: What the buttons of a table say, and their keys.
_BUTTONS = {
    ActionKind.HIT: ("Hit", "h"),
    ActionKind.STAND: ("Stand", "s"),
    ActionKind.DOUBLE: ("Double", "d"),
    ActionKind.SPLIT: ("Split", "p"),
    ActionKind.SURRENDER: ("Surrender", "r"),
    ActionKind.KEEP: ("Play on", "k"),
    ActionKind.INSURE: ("Insure", "i"),
    ActionKind.DECLINE: ("No insurance", "n"),
}

#: How a hand ended, in a word or two.
_OUTCOMES = {
    Outcome.NATURAL: "blackjack",
    Outcome.TWENTY_ONE: "21, paid at once",
    Outcome.CHARLIE: "charlie",
    Outcome.WIN: "wins",
    Outcome.DEALER_BUST: "the dealer is bust",
    Outcome.PUSH: "push",
    Outcome.RETURNED: "bet returned",
    Outcome.SURRENDER: "surrendered",
    Outcome.LOSS: "loses",
    Outcome.BUST: "bust",
    Outcome.DEALER_NATURAL: "the dealer has a blackjack",
}


@dataclass(frozen=True, slots=True)
class HandView:
    """One hand of the player's.

    Attributes
    ----------
    name
        Which it is, where there are several.
    cards, value
        The cards, and what they are worth.
    stake
        What lies on it.
    is_active
        Whether it is this hand's turn.
    outcome, won
        How it ended and what it won or lost; empty and None while it is open.
    """

    name: str
    cards: tuple[int, ...]
    value: str
    stake: float
    is_doubled: bool
    is_active: bool
    outcome: str
    won: float | None


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat: its hands, and the bets beside them in words."""

    number: int
    bet: float
    hands: tuple[HandView, ...]
    side_notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DealerView:
    """The dealer's cards; None is one that lies face down."""

    cards: tuple[int | None, ...]
    value: str


@dataclass(frozen=True, slots=True)
class ShoeView:
    """The shoe from outside: how many cards are left, of how many, and where the cut card is.

    For infinite packs there are no numbers.
    """

    cards_left: int | None
    cards: int | None
    until_cut: int | None
    number: int
    is_last_round: bool


@dataclass(frozen=True, slots=True)
class CountView:
    """A count of all cards that have been seen in this shoe; a true count where the system is balanced."""

    system: str
    running: int
    true: float | None
    packs_left: float


@dataclass(frozen=True, slots=True)
class Feedback:
    """What the coach says of the last choice.

    Attributes
    ----------
    action, worths
        What was chosen, and what everything was worth, in initial bets.
    cost
        What the choice gave away, in initial bets.
    bet
        The initial bet.
    """

    action: str
    worths: dict[str, float]
    cost: float
    bet: float

    @property
    def is_right(self) -> bool:
        """Whether nothing was better."""
        return self.cost <= 0

    def __str__(self) -> str:
        ranked = sorted(self.worths.items(), key=lambda entry: -entry[1])
        worths = ", ".join(f"{name} {signed(worth, 4)}" for name, worth in ranked)
        if self.is_right:
            return f"{self.action} was right: {worths}"
        return f"{self.action} cost {self.cost:.4f} bets ({self.cost * self.bet:.2f}): {worths}"


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """One finished round."""

    number: int
    bet: float
    won: float
    cost: float
    hands: str
    dealer: str


@dataclass(frozen=True, slots=True)
class Statistics:
    """A sitting in numbers.

    Attributes
    ----------
    rounds, staked, won
        Rounds played to their end, all that was bet in them, and what they won.
    decisions, right
        Choices that could be priced, and those of them that nothing would have bettered.
    cost
        What the others gave away in expectation, in money.
    """

    rounds: int = 0
    staked: float = 0.0
    won: float = 0.0
    decisions: int = 0
    right: int = 0
    cost: float = 0.0

    @property
    def accuracy(self) -> float | None:
        """The share of right choices; None before the first."""
        return self.right / self.decisions if self.decisions else None


NO_ROUNDS = Statistics()


@dataclass(frozen=True, slots=True)
class TableView:
    """Everything that a page shows of a table."""

    rules: BlackjackRules
    prompt: str
    note: str
    is_betting: bool
    is_broke: bool
    dealer: DealerView
    seats: tuple[SeatView, ...]
    choices: tuple[Choice, ...]
    bankroll: float
    on_table: float
    bets: tuple[float, ...]
    side_bets: SideBets
    shoe: ShoeView
    count: CountView | None
    coach: bool
    feedback: Feedback | None
    statistics: Statistics
    history: tuple[RoundRecord, ...]


def dealer_view(state: RoundState) -> DealerView:
    """Show the dealer's cards as far as they lie open, and what the open ones are worth."""
    seen = state.visible_dealer_cards
    closed = len(state.dealer_cards) - len(seen)
    is_whole = not closed and len(seen) > 1
    value = str(state.dealer_value) if is_whole else f"shows {_up_card(seen[0])}"
    return DealerView((*seen, *[None] * closed), value)


def seat_view(state: RoundState, number: int) -> SeatView:
    """Show a seat with its hands, insurance and side bets."""
    seat = state.seats[number]
    hands = tuple(_hand_view(state, number, place) for place in range(len(seat.hands)))
    notes = []
    if seat.insurance:
        gain = state.insurance_result(number)
        notes.append(f"insurance {money(seat.insurance)}" + ("" if gain is None else f": {gained(gain)}"))
    notes += [f"{bet.name}: {bet.kind or 'nothing'}, {gained(bet.units)}" for bet in seat.side_settlements]
    return SeatView(number, seat.bet, hands, tuple(notes))


def _hand_view(state: RoundState, number: int, place: int) -> HandView:
    hand = state.seats[number].hands[place]
    return HandView(
        name=hand_name(state, Turn(number, place)),
        cards=hand.cards,
        value=str(state.hand_value(number, place)),
        stake=hand.stake,
        is_doubled=hand.is_doubled,
        is_active=state.turn == (number, place),
        outcome=_outcome(hand),
        won=None if hand.settlement is None else hand.settlement.units,
    )


def _outcome(hand: Hand) -> str:
    if hand.settlement is not None:
        return _OUTCOMES[hand.settlement.outcome]
    return "gives up" if hand.has_surrendered else ""


def hand_name(state: RoundState, turn: Turn) -> str:
    """Name a hand where there are several.

    >>> from croupier.blackjack.engine import start_round
    >>> hand_name(start_round(BlackjackRules(), bets=[1, 1]), Turn(1, 0))
    'Hand 2'
    """
    name = f"Hand {turn.seat + 1}" if len(state.seats) > 1 else "Your hand"
    return f"{name}, part {turn.hand + 1}" if len(state.seats[turn.seat].hands) > 1 else name


def shoe_view(session: Session) -> ShoeView:
    """Show the shoe from outside."""
    shoe, number = session.shoe, len(session.past_shoes) + 1
    is_last = shoe.needs_shuffle
    if shoe.is_infinite:
        return ShoeView(None, None, None, number, is_last)
    until_cut = None if session.rules.shuffle == "continuous" else max(shoe.cut - shoe.cards_used, 0)
    return ShoeView(len(shoe.undealt), len(shoe.order), until_cut, number, is_last)


def count_view(session: Session, system_name: str) -> CountView:
    """Count the cards that have been seen in this shoe.

    >>> session = Session.opened(BlackjackRules(decks=1), seed=3).start_round(bets=[5])
    >>> view = count_view(session, "hi-lo")
    >>> view.running, round(view.true, 2), round(view.packs_left * 52)
    (1, 1.06, 49)
    """
    system, decks = find_system(system_name), verify_countable(session.rules)
    seen = seen_cards(session)
    running = system.initial_count(decks) + sum(system.tags[point_class(card)] for card in seen)
    packs_left = (len(session.shoe.order) - len(seen)) / DECK_SIZE
    true = running / packs_left if system.is_balanced and packs_left > 0 else None
    return CountView(system.name, running, true, packs_left)


def choices_of(
    state: RoundState, legal: tuple[Action, ...], affordable: tuple[Action, ...], advice: Advice | None
) -> tuple[Choice, ...]:
    """Offer the legal actions; those that the bankroll does not cover cannot be chosen."""
    choices = []
    for action in legal:
        label, key = _BUTTONS[action.kind]
        if action.kind is ActionKind.INSURE and action.seat is not None and is_even_money(state, action.seat):
            label = "Even money"
        worth = None if advice is None else advice.worths.get(action.kind)
        choices.append(
            Choice(
                name=action.kind.value,
                label=label,
                key=key,
                enabled=action in affordable,
                worth="" if worth is None else signed(worth, 4),
                is_best=advice is not None and advice.best == action.kind,
            )
        )
    return tuple(choices)


def prompt_of(state: RoundState) -> str:
    """Say what is asked of the player, or how the round ended.

    >>> from croupier.blackjack.engine import deal, start_round
    >>> from croupier.cards import parse_cards
    >>> prompt_of(deal(start_round(BlackjackRules(), bets=[10]), [parse_cards("10H 6C")], parse_cards("9C KD")))
    'Your hand: 16 against 9.'
    """
    if state.is_over:
        return f"You {gained(0.0 - state.bank_result, person=True)}."
    turn, up_card = state.turn, state.up_card
    assert turn is not None, "a player is to decide"
    assert up_card is not None, "the cards are dealt"
    name = hand_name(state, turn)
    match state.phase:
        case Phase.EARLY_SURRENDER:
            return f"{name}: give up {state.hand_value(*turn)} against {_up_card(up_card)}, before the dealer looks?"
        case Phase.INSURANCE if is_even_money(state, turn.seat):
            return f"{name}: the dealer shows an ace. Even money for your blackjack?"
        case Phase.INSURANCE:
            premium = money(state.seats[turn.seat].bet / 2)
            return f"{name}: the dealer shows an ace. Insurance for {premium}?"
        case _:
            return f"{name}: {state.hand_value(*turn)} against {_up_card(up_card)}."


def is_even_money(state: RoundState, seat: int) -> bool:
    """Tell whether insuring a seat is what tables call even money."""
    return state.hand_value(seat).is_natural and state.rules.natural_fraction == Fraction(3, 2)


def money(amount: float) -> str:
    """Write money: whole numbers as they are, else to the hundredth.

    >>> money(1500), money(2.5)
    ('1,500', '2.50')
    """
    return f"{amount:,.0f}" if float(amount).is_integer() else f"{amount:,.2f}"


def signed_money(amount: float) -> str:
    """Write money that was won or lost.

    >>> signed_money(7.5), signed_money(-1500), signed_money(0)
    ('+7.50', '−1,500', '0')
    """
    return "0" if amount == 0 else f"{'+' if amount > 0 else '−'}{money(abs(amount))}"


def gained(amount: float, *, person: bool = False) -> str:
    """Say what was won or lost.

    >>> gained(7.5), gained(-5, person=True), gained(0)
    ('wins 7.50', 'lose 5', 'breaks even')
    """
    ending = "" if person else "s"
    if amount == 0:
        return f"break{ending} even"
    return f"{'win' if amount > 0 else 'lose'}{ending} {money(abs(amount))}"


def _up_card(card: int) -> str:
    letter = POINT_CLASSES[point_class_of_rank(rank_of(card))]
    return {"T": "10", "A": "an ace"}.get(letter, letter)


def rules_summary(rules: BlackjackRules) -> str:
    """Say in one line what sort of table it is.

    >>> rules_summary(BlackjackRules(decks=2, soft17="hit", surrender="late"))
    '2 decks · hits soft 17 · blackjack pays 3:2 · peek · double any two cards · up to 4 hands · late surrender'
    """
    decks = "infinite decks" if rules.decks == "infinite" else f"{rules.decks} deck{'s' * (rules.decks > 1)}"
    parts = [
        decks,
        f"{rules.soft17}s {'on ' if rules.soft17 == 'stand' else ''}soft 17",
        f"blackjack pays {rules.natural_pays}" if rules.natural_beats_21 else "a natural is an ordinary 21",
        {"peek": "peek", "no-peek": "no peek", "no-peek-original-bet": "no peek, original bet only"}[
            rules.hole_card
        ],
        {"any": "double any two cards", "none": "no doubling"}.get(rules.double, f"double {rules.double}"),
        f"up to {rules.split_hands} hands" if rules.split_hands > 1 else "no splitting",
        "no surrender" if rules.surrender == "none" else f"{rules.surrender.replace('-', ' ')} surrender",
    ]
    if rules.shuffle == "continuous":
        parts.insert(1, "shuffled every round")
    return " · ".join(parts)
