"""A chart's column of one up-card, and what it is exactly worth, splits and re-splits included.

A column is an array of codes, one for each row of the chart. What a code does with a hand is looked up in
:func:`~croupier.blackjack.solvers.chart_moves.move_table` by what the rules allow the hand.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.blackjack.engine.moves import ALL_ALLOWED, SPLIT, SURRENDER, Allowed
from croupier.blackjack.engine.permissions import why_not_surrender
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.chart import ROWS, UP_CARDS, Chart, Code
from croupier.blackjack.solvers.chart_check import check
from croupier.blackjack.solvers.chart_moves import (
    BY_TOTAL,
    CODES,
    column_of,
    move_table,
    row_of_hand,
    row_of_pair,
)
from croupier.blackjack.solvers.exact import (
    first_hand_chances,
    is_open_natural,
    natural_is_safe,
    pair_groups,
    shown_chances,
    up_card_chances,
    up_card_table,
    without_shown,
)
from croupier.blackjack.solvers.hands import CLASSES, Flags, Floats, Integers, hand_space
from croupier.blackjack.solvers.payoffs import natural_moments
from croupier.blackjack.solvers.shoe import ShoeCounts
from croupier.blackjack.solvers.up_card import UpCard
from croupier.blackjack.solvers.value_kernels import fixed_play
from croupier.cards import ACE_CLASS, TEN_CLASS

#: The codes of a column, by row: places in CODES.
Column = NDArray[np.uint8]


def columns_of(chart: Chart) -> dict[int, Column]:
    """Return the columns of a chart, by their place.

    >>> columns = columns_of(Chart.uniform("S"))
    >>> len(columns), CODES[columns[8][0]].value
    (10, 'S')
    """
    codes = np.array([CODES.index(code) for code in chart.codes], dtype=np.uint8)
    return dict(enumerate(codes.reshape(len(ROWS), len(chart.columns)).T.copy()))


def chart_of(columns: Mapping[int, Column], names: tuple[str, ...] = UP_CARDS) -> Chart:
    """Put columns together to a chart; columns that a shoe does not bring stand.

    >>> chart = Chart.uniform("S").replace({("16", "T"): "R"})
    >>> chart_of(columns_of(chart)) == chart
    True
    """
    stand = np.full(len(ROWS), CODES.index(Code.STAND), dtype=np.uint8)
    codes = np.array([columns.get(place, stand) for place in range(len(names))]).T
    return Chart(tuple(CODES[code] for code in codes.ravel().tolist()))


def _rows_of_hands() -> tuple[Integers, Integers]:
    """Return the row of every hand, and that of its total: pairs of two cards have rows of their own."""
    space = hand_space()
    of_total = [
        row_of_hand(total, soft) if total >= 4 else 0
        for total, soft in zip(space.total.tolist(), space.is_soft.tolist(), strict=True)
    ]
    rows = np.array(of_total)
    for point in range(CLASSES):
        rows[space.find((point, point))] = row_of_pair(point)
    return rows, np.array(of_total)


ROW_OF_HAND, ROW_OF_TOTAL = _rows_of_hands()

#: Where the moves of a hand begin in a column's table of moves, and which hands are pairs.
_PLACE_OF_HAND = ROW_OF_HAND * ALL_ALLOWED
PAIRS = np.flatnonzero(ROW_OF_HAND != ROW_OF_TOTAL)


class FirstPlay(NamedTuple):
    """What is done with first two cards: how often they come, the move's number, and the cards left that pair with a split card."""

    hand: int
    probability: float
    move: int
    pair_left: float | None = None


@dataclass(slots=True, eq=False)
class ColumnStudy:
    """One up-card, or two open cards of the dealer's, ready to evaluate columns.

    Attributes
    ----------
    first, chance, pair
        The first two cards that are no paid natural, how often they come, and the class of a pair or -1.
    """

    table: UpCard
    groups: dict[int, list[tuple[float, float]]]
    first: Integers = field(init=False)
    chance: Floats = field(init=False)
    pair: Integers = field(init=False)
    _several: Integers = field(init=False)
    _lost: Floats = field(init=False)
    _given_up: Floats = field(init=False)
    _moves: NDArray[np.uint8] = field(init=False)
    _may_hit: Integers = field(init=False)
    _may_double: Integers = field(init=False)
    _may_surrender: Integers = field(init=False)
    _may_split: Integers = field(init=False)

    def __post_init__(self) -> None:
        table, space, rules = self.table, self.table.space, self.table.rules
        self._several = np.flatnonzero(space.card_count >= 2)
        chances = first_hand_chances(table.left, table.step)
        if rules.natural_beats_21:
            chances.pop((TEN_CLASS, ACE_CLASS), None)
        self.first = np.array([space.find(hand) for hand in chances])
        self.chance = np.array(list(chances.values()))
        self.pair = np.array([first if first == second else -1 for first, second in chances])
        natural = np.array([table.chance_of_natural(hand) for hand in self.first.tolist()])
        self._lost = natural if table.facts.natural_point >= 0 else np.zeros_like(natural)
        is_late, given_up = rules.surrender == "late", -float(rules.surrender_loss)
        self._given_up = given_up * (1.0 - natural) - natural if is_late else np.full(len(natural), given_up)
        self._moves = move_table(rules)
        self._may_hit = int(Allowed.HIT) * table.is_open.astype(np.int64)
        if rules.surrender_any_cards:
            self._may_hit |= int(Allowed.SURRENDER) * table.may_give_up.astype(np.int64)
        self._may_double = self._may_hit | int(Allowed.DOUBLE) * table.may_double.astype(np.int64)
        barred = why_not_surrender(rules, against_ace=table.point == ACE_CLASS) is not None
        is_open = table.is_open[self.first]
        self._may_surrender = int(Allowed.NOTHING if barred else Allowed.SURRENDER) * is_open.astype(np.int64)
        self._may_split = int(Allowed.SPLIT) * np.isin(
            self.pair, [point for point, parts in self.groups.items() if parts]
        )

    @property
    def parts(self) -> tuple[tuple[float, "ColumnStudy"], ...]:
        """What it consists of, with shares: itself."""
        return ((1.0, self),)

    @property
    def rules(self) -> BlackjackRules:
        """The rules of the table."""
        return self.table.rules

    @property
    def column(self) -> int:
        """The place of the chart's column."""
        return column_of(self.table.point, self.table.hole)

    def decisions(self, column: Column) -> Integers:
        """Return what every hand does under a column, but for splits and for what may be surrendered as the first two cards only."""
        return self._made(column, self._may_double)

    def hits_or_stands(self, column: Column) -> Integers:
        """Return what every hand does where it does not double."""
        return self._made(column, self._may_hit)

    def gives_up(self, column: Column) -> Flags:
        """Tell which first hands a column surrenders."""
        flags: Flags = self._first_moves(column, self._may_split) == SURRENDER
        return flags

    def splits(self, column: Column) -> Flags:
        """Tell which first hands a column splits, where they are pairs by the rules."""
        flags: Flags = self._first_moves(column, self._may_split) == SPLIT
        return flags

    def first_plays(self, column: Column) -> Iterator[FirstPlay]:
        """Say what a column does with each first hand; ten-value pairs of one rank and of two are listed apart."""
        moves, unsplit = self._first_moves(column, self._may_split), self._first_moves(column, 0)
        for place, hand in enumerate(self.first.tolist()):
            rest = float(self.chance[place])
            for share, pair_left in self.groups.get(int(self.pair[place]), []):
                if moves[place] == SPLIT:
                    yield FirstPlay(hand, share * self.chance[place], SPLIT, pair_left)
                    rest -= share * self.chance[place]
            move = unsplit[place] if moves[place] == SPLIT else moves[place]
            yield FirstPlay(hand, max(rest, 0.0), int(move))

    def value(self, column: Column) -> float:
        """Return the exact value of a round against this up-card, naturals of the player left out."""
        decision = self.decisions(column)
        values = self.play(decision)[self.first] - self._lost
        unsplit = self._first_moves(column, 0) == SURRENDER
        values[unsplit] = self._given_up[unsplit]
        moves = self._first_moves(column, self._may_split)
        values[moves == SURRENDER] = self._given_up[moves == SURRENDER]
        splits = np.flatnonzero(moves == SPLIT)
        if len(splits):
            hit_or_stand = self.hits_or_stands(column)
            for place in splits.tolist():
                point, worth = int(self.pair[place]), values[place]
                for share, pair_left in self.groups[point]:
                    split = self.table.split(point, pair_left, decision, hit_or_stand, is_planned=True)
                    values[place] += share * (split - self._lost[place] - worth)
        return float(self.chance @ values)

    def play(self, decision: Integers) -> Floats:
        """Return what every hand is worth when all are played by the decisions."""
        table = self.table
        play = np.full(len(decision), -np.inf)
        fixed_play(
            self._several,
            decision,
            table.planned_final,
            table.left,
            table.step,
            table.facts,
            table.space,
            play,
        )
        return play

    def natural_value(self) -> float:
        """Return what the player's naturals add against this up-card."""
        rules, left, step = self.table.rules, self.table.left, self.table.step
        if not rules.natural_beats_21:
            return 0.0
        hand = self.table.space.find((TEN_CLASS, ACE_CLASS))
        cards = left.sum()
        chance = 2.0 * left[TEN_CLASS] * left[ACE_CLASS] / (cards * (cards - step))
        unbeaten = 1.0 if natural_is_safe(rules) else 1.0 - self.table.chance_of_natural(hand)
        return float(chance * unbeaten) * float(natural_moments(rules)[0])

    def _made(self, column: Column, allowed: Integers) -> Integers:
        """Look up the moves of all hands; a pair that names no move of its own goes by its total."""
        moves: Integers = self._moves[column].ravel().take(_PLACE_OF_HAND + allowed).astype(np.int64)
        by_total = PAIRS[moves[PAIRS] == BY_TOTAL]
        moves[by_total] = self._moves[column[ROW_OF_TOTAL[by_total]], allowed[by_total]]
        return moves

    def _first_moves(self, column: Column, may_split: Integers | int) -> Integers:
        allowed = self._may_double[self.first] | self._may_surrender | may_split
        moves = self._moves[column[ROW_OF_HAND[self.first]], allowed]
        by_total = self._moves[column[ROW_OF_TOTAL[self.first]], allowed]
        made: Integers = np.where(moves == BY_TOTAL, by_total, moves).astype(np.int64)
        return made


@dataclass(frozen=True, slots=True, eq=False)
class TotalStudy:
    """One of the dealer's totals where both cards lie open: all two cards that make it, ready to evaluate columns.

    Attributes
    ----------
    rules, column
        The rules, and the place of the chart's column.
    parts
        The two cards that are no natural, each with its share.
    lost, tied
        The part of first hands that lose to a natural and, of those that are naturals too, what they win; 0 where the total is none.
    """

    rules: BlackjackRules
    column: int
    parts: tuple[tuple[float, ColumnStudy], ...]
    lost: float = 0.0
    tied: float = 0.0

    def value(self, column: Column) -> float:
        """Return the exact value of a round against this total, naturals of the player left out."""
        return sum(share * study.value(column) for share, study in self.parts) - self.lost

    def natural_value(self) -> float:
        """Return what the player's naturals add."""
        return sum(share * study.natural_value() for share, study in self.parts) + self.tied


#: What a column of a chart is evaluated by.
Study = ColumnStudy | TotalStudy


def column_studies(rules: BlackjackRules, shoe: ShoeCounts | None = None) -> dict[int, tuple[float, Study]]:
    """Prepare the columns of a chart: for each that can come up, its chance and its study.

    >>> studies = column_studies(BlackjackRules(decks=1))
    >>> len(studies), round(sum(chance for chance, _ in studies.values()), 12)
    (10, 1.0)
    """
    shoe = shoe or ShoeCounts.full(rules)
    if rules.hole_card == "open":
        return _total_studies(rules, shoe)
    return {
        up_card: (
            chance,
            ColumnStudy(up_card_table(rules, shoe, up_card), pair_groups(rules, shoe, up_card)),
        )
        for up_card, chance in up_card_chances(shoe)
    }


def _total_studies(rules: BlackjackRules, shoe: ShoeCounts) -> dict[int, tuple[float, Study]]:
    """Prepare the columns of a chart where both of the dealer's cards lie open."""
    chances: dict[int, float] = {}
    parts: dict[int, list[tuple[float, ColumnStudy]]] = {}
    lost = tied = 0.0
    for up_card, hole_card, chance in shown_chances(rules, shoe):
        column = column_of(up_card, hole_card)
        chances[column] = chances.get(column, 0.0) + chance
        here = parts.setdefault(column, [])
        if is_open_natural(rules, up_card, hole_card):
            first = first_hand_chances(without_shown(shoe, up_card, hole_card), shoe.step)
            natural = first.get((TEN_CLASS, ACE_CLASS), 0.0)
            lost, tied = 1.0 - natural, natural * float(rules.natural_always_wins * natural_moments(rules)[0])
        else:
            table = up_card_table(rules, shoe, up_card, hole_card)
            here.append((chance, ColumnStudy(table, pair_groups(rules, shoe, up_card, hole_card))))
    found: dict[int, tuple[float, Study]] = {}
    for column, chance in chances.items():
        shares = tuple((part / chance, study) for part, study in parts[column])
        ends = {} if shares else {"lost": lost, "tied": tied}  # two cards of a soft 21 are all naturals
        found[column] = chance, TotalStudy(rules, column, shares, **ends)
    return dict(sorted(found.items()))


def chart_value(rules: BlackjackRules, chart: Chart, shoe: ShoeCounts | None = None) -> float:
    """Return what any chart is exactly worth, per initial bet; what the rules do not allow is played by its second choice.

    Raises
    ------
    ChartError
        If an entry can never be followed and names no second choice.

    Examples
    --------
    >>> round(chart_value(BlackjackRules(decks="infinite"), Chart.uniform("S")), 4)
    -0.1604
    """
    check(chart, rules)
    columns = columns_of(chart)
    return sum(
        chance * (study.value(columns[place]) + study.natural_value())
        for place, (chance, study) in column_studies(rules, shoe).items()
    )
