"""What the codes of a chart mean: which move each makes, given what is allowed at that moment."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from croupier.blackjack.engine.hand import evaluate_classes
from croupier.blackjack.engine.moves import ALL_ALLOWED, Allowed, Move
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.chart import DEALER_TOTALS, HARD_ROWS, ROWS, SOFT_ROWS, UP_CARDS, Chart, Code

#: What each code wants, in its order. Standing is always possible and ends every list; None stands for the row of the pair's total.
WISHES: dict[Code, tuple[Move | None, ...]] = {
    Code.HIT: (Move.HIT,),
    Code.STAND: (),
    Code.DOUBLE: (Move.DOUBLE, Move.HIT),
    Code.DOUBLE_OR_STAND: (Move.DOUBLE,),
    Code.SPLIT: (Move.SPLIT, None),
    Code.SPLIT_OR_HIT: (Move.SPLIT, Move.HIT),
    Code.SPLIT_OR_STAND: (Move.SPLIT,),
    Code.SURRENDER: (Move.SURRENDER, Move.HIT),
    Code.SURRENDER_OR_STAND: (Move.SURRENDER,),
    Code.SURRENDER_OR_SPLIT: (Move.SURRENDER, Move.SPLIT, None),
}

#: Codes that split only where the hands may then be doubled.
SPLITS_TO_DOUBLE = (Code.SPLIT_OR_HIT, Code.SPLIT_OR_STAND)

#: Codes by number, as arrays hold them.
CODES = tuple(Code)

#: The number of "ask the row of the total", behind the numbers of the moves.
BY_TOTAL = len(Move)

FIRST_SOFT_ROW = len(HARD_ROWS)
FIRST_PAIR_ROW = len(HARD_ROWS) + len(SOFT_ROWS)


def move_of(code: Code, allowed: Allowed, rules: BlackjackRules) -> Move | None:
    """Return what a code does where some moves are allowed; None: what the row of the pair's total does.

    Examples
    --------
    >>> move_of(Code.DOUBLE, Allowed.DOUBLE | Allowed.HIT, BlackjackRules()).name
    'DOUBLE'
    >>> move_of(Code.DOUBLE, Allowed.HIT, BlackjackRules()).name
    'HIT'
    >>> move_of(Code.SPLIT_OR_STAND, Allowed.SPLIT, BlackjackRules(double_after_split=False)).name
    'STAND'
    """
    if code in SPLITS_TO_DOUBLE and not rules.double_after_split:
        allowed &= ~Allowed.SPLIT
    for move in WISHES[code]:
        if move is None or Allowed.of(move) in allowed:
            return move
    return Move.STAND


@lru_cache(maxsize=64)
def move_table(rules: BlackjackRules) -> NDArray[np.uint8]:
    """Tabulate :func:`move_of` in numbers, by code and what is allowed.

    >>> int(move_table(BlackjackRules())[CODES.index(Code.SPLIT), Allowed.HIT]) == BY_TOTAL
    True
    """
    moves = [[move_of(code, Allowed(allowed), rules) for allowed in range(ALL_ALLOWED)] for code in CODES]
    table = np.array(
        [[BY_TOTAL if move is None else move.number for move in line] for line in moves], np.uint8
    )
    table.flags.writeable = False
    return table


def first_move(
    chart: Chart, first: int, second: int, column: int, allowed: Allowed, rules: BlackjackRules
) -> Move:
    """Return what a chart does with two cards of some point classes, in one of its columns: a pair that it cannot split may go by its total.

    >>> chart = Chart.uniform("H").replace({("8,8", "T"): "P", ("16", "T"): "RS"})
    >>> [first_move(chart, 6, 6, 8, allowed, BlackjackRules()).value for allowed in (Allowed.SPLIT, Allowed.SURRENDER)]
    ['split', 'surrender']
    """
    letter = chart.columns[column]
    if first == second:
        move = move_of(chart[ROWS[row_of_pair(first)], letter], allowed, rules)
        if move is not None:
            return move
    return move_of(chart[ROWS[row_of_total(first, second)], letter], allowed, rules) or Move.STAND


def columns_for(rules: BlackjackRules) -> tuple[str, ...]:
    """Return the columns of a chart for a table: what its players see of the dealer's cards.

    >>> len(columns_for(BlackjackRules())), len(columns_for(BlackjackRules(hole_card="open")))
    (10, 27)
    """
    return DEALER_TOTALS if rules.hole_card == "open" else UP_CARDS


def column_of(up_card: int, hole_card: int | None = None) -> int:
    """Return the chart's column of an up-card, or of both cards where they lie open, by their point classes.

    >>> UP_CARDS[column_of(8)], DEALER_TOTALS[column_of(8, 4)], DEALER_TOTALS[column_of(9, 9)]
    ('T', '16', 'soft 12')
    """
    if hole_card is None:
        return up_card
    value = evaluate_classes(tuple(sorted((up_card, hole_card))))
    return DEALER_TOTALS.index(f"soft {value.total}" if value.is_soft else f"{value.total}")


def row_of_hand(total: int, is_soft: bool) -> int:
    """Return the chart's row of a hand that is no pair.

    >>> ROWS[row_of_hand(18, True)]
    'soft 18'
    """
    return FIRST_SOFT_ROW + total - 12 if is_soft else total - 4


def row_of_pair(point: int) -> int:
    """Return the chart's row of a pair.

    >>> ROWS[row_of_pair(6)]
    '8,8'
    """
    return FIRST_PAIR_ROW + point


def row_of_total(first: int, second: int) -> int:
    """Return the row of the total of two cards of some point classes.

    >>> ROWS[row_of_total(6, 6)], ROWS[row_of_total(9, 4)]
    ('16', 'soft 17')
    """
    value = evaluate_classes(tuple(sorted((first, second))))
    return row_of_hand(value.total, value.is_soft)
