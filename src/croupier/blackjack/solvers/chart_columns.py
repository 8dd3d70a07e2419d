"""A chart's column of one up-card, and what it is exactly worth, splits and re-splits included."""

from dataclasses import dataclass, field, replace

import numpy as np

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.exact import first_hand_chances, pair_groups, up_card_chances, up_card_table
from croupier.blackjack.solvers.hands import Flags, Floats, Integers
from croupier.blackjack.solvers.shoe import ShoeCounts
from croupier.blackjack.solvers.up_card import UpCard
from croupier.blackjack.solvers.value_kernels import DOUBLE, HIT, STAND, fixed_play
from croupier.cards import ACE_CLASS, TEN_CLASS

#: Cells are numbered by total, soft ones after the hard ones.
CELLS = 44
SOFT = 22

#: Further codes of ``ChartColumn.pair_play``, beside STAND, HIT and DOUBLE.
DOUBLE_OR_STAND, BY_TOTAL = 3, -1


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


def chart_value(
    rules: BlackjackRules, columns: dict[int, ChartColumn], shoe: ShoeCounts | None = None
) -> float:
    """Return what any chart is exactly worth, per initial bet."""
    return sum(
        chance * (study.value(columns[up_card]) + study.natural_value())
        for up_card, (chance, study) in column_studies(rules, shoe).items()
    )
