"""The best chart of a rule set, cell by cell: what it advises, which first hands belong there, and what every action is worth."""

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Self

from croupier.blackjack.engine import BlackjackRules
from croupier.blackjack.engine.moves import Allowed, Move
from croupier.blackjack.play.coach import before_the_peek, chance_of_natural
from croupier.blackjack.solvers.analysis import REMEMBERED, GameAnalysis, Step, analyse
from croupier.blackjack.solvers.chart import HARD_ROWS, PAIR_ROWS, ROWS, SOFT_ROWS, Chart
from croupier.blackjack.solvers.chart_moves import first_move, row_of_pair, row_of_total
from croupier.blackjack.solvers.exact import HandAnalysis
from croupier.blackjack.solvers.shoe import ShoeCounts
from croupier.texts import say

#: The parts of a chart as it is shown; 4, 21 and the soft 12 and 21 have no first hands or nothing to decide.
SECTIONS = {"hard": HARD_ROWS[1:-1], "soft": SOFT_ROWS[1:-1], "pairs": PAIR_ROWS}


@dataclass(frozen=True, slots=True)
class FirstHand:
    """Two first cards against an up-card, or two open cards of the dealer's.

    Attributes
    ----------
    cards, up_card
        Point classes.
    hole_card
        The point class of the dealer's other card where both lie open.
    probability
        How often they come, per round.
    worths
        What each action is worth, in initial bets; without a dealer's natural where the dealer looks before one decides.
    advised
        What the chart does.
    """

    cards: tuple[int, int]
    up_card: int
    probability: float
    worths: dict[str, float]
    advised: str
    hole_card: int | None = None

    @property
    def is_split_pair(self) -> bool:
        """Whether it may be split."""
        return "split" in self.worths

    def cost(self, action: str) -> float:
        """Return what an action gives away against the chart's, in initial bets; nothing, where it is better with these very cards."""
        return max(self.worths[self.advised] - self.worths[action], 0.0)


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of the chart, with the first hands that belong to it.

    Attributes
    ----------
    row, up_card, code
        Where it is, and what the chart says there.
    hands
        The first hands; none where only longer hands come.
    probability
        How often a round begins here.
    worths
        What each action is worth on average over the first hands.
    importance
        What the likeliest mistake costs, times how often it can be made: bets per round.
    """

    row: str
    up_card: str
    code: str
    hands: tuple[FirstHand, ...]
    probability: float
    worths: dict[str, float]
    importance: float

    @classmethod
    def of(cls, row: str, up_card: str, code: str, hands: tuple[FirstHand, ...]) -> Self:
        """Put a cell together from its first hands."""
        probability = sum(hand.probability for hand in hands)
        actions = hands[0].worths if hands else {}
        worths = {
            action: sum(hand.probability * hand.worths[action] for hand in hands) / probability
            for action in actions
            if all(action in hand.worths for hand in hands)
        }
        importance = sum(hand.probability * _smallest_cost(hand) for hand in hands)
        return cls(row, up_card, code, hands, probability, worths, importance)


@dataclass(frozen=True, slots=True, eq=False)
class ChartBook:
    """A rule set, solved: its exact analysis, and the best chart cell by cell."""

    analysis: GameAnalysis
    cells: dict[tuple[str, str], Cell]


def chart_book(rules: BlackjackRules, step: Step = lambda _: None) -> ChartBook:
    """Return a solved rule set, from memory if it was solved lately.

    Parameters
    ----------
    step
        Told what comes next, before each part of the work; it may raise to stop.

    Examples
    --------
    >>> book = chart_book(BlackjackRules(decks="infinite"))
    >>> cell = book.cells["16", "T"]
    >>> print(cell.code, *(hand.advised for hand in cell.hands), round(cell.worths["hit"], 4))
    H hit hit -0.5398
    """
    analysis = analyse(rules, step=step)
    step(say("simulator.part.cells"))
    return ChartBook(analysis, _remembered_cells(rules))


@lru_cache(REMEMBERED)
def _remembered_cells(rules: BlackjackRules) -> dict[tuple[str, str], Cell]:
    analysis = analyse(rules)
    return _cells(analysis.chart, analysis.hands, rules)


def _cells(
    table: Chart, hands: tuple[HandAnalysis, ...], rules: BlackjackRules
) -> dict[tuple[str, str], Cell]:
    members: dict[tuple[str, str], list[FirstHand]] = defaultdict(list)
    for hand in hands:
        if not hand.is_natural:
            row, column = _row(hand), table.columns[hand.column]
            members[row, column].append(_first_hand(hand, table, rules))
    return {
        (row, column): Cell.of(row, column, table[row, column].value, _merged(members[row, column]))
        for row in ROWS
        for column in table.columns
    }


def _merged(hands: list[FirstHand]) -> tuple[FirstHand, ...]:
    """Make one of ten-value pairs that differ only in which rank the up-card has, and of hands against the same dealer's total."""
    groups: dict[tuple[int, int], list[FirstHand]] = defaultdict(list)
    for hand in hands:
        groups[hand.cards].append(hand)
    return tuple(_average(group) if len(group) > 1 else group[0] for group in groups.values())


def _average(hands: list[FirstHand]) -> FirstHand:
    probability = sum(hand.probability for hand in hands)
    worths = {
        action: sum(hand.probability * hand.worths[action] for hand in hands) / probability
        for action in hands[0].worths
        if all(action in hand.worths for hand in hands)
    }
    return replace(hands[0], probability=probability, worths=worths)


def _row(hand: HandAnalysis) -> str:
    if "split" in hand.actions:
        return ROWS[row_of_pair(hand.hand[0])]
    return ROWS[row_of_total(*hand.hand)]


def _first_hand(hand: HandAnalysis, table: Chart, rules: BlackjackRules) -> FirstHand:
    move = first_move(
        table, *hand.hand, hand.column, Allowed.of(*(Move(action) for action in hand.actions)), rules
    )
    worths = hand.actions
    if decides_before_the_peek(hand.up_card, "surrender" in hand.actions, rules):
        full = ShoeCounts.full(rules)
        unseen = full.without(full.ranks_of_class(point)[0] for point in (hand.up_card, *hand.hand))
        worths = before_the_peek(worths, chance_of_natural(rules, hand.up_card, unseen))
    return FirstHand(hand.hand, hand.up_card, hand.probability, worths, move, hand.hole_card)


def decides_before_the_peek(up_card: int, may_surrender: bool, rules: BlackjackRules) -> bool:
    """Tell whether a first hand is decided while nobody knows of a natural, so that its worths count one in."""
    if rules.hole_card == "open" or chance_of_natural(rules, up_card, ShoeCounts.full(rules)) == 0:
        return False
    if rules.hole_card == "peek":
        return rules.surrender.startswith("early") and may_surrender
    return rules.hole_card == "no-peek-original-bet"


def _smallest_cost(hand: FirstHand) -> float:
    """Return what the cheapest other action costs; nothing where there is no other."""
    return min((hand.cost(action) for action in hand.worths if action != hand.advised), default=0.0)
