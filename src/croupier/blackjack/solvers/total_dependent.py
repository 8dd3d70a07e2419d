"""The best chart: play that looks only at the total, soft or hard, pairs and the up-card, and what it is exactly worth.

For each up-card the cells of the chart are improved together until each is right given the others: first by what every
cell gains on average over the hands that play brings to it, then, for the close ones, by the exact value of
the whole game against that up-card, splits and re-splits included.
"""

import time
from dataclasses import dataclass, replace

import numpy as np

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.chart import UP_CARDS, Chart
from croupier.blackjack.solvers.chart_columns import (
    BY_TOTAL,
    CELLS,
    ChartColumn,
    ColumnStudy,
    code_of,
    column_studies,
)
from croupier.blackjack.solvers.hands import CLASSES, Floats
from croupier.blackjack.solvers.shoe import ShoeCounts
from croupier.blackjack.solvers.value_kernels import DOUBLE, forward_reach, hit_values

#: Cells whose average gain is below this are settled by the exact value, and so are all pairs.
_CLOSE = 2e-4

#: Improvement always ends long before this; the bound is there so that rounding cannot make it go in circles.
_MOST_ROUNDS = 50


@dataclass(frozen=True, slots=True, eq=False)
class TotalDependent:
    """The best chart of a game, and its exact value per initial bet."""

    rules: BlackjackRules
    value: float
    columns: dict[int, ChartColumn]
    by_up_card: dict[int, float]
    seconds: float

    @property
    def chart(self) -> Chart:
        """The chart in codes.

        >>> solve_total_dependent(BlackjackRules(decks="infinite")).chart["16", "T"].value
        'H'
        """
        return Chart.from_rule(lambda row, up_card: code_of(self.columns[UP_CARDS.index(up_card)], row.name))


def solve_total_dependent(rules: BlackjackRules, shoe: ShoeCounts | None = None) -> TotalDependent:
    """Find the best chart of a rule set.

    Examples
    --------
    >>> best = solve_total_dependent(BlackjackRules(decks=1, double_after_split=False, split_hands=2))
    >>> f"{best.value:+.7%}"
    '-0.0147437%'
    """
    started = time.perf_counter()
    columns, values, total = {}, {}, 0.0
    for up_card, (chance, study) in column_studies(rules, shoe).items():
        columns[up_card] = best_column(study)
        values[up_card] = study.value(columns[up_card]) + study.natural_value()
        total += chance * values[up_card]
    return TotalDependent(rules, total, columns, values, time.perf_counter() - started)


def best_column(study: ColumnStudy) -> ChartColumn:
    """Find the best column of an up-card: average gains and exact trials in turn, until neither changes anything."""
    column = _first_guess(study)
    for _ in range(_MOST_ROUNDS):
        better = _settle_close_cells(study, _settle_averages(study, column))
        if better.key() == column.key():
            return column
        column = better
    return column


def _first_guess(study: ColumnStudy) -> ChartColumn:
    """Start from what the hands of each cell want on average, each weighing the same."""
    table = study.table
    several = table.space.card_count >= 2
    gain = np.bincount(
        study.cells[several], weights=table.hit[several] - table.stand[several], minlength=CELLS
    )
    none = np.zeros(CELLS, dtype=np.bool_)
    no_pairs = np.zeros(CLASSES, dtype=np.bool_)
    return ChartColumn(gain > 0, none, none, no_pairs, no_pairs, np.full(CLASSES, BY_TOTAL))


def _settle_averages(study: ColumnStudy, column: ChartColumn) -> ChartColumn:
    for _ in range(_MOST_ROUNDS):
        better, _ = _averaged(study, column)
        if better.key() == column.key():
            break
        column = better
    return column


def _averaged(study: ColumnStudy, column: ChartColumn) -> tuple[ChartColumn, Floats]:
    """Improve every cell by its average gain over the hands that the column's play brings to it."""
    table = study.table
    decision = study.decisions(column)
    hits = np.empty(len(decision))
    hit_values(study.play(decision), table.left, table.step, table.facts.natural_point, table.space, hits)
    by_total = ~study.gives_up(column) & ~study.splits(column)
    first, chance = study.first[by_total], study.chance[by_total]
    reach = np.zeros(len(decision))
    reach[first] = chance
    forward_reach(reach, decision, table.left, table.step, table.space)
    known = (reach > 0) & (decision != DOUBLE) & np.isfinite(hits) & np.isfinite(table.stand)
    gains = reach[known] * (hits[known] - table.stand[known])
    gain = np.bincount(study.cells[known], weights=gains, minlength=CELLS).astype(np.float64)
    hit = np.where(gain == 0, column.hit, gain > 0)
    may_double = table.may_double_first[first]
    doubled = first[may_double]
    otherwise = np.where(hit[study.cells[doubled]], hits[doubled], table.stand[doubled])
    double_gain = np.bincount(
        study.cells[doubled],
        weights=chance[may_double] * (table.double[doubled] - otherwise),
        minlength=CELLS,
    )
    double = np.where(double_gain == 0, column.double, double_gain > 0)
    return replace(column, hit=hit, double=double), gain


def _settle_close_cells(study: ColumnStudy, column: ChartColumn) -> ChartColumn:
    _, gain = _averaged(study, column)
    first_cells = sorted(set(study.cells[study.first].tolist()))
    candidates = [("hit", int(cell)) for cell in np.flatnonzero((np.abs(gain) < _CLOSE) & (gain != 0))]
    candidates += [("split", point) for point in study.groups]
    candidates += [("double", cell) for cell in first_cells]
    if study.may_surrender:
        candidates += [("surrender", cell) for cell in first_cells]
        candidates += [("surrender_pair", point) for point in range(CLASSES)]
    best = study.value(column)
    improved = True
    while improved:
        improved = False
        for name, cell in candidates:
            changed = column.flipped(name, cell)
            value = study.value(changed)
            if value > best + 1e-15:
                column, best, improved = changed, value, True
    return column
