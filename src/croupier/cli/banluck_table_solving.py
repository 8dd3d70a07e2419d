"""``croupier banluck solve``, ``chart`` and ``simulate`` for several players."""

import math
from dataclasses import dataclass
from pathlib import Path

from rich.columns import Columns
from rich.console import Console

from croupier.banluck.analysis.solving import EXACT_PLAYERS, solve_table
from croupier.banluck.analysis.table_simulator import simulate_table
from croupier.banluck.analysis.table_solution import TableSolution
from croupier.banluck.engine import BanluckRules
from croupier.cli.banluck_tables import chart_table
from croupier.cli.json_output import print_json
from croupier.cli.progress import progress_bar, status_line


@dataclass(frozen=True, slots=True)
class TableRequest:
    """The table to solve, and how."""

    rules: BanluckRules
    players: int
    tolerance: float | None = None
    save: Path | None = None
    seed: int | None = None
    workers: int | None = None

    def solved(self) -> TableSolution:
        """Solve it, with a line that shows how far it is."""
        label = f"solving for {self.players} players"
        with status_line(label) as show:

            def progress(stage: str, gain: float) -> None:
                left = "" if math.isnan(gain) else f", somebody could gain {gain:.1e}"
                show(f"{label}: {stage}{left}")

            return solve_table(
                self.rules,
                self.players,
                tolerance=self.tolerance,
                save=self.save,
                seed=self.seed,
                workers=None if self.players == EXACT_PLAYERS else self.workers,
                progress=progress,
            )


def show_table_solution(request: TableRequest, *, as_json: bool) -> None:
    """Solve for several players and print the values by seat, with what anybody could gain."""
    solution = request.solved()
    if as_json:
        print_json(solution.to_dict())
    else:
        Console().print(str(solution), highlight=False)


def show_table_charts(request: TableRequest, *, as_json: bool) -> None:
    """Solve for several players and print the charts of the seats and of the dealer."""
    solution = request.solved()
    if as_json:
        charts = [
            {
                "title": grid.title,
                "totals": list(grid.totals),
                "rows": [{"name": name, "letters": list(letters)} for name, letters in grid.rows],
            }
            for grid in solution.charts
        ]
        print_json(solution.to_dict() | {"charts": charts})
        return
    console = Console()
    console.print(str(solution), highlight=False)
    console.print(solution.legend)
    console.print(Columns([chart_table(grid) for grid in solution.charts], padding=(0, 2)))


def show_table_simulation(request: TableRequest, hands: int, seed: int, *, as_json: bool) -> None:
    """Solve for several players, deal hands between the strategies and print what was counted."""
    solution = request.solved()
    with progress_bar("dealing", unit="hands") as report:
        result = simulate_table(
            solution.strategy,
            request.rules,
            hands=hands,
            seed=seed,
            workers=request.workers,
            progress=report,
        )
    if as_json:
        print_json(result.to_dict() | {"solved_values": list(solution.values)})
        return
    Console().print(str(result), highlight=False)
    solved = ", ".join(f"{value:+.6f}" for value in solution.values)
    Console().print(f"Solved: {solved} by seat, dealer {solution.dealer_value:+.6f}", highlight=False)
