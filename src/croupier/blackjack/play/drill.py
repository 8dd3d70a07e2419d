"""What is drilled next: close decisions and missed ones often, known ones rarely, obvious ones hardly ever."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from croupier.blackjack.engine import BlackjackRules
from croupier.blackjack.play.cells import SECTIONS, Cell, ChartBook, FirstHand
from croupier.cards import POINT_CLASSES, RANK_LETTERS, TEN, point_class_of_rank
from croupier.errors import InputError
from croupier.numerics.streams import RandomStream
from croupier.texts import say

#: What can be drilled: a part of the chart, or all of it.
FOCUSES = ("all", *SECTIONS)

#: How well a cell is known. Each step up halves how often it is asked, each step down doubles it.
BEST_LEVEL, WORST_LEVEL = 5, -4
_STEP_DOWN = 2

#: Who is asked something errs with a chance that falls like e^(-cost / this), in bets: close decisions are missed, obvious ones are not.
_HARDNESS = 0.1

#: A cell that was right comes again after so many other questions at the earliest.
PAUSE = 6

#: What is drawn for a question: the cell, the hand, and the cards.
_CELL, _HAND, _CARDS = range(3)


@dataclass(frozen=True, slots=True)
class CellRecord:
    """How a person did in one cell."""

    asked: int = 0
    wrong: int = 0
    level: int = 0
    cost: float = 0.0

    def answered(self, *, is_right: bool, cost: float) -> "CellRecord":
        """Return the record after another answer: a right one is a step up, a wrong one falls below the start.

        >>> CellRecord(level=4).answered(is_right=False, cost=0.1)
        CellRecord(asked=1, wrong=1, level=-2, cost=0.1)
        """
        level = (
            min(self.level + 1, BEST_LEVEL) if is_right else max(min(self.level, 0) - _STEP_DOWN, WORST_LEVEL)
        )
        return CellRecord(self.asked + 1, self.wrong + (not is_right), level, self.cost + cost)


@dataclass(frozen=True, slots=True)
class Question:
    """A hand and an up-card, as cards, and the cell that they belong to."""

    row: str
    up_card: str
    cards: tuple[int, int]
    dealer_card: int


def verify_focus(rules: BlackjackRules, focus: str) -> None:
    """Raise unless there is something to drill in a part of the chart.

    >>> verify_focus(BlackjackRules(split_hands=1), "pairs")
    Traceback (most recent call last):
    croupier.errors.InputError: there are no pairs to drill: these rules do not allow splitting
    """
    if rules.hole_card == "open":
        raise InputError(say("training.refused.open_cards"))
    if focus not in FOCUSES:
        raise InputError(say("training.refused.focus", focus=focus, focuses=", ".join(FOCUSES)))
    if focus == "pairs" and rules.split_hands < 2:
        raise InputError(say("training.refused.no_pairs"))


def weight(cell: Cell, record: CellRecord) -> float:
    """Return how much a cell asks to be drilled: by what is given away there, and by how badly it is known.

    What can be given away is how often the cell comes, times what the likeliest mistake costs; its root keeps the common cells from crowding
    out the others. The chance to make the mistake falls with its cost: nobody hits a 20.

    >>> from croupier.blackjack.play.cells import chart_book
    >>> cells = chart_book(BlackjackRules(decks="infinite")).cells
    >>> round(weight(cells["16", "T"], CellRecord(level=-1)) / weight(cells["16", "T"], CellRecord()), 6)
    2.0
    >>> weight(cells["12", "3"], CellRecord()) > 30 * weight(cells["19", "6"], CellRecord())
    True
    """
    cost = cell.importance / cell.probability
    return float(cell.importance**0.5 * math.exp(-cost / _HARDNESS) * 2.0**-record.level)


def cells_of(book: ChartBook, focus: str) -> list[Cell]:
    """List the cells of a part of the chart in which there is something to decide."""
    rows = [row for name in (SECTIONS if focus == "all" else [focus]) for row in SECTIONS[name]]
    cells = [book.cells[row, up_card] for row in rows for up_card in POINT_CLASSES]
    return [cell for cell in cells if cell.hands and cell.importance > 0]


def draw_question(
    book: ChartBook,
    seed: int,
    number: int,
    focus: str,
    records: Mapping[tuple[str, str], CellRecord],
    last: Sequence[tuple[str, str]],
) -> Question:
    """Draw a question by weight, but none of the cells that were asked last.

    Parameters
    ----------
    book
        The chart.
    seed, number
        The question's own random stream.
    focus
        The part of the chart to draw from.
    records
        How well the cells are known.
    last
        The cells that were asked last and shall rest.

    Examples
    --------
    >>> from croupier.blackjack.play.cells import chart_book
    >>> book = chart_book(BlackjackRules(decks="infinite"))
    >>> draw_question(book, 1, 0, "soft", {}, ()).row
    'soft 14'
    """
    cells = [cell for cell in cells_of(book, focus) if (cell.row, cell.up_card) not in last]
    weights = [weight(cell, records.get((cell.row, cell.up_card), CellRecord())) for cell in cells]
    cell = cells[pick(weights, RandomStream((seed, number, _CELL)))]
    hand = cell.hands[pick([hand.probability for hand in cell.hands], RandomStream((seed, number, _HAND)))]
    cards = cards_of(hand, book.analysis.rules, RandomStream((seed, number, _CARDS)))
    return Question(cell.row, cell.up_card, (cards[0], cards[1]), cards[2])


def cards_of(hand: FirstHand, rules: BlackjackRules, stream: RandomStream) -> tuple[int, int, int]:
    """Draw cards for a first hand and its up-card: ranks and suits that make it, all different."""
    first, second = (_rank_of_class(point, rules, stream) for point in hand.cards)
    if hand.cards[0] == hand.cards[1] and rules.split_by == "rank":
        second = first if hand.is_split_pair else _other_rank(first, rules, stream)
    cards: list[int] = []
    for rank in (first, second, _rank_of_class(hand.up_card, rules, stream)):
        suits = [suit for suit in range(4) if 4 * rank + suit not in cards]
        cards.append(4 * rank + suits[stream.below(len(suits))])
    return cards[0], cards[1], cards[2]


def pick(weights: list[float], stream: RandomStream) -> int:
    """Draw a place with a chance in proportion to its weight."""
    sums = list(accumulate(weights))
    drawn = stream.uniform() * sums[-1]
    return next(place for place, total in enumerate(sums) if drawn < total)


def _ranks_of_class(point: int, rules: BlackjackRules) -> list[int]:
    """List the ranks of a point class that the rules deal: Spanish packs have no tens, but court cards."""
    return [
        rank
        for rank in range(len(RANK_LETTERS))
        if point_class_of_rank(rank) == point and (rules.ten_spots or rank != TEN)
    ]


def _rank_of_class(point: int, rules: BlackjackRules, stream: RandomStream) -> int:
    ranks = _ranks_of_class(point, rules)
    return ranks[stream.below(len(ranks))]


def _other_rank(rank: int, rules: BlackjackRules, stream: RandomStream) -> int:
    """Return another rank of the same value: two tens that are no pair."""
    others = [other for other in _ranks_of_class(point_class_of_rank(rank), rules) if other != rank]
    return others[stream.below(len(others))]
