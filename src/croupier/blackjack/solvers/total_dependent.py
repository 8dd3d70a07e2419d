"""The best chart: play that looks only at the total, soft or hard, pairs and the up-card, and what it is exactly worth.

For each up-card the cells of the chart are improved together until each is right given the others: first by what every
cell gains on average over the hands that play brings to it, then, for the close ones, by the exact value of
the whole game against that up-card, splits and re-splits included.
"""

import time
from dataclasses import dataclass, field, replace

import numpy as np

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.exact import pair_groups, up_card_chances, up_card_table
from croupier.blackjack.solvers.hands import CLASSES, Flags, Floats, Integers
from croupier.blackjack.solvers.shoe import ShoeCounts
from croupier.blackjack.solvers.up_card import UpCard
from croupier.blackjack.solvers.value_kernels import DOUBLE, HIT, STAND, fixed_play, forward_reach, hit_value
from croupier.cards import ACE_CLASS, TEN_CLASS

#: Cells are numbered by total, soft ones after the hard ones.
CELLS = 44
_SOFT = 22

#: Further codes of ``ChartColumn.pair_play``, beside STAND, HIT and DOUBLE.
DOUBLE_OR_STAND, BY_TOTAL = 3, -1

#: Cells whose average gain is below this are settled by the exact value, and so are all pairs.
_CLOSE = 2e-4

#: Improvement always ends long before this; the bound is there so that rounding cannot make it go in circles.
_MOST_ROUNDS = 50


@dataclass(frozen=True, slots=True, eq=False)
class ChartColumn:
    """A chart's column of one up-card.

    Attributes
    ----------
    hit
        Whether a cell hits where it does not double.
    double, surrender
        Whether the first two cards of a cell are doubled or given up, where that is allowed.
    split, surrender_pair
        Whether a pair is split or given up.
    pair_play
        What a pair does that is neither: play by its total (BY_TOTAL), STAND, HIT, double else hit (DOUBLE) or double else
        stand (DOUBLE_OR_STAND).
    """

    hit: Flags
    double: Flags
    surrender: Flags
    split: Flags
    surrender_pair: Flags
    pair_play: Integers

    def flipped(self, name: str, cell: int) -> "ChartColumn":
        """Return the column with one entry turned around."""
        entries = getattr(self, name).copy()
        entries[cell] = not entries[cell]
        return replace(self, **{name: entries})


@dataclass(slots=True, eq=False)
class ColumnStudy:
    """One up-card's chart column, and its exact value."""

    rules: BlackjackRules
    table: UpCard
    groups: dict[int, list[tuple[float, float]]]
    cells: Integers = field(init=False)
    first_hands: dict[int, float] = field(init=False)

    def __post_init__(self) -> None:
        space, table = self.table.space, self.table
        self.cells = space.total + _SOFT * space.is_soft
        cards = table.left.sum()
        self.first_hands = {}
        for first in range(CLASSES):
            for second in range(first, CLASSES):
                ways = (
                    table.left[first]
                    * (table.left[second] - table.step * (first == second))
                    * (1 + (first != second))
                )
                if ways > 0:
                    self.first_hands[space.find((first, second))] = float(
                        ways / (cards * (cards - table.step))
                    )
        if self.rules.natural_beats_21:
            self.first_hands.pop(space.find((TEN_CLASS, ACE_CLASS)), None)

    def decisions(self, column: ChartColumn) -> Integers:
        """Return what every hand does under a column."""
        decision = self.hits_or_stands(column)
        for hand in self.first_hands:
            point = self._pair_of(hand)
            doubles = column.double[self.cells[hand]]
            if point is not None and column.pair_play[point] != BY_TOTAL:
                doubles = column.pair_play[point] in (DOUBLE, DOUBLE_OR_STAND)
            if doubles and self.table.may_double(hand):
                decision[hand] = DOUBLE
        return decision

    def hits_or_stands(self, column: ChartColumn) -> Integers:
        """Return what every hand does where it does not double."""
        space = self.table.space
        decision = np.where(column.hit[self.cells] & (space.total < 21), HIT, STAND)
        for point in np.flatnonzero(column.pair_play != BY_TOTAL).tolist():
            hits = column.pair_play[point] in (HIT, DOUBLE)
            decision[space.find((point, point))] = HIT if hits else STAND
        return decision

    def value(self, column: ChartColumn) -> float:
        """Return the exact value of a round against this up-card, naturals of the player left out."""
        decision, hit_or_stand = self.decisions(column), self.hits_or_stands(column)
        play = self._play(decision)
        return sum(
            chance * self._hand_value(column, hand, float(play[hand]), decision, hit_or_stand)
            for hand, chance in self.first_hands.items()
        )

    def improved(self) -> ChartColumn:
        """Find the best column: average gains and exact trials in turn, until neither changes anything."""
        column = self._first_guess()
        for _ in range(_MOST_ROUNDS):
            better = self._settle_close_cells(self._settle_averages(column))
            if _same(better, column):
                return column
            column = better
        return column

    def _settle_averages(self, column: ChartColumn) -> ChartColumn:
        for _ in range(_MOST_ROUNDS):
            better, _ = self._averaged(column)
            if _same(better, column):
                break
            column = better
        return column

    def _first_guess(self) -> ChartColumn:
        """Start from what the hands of each cell want on average, each weighing the same."""
        table, space = self.table, self.table.space
        several = space.card_count >= 2
        gain = np.bincount(
            self.cells[several], weights=table.hit[several] - table.stand[several], minlength=CELLS
        )
        none = np.zeros(CELLS, dtype=np.bool_)
        no_pairs = np.zeros(CLASSES, dtype=np.bool_)
        return ChartColumn(gain > 0, none, none, no_pairs, no_pairs, np.full(CLASSES, BY_TOTAL))

    def _averaged(self, column: ChartColumn) -> tuple[ChartColumn, Floats]:
        """Improve every cell by its average gain over the hands that the column's play brings to it."""
        table, space = self.table, self.table.space
        decision = self.decisions(column)
        play = self._play(decision)
        hits = np.array(
            [
                hit_value(
                    hand, play, table.left, table.step, table.facts.natural_point, space.counts, space.child
                )
                for hand in range(len(decision))
            ]
        )
        reach = np.zeros(len(decision))
        for hand, chance in self._played_by_total(column).items():
            reach[hand] = chance
        forward_reach(reach, decision, table.left, table.step, space.counts, space.child)
        known = (reach > 0) & (decision != DOUBLE) & np.isfinite(hits) & np.isfinite(table.stand)
        gains = reach[known] * (hits[known] - table.stand[known])
        gain: Floats = np.bincount(self.cells[known], weights=gains, minlength=CELLS).astype(np.float64)
        hit = np.where(gain == 0, column.hit, gain > 0)
        double_gain = np.zeros(CELLS)
        for hand, chance in self._played_by_total(column).items():
            if table.may_double(hand):
                other = hits[hand] if hit[self.cells[hand]] else table.stand[hand]
                double_gain[self.cells[hand]] += chance * (table.double[hand] - other)
        return replace(
            column, hit=hit, double=np.where(double_gain == 0, column.double, double_gain > 0)
        ), gain

    def _played_by_total(self, column: ChartColumn) -> dict[int, float]:
        """Return the first hands that are neither given up nor split: the ones that the cells are about."""
        played = {}
        for hand, chance in self.first_hands.items():
            point = self._pair_of(hand)
            gives_up = column.surrender[self.cells[hand]] if point is None else column.surrender_pair[point]
            splits = point is not None and column.split[point]
            if not gives_up and not splits:
                played[hand] = chance
        return played

    def _pair_of(self, hand: int) -> int | None:
        counts = self.table.space.counts[hand]
        return int(np.argmax(counts)) if counts.max() == 2 else None

    def _settle_close_cells(self, column: ChartColumn) -> ChartColumn:
        _, gain = self._averaged(column)
        candidates = [("hit", int(cell)) for cell in np.flatnonzero((np.abs(gain) < _CLOSE) & (gain != 0))]
        candidates += [("split", point) for point in self.groups]
        candidates += [("double", cell) for cell in self._first_cells()]
        if self.rules.surrender != "none":
            candidates += [("surrender", cell) for cell in self._first_cells()]
            candidates += [("surrender_pair", point) for point in range(CLASSES)]
        best = self.value(column)
        improved = True
        while improved:
            improved = False
            for name, cell in candidates:
                changed = column.flipped(name, cell)
                value = self.value(changed)
                if value > best + 1e-15:
                    column, best, improved = changed, value, True
        return column

    def _first_cells(self) -> list[int]:
        return sorted({int(self.cells[hand]) for hand in self.first_hands})

    def _play(self, decision: Integers) -> Floats:
        table, space = self.table, self.table.space
        play = np.full(len(decision), -np.inf)
        wanted = space.card_count >= 2
        fixed_play(
            decision,
            table.stand,
            table.left,
            table.step,
            table.facts.natural_point,
            space.counts,
            space.child,
            wanted,
            play,
        )
        return play

    def _hand_value(
        self, column: ChartColumn, hand: int, play: float, decision: Integers, hit_or_stand: Integers
    ) -> float:
        table = self.table
        natural = table.chance_of_natural(hand)
        lost = natural if table.facts.natural_point >= 0 else 0.0
        point = self._pair_of(hand)
        gives_up = column.surrender[self.cells[hand]] if point is None else column.surrender_pair[point]
        if gives_up and self.rules.surrender != "none":
            return self._surrender_value(natural)
        if point is None or not column.split[point] or point not in self.groups:
            return play - lost
        value, share_left = 0.0, 1.0
        for share, pair_left in self.groups[point]:
            value += share * table.split(point, pair_left, decision, hit_or_stand)
            share_left -= share
        return value + share_left * play - lost

    def _surrender_value(self, natural: float) -> float:
        kind = self.rules.surrender
        if kind == "early" or (kind == "early-not-ace" and self.table.point != ACE_CLASS):
            return -0.5
        if kind == "late":
            return -0.5 * (1.0 - natural) - natural
        return -np.inf


def _same(column: ChartColumn, other: ChartColumn) -> bool:
    return all(np.array_equal(getattr(column, name), getattr(other, name)) for name in _ENTRIES)


_ENTRIES = ("hit", "double", "surrender", "split", "surrender_pair")


@dataclass(frozen=True, slots=True, eq=False)
class TotalDependent:
    """The best chart of a game, and its exact value per initial bet."""

    rules: BlackjackRules
    value: float
    columns: dict[int, ChartColumn]
    by_up_card: dict[int, float]
    seconds: float


def solve_total_dependent(rules: BlackjackRules, shoe: ShoeCounts | None = None) -> TotalDependent:
    """Find the best chart of a rule set.

    Examples
    --------
    >>> best = solve_total_dependent(BlackjackRules(decks=1, double_after_split=False, split_hands=2))
    >>> f"{best.value:+.7%}"
    '-0.0147437%'
    """
    started = time.perf_counter()
    shoe = shoe or ShoeCounts.full(rules)
    columns, values, total = {}, {}, 0.0
    for up_card, chance in up_card_chances(shoe):
        table = up_card_table(rules, shoe, up_card)
        study = ColumnStudy(rules, table, pair_groups(rules, shoe, up_card))
        columns[up_card] = study.improved()
        values[up_card] = study.value(columns[up_card]) + _natural_value(table)
        total += chance * values[up_card]
    return TotalDependent(rules, total, columns, values, time.perf_counter() - started)


def chart_value(
    rules: BlackjackRules, columns: dict[int, ChartColumn], shoe: ShoeCounts | None = None
) -> float:
    """Return what any chart is exactly worth, per initial bet."""
    shoe = shoe or ShoeCounts.full(rules)
    total = 0.0
    for up_card, chance in up_card_chances(shoe):
        table = up_card_table(rules, shoe, up_card)
        study = ColumnStudy(rules, table, pair_groups(rules, shoe, up_card))
        total += chance * (study.value(columns[up_card]) + _natural_value(table))
    return float(total)


def _natural_value(table: UpCard) -> float:
    """Return what the player's naturals add against an up-card."""
    if not table.rules.natural_beats_21:
        return 0.0
    hand = table.space.find((TEN_CLASS, ACE_CLASS))
    cards = table.left.sum()
    chance = 2.0 * table.left[TEN_CLASS] * table.left[ACE_CLASS] / (cards * (cards - table.step))
    paid_blind = table.rules.twenty_one_pays_at_once and table.rules.hole_card == "no-peek"
    unbeaten = 1.0 if paid_blind else 1.0 - table.chance_of_natural(hand)
    return float(chance * unbeaten) * float(table.rules.natural_fraction)
