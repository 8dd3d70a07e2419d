"""The numbers behind the heat maps: decisions gathered by what a person can tell apart at a glance.

A cell is a row (card count, soft or hard) and a total. Its figures are averages over its hands, weighted by how
often they come up; the drawings of :mod:`~croupier.banluck.analysis.plots` and of the report show the same cells.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from croupier.banluck.analysis.chart import Cell, cells_of
from croupier.banluck.analysis.strategy_book import Advice, StrategyBook
from croupier.banluck.engine.multisets import format_multiset

#: A frequency that rounds to 0 % or 100 % is shown as an action.
_ROUNDS_TO_PURE = 0.005


@dataclass(frozen=True, slots=True)
class HeatCell:
    """The average decision of a cell.

    Attributes
    ----------
    ev_stop, ev_go
        Expected units of the side that decides; ``ev_stop`` is None where the rules force the side to go on.
    go_frequency
        How often the strategy goes on, over the hands of the cell.
    cost_of_mistake
        What the worse action costs on average, in units each time.
    reach
        How often a decision of the cell comes up, per hand dealt.
    hands
        How many hands the cell holds.
    exceptions
        The hands in which the better action is not that of the cell.
    """

    stop: str
    go: str
    ev_stop: float | None
    ev_go: float
    go_frequency: float
    cost_of_mistake: float
    reach: float
    hands: int
    exceptions: tuple[str, ...]

    @property
    def gain(self) -> float | None:
        """What going on is worth more than stopping, in units; None where there is no choice."""
        return None if self.ev_stop is None else self.ev_go - self.ev_stop

    @property
    def label(self) -> str:
        """The initial of the action, or how often the strategy goes on where it does both.

        >>> HeatCell("stand", "hit", -0.2, -0.1, 0.25, 0.1, 0.01, 3, ()).label
        '25%'
        """
        if self.go_frequency >= 1 - _ROUNDS_TO_PURE:
            return self.go[0].upper()
        if self.go_frequency <= _ROUNDS_TO_PURE:
            return self.stop[0].upper()
        return f"{self.go_frequency:.0%}"


@dataclass(frozen=True, slots=True, eq=False)
class HeatMap:
    """Cells in rows and columns.

    Attributes
    ----------
    against
        What the side that decides knows of the other; empty for the player, who knows nothing.
    rows, totals
        The names of the rows, and the totals that are the columns.
    cells
        By row and total; not every place of the grid holds a cell.
    """

    against: str
    rows: tuple[str, ...]
    totals: tuple[int, ...]
    cells: Mapping[tuple[str, int], HeatCell]

    def grid(self, figure: Callable[[HeatCell], float | None]) -> list[list[float]]:
        """Return one figure of every cell, row by row; NaN where there is none."""
        return [[_number(self.cells.get((row, total)), figure) for total in self.totals] for row in self.rows]


def player_heat(book: StrategyBook) -> HeatMap:
    """Gather the player's decisions.

    Examples
    --------
    >>> from croupier.banluck.engine.rules import BanluckRules
    >>> from croupier.banluck.solvers.fixed import classic_dealer, stand_on
    >>> rules = BanluckRules()
    >>> heat = player_heat(StrategyBook(stand_on(16, rules), classic_dealer(rules), rules))
    >>> heat.rows[:2], heat.totals[0], heat.cells["2 cards, hard", 16].label
    (('2 cards, hard', '2 cards, soft'), 4, 'S')
    """
    return _heat_map("", cells_of(book.player_decisions))


def dealer_heats(book: StrategyBook) -> tuple[HeatMap, ...]:
    """Gather the dealer's decisions at the totals of choice, one map for each card count that the dealer can tell.

    Examples
    --------
    >>> from croupier.banluck.engine.rules import BanluckRules
    >>> from croupier.banluck.solvers.fixed import classic_dealer, stand_on
    >>> rules = BanluckRules()
    >>> heats = dealer_heats(StrategyBook(stand_on(16, rules), classic_dealer(rules), rules))
    >>> [(heat.against, heat.cells["2 cards, hard", 16].label) for heat in heats]
    [('2 cards', 'D'), ('3 cards', 'R'), ('4 cards', 'R'), ('5 cards', 'R')]
    """
    cells = cells_of(advice for advice in book.dealer_decisions if advice.go == "draw")
    return tuple(
        _heat_map(against, {cell: hands for cell, hands in cells.items() if cell.against == against})
        for against in sorted({cell.against for cell in cells})
    )


def _heat_map(against: str, cells: Mapping[Cell, list[Advice]]) -> HeatMap:
    totals = {cell.total for cell in cells}
    averaged = {(cell.row, cell.total): average_decision(hands) for cell, hands in cells.items()}
    return HeatMap(
        against,
        rows=tuple(dict.fromkeys(cell.row for cell in cells)),
        totals=tuple(range(min(totals), max(totals) + 1)) if totals else (),
        cells=averaged,
    )


def average_decision(hands: list[Advice]) -> HeatCell:
    """Average the decisions of one cell, weighted by how often they come up."""
    weights = [advice.reach for advice in hands]
    if math.fsum(weights) == 0:
        weights = [1.0] * len(hands)

    def mean(values: Iterable[float]) -> float:
        return math.fsum(w * value for w, value in zip(weights, values, strict=True)) / math.fsum(weights)

    first = hands[0]
    ev_go = mean(advice.ev_go for advice in hands)
    ev_stop = None
    if first.ev_stop is not None:
        ev_stop = mean(math.nan if advice.ev_stop is None else advice.ev_stop for advice in hands)
    best = first.go if ev_stop is None or ev_go > ev_stop else first.stop
    return HeatCell(
        stop=first.stop,
        go=first.go,
        ev_stop=ev_stop,
        ev_go=ev_go,
        go_frequency=mean(advice.go_frequency for advice in hands),
        cost_of_mistake=mean(advice.cost_of_mistake for advice in hands),
        reach=math.fsum(advice.reach for advice in hands),
        hands=len(hands),
        exceptions=tuple(format_multiset(advice.hand) for advice in hands if advice.best != best),
    )


def _number(cell: HeatCell | None, figure: Callable[[HeatCell], float | None]) -> float:
    number = None if cell is None else figure(cell)
    return math.nan if number is None else number
