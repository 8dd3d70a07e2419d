"""What any chart is exactly worth, what it loses to the best one, and in which cells."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from croupier import __version__
from croupier.blackjack.engine.rules import BLACKJACK, BlackjackRules
from croupier.blackjack.solvers.chart import ROWS, UP_CARDS, Chart, Code
from croupier.blackjack.solvers.chart_check import Remark, check
from croupier.blackjack.solvers.chart_columns import column_studies, columns_of
from croupier.blackjack.solvers.total_dependent import best_chart
from croupier.blackjack.solvers.variance import chart_standard_deviation
from croupier.results import Result

if TYPE_CHECKING:
    import pandas as pd

#: What is left of rounding: a cell that costs less costs nothing.
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class CellPrice:
    """A cell that is not as in the best chart, and what changing it alone would gain, in initial bets a round.

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
class PricedChart(Result):
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
        The cells that cost something, the dearest first. Each is priced with the rest of the chart as it is: where a column has
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
    def version(self) -> str:
        """The Croupier that this is."""
        return __version__

    @property
    def loss(self) -> float:
        """What the chart loses to the best one, in initial bets a round."""
        return self.best_value - self.value

    def facts(self) -> dict[str, str]:
        """Return the figures that matter most, as text."""
        dearest = f", the dearest {self.cells[0]}" if self.cells else ""
        return {
            "value": f"{self.value:+.5%} of the initial bet, exactly, standard deviation {self.standard_deviation:.4f}",
            "loss to the best chart": f"{self.loss:.7f} bets a round ({self.best_value:+.5%})",
            "cells that cost something": f"{len(self.cells)}{dearest}",
            "entries that cannot be played": f"{len(self.remarks)}",
            "rules": BLACKJACK.describe(self.rules),
        }

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        return {
            "value": self.value,
            "best": self.best_value,
            "loss": self.loss,
            "std": self.standard_deviation,
            "cells": [cell.to_dict() for cell in self.cells],
            "remarks": [str(remark) for remark in self.remarks],
            "chart": self.chart.to_dict(),
            "rules": self.rules.model_dump(mode="json"),
            "version": self.version,
        }

    def to_frame(self) -> "pd.DataFrame":
        """Return the cells that cost something as a data frame, the dearest first."""
        import pandas as pd  # noqa: PLC0415 - only who asks for a frame pays for pandas

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
    columns = columns_of(chart)
    value, cells = 0.0, []
    for up_card, (chance, study) in column_studies(rules).items():
        alone = study.value(columns[up_card])
        value += chance * (alone + study.natural_value())
        for row in np.flatnonzero(columns[up_card] != best.columns[up_card]).tolist():
            mended, cell = columns[up_card].copy(), (ROWS[row], UP_CARDS[up_card])
            mended[row] = best.columns[up_card][row]
            gain = chance * (study.value(mended) - alone)
            cells.append(CellPrice(*cell, chart[cell], best.chart[cell], gain))
    dear = sorted((cell for cell in cells if cell.cost > _ROUNDING), key=lambda cell: -cell.cost)
    deviation = chart_standard_deviation(rules, chart)
    return PricedChart(rules, chart, value, best.value, deviation, tuple(dear), tuple(remarks))
