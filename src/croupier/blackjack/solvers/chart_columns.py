"""A chart's column of one up-card, and what it is exactly worth, splits and re-splits included."""

from dataclasses import dataclass, field, replace

import numpy as np

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.chart import (
    HARD_ROWS,
    PAIR_ROWS,
    ROW_FACTS,
    SOFT_ROWS,
    UP_CARDS,
    Chart,
    Code,
    Row,
)
from croupier.blackjack.solvers.chart_check import DOUBLES, SPLITS, STANDS, SURRENDERS, why_not_split
from croupier.blackjack.solvers.exact import first_hand_chances, pair_groups, up_card_chances, up_card_table
from croupier.blackjack.solvers.hands import CLASSES, Flags, Floats, Integers
from croupier.blackjack.solvers.shoe import ShoeCounts
from croupier.blackjack.solvers.up_card import UpCard
from croupier.blackjack.solvers.value_kernels import DOUBLE, HIT, STAND, fixed_play
from croupier.cards import ACE_CLASS, TEN_CLASS

#: Cells are numbered by total, soft ones after the hard ones.
CELLS = 44
SOFT = 22

#: Further codes of ``ChartColumn.pair_play``, beside STAND, HIT and DOUBLE.
DOUBLE_OR_STAND, BY_TOTAL = 3, -1

#: What a pair does that is not split or given up; P and RP leave it to the total.
_PAIR_PLAY = {
    Code.HIT: HIT,
    Code.STAND: STAND,
    Code.DOUBLE: DOUBLE,
    Code.DOUBLE_OR_STAND: DOUBLE_OR_STAND,
    Code.SPLIT_OR_HIT: HIT,
    Code.SPLIT_OR_STAND: STAND,
    Code.SURRENDER: HIT,
    Code.SURRENDER_OR_STAND: STAND,
}


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

    def key(self) -> bytes:
        """Return what tells columns apart."""
        parts = (self.hit, self.double, self.surrender, self.split, self.surrender_pair, self.pair_play)
        return b"".join(part.tobytes() for part in parts)


@dataclass(slots=True, eq=False)
class ColumnStudy:
    """One up-card, ready to evaluate columns.

    Attributes
    ----------
    cells
        The cell of every hand.
    first, chance, pair
        The first two cards that are no paid natural, how often they come, and the class of a pair or -1.
    may_surrender
        Whether the rules let hands be given up against this up-card at all.
    """

    table: UpCard
    groups: dict[int, list[tuple[float, float]]]
    cells: Integers = field(init=False)
    first: Integers = field(init=False)
    chance: Floats = field(init=False)
    pair: Integers = field(init=False)
    may_surrender: bool = field(init=False)
    _several: Integers = field(init=False)
    _lost: Floats = field(init=False)
    _given_up: Floats = field(init=False)

    def __post_init__(self) -> None:
        table, space = self.table, self.table.space
        self.cells = space.total + SOFT * space.is_soft
        self._several = np.flatnonzero(space.card_count >= 2)
        chances = first_hand_chances(table)
        if table.rules.natural_beats_21:
            chances.pop((TEN_CLASS, ACE_CLASS), None)
        self.first = np.array([space.find(hand) for hand in chances])
        self.chance = np.array(list(chances.values()))
        self.pair = np.array([first if first == second else -1 for first, second in chances])
        natural = np.array([table.chance_of_natural(hand) for hand in self.first.tolist()])
        self._lost = natural if table.facts.natural_point >= 0 else np.zeros_like(natural)
        kind = table.rules.surrender
        self.may_surrender = kind in ("early", "late") or (
            kind == "early-not-ace" and table.point != ACE_CLASS
        )
        self._given_up = -0.5 * (1.0 - natural) - natural if kind == "late" else np.full(len(natural), -0.5)

    def decisions(self, column: ChartColumn) -> Integers:
        """Return what every hand does under a column."""
        decision = self.hits_or_stands(column)
        special = column.pair_play[self.pair]
        by_total = (self.pair < 0) | (special == BY_TOTAL)
        pair_doubles = (special == DOUBLE) | (special == DOUBLE_OR_STAND)
        doubles = np.where(by_total, column.double[self.cells[self.first]], pair_doubles)
        decision[self.first[doubles & self.table.may_double_first[self.first]]] = DOUBLE
        return decision

    def hits_or_stands(self, column: ChartColumn) -> Integers:
        """Return what every hand does where it does not double."""
        space = self.table.space
        decision = np.where(column.hit[self.cells] & (space.total < 21), HIT, STAND)
        for point in np.flatnonzero(column.pair_play != BY_TOTAL).tolist():
            hits = column.pair_play[point] in (HIT, DOUBLE)
            decision[space.find((point, point))] = HIT if hits else STAND
        return decision

    def gives_up(self, column: ChartColumn) -> Flags:
        """Tell which first hands a column gives up."""
        wanted = np.where(
            self.pair < 0, column.surrender[self.cells[self.first]], column.surrender_pair[self.pair]
        )
        return wanted & self.may_surrender

    def splits(self, column: ChartColumn) -> Flags:
        """Tell which first hands a column splits, where they are pairs by the rules."""
        return (self.pair >= 0) & column.split[self.pair] & ~self.gives_up(column)

    def value(self, column: ChartColumn) -> float:
        """Return the exact value of a round against this up-card, naturals of the player left out."""
        decision = self.decisions(column)
        values = self.play(decision)[self.first] - self._lost
        gives_up = self.gives_up(column)
        values[gives_up] = self._given_up[gives_up]
        splits = self.splits(column)
        if splits.any():
            hit_or_stand = self.hits_or_stands(column)
            for place in np.flatnonzero(splits).tolist():
                point, unsplit = int(self.pair[place]), values[place]
                for share, pair_left in self.groups.get(point, []):
                    split = self.table.split(point, pair_left, decision, hit_or_stand)
                    values[place] += share * (split - self._lost[place] - unsplit)
        return float(self.chance @ values)

    def play(self, decision: Integers) -> Floats:
        """Return what every hand is worth when all are played by the decisions."""
        table = self.table
        play = np.full(len(decision), -np.inf)
        fixed_play(
            self._several, decision, table.stand, table.left, table.step, table.facts.natural_point, table.space, play
        )  # fmt: skip
        return play

    def natural_value(self) -> float:
        """Return what the player's naturals add against this up-card."""
        rules, left, step = self.table.rules, self.table.left, self.table.step
        if not rules.natural_beats_21:
            return 0.0
        hand = self.table.space.find((TEN_CLASS, ACE_CLASS))
        cards = left.sum()
        chance = 2.0 * left[TEN_CLASS] * left[ACE_CLASS] / (cards * (cards - step))
        paid_blind = rules.twenty_one_pays_at_once and rules.hole_card == "no-peek"
        unbeaten = 1.0 if paid_blind else 1.0 - self.table.chance_of_natural(hand)
        return float(chance * unbeaten) * float(rules.natural_fraction)


def column_studies(
    rules: BlackjackRules, shoe: ShoeCounts | None = None
) -> dict[int, tuple[float, ColumnStudy]]:
    """Prepare the columns of a chart: for each up-card that can come, its chance and its study.

    >>> studies = column_studies(BlackjackRules(decks=1))
    >>> len(studies), round(sum(chance for chance, _ in studies.values()), 12)
    (10, 1.0)
    """
    shoe = shoe or ShoeCounts.full(rules)
    return {
        up_card: (
            chance,
            ColumnStudy(up_card_table(rules, shoe, up_card), pair_groups(rules, shoe, up_card)),
        )
        for up_card, chance in up_card_chances(shoe)
    }


def chart_value(rules: BlackjackRules, chart: Chart, shoe: ShoeCounts | None = None) -> float:
    """Return what any chart is exactly worth, per initial bet.

    >>> round(chart_value(BlackjackRules(decks="infinite"), Chart.uniform("S")), 4)
    -0.1604
    """
    columns = columns_of(chart, rules)
    return sum(
        chance * (study.value(columns[up_card]) + study.natural_value())
        for up_card, (chance, study) in column_studies(rules, shoe).items()
    )


def columns_of(chart: Chart, rules: BlackjackRules) -> dict[int, ChartColumn]:
    """Return a chart in the form that the exact evaluation reads, second choices taken where the rules ask for them."""
    return {place: _column(chart, letter, rules) for place, letter in enumerate(UP_CARDS)}


def _column(chart: Chart, up_card: str, rules: BlackjackRules) -> ChartColumn:
    hit = np.ones(CELLS, dtype=np.bool_)
    double, surrender = np.zeros(CELLS, dtype=np.bool_), np.zeros(CELLS, dtype=np.bool_)
    split, surrender_pair = np.zeros(CLASSES, dtype=np.bool_), np.zeros(CLASSES, dtype=np.bool_)
    for row in (*HARD_ROWS, *SOFT_ROWS):
        code, cell = chart[row, up_card], cell_of(ROW_FACTS[row])
        hit[cell], double[cell], surrender[cell] = code not in STANDS, code in DOUBLES, code in SURRENDERS
    pair_play = np.full(CLASSES, BY_TOTAL)
    for point, row in enumerate(PAIR_ROWS):
        code = chart[row, up_card]
        split[point] = code in SPLITS and why_not_split(row, code, rules) is None
        goes_by_total = code is Code.SPLIT and not split[point]
        surrender_pair[point] = code in SURRENDERS or (goes_by_total and surrender[cell_of(ROW_FACTS[row])])
        pair_play[point] = _PAIR_PLAY.get(code, BY_TOTAL)
    return ChartColumn(hit, double, surrender, split, surrender_pair, pair_play)


def cell_of(row: Row) -> int:
    """Return the cell of a row's total, as :class:`ChartColumn` numbers them.

    >>> cell_of(ROW_FACTS["16"]), cell_of(ROW_FACTS["soft 16"])
    (16, 38)
    """
    return row.total + (SOFT if row.is_soft else 0)


def code_of(column: ChartColumn, row: str) -> Code:
    """Write one entry of a computed column as a code."""
    cell = cell_of(ROW_FACTS[row])
    if row in PAIR_ROWS:
        point = PAIR_ROWS.index(row)
        if column.surrender_pair[point]:
            return Code.SURRENDER_OR_SPLIT if column.split[point] else _total_surrender(column, cell)
        return Code.SPLIT if column.split[point] else _total_code(column, cell)
    return _total_surrender(column, cell) if column.surrender[cell] else _total_code(column, cell)


def _total_code(column: ChartColumn, cell: int) -> Code:
    if column.double[cell]:
        return Code.DOUBLE if column.hit[cell] else Code.DOUBLE_OR_STAND
    return Code.HIT if column.hit[cell] and cell % SOFT != 21 else Code.STAND


def _total_surrender(column: ChartColumn, cell: int) -> Code:
    return Code.SURRENDER if column.hit[cell] else Code.SURRENDER_OR_STAND
