"""A table of several players as work for a job: its solution, its charts by seat, and the answers."""

import math
from dataclasses import dataclass

from croupier.banluck.analysis.chart import ChartGrid
from croupier.banluck.analysis.findings import Finding
from croupier.banluck.analysis.saved_tables import solved_table
from croupier.banluck.analysis.solution import Solution
from croupier.banluck.analysis.table_research import research_table
from croupier.banluck.analysis.table_solution import TableSolution
from croupier.banluck.engine.rules import BanluckRules
from croupier.texts import say
from croupier.web.jobs import Report
from croupier.web.models.banluck_research import Progress


@dataclass(frozen=True, slots=True)
class MarkedCell:
    """A cell of a chart: its letter, whether that goes on (hit, draw), and what the chart of one player says if it differs."""

    letter: str
    goes_on: bool
    alone: str = ""


@dataclass(frozen=True, slots=True)
class MarkedChart:
    """A chart by seat, with the differences from the chart of one player.

    Examples
    --------
    >>> from croupier.banluck.analysis.chart import Cell
    >>> one, alone = (ChartGrid.of("Player 1", {Cell(2, False, 16): letter}) for letter in "SH")
    >>> MarkedChart.of(one, alone).rows
    (('2 cards, hard', (MarkedCell(letter='S', goes_on=False, alone='H'),)),)
    """

    title: str
    totals: tuple[int, ...]
    rows: tuple[tuple[str, tuple[MarkedCell, ...]], ...]

    @classmethod
    def of(cls, grid: ChartGrid, alone: ChartGrid) -> "MarkedChart":
        """Mark what differs from the chart of one player, in a player's chart."""
        found = grid.differences(alone) if grid.is_of_player else []
        differs = {(cell["row"], cell["total"]): cell["other"] for cell in found}
        rows = tuple(
            (
                name,
                tuple(
                    MarkedCell(letter, letter in "HD", differs.get((name, total), ""))
                    for total, letter in zip(grid.totals, letters, strict=True)
                ),
            )
            for name, letters in grid.rows
        )
        return cls(grid.title, grid.totals, rows)


@dataclass(frozen=True, slots=True)
class SeveralPlayers:
    """Everything that the page shows of a table of several players."""

    solution: TableSolution
    seats: tuple[MarkedChart, ...]
    dealer: tuple[MarkedChart, ...]
    findings: tuple[Finding, ...]


def several_players(heads_up: Solution, players: int, report: Report) -> SeveralPlayers:
    """Solve a table of several players and answer its questions; solutions are saved and read back.

    Parameters
    ----------
    heads_up
        The game of one player by the same rules.
    report
        Told how far the work is.
    """

    def solved(rules: BanluckRules, number: int) -> TableSolution:
        def progress(stage: str, gain: float) -> None:
            key = "several.solving" if math.isnan(gain) else "several.solving_gain"
            reveal = say(f"several.reveal.{rules.reveal}")
            told = say(key, players=number, reveal=reveal, stage=stage, gain=gain)
            report(Progress(told, 0, 1))

        return solved_table(rules, number, progress=progress)

    solution = solved(heads_up.rules, players)
    findings = research_table(
        solution,
        heads_up=heads_up,
        solved=solved,
        progress=lambda stage, done, total: report(Progress(stage, done, total)),
    )
    charts = [(chart, MarkedChart.of(chart, heads_up.chart.grid)) for chart in solution.charts]
    return SeveralPlayers(
        solution,
        tuple(marked for chart, marked in charts if chart.is_of_player),
        tuple(marked for chart, marked in charts if not chart.is_of_player),
        findings,
    )
