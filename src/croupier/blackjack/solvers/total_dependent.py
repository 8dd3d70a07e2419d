"""The best chart: play that looks only at the total, soft or hard, pairs and the up-card, and what it is exactly worth.

Each column is found in two steps. Average gains give a good start: what every cell gains over the hands that play brings
to it. Then every cell is tried with every code that the rules allow, by the exact value of the whole game in that column,
splits and re-splits included, until no single change gains. Pairs are free to stand, hit, double and surrender on their own.
"""

import time
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from croupier.blackjack.engine.moves import DOUBLE, Move
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.chart import PAIR_ROWS, ROWS, Chart, Code
from croupier.blackjack.solvers.chart_check import legal_codes
from croupier.blackjack.solvers.chart_columns import (
    ROW_OF_TOTAL,
    Column,
    ColumnStudy,
    Study,
    chart_of,
    column_studies,
)
from croupier.blackjack.solvers.chart_moves import CODES, FIRST_PAIR_ROW, WISHES, columns_for, row_of_total
from croupier.blackjack.solvers.hands import Flags, Floats, Integers
from croupier.blackjack.solvers.shoe import ShoeCounts
from croupier.blackjack.solvers.value_kernels import forward_reach, hit_values

#: A change that gains less than this is rounding.
_ROUNDING = 1e-14

#: The start always settles long before this; the bound is there so that rounding cannot make it go in circles.
_MOST_ROUNDS = 50

#: The code of a total by whether it hits and whether it doubles.
_CODE_OF = {
    (False, False): Code.STAND,
    (True, False): Code.HIT,
    (False, True): Code.DOUBLE_OR_STAND,
    (True, True): Code.DOUBLE,
}


@dataclass(frozen=True, eq=False)
class TotalDependent:
    """The best chart of a game, and its exact value per initial bet."""

    rules: BlackjackRules
    value: float
    columns: dict[int, Column]
    by_up_card: dict[int, float]
    seconds: float

    @cached_property
    def chart(self) -> Chart:
        """The chart.

        >>> solve_total_dependent(BlackjackRules(decks="infinite")).chart["16", "T"].value
        'H'
        """
        return chart_of(self.columns, columns_for(self.rules))


@lru_cache(maxsize=32)
def best_chart(rules: BlackjackRules) -> TotalDependent:
    """Return the best chart of a rule set, solved once in a process.

    >>> best_chart(BlackjackRules(decks="infinite")) is best_chart(BlackjackRules(decks="infinite"))
    True
    """
    return solve_total_dependent(rules)


def solve_total_dependent(rules: BlackjackRules, shoe: ShoeCounts | None = None) -> TotalDependent:
    """Find the best chart of a rule set.

    Examples
    --------
    >>> best = solve_total_dependent(BlackjackRules(decks=1, double_after_split=False, split_hands=2))
    >>> f"{best.value:+.7%}"
    '-0.0139412%'
    """
    started = time.perf_counter()
    columns, values, total = {}, {}, 0.0
    for place, (chance, study) in column_studies(rules, shoe).items():
        columns[place] = best_column(study)
        values[place] = study.value(columns[place]) + study.natural_value()
        total += chance * values[place]
    return TotalDependent(rules, total, columns, values, time.perf_counter() - started)


def best_column(study: Study) -> Column:
    """Find a column that no change of a single cell betters; against a natural that ends the round, all stand."""
    if not study.parts:
        return np.full(len(ROWS), CODES.index(Code.STAND), dtype=np.uint8)
    name = columns_for(study.rules)[study.column]
    choices = [[CODES.index(code) for code in legal_codes(row, name, study.rules)] for row in ROWS]
    _, likeliest = max(study.parts, key=lambda part: part[0])
    column = _start(likeliest, choices)
    best, row, tried = study.value(column), FIRST_PAIR_ROW, 0
    while tried < len(ROWS):
        tried += 1
        for code in choices[row]:
            changed = _changed(column, row, code)
            value = study.value(changed) if code != column[row] else best
            if value > best + _ROUNDING:
                column, best, tried = changed, value, 1
        row = (row + 1) % len(ROWS)
    return _tidied(study, column, best, choices)


def _tidied(study: Study, column: Column, best: float, choices: list[list[int]]) -> Column:
    """Choose among the codes of a pair that are worth the same as the charts that people know do.

    That is "surrender else split" where splitting is the second best, else the code of the pair's total, else a plain split.
    """
    for point in range(len(PAIR_ROWS)):
        row = FIRST_PAIR_ROW + point
        seconds = [
            code for code in map(CODES.index, (Code.HIT, Code.STAND, Code.SPLIT)) if code in choices[row]
        ]
        alike = [column[row_of_total(point, point)], CODES.index(Code.SPLIT)]
        if Move.SURRENDER in WISHES[CODES[column[row]]] and len(seconds) > 2:
            second = max(seconds, key=lambda code: study.value(_changed(column, row, code)))
            if CODES[second] is Code.SPLIT:
                alike.insert(0, CODES.index(Code.SURRENDER_OR_SPLIT))
        for code in alike:
            if code == column[row] or study.value(_changed(column, row, code)) >= best - _ROUNDING:
                column = _changed(column, row, code)
                break
    return column


def _changed(column: Column, row: int, code: int) -> Column:
    changed = column.copy()
    changed[row] = code
    return changed


def _start(study: ColumnStudy, choices: list[list[int]]) -> Column:
    """Settle hitting, standing and doubling by average gains; pairs begin as their totals."""
    table = study.table
    several = table.space.card_count >= 2
    gain = np.bincount(
        ROW_OF_TOTAL[several], weights=table.hit[several] - table.stand[several], minlength=len(ROWS)
    )
    hit, double = gain > 0, np.zeros(len(ROWS), dtype=np.bool_)
    for _ in range(_MOST_ROUNDS):
        column = _column(hit, double, choices)
        better = _averaged(study, column, hit, double)
        if (better[0] == hit).all() and (better[1] == double).all():
            break
        hit, double = better
    return _column(hit, double, choices)


def _column(hit: Flags, double: Flags, choices: list[list[int]]) -> Column:
    column = np.array(
        [CODES.index(_CODE_OF[bool(h), bool(d)]) for h, d in zip(hit, double, strict=True)], np.uint8
    )
    for point in range(len(PAIR_ROWS)):
        column[FIRST_PAIR_ROW + point] = column[row_of_total(point, point)]
    stand = CODES.index(Code.STAND)
    for row, codes in enumerate(choices):
        if codes == [stand]:
            column[row] = stand
    return column


def _averaged(study: ColumnStudy, column: Column, hit: Flags, double: Flags) -> tuple[Flags, Flags]:
    """Improve every total by its average gain over the hands that the column's play brings to it."""
    table = study.table
    decision = study.decisions(column)
    hits = np.empty(len(decision))
    hit_values(study.play(decision), table.left, table.step, table.facts.natural_point, table.space, hits)
    first, chance = study.first, study.chance
    reach = np.zeros(len(decision))
    reach[first] = chance
    forward_reach(reach, decision, table.left, table.step, table.space)
    known = (reach > 0) & table.is_open & (decision != DOUBLE) & np.isfinite(hits) & np.isfinite(table.stand)
    gain = _by_row(ROW_OF_TOTAL[known], reach[known] * (hits[known] - table.stand[known]))
    hit = np.where(gain == 0, hit, gain > 0)
    may_double = table.may_double[first]
    doubled = first[may_double]
    otherwise = np.where(hit[ROW_OF_TOTAL[doubled]], hits[doubled], table.stand[doubled])
    gain = _by_row(ROW_OF_TOTAL[doubled], chance[may_double] * (table.double[doubled] - otherwise))
    return hit, np.where(gain == 0, double, gain > 0)


def _by_row(rows: Integers, gains: Floats) -> Floats:
    return np.bincount(rows, weights=gains, minlength=len(ROWS)).astype(np.float64)
