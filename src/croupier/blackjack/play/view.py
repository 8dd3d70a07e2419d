"""What a person may know of a blackjack table: open cards, bets, what can be done, what it came to. Nothing hidden is in here."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from croupier.blackjack.engine import (
    Action,
    ActionKind,
    BlackjackRules,
    Hand,
    RoundState,
    Session,
    SideBets,
    Turn,
    evaluate,
)
from croupier.blackjack.engine.side_bets import JSON_KEYS
from croupier.blackjack.play.count import CountView, has_closed_card
from croupier.blackjack.play.phrases import (
    KEYS,
    gained,
    hand_name,
    is_even_money,
    label_of,
    money,
    shown_name,
    signed_money,
)
from croupier.blackjack.play.records import Feedback, RoundRecord, Statistics
from croupier.cards import format_card
from croupier.choices import Choice
from croupier.numerics.numbers import signed
from croupier.texts import say

if TYPE_CHECKING:  # a table without a coach does not wait for the solvers
    from croupier.blackjack.play.coach import Advice

_CLOSED_CARD = "░░"


def _in_row(cards: tuple[int | None, ...]) -> str:
    return " ".join(_CLOSED_CARD if card is None else format_card(card, symbols=True) for card in cards)


@dataclass(frozen=True, slots=True)
class HandView:
    """One hand of the player's.

    Attributes
    ----------
    name
        Which it is, where there are several.
    cards, value
        The cards, and what they are worth; None is a doubled card that lies face down.
    stake
        What lies on it.
    is_active
        Whether it is this hand's turn.
    outcome, won
        How it ended and what it won or lost; empty and None while it is open.
    """

    name: str
    cards: tuple[int | None, ...]
    value: str
    stake: float
    is_doubled: bool
    is_active: bool
    outcome: str
    won: float | None

    def __str__(self) -> str:
        return self.line

    @property
    def line(self) -> str:
        """The hand in a line."""
        key = ("closed" if self.outcome else "open") if self.won is None else "won" if self.won else "even"
        return say(
            f"blackjack.line.{key}",
            cards=_in_row(self.cards),
            value=self.value,
            stake=money(self.stake),
            outcome=self.outcome,
            won=signed_money(self.won or 0.0),
        )


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat: its hands, and the bets beside them in words."""

    number: int
    bet: float
    hands: tuple[HandView, ...]
    side_notes: tuple[str, ...]

    def lines(self) -> tuple[str, ...]:
        """Return the hands and the bets beside them, a line each; where there are several hands, ``<`` marks the one in turn."""
        several = len(self.hands) > 1
        hands = (f"{hand}  <" if several and hand.is_active else hand.line for hand in self.hands)
        return (*hands, *self.side_notes)


@dataclass(frozen=True, slots=True)
class DealerView:
    """The dealer's cards; None is one that lies face down."""

    cards: tuple[int | None, ...]
    value: str

    def __str__(self) -> str:
        cards = _in_row(self.cards)
        return cards if None in self.cards else say("blackjack.line.dealer", cards=cards, value=self.value)


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
class TableView:
    """Everything that a person may see of a table: a page or a terminal shows this and nothing else.

    Attributes
    ----------
    rules
        The rules of the table.
    prompt, note
        What is asked, or how the round ended; and what a person might wonder about.
    events
        What has happened since the last choice, in sentences.
    is_betting, is_broke
        Whether bets are taken, and whether the bankroll is too small for them.
    dealer, seats
        The cards.
    choices
        What can be done now.
    bankroll, on_table
        The money that is not on the table, and what is.
    bets, side_bets
        The bets of this round; between rounds, what the next deal takes unless other bets are made.
    shoe, count
        The shoe from outside, and a count of the cards seen, if one is kept.
    coach, feedback, side_values
        Whether the coach speaks, what it says of the last choice and, while bets are taken, what a unit on each side bet is worth.
    statistics, history
        The totals of the session, and its last rounds.
    """

    rules: BlackjackRules
    prompt: str
    note: str
    events: tuple[str, ...]
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
    side_values: Mapping[str, float] = field(default_factory=dict)

    def lines(self) -> tuple[tuple[str, str], ...]:
        """Return the cards as lines of text, each after the name of whose they are."""
        if not self.seats:
            return ()
        name = "you" if len(self.seats) == 1 else "hand {}"
        seats = ((name.format(seat.number + 1), line) for seat in self.seats for line in seat.lines())
        return (("dealer", str(self.dealer)), *seats)

    def __str__(self) -> str:
        """Write the table as a few lines of text."""
        width = max((len(name) for name, _ in self.lines()), default=0)
        return "\n".join([*(f"{name:<{width}}  {line}" for name, line in self.lines()), self.prompt])


def dealer_view(state: RoundState) -> DealerView:
    """Show the dealer's cards as far as they lie open, and what the open ones are worth."""
    seen = state.visible_dealer_cards
    closed = len(state.dealer_cards) - len(seen)
    is_whole = not closed and len(seen) > 1
    value = str(state.dealer_value) if is_whole else shown_name(seen[0])
    return DealerView((*seen, *[None] * closed), value)


def seat_view(state: RoundState, number: int) -> SeatView:
    """Show a seat with its hands, insurance and side bets."""
    seat = state.seats[number]
    hands = tuple(_hand_view(state, number, place) for place in range(len(seat.hands)))
    notes = []
    if seat.insurance:
        gain = state.insurance_result(number)
        key = "blackjack.side.insurance" if gain is None else "blackjack.side.insurance_settled"
        notes.append(say(key, amount=money(seat.insurance), gained=gained(gain or 0.0)))
    notes += [
        say(
            "blackjack.side.settled",
            bet=say(f"blackjack.side.{JSON_KEYS[bet.name]}"),
            kind=say(f"blackjack.side.{'nothing' if bet.kind is None else bet.kind.name.lower()}"),
            gained=gained(bet.units),
        )
        for bet in seat.side_settlements
    ]
    return SeatView(number, seat.bet, hands, tuple(notes))


def _hand_view(state: RoundState, number: int, place: int) -> HandView:
    hand = state.seats[number].hands[place]
    is_closed = has_closed_card(state, hand)
    open_cards = hand.cards[:-1] if is_closed else hand.cards
    value = str(state.hand_value(number, place))
    if is_closed:
        value = say("blackjack.hand.closed", total=str(evaluate(open_cards, can_be_natural=False)))
    return HandView(
        name=hand_name(state, Turn(number, place)),
        cards=(*open_cards, None) if is_closed else open_cards,
        value=value,
        stake=hand.stake,
        is_doubled=hand.is_doubled,
        is_active=state.turn == (number, place),
        outcome="" if is_closed else _outcome(hand),
        won=None if is_closed or hand.settlement is None else hand.settlement.units,
    )


def _outcome(hand: Hand) -> str:
    if hand.settlement is not None:
        return say(f"blackjack.outcome.{hand.settlement.outcome.name.lower()}")
    return say("blackjack.outcome.gives_up") if hand.has_surrendered else ""


def shoe_view(session: Session) -> ShoeView:
    """Show the shoe from outside."""
    shoe, number = session.shoe, len(session.past_shoes) + 1
    is_last = shoe.needs_shuffle
    if shoe.is_infinite:
        return ShoeView(None, None, None, number, is_last)
    until_cut = None if session.rules.shuffle == "continuous" else max(shoe.cut - shoe.cards_used, 0)
    return ShoeView(len(shoe.undealt), len(shoe.order), until_cut, number, is_last)


def choices_of(
    state: RoundState, legal: tuple[Action, ...], affordable: tuple[Action, ...], advice: "Advice | None"
) -> tuple[Choice, ...]:
    """Offer the legal actions; those that the bankroll does not cover cannot be chosen."""
    choices = []
    for action in legal:
        label = label_of(action.kind)
        if action.kind is ActionKind.INSURE and action.seat is not None and is_even_money(state, action.seat):
            label = say("blackjack.do.even_money")
        worth = None if advice is None else advice.worths.get(action.kind)
        choices.append(
            Choice(
                name=action.kind.value,
                label=label,
                key=KEYS[action.kind],
                enabled=action in affordable,
                worth="" if worth is None else signed(worth, 4),
                is_best=advice is not None and advice.best == action.kind,
            )
        )
    return tuple(choices)
