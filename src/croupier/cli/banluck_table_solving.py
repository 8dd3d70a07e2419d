"""``croupier banluck solve`` and ``chart`` for several players."""

import math

from rich.columns import Columns
from rich.console import Console

from croupier.banluck.analysis.solving import solve_table
from croupier.banluck.analysis.table_simulator import simulate_table
from croupier.banluck.analysis.table_solution import TableSolution
from croupier.banluck.engine import BanluckRules
from croupier.cli.banluck_tables import chart_table
from croupier.cli.json_output import print_json
from croupier.cli.progress import progress_bar, status_line


def show_table_solution(rules: BanluckRules, players: int, tolerance: float | None, *, as_json: bool) -> None:
    """Solve for several players and print the values by seat, with what anybody could gain."""
    solution = _solved(rules, players, tolerance)
    if as_json:
        print_json(solution.to_dict())
    else:
        Console().print(str(solution), highlight=False)


def show_table_charts(rules: BanluckRules, players: int, tolerance: float | None, *, as_json: bool) -> None:
    """Solve for several players and print the charts of the seats and of the dealer."""
    solution = _solved(rules, players, tolerance)
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
    console.print("Players: H hit, S stand. Dealer: D draw, S stand, 1 or 2 whom to open first.")
    console.print(Columns([chart_table(grid) for grid in solution.charts], padding=(0, 2)))


def show_table_simulation(
    rules: BanluckRules, players: int, hands: int, seed: int, workers: int | None, *, as_json: bool
) -> None:
    """Solve for several players, deal hands between the strategies and print what was counted."""
    solution = _solved(rules, players, None)
    with progress_bar("dealing", unit="hands") as report:
        result = simulate_table(
            solution.strategy, rules, hands=hands, seed=seed, workers=workers, progress=report
        )
    if as_json:
        print_json(result.to_dict() | {"solved_values": list(solution.values)})
        return
    Console().print(str(result), highlight=False)
    solved = ", ".join(f"{value:+.6f}" for value in solution.values)
    Console().print(f"Solved: {solved} by seat, dealer {solution.dealer_value:+.6f}", highlight=False)


def _solved(rules: BanluckRules, players: int, tolerance: float | None) -> TableSolution:
    label = f"solving for {players} players"
    with status_line(label) as show:

        def progress(stage: str, gain: float) -> None:
            left = "" if math.isnan(gain) else f", players could gain {gain:.1e}"
            show(f"{label}: {stage}{left}")

        return solve_table(rules, players, tolerance=tolerance, progress=progress)
