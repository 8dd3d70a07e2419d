"""Solving a game as a job of the web app: the curve is reported while it narrows, and a visitor may stop it."""

from croupier.banluck.analysis.solution import Solution
from croupier.banluck.analysis.solving import solve
from croupier.banluck.engine import BanluckRules
from croupier.banluck.play.solutions import SOLUTIONS, Method, SolutionCache
from croupier.banluck.solvers.regret_minimisation import RegretRun, solve_equilibrium
from croupier.web.jobs import Report, Stopped
from croupier.web.models.banluck_charts import player_grid
from croupier.web.models.comparison import Summary


def solve_live(
    rules: BanluckRules, method: Method, report: Report = lambda _: None, cache: SolutionCache = SOLUTIONS
) -> Solution:
    """Solve a game and report the curve so far at every certification; a stopped run keeps what it has reached.

    Examples
    --------
    >>> points = []
    >>> solution = solve_live(BanluckRules(), Method(tolerance=1e-6), report=points.append, cache=SolutionCache())
    >>> points[-1] == solution.curve, solution.converged
    (True, True)
    """
    found = cache.find(rules, method)
    if found is not None:
        return found
    report(())
    solution = _solved(rules, method, report)
    solution.outcomes, solution.chart  # noqa: B018 - worked out here, outside the event loop
    if solution.converged:
        cache.put(solution, method)
    return solution


def summarized(rules: BanluckRules, report: Report = lambda _: None) -> Summary:
    """Solve a game for a comparison: the player's edge, and the letter of every cell of the player's chart.

    >>> found = summarized(BanluckRules())
    >>> round(found.edge, 4), found.cells["2 cards, hard 16"]
    (-0.0119, 'S')
    """
    solution = solve_live(rules, Method(), report)
    grid = player_grid(solution)
    cells = {
        f"{name} {total}": cell.label
        for name, row in grid.rows
        for total, cell in zip(grid.totals, row, strict=True)
        if cell is not None
    }
    return Summary(solution.value, cells)


def _solved(rules: BanluckRules, method: Method, report: Report) -> Solution:
    checked: list[RegretRun] = []

    def show(run: RegretRun) -> None:
        checked[:] = [run]
        report(tuple(run.curve))

    try:
        return solve(rules, algorithm=method.algorithm, tolerance=method.tolerance, on_check=show)
    except Stopped:
        (run,) = checked
        return Solution.of(
            solve_equilibrium(rules, tolerance=method.tolerance, run=run, max_iterations=run.iterations)
        )
