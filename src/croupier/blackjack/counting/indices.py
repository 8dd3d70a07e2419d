"""Indices: the counts at which another play becomes the best one, from the exact solver.

For every row of the chart and every whole count, each code is worth what its first choice brings on the first two cards and its second
choice on the longer hands of the row; the best code is taken. Where it changes from one count to the next lies an index.
Which cards a whole count stands for is written in :mod:`~croupier.blackjack.counting.scale`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np

from croupier.blackjack.counting.scale import CountScale, count_scale
from croupier.blackjack.counting.system import CountingSystem, verify_indexed
from croupier.blackjack.counting.values import (
    HandValuesAtCounts,
    hand_values_at_counts,
    insurance_at_counts,
)
from croupier.blackjack.engine.moves import STAND, Allowed, Move
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.simulation.chart_play import Deviation
from croupier.blackjack.simulation.counted_play import Rounding
from croupier.blackjack.solvers.chart import (
    PAIR_ROWS,
    ROWS,
    UP_CARDS,
    Chart,
    Code,
)
from croupier.blackjack.solvers.chart_columns import ROW_OF_TOTAL, columns_of
from croupier.blackjack.solvers.chart_moves import SPLITS_TO_DOUBLE, WISHES, move_of
from croupier.blackjack.solvers.hands import Flags, Floats, hand_space

#: What the second choice counts on first two cards: too little to sway anything, enough to name the better one.
_TIE_BREAK = 1e-9

#: The eighteen plays that bring most, insurance apart, and the four surrenders: D. Schlesinger, "Attacking the Shoe", Blackjack Forum,
#: September 1986, and Blackjack Attack.
ILLUSTRIOUS = (
    *(("16", "T"), ("15", "T"), ("T,T", "5"), ("T,T", "6"), ("10", "T"), ("12", "3"), ("12", "2"), ("11", "A")),
    *(("9", "2"), ("10", "A"), ("9", "7"), ("16", "9"), ("13", "2"), ("12", "4"), ("12", "5"), ("12", "6")),
    ("13", "3"),
)  # fmt: skip
FAB_FOUR = (("14", "T"), ("15", "T"), ("15", "9"), ("15", "A"))


def illustrious_cells(rules: BlackjackRules) -> tuple[tuple[str, str], ...]:
    """Return the cells of the Illustrious 18 and, where hands may be given up, those of the Fab 4.

    >>> ("15", "9") in illustrious_cells(BlackjackRules())
    False
    >>> ("15", "9") in illustrious_cells(BlackjackRules(surrender="late"))
    True
    """
    return ILLUSTRIOUS if rules.surrender == "none" else (*ILLUSTRIOUS, *FAB_FOUR)


@dataclass(frozen=True, slots=True)
class CountIndex:
    """A cell that changes at a count.

    Attributes
    ----------
    count
        The whole count from which the new code is the better one.
    exact
        Where the two are worth the same, before a count is made a whole number.

    Examples
    --------
    >>> print(CountIndex("16", "T", Code.HIT, Code.STAND, 0, -0.2))
    16 against T: H below +0, S from there on (-0.20)
    """

    row: str
    up_card: str
    below: Code
    code: Code
    count: int
    exact: float

    def __str__(self) -> str:
        return (
            f"{self.row} against {self.up_card}: {self.below} below {self.count:+d}, {self.code} from there on "
            f"({self.exact:+.2f})"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "hand": self.row,
            "up_card": self.up_card,
            "below": self.below.value,
            "code": self.code.value,
            "count": self.count,
            "exact": self.exact,
        }


@dataclass(frozen=True, slots=True)
class CountIndices:
    """The indices of a system under some rules.

    Attributes
    ----------
    insurance, insurance_exact
        The count from which insurance is taken, and where it breaks even; None where it is not offered or never worth it.
    plays
        The cells that change.
    """

    insurance: int | None
    insurance_exact: float | None
    plays: tuple[CountIndex, ...]

    def only(self, cells: Iterable[tuple[str, str]]) -> "CountIndices":
        """Keep the plays of some cells."""
        wanted = set(cells)
        plays = tuple(play for play in self.plays if (play.row, play.up_card) in wanted)
        return CountIndices(self.insurance, self.insurance_exact, plays)

    def chart(self, table: Chart) -> Chart:
        """Return a chart as it is at the lowest counts, below every index."""
        lowest = {(play.row, play.up_card): play.below for play in reversed(self.plays)}
        return table.replace(lowest)

    def deviations(self) -> tuple[Deviation, ...]:
        """Return what becomes of :meth:`chart` as the count rises."""
        return tuple(Deviation(play.row, play.up_card, play.count, play.code) for play in self.plays)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "insurance": self.insurance,
            "insurance_exact": self.insurance_exact,
            "plays": [play.to_dict() for play in self.plays],
        }


#: Play by the chart alone, without insurance.
NO_INDICES = CountIndices(None, None, ())


def indices_of(data: Mapping[str, Any]) -> CountIndices:
    """Read what :meth:`CountIndices.to_dict` gave.

    >>> some = CountIndices(3, 3.04, (CountIndex("16", "T", Code.HIT, Code.STAND, 0, -0.2),))
    >>> indices_of(some.to_dict()) == some
    True
    """
    plays = tuple(
        CountIndex(
            play["hand"],
            play["up_card"],
            Code(play["below"]),
            Code(play["code"]),
            play["count"],
            play["exact"],
        )
        for play in data["plays"]
    )
    return CountIndices(data["insurance"], data["insurance_exact"], plays)


def compute_indices(
    rules: BlackjackRules,
    system: CountingSystem,
    table: Chart,
    rounding: Rounding = "floor",
    up_cards: Iterable[str] = UP_CARDS,
) -> CountIndices:
    """Find where every cell of a chart changes with the count.

    Parameters
    ----------
    table
        The chart without a count, by which longer hands come about.
    rounding
        How a true count becomes a whole number.
    up_cards
        The columns to look at.

    Examples
    --------
    >>> from croupier.blackjack.counting.system import HI_LO
    >>> from croupier.blackjack.solvers.total_dependent import solve_total_dependent
    >>> chart = solve_total_dependent(BlackjackRules(decks=1)).chart
    >>> print(compute_indices(BlackjackRules(), HI_LO, chart, up_cards="2").only([("12", "2")]).plays[0])
    12 against 2: H below +3, S from there on (+3.37)
    """
    verify_indexed(rules)
    return _indices(rules, system, table, rounding, tuple(up_cards))


@lru_cache(maxsize=32)
def _indices(
    rules: BlackjackRules, system: CountingSystem, table: Chart, rounding: Rounding, up_cards: tuple[str, ...]
) -> CountIndices:
    """Find the indices once in a process: runs that differ in their bets share them."""
    scale = count_scale(rules, system, rounding)
    plays: list[CountIndex] = []
    for (row, up_card), worths in cell_worths(rules, system, table, rounding, up_cards).items():
        plays += _changes(row, up_card, worths, scale)
    insurance, exact = _insurance_index(rules, system, scale)
    order = {row: place for place, row in enumerate(ROWS)}
    plays.sort(key=lambda play: (order[play.row], UP_CARDS.index(play.up_card), play.count))
    return CountIndices(insurance, exact, tuple(plays))


@lru_cache(maxsize=2)
def cell_worths(
    rules: BlackjackRules,
    system: CountingSystem,
    table: Chart,
    rounding: Rounding,
    up_cards: tuple[str, ...],
) -> dict[tuple[str, str], dict[Code, Floats]]:
    """Return what each code is worth in each cell that hands come to, count by count; kept for what comes next, which is what indices earn.

    PH and PS split as P does, and stand in its place where the chart has them: so a cell changes from what the chart says.
    """
    excesses, columns, found = count_scale(rules, system, rounding).excesses, columns_of(table), {}
    wanted = {place: columns[place] for place in map(UP_CARDS.index, up_cards)}
    for place, values in hand_values_at_counts(rules, system, wanted, excesses):
        for row in ROWS:
            cell = row, UP_CARDS[place]
            split = table[cell] if table[cell] in SPLITS_TO_DOUBLE else Code.SPLIT
            worths = _code_worths(values, row, rules)
            if worths:
                found[cell] = {split if code is Code.SPLIT else code: worth for code, worth in worths.items()}
    return found


def _code_worths(values: HandValuesAtCounts, row: str, rules: BlackjackRules) -> dict[Code, Floats]:
    """Return what each code is worth on a row, count by count; nothing for a row that no hand comes to."""
    of_two, of_more = row_members(row)
    first, longer = _move_sums(values, of_two), _move_sums(values, of_more)
    if first is None and longer is None:
        return {}
    worths = {}
    for code in Code:
        if code in SPLITS_TO_DOUBLE or (Move.SPLIT in WISHES[code] and row not in PAIR_ROWS):
            continue
        choice, otherwise = _choices(code, rules)
        worth = np.zeros(values.chance.shape[0])
        if first is not None:
            worth = first[choice] + _TIE_BREAK * first[otherwise]
        if longer is not None:
            worth = worth + longer[otherwise]
        if np.isfinite(worth).all():
            worths[code] = worth
    return worths


def _move_sums(values: HandValuesAtCounts, hands: Flags) -> Floats | None:
    """Add up what each move is worth over hands that come, ``[move, count]``: -inf or nan if one of them may not do it; None if none comes."""
    wanted = np.flatnonzero(hands)
    chance = np.where(np.isfinite(values.values[STAND][:, wanted]), values.chance[:, wanted], 0.0)
    comes = chance.any(axis=0)
    if not comes.any():
        return None
    with np.errstate(invalid="ignore"):  # what does not come at a count, times what may not be done
        sums: Floats = (chance[:, comes] * values.values[:, :, wanted[comes]]).sum(axis=2)
    return sums


def _choices(code: Code, rules: BlackjackRules) -> tuple[int, int]:
    """Return the first choice of a code on first two cards, and what it does on longer hands; of a pair, its other choice."""
    first = (*WISHES[code], Move.STAND)[0] or Move.STAND
    longer = move_of(code, Allowed.HIT, rules) or Move.SPLIT
    return first.number, longer.number


@cache
def row_members(row: str) -> tuple[Flags, Flags]:
    """Tell which hands of two cards, and which longer ones, a row is about.

    >>> first, longer = row_members("21")
    >>> bool(first.any()), bool(longer.any())
    (False, True)
    """
    space = hand_space()
    if row in PAIR_ROWS:
        pair = np.zeros(len(space.total), dtype=np.bool_)
        pair[space.find((PAIR_ROWS.index(row),) * 2)] = True
        return pair, np.zeros_like(pair)
    of_row = ROWS.index(row) == ROW_OF_TOTAL
    is_pair = (space.card_count == 2) & (space.counts.max(axis=1) == 2)
    return of_row & (space.card_count == 2) & ~is_pair, of_row & (space.card_count > 2)


def _changes(row: str, up_card: str, worths: dict[Code, Floats], scale: CountScale) -> list[CountIndex]:
    """List where the best code changes from one whole count to the next."""
    codes = list(worths)
    best = np.argmax(np.array([worths[code] for code in codes]), axis=0)
    found = []
    for place in range(1, len(best)):
        below, code = codes[best[place - 1]], codes[best[place]]
        if code is not below:
            gain = worths[code] - worths[below]
            exact = _crossing(gain[place - 1 : place + 1], scale.excesses[place - 1 : place + 1])
            found.append(CountIndex(row, up_card, below, code, scale.counts[place], scale.count_of(exact)))
    return found


def _crossing(gain: Floats, excesses: Floats) -> float:
    """Return where a gain that turns positive from one excess to the next is nil."""
    return float(excesses[0] - gain[0] * (excesses[1] - excesses[0]) / (gain[1] - gain[0]))


def _insurance_index(
    rules: BlackjackRules, system: CountingSystem, scale: CountScale
) -> tuple[int | None, float | None]:
    if not rules.insurance:
        return None, None
    worth = insurance_at_counts(rules, system, scale.excesses)
    taken = np.flatnonzero(worth > 0)
    if not len(taken) or taken[0] == 0:
        return None, None
    place = int(taken[0])
    exact = _crossing(worth[place - 1 : place + 1], scale.excesses[place - 1 : place + 1])
    return scale.counts[place], scale.count_of(exact)
