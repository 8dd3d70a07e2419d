"""What any chart is exactly worth, what it loses to the best one, and in which cells."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from croupier.blackjack.engine.rules import BLACKJACK, BlackjackRules
from croupier.blackjack.solvers.chart import ROWS, Chart, Code
from croupier.blackjack.solvers.chart_check import Remark, check
from croupier.blackjack.solvers.chart_columns import Column, Study, column_studies, columns_of
from croupier.blackjack.solvers.chart_moves import CODES, columns_for
from croupier.blackjack.solvers.total_dependent import best_chart
from croupier.blackjack.solvers.variance import chart_standard_deviation
from croupier.extras import needs
from croupier.results import FromRules, Result

if TYPE_CHECKING:
    import pandas as pd

#: What is left of rounding: a cell that costs less costs nothing.
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class CellPrice:
    """A cell that is not as in the best chart, and what changing it alone would gain, in initial bets per round.

    Examples
    --------
    >>> print(CellPrice("12", "3", Code.STAND, Code.HIT, 0.0001))
    12 against 3: S instead of H costs 0.0001000
    """

    row: str
    up_card: str
    code: Code
    best_code: Code
    cost: float

    def __str__(self) -> str:
        return f"{self.row} against {self.up_card}: {self.code} instead of {self.best_code} costs {self.cost:.7f}"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values."""
        return {
            "hand": self.row,
            "up_card": self.up_card,
            "code": self.code.value,
            "best": self.best_code.value,
            "cost": self.cost,
        }


@dataclass(frozen=True, slots=True, repr=False)
class PricedChart(FromRules, Result):
    """A chart with its exact price. Values are the player's, per initial bet, from a fresh shoe.

    Attributes
    ----------
    rules, chart
        What was priced.
    value, best_value
        What the chart is worth, and the best chart.
    standard_deviation
        That of a round played by the chart, in initial bets.
    cells
        The cells that cost something, the most costly first. Each is priced with the rest of the chart as it is: where a column has
        several mistakes, their costs need not add up to the loss.
    remarks
        The entries that the rules do not allow, and what is played instead.
    """

    rules: BlackjackRules
    chart: Chart
    value: float
    best_value: float
    standard_deviation: float
    cells: tuple[CellPrice, ...]
    remarks: tuple[Remark, ...]

    @property
    def loss(self) -> float:
        """What the chart loses to the best one, in initial bets per round."""
        return self.best_value - self.value

    def facts(self) -> dict[str, str]:
        """Return the figures that matter most, as text."""
        first = f", the most costly {self.cells[0]}" if self.cells else ""
        return {
            "value": f"{self.value:+.5%} of the initial bet, exactly, standard deviation {self.standard_deviation:.4f}",
            "loss to the best chart": f"{self.loss:.7f} bets per round ({self.best_value:+.5%})",
            "cells that cost something": f"{len(self.cells)}{first}",
            "entries that cannot be played": f"{len(self.remarks)}",
            "rules": BLACKJACK.describe(self.rules),
        }

    def figures(self) -> dict[str, Any]:
        """Return what came out, and the chart, as plain values."""
        return {
            "value": self.value,
            "best": self.best_value,
            "loss": self.loss,
            "std": self.standard_deviation,
            "cells": [cell.to_dict() for cell in self.cells],
            "remarks": [str(remark) for remark in self.remarks],
            "chart": self.chart.to_dict(),
        }

    def to_frame(self) -> "pd.DataFrame":
        """Return the cells that cost something as a data frame, the most costly first."""
        needs("plots")
        import pandas as pd  # noqa: PLC0415 - only a table needs it

        columns = ["hand", "up_card", "code", "best", "cost"]
        return pd.DataFrame([cell.to_dict() for cell in self.cells], columns=columns)


def price(rules: BlackjackRules, chart: Chart) -> PricedChart:
    """Price a chart exactly, and find the cells that cost something.

    Parameters
    ----------
    rules, chart
        The rules, and the chart; an entry that the rules do not allow is played by its second choice.

    Examples
    --------
    >>> from croupier.blackjack.solvers.analysis import analyse
    >>> rules = BlackjackRules(decks="infinite")
    >>> priced = price(rules, analyse(rules).chart.replace({("12", "3"): "S", ("16", "2"): "H"}))
    >>> for cell in priced.cells:
    ...     print(cell)
    16 against 2: H instead of S costs 0.0012851
    12 against 3: S instead of H costs 0.0001491
    >>> abs(sum(cell.cost for cell in priced.cells) - priced.loss) < 1e-9
    True
    """
    best = best_chart(rules)
    remarks = check(chart, rules)
    columns, value = columns_of(chart), 0.0
    cells: list[CellPrice] = []
    for place, (chance, study) in column_studies(rules).items():
        value += chance * (study.value(columns[place]) + study.natural_value())
        cells += differing_cells(columns[place], best.columns[place], study, chance)
    costly = sorted((cell for cell in cells if cell.cost > ROUNDING), key=lambda cell: -cell.cost)
    deviation = chart_standard_deviation(rules, chart)
    return PricedChart(rules, chart, value, best.value, deviation, tuple(costly), tuple(remarks))


def differing_cells(column: Column, best: Column, study: Study, chance: float) -> Iterator[CellPrice]:
    """Price every cell of a column that is not as in the best one, in the order of the rows.

    Parameters
    ----------
    study, chance
        The game in this column, and how often it comes up.
    """
    alone, up_card = study.value(column), columns_for(study.rules)[study.column]
    for row in np.flatnonzero(column != best).tolist():
        mended = column.copy()
        mended[row] = best[row]
        gain = float(chance * (study.value(mended) - alone))
        yield CellPrice(ROWS[row], up_card, CODES[column[row]], CODES[best[row]], gain)
