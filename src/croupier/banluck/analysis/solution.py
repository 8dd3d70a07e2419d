"""A solved game and everything that can be read off it."""

from collections.abc import Callable
from dataclasses import fields
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from croupier.banluck.analysis.chart import DealerChart, PlayerChart, dealer_chart, player_chart
from croupier.banluck.analysis.headline import HeadlineFigure, headline_figures
from croupier.banluck.analysis.matchup import Matchup
from croupier.banluck.engine.rules import BANLUCK
from croupier.banluck.solvers.equilibrium import Equilibrium
from croupier.extras import needs

if TYPE_CHECKING:  # tables of several players compile kernels that one player does not need
    from croupier.banluck.analysis.table_solution import TableSolution

#: Told what is being done, how much of it is done, and how much there is to do.
StageProgress = Callable[[str, int, int], None]


class Solution(Matchup, Equilibrium):
    """A solved rule set: its value, its certificate, both strategies, charts, prices and reasons.

    Figures are in units of the bet, per hand, from the player's side. What takes time is worked out when it is first asked
    for, and kept.

    Examples
    --------
    >>> from croupier import banluck
    >>> solution = banluck.solve(banluck.Rules(surrender="none"))
    >>> f"{solution.value:+.5f}", solution.exploitability <= 1e-7
    ('+0.01010', True)
    >>> solution.chart["T-6"], solution.book["T-6"].best
    ('stand', 'stand')
    """

    @classmethod
    def of(cls, equilibrium: Equilibrium) -> Self:
        """Return a solver's result as a solution."""
        return cls(**{field.name: getattr(equilibrium, field.name) for field in fields(Equilibrium)})

    @property
    def interval(self) -> tuple[float, float]:
        """The certified interval: the value of the game lies between these two."""
        return self.lower, self.upper

    @cached_property
    def chart(self) -> PlayerChart:
        """The player's chart to memorise, and what playing by it costs."""
        return player_chart(self.book, self.value)

    @cached_property
    def dealer_chart(self) -> DealerChart:
        """The dealer's chart to memorise, by the player's card count."""
        return dealer_chart(self.book)

    @property
    def headline(self) -> list[HeadlineFigure]:
        """The figures to say first: the value, how sure it is, how much luck is in it."""
        return headline_figures(self, self.outcomes)

    def report(
        self,
        folder: Path | str,
        *,
        pairs: bool = False,
        table: "TableSolution | None" = None,
        progress: StageProgress | None = None,
    ) -> Path:
        """Write everything as one HTML page, with pictures and tables beside it; return the path of the page.

        Parameters
        ----------
        folder
            Where to write; made if it is missing.
        pairs
            Whether to solve the game with every two options changed as well, which takes some minutes.
        table
            A solved table of several players by the same rules, whose answers the report is to hold as well.
        progress
            Told how far the work is.
        """
        needs("plots")
        from croupier.banluck.analysis.report import report  # noqa: PLC0415 - loads the plotting libraries

        return report(self, Path(folder), pairs=pairs, table=table, progress=progress)

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain JSON data; the strategies are in :meth:`to_frame` and :meth:`export`."""
        return {**Equilibrium.to_dict(self), "std": self.standard_deviation}

    def facts(self) -> dict[str, str]:
        """Return what to print, the most important first."""
        rows = {row.name: f"{row.figure} {row.note}" for row in self.headline}
        return {"Rules": BANLUCK.describe(self.rules), **rows}

    def _repr_html_(self) -> str:
        return super()._repr_html_() + self.chart._repr_html_()
