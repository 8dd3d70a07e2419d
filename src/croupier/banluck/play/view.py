"""What a person at a Banluck table may see: open cards, the choices, the coach's figures, the session so far.

A closed card of somebody else is None here. Terminal, browser and programs show this and nothing else of a hand.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from croupier.banluck.analysis import html
from croupier.banluck.analysis.action_prices import Prices
from croupier.banluck.engine import (
    Action,
    BanluckRules,
    Observation,
    describe_settlement,
    evaluate,
    observe,
)
from croupier.banluck.engine.observation import SeenHand
from croupier.banluck.engine.text import hand_name, shown_cards
from croupier.banluck.play import phrases
from croupier.banluck.play.coach import Judgement, best_action
from croupier.banluck.play.session import (
    SMALLEST_BET,
    HandRecord,
    Seating,
    Session,
    Totals,
    viewer_of,
)
from croupier.banluck.play.table_solutions import Standing
from croupier.banluck.solvers.opponent import Role
from croupier.choices import Choice
from croupier.numerics.numbers import signed
from croupier.texts import say


@dataclass(frozen=True, slots=True)
class Place:
    """One hand on the table.

    Attributes
    ----------
    cards
        None for a card that the person does not see.
    value, total
        What the hand is, such as ``soft 17``, and its total; empty and None while it is closed.
    result, tone
        How it was settled, and whether that is a ``win``, a ``loss`` or a ``push`` of this place; empty before.
    is_mine
        Whether the person holds it.
    """

    name: str
    cards: tuple[int | None, ...]
    value: str
    result: str
    tone: str
    is_mine: bool
    total: int | None = None

    def __str__(self) -> str:
        return "  ".join(part for part in (shown_cards(self.cards), self.value, self.result) if part)


@dataclass(frozen=True, slots=True)
class Remark:
    """What the coach says of the last choice, and whether it was ``right``, a ``mistake``, or cannot be judged (``unknown``).

    ``worths`` are what the choice and the best other one were worth; nothing where they cannot be compared.
    """

    text: str
    tone: str
    chosen: str = ""
    worths: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BanluckView:
    """Everything that a person at a table may know.

    Attributes
    ----------
    table
        What is played here, against whom.
    number, bet
        The hand that is played or was played last, 0 before the first, and its bet.
    offered_bet
        What the next deal bets if nobody says otherwise.
    dealer, seats
        The hands; None and nothing before the first deal.
    prompt, choices
        What the person is asked, and what the answers are.
    outcome, outcome_tone
        How the hand ended for the person: ``You win 5`` and ``win``; empty while it is played.
    told
        What has happened in the hand, sentence by sentence.
    coach_note
        What has to be known of the coach's figures.
    strategies
        With several players: by which strategies the others and the coach go, and why; empty otherwise.
    """

    table: str
    role: Role
    players: int
    bankroll: float
    number: int
    bet: float
    offered_bet: float
    is_playing: bool
    dealer: Place | None
    seats: tuple[Place, ...]
    prompt: str
    choices: tuple[Choice, ...]
    outcome: str
    outcome_tone: str
    told: tuple[str, ...]
    coach: bool
    coach_note: str
    strategies: str
    remark: Remark | None
    history: tuple[HandRecord, ...]
    totals: Totals

    @property
    def places(self) -> tuple[Place, ...]:
        """All hands on the table, the dealer's first."""
        return (*([] if self.dealer is None else [self.dealer]), *self.seats)

    def __str__(self) -> str:
        width = max((len(place.name) for place in self.places), default=0)
        hands = [f"{place.name:<{width}}  {place}" for place in self.places]
        actions = ", ".join(choice.name for choice in self.choices)
        said = [self.outcome] if self.outcome else []
        return "\n".join([*hands, *said, self.prompt, f"Bankroll {self.bankroll:g}; possible: {actions}"])

    def _repr_html_(self) -> str:
        rows = [{"": place.name, "hand": str(place)} for place in self.places]
        lines = (line for line in (self.outcome, self.prompt) if line)
        return html.table(rows, self.table) + "".join(f"<p>{line}</p>" for line in lines)


def view_of(session: Session, prices: Prices, standing: Standing) -> BanluckView:
    """Show a session to the person, with the coach's price of each choice, if there are any, and what is solved."""
    seating = session.seating
    state = None if session.hand is None else session.hand.state
    seen = None if state is None else observe(state, viewer_of(seating.role))
    is_settled = state is not None and not session.is_playing and bool(session.history)
    won = session.history[-1].won if is_settled else 0.0
    return BanluckView(
        table=phrases.table_name(seating),
        role=seating.role,
        players=seating.players,
        bankroll=session.bankroll,
        number=session.number,
        bet=session.bet,
        offered_bet=max(min(session.usual_bet, session.bankroll), SMALLEST_BET),
        is_playing=session.is_playing,
        dealer=None if seen is None else _dealer(seen, seating),
        seats=() if seen is None else tuple(_seat(seen, seat, seating) for seat in range(seating.players)),
        prompt=phrases.prompt(session),
        choices=_choices(session, seen, prices.worth),
        outcome=phrases.gain(won) if is_settled else "",
        outcome_tone=phrases.tone_of(won) if is_settled else "",
        told=() if state is None else tuple(phrases.story(state, seating.role)),
        coach=session.coach,
        coach_note=phrases.coach_note(session),
        strategies=phrases.strategies_note(session, standing),
        remark=_remark(session.judgements[-1]) if session.coach and session.judgements else None,
        history=session.history,
        totals=session.totals,
    )


def _remark(judgement: Judgement) -> Remark:
    worths = {judgement.chosen: judgement.worth, judgement.rejected: judgement.rejected_worth}
    return Remark(*phrases.remark(judgement), judgement.chosen, worths if judgement.is_known else {})


def _dealer(seen: Observation, seating: Seating) -> Place:
    is_mine = seating.role is Role.DEALER
    return _place(
        say("banluck.place.banker" if is_mine else "banluck.place.dealer"),
        seen.dealer,
        seating.rules,
        is_mine,
    )


def _seat(seen: Observation, seat: int, seating: Seating) -> Place:
    is_mine = seen.viewer == seat
    key = "you" if is_mine else "player" if seating.players == 1 else "player_of_several"
    return _place(say(f"banluck.place.{key}", number=seat + 1), seen.seats[seat], seating.rules, is_mine)


def _place(name: str, hand: SeenHand, rules: BanluckRules, is_mine: bool) -> Place:
    value = evaluate(hand.open_cards, rules) if hand.open_cards else None
    settlement = hand.settlement
    return Place(
        name=name,
        cards=hand.cards,
        value="" if value is None else hand_name(value, rules),
        result="" if settlement is None else describe_settlement(settlement),
        tone="" if settlement is None else phrases.tone_of(settlement.units),
        is_mine=is_mine,
        total=None if value is None else value.total,
    )


def _choices(session: Session, seen: Observation | None, worth: Mapping[Action, float]) -> tuple[Choice, ...]:
    if session.is_playing and seen is not None:
        return tuple(_choice(action, session.seating, worth) for action in seen.actions)
    if session.bankroll < SMALLEST_BET:
        return (Choice("rebuy", say("banluck.do.rebuy", bankroll=session.seating.bankroll), "Enter"),)
    return (
        Choice("deal", say("banluck.do.deal" if session.number == 0 else "banluck.do.deal_next"), "Enter"),
    )


def _choice(action: Action, seating: Seating, worth: Mapping[Action, float]) -> Choice:
    label, key = phrases.choice_label(action, seating.players)
    price, is_best = "", False
    if worth:
        price = signed(worth[action], 3)
        is_best = bool(price) and action == best_action(worth)
        price = price or say("banluck.coach.unknown")
    return Choice(phrases.choice_name(action), label, key, worth=price, is_best=is_best)
