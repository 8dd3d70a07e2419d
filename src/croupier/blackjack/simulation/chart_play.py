"""What a chart does at the table: every code resolved by what is legal at that moment, and what no rule lets it do.

A code names what to do first and what else; which of them is played depends on what the table allows at that moment, and on
nothing hidden. Advice without a second choice that could never be followed is refused before the first card.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum, IntFlag

import numpy as np
from numpy.typing import NDArray

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.chart import (
    HARD_ROWS,
    PAIR_ROWS,
    ROWS,
    SOFT_ROWS,
    UP_CARDS,
    Chart,
    ChartError,
    Code,
)
from croupier.blackjack.solvers.chart_check import Remark, check

#: ``[allowed, row, up-card]``: the move that a chart makes.
Plan = NDArray[np.uint8]

FIRST_SOFT_ROW = len(HARD_ROWS)
FIRST_PAIR_ROW = len(HARD_ROWS) + len(SOFT_ROWS)


class Move(IntEnum):
    """What a player does with a hand. NONE: there was nothing to decide."""

    NONE = 0
    STAND = 1
    HIT = 2
    DOUBLE = 3
    SPLIT = 4
    SURRENDER = 5
    BY_TOTAL = 6


class Allowed(IntFlag):
    """What else than standing is allowed."""

    NOTHING = 0
    SPLIT = 1
    SURRENDER = 2
    DOUBLE = 4
    HIT = 8


ALL_ALLOWED = 16

#: What each code wants, in its order; standing is always possible and ends every list.
_WISHES: dict[Code, tuple[Move, ...]] = {
    Code.HIT: (Move.HIT,),
    Code.STAND: (),
    Code.DOUBLE: (Move.DOUBLE, Move.HIT),
    Code.DOUBLE_OR_STAND: (Move.DOUBLE,),
    Code.SPLIT: (Move.SPLIT, Move.BY_TOTAL),
    Code.SPLIT_OR_HIT: (Move.SPLIT, Move.HIT),
    Code.SPLIT_OR_STAND: (Move.SPLIT,),
    Code.SURRENDER: (Move.SURRENDER, Move.HIT),
    Code.SURRENDER_OR_STAND: (Move.SURRENDER,),
    Code.SURRENDER_OR_SPLIT: (Move.SURRENDER, Move.SPLIT, Move.BY_TOTAL),
}

_FLAG_OF_MOVE = {
    Move.HIT: Allowed.HIT,
    Move.DOUBLE: Allowed.DOUBLE,
    Move.SPLIT: Allowed.SPLIT,
    Move.SURRENDER: Allowed.SURRENDER,
}

#: Codes that split only where the hands may then be doubled.
_SPLITS_TO_DOUBLE = (Code.SPLIT_OR_HIT, Code.SPLIT_OR_STAND)

#: Codes whose last choice before "by the total" is a split: on a total they say nothing.
_FOR_PAIRS_ONLY = (Code.SPLIT, Code.SURRENDER_OR_SPLIT)


@dataclass(frozen=True, slots=True)
class Deviation:
    """A cell that changes with the count: at or above this count, the chart has another code.

    Examples
    --------
    >>> str(Deviation("16", "T", 0, Code.STAND))
    '16 against T: S at a count of +0 or more'
    """

    row: str
    up_card: str
    at_least: int
    code: Code

    def __str__(self) -> str:
        return f"{self.row} against {self.up_card}: {self.code} at a count of {self.at_least:+d} or more"


def move_of(code: Code, allowed: Allowed, rules: BlackjackRules) -> Move:
    """Return what a code does where some moves are allowed.

    Examples
    --------
    >>> move_of(Code.DOUBLE, Allowed.DOUBLE | Allowed.HIT, BlackjackRules()).name
    'DOUBLE'
    >>> move_of(Code.DOUBLE, Allowed.HIT, BlackjackRules()).name
    'HIT'
    >>> move_of(Code.SPLIT_OR_STAND, Allowed.SPLIT, BlackjackRules(double_after_split=False)).name
    'STAND'
    """
    if code in _SPLITS_TO_DOUBLE and not rules.double_after_split:
        allowed &= ~Allowed.SPLIT
    for move in _WISHES[code]:
        if move is Move.BY_TOTAL or _FLAG_OF_MOVE[move] in allowed:
            return move
    return Move.STAND


def remarks_on(table: Chart, rules: BlackjackRules, deviations: Iterable[Deviation] = ()) -> list[Remark]:
    """List the entries of a chart and its deviations that the rules do not allow, each with what is played instead.

    Raises
    ------
    ChartError
        If an entry can never be followed and names no second choice.

    Examples
    --------
    >>> everything_splits = Chart.uniform(Code.SPLIT)
    >>> remarks_on(everything_splits, BlackjackRules())
    Traceback (most recent call last):
    croupier.blackjack.solvers.chart.ChartError: chart: row '4' against 2: P on a total names no \
second choice; use H, S, D, DS, R or RS
    """
    for (row, up_card), code in table.cells.items():
        _verify_choice(row, up_card, code)
    remarks = check(table, rules)
    for deviation in deviations:
        _verify_cell(deviation)
        _verify_choice(deviation.row, deviation.up_card, deviation.code)
        changed = table.replace({(deviation.row, deviation.up_card): deviation.code})
        remarks += [
            remark
            for remark in check(changed, rules)
            if (remark.row, remark.up_card) == (deviation.row, deviation.up_card) and remark not in remarks
        ]
    return remarks


def plan_of(table: Chart, rules: BlackjackRules) -> Plan:
    """Tabulate what a chart does, by what is allowed, row and up-card.

    Examples
    --------
    >>> standing = Chart.uniform(Code.DOUBLE_OR_STAND)
    >>> plan = plan_of(standing, BlackjackRules())
    >>> Move(plan[Allowed.DOUBLE | Allowed.HIT, 5, 0]).name, Move(plan[Allowed.HIT, 5, 0]).name
    ('DOUBLE', 'STAND')
    """
    moves = {
        code: [move_of(code, Allowed(allowed), rules) for allowed in range(ALL_ALLOWED)] for code in Code
    }
    plan = np.zeros((ALL_ALLOWED, len(ROWS), len(UP_CARDS)), dtype=np.uint8)
    for row, name in enumerate(ROWS):
        for place, up_card in enumerate(UP_CARDS):
            plan[:, row, place] = moves[table[name, up_card]]
    return plan


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


def _verify_choice(row: str, up_card: str, code: Code) -> None:
    if code in _FOR_PAIRS_ONLY and row not in PAIR_ROWS:
        raise ChartError(
            f"chart: row '{row}' against {up_card}: {code} on a total names no second choice; "
            "use H, S, D, DS, R or RS"
        )


def _verify_cell(deviation: Deviation) -> None:
    if deviation.row not in ROWS:
        raise ChartError(f"deviation '{deviation}': no row '{deviation.row}'; rows are {', '.join(ROWS)}")
    if deviation.up_card not in UP_CARDS:
        raise ChartError(
            f"deviation '{deviation}': no up-card '{deviation.up_card}'; up-cards are {', '.join(UP_CARDS)}"
        )
