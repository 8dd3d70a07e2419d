"""One person's decisions of an evening of Banluck, priced by the solver."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from croupier.banluck.engine import DEALER, Action, GameState, Phase, evaluate, legal_actions, steps
from croupier.banluck.engine.text import hand_name, shown_cards
from croupier.banluck.play.coach import Judgement, judge
from croupier.banluck.play.phrases import remark
from croupier.banluck.play.solutions import SOLUTIONS
from croupier.banluck.play.strategies import HeadsUpStrategies, PricedStrategies, SolvedTable
from croupier.banluck.play.table_solutions import TABLE_SOLUTIONS
from croupier.choices import JudgedChoices
from croupier.texts import say
from croupier.web.friends.banluck import BanluckEvening, EveningHand


@dataclass(frozen=True, slots=True)
class Mistake:
    """A decision that cost something: in which hand, with which cards, what the coach says, and its cost in units."""

    number: int
    held: str
    said: str
    cost: float


@dataclass(frozen=True, slots=True)
class Review:
    """All decisions of one seat: how many were right, and the mistakes, the dearest first."""

    totals: JudgedChoices
    mistakes: tuple[Mistake, ...]


def review(evening: BanluckEvening, seat: int, report: Callable[[int, int], object] | None = None) -> Review:
    """Price every decision of a seat in the hands that are remembered.

    With several players the prices are sampled: if everybody plays on by the solution for as many players, where that was
    solved before, otherwise by the one for one player.

    Parameters
    ----------
    evening, seat
        The evening, and whose decisions are priced.
    report
        Told how many hands are done, of how many.
    """
    hands = [hand for hand in evening.played if hand.won_by(seat) is not None]
    totals, mistakes = JudgedChoices(), []
    for done, hand in enumerate(hands):
        if report is not None:
            report(done, len(hands))
        strategies = _strategies(evening, len(hand.players))
        for before, action in decisions(hand, seat, evening):
            judgement = judge(strategies.prices(before), action)
            if judgement.is_known:
                totals = totals.with_choice(is_right=judgement.is_right, cost=judgement.cost)
            if not judgement.is_right:
                mistakes.append(_mistake(hand, before, judgement))
    return Review(totals, tuple(sorted(mistakes, key=lambda mistake: -mistake.cost)))


def decisions(hand: EveningHand, seat: int, evening: BanluckEvening) -> Iterator[tuple[GameState, Action]]:
    """Yield what a seat has decided in a hand, where there was more than one way."""
    viewer = DEALER if seat == hand.dealer else hand.players.index(seat)
    for before, action, after in steps(hand.state(evening.rules)):
        if before is after or _to_act(before) != viewer:
            continue
        legal = legal_actions(before)
        chosen = next(
            (choice for choice in legal if (choice.kind, choice.seat) == (action.kind, action.seat)), None
        )
        if chosen is not None and len(legal) > 1:
            yield before, chosen


def _to_act(state: GameState) -> int | None:
    is_dealers = state.phase in (Phase.SURRENDER, Phase.REVEAL, Phase.DEALER)
    return DEALER if is_dealers else state.turn


def _strategies(evening: BanluckEvening, players: int) -> PricedStrategies:
    heads_up = SOLUTIONS.solve_for_table(evening.rules)
    found = TABLE_SOLUTIONS.recall(evening.rules, players) if players > 1 else None
    return HeadsUpStrategies(heads_up) if found is None else SolvedTable.of(found, heads_up)


def _mistake(hand: EveningHand, state: GameState, judgement: Judgement) -> Mistake:
    cards = state.dealer_cards if state.turn is None else state.seats[state.turn].cards
    name = hand_name(evaluate(cards, state.rules), state.rules)
    held = say("friends.review.held", cards=shown_cards(cards), hand=name)
    return Mistake(hand.number, held, remark(judgement)[0], judgement.cost)
