"""A chart at the table: its entries that a rule set does not allow, what it does in numbers, and how it changes with a count."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.chart import ROWS, Chart, ChartError, Code
from croupier.blackjack.solvers.chart_check import Remark, check, problems
from croupier.blackjack.solvers.chart_moves import CODES, move_table

#: ``[allowed, row, column]``: the move that a chart makes.
Plan = NDArray[np.uint8]


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


def remarks_on(chart: Chart, rules: BlackjackRules, deviations: Iterable[Deviation] = ()) -> list[Remark]:
    """List the entries of a chart and its deviations that the rules do not allow, each with what is played instead.

    Raises
    ------
    ChartError
        If an entry can never be followed and names no second choice.

    Examples
    --------
    >>> remarks_on(Chart.uniform("P"), BlackjackRules())
    Traceback (most recent call last):
    croupier.blackjack.solvers.chart.ChartError: chart: row '4' against 2: P on a total names no second choice; \
use H, S, D, DS, R or RS
    """
    remarks = check(chart, rules)
    for deviation in deviations:
        _verify_cell(deviation, chart.columns)
        cell = deviation.row, deviation.up_card
        found = problems(*cell, deviation.code, rules)
        remarks += [
            remark
            for problem, instead in found
            if (remark := Remark(*cell, deviation.code, problem, instead)) not in remarks
        ]
    return remarks


def plan_of(chart: Chart, rules: BlackjackRules) -> Plan:
    """Tabulate what a chart does, by what is allowed, row and column.

    Examples
    --------
    >>> from croupier.blackjack.engine.moves import HIT, Allowed
    >>> plan = plan_of(Chart.uniform("D"), BlackjackRules())
    >>> bool(plan[Allowed.HIT, 5, 0] == HIT)
    True
    """
    codes = np.array([CODES.index(code) for code in chart.codes]).reshape(len(ROWS), len(chart.columns))
    return np.ascontiguousarray(move_table(rules)[codes].transpose(2, 0, 1))


def _verify_cell(deviation: Deviation, columns: tuple[str, ...]) -> None:
    if deviation.row not in ROWS:
        raise ChartError(f"deviation '{deviation}': no row '{deviation.row}'; rows are {', '.join(ROWS)}")
    if deviation.up_card not in columns:
        raise ChartError(
            f"deviation '{deviation}': no up-card '{deviation.up_card}'; up-cards are {', '.join(columns)}"
        )
