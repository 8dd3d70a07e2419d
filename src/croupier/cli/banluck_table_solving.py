"""``croupier banluck solve``, ``chart`` and ``simulate`` for several players."""

import math
from dataclasses import dataclass
from pathlib import Path

from rich.columns import Columns
from rich.console import Console

from croupier.banluck.analysis.saved_tables import load_table, save_table
from croupier.banluck.analysis.solving import EXACT_PLAYERS, solve_table
from croupier.banluck.analysis.table_simulator import simulate_table
from croupier.banluck.analysis.table_solution import TableSolution
from croupier.banluck.engine import BanluckRules
from croupier.banluck.solvers.table.strategy import Information
from croupier.cli.banluck_solving import solve_with_status
from croupier.cli.banluck_tables import chart_table
from croupier.cli.devices import tell_of_missing_gpu
from croupier.cli.json_output import print_json
from croupier.cli.progress import progress_bar, status_line
from croupier.numerics.devices import Device, StreamName, usual_workers, verify_device


@dataclass(frozen=True, slots=True)
class TableRequest:
    """The table to solve, and how."""

    rules: BanluckRules
    players: int
    tolerance: float | None = None
    save: Path | None = None
    seed: int | None = None
    workers: int | None = None
    information: Information | None = None

    def solved(self, *, is_new: bool = False) -> TableSolution:
        """Solve it, with a line that shows how far it is; a saved solution is read unless a new one is asked for."""
        if self.players == EXACT_PLAYERS and self.information == "counts":
            return self._solved()  # what is saved is the table of full information
        is_usual = self.save is None and self.seed is None
        found = load_table(self.rules, self.players, self.tolerance) if is_usual and not is_new else None
        if found is None:
            found = self._solved()
            save_table(found)
        return found

    def _solved(self) -> TableSolution:
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
                information=self.information,
                seed=self.seed,
                workers=None if self.players == EXACT_PLAYERS else self.workers,
                progress=progress,
            )


def show_table_solution(request: TableRequest, *, as_json: bool) -> None:
    """Solve for several players and print the values by seat, with what anybody could gain."""
    solution = request.solved(is_new=True)
    if as_json:
        print_json(solution.to_dict())
    else:
        Console().print(str(solution), highlight=False)


def show_table_charts(request: TableRequest, *, as_json: bool) -> None:
    """Solve for several players and print the charts of the seats and of the dealer."""
    solution = request.solved()
    alone = solve_with_status(request.rules).chart.grid
    if as_json:
        charts = [
            {
                "title": grid.title,
                "totals": list(grid.totals),
                "rows": [{"name": name, "letters": list(letters)} for name, letters in grid.rows],
                "differences": grid.differences(alone) if grid.is_of_player else [],
            }
            for grid in solution.charts
        ]
        print_json(solution.to_dict() | {"charts": charts})
        return
    console = Console()
    console.print(str(solution), highlight=False)
    console.print(f"{solution.legend} A star marks what differs from the chart of one player.")
    tables = [chart_table(grid, alone if grid.is_of_player else None) for grid in solution.charts]
    console.print(Columns(tables, padding=(0, 2)))


def show_table_simulation(
    request: TableRequest, hands: int, seed: int, *, stream: StreamName, device: Device, as_json: bool
) -> None:
    """Solve for several players, deal hands between the strategies and print what was counted."""
    verify_device(stream, device)
    tell_of_missing_gpu(device)
    solution = request.solved()
    with progress_bar("dealing", unit="hands") as report:
        result = simulate_table(
            solution.strategy,
            request.rules,
            hands=hands,
            seed=seed,
            stream=stream,
            device=device,
            workers=usual_workers(device) if request.workers is None else request.workers,
            progress=report,
        )
    if as_json:
        print_json(result.to_dict() | {"solved_values": list(solution.values)})
        return
    Console().print(str(result), highlight=False)
    solved = ", ".join(f"{value:+.6f}" for value in solution.values)
    Console().print(f"Solved: {solved} by seat, dealer {solution.dealer_value:+.6f}", highlight=False)
