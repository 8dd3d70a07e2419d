"""Solving for the command line: rules and options in, a solution out, with progress and saved runs."""

import time
from pathlib import Path

from croupier.banluck.engine import BanluckRules
from croupier.banluck.solvers.algorithm import Algorithm
from croupier.banluck.solvers.checkpoint import load_run, save_run
from croupier.banluck.solvers.equilibrium import RegretRun, solve_equilibrium, verify_tolerance
from croupier.banluck.solvers.solution import Solution
from croupier.cli.progress import status_line
from croupier.errors import InputError
from croupier.files import FileError

_SECONDS_BETWEEN_SAVES = 1.0


def solve(
    rules: BanluckRules,
    algorithm: Algorithm = Algorithm.PCFR_PLUS,
    tolerance: float = 1e-7,
    save: Path | None = None,
) -> Solution:
    """Solve a rule set, showing how the interval narrows; with a save file, go on where it ends."""
    if algorithm is Algorithm.LP:
        if save is not None:
            raise InputError("--save goes with the regret algorithms; the linear program is not interrupted")
        from croupier.banluck.solvers.linear_program import solve_linear_program

        with status_line("solving the linear program"):
            return solve_linear_program(rules, tolerance=tolerance)
    verify_tolerance(tolerance)
    if save is not None and not save.parent.is_dir():
        raise FileError(f"save file '{save}': there is no such folder")
    run = load_run(save, rules, algorithm) if save is not None and save.exists() else None
    with status_line(f"solving with {algorithm}") as show:
        keeper = _RunKeeper(save)

        def on_check(run: RegretRun) -> None:
            show(
                f"solving with {algorithm}: iteration {run.iterations}, exploitability {run.curve[-1].width:.2e}"
            )
            keeper.checked(run)

        run = run or RegretRun.started(rules, algorithm)
        solution = solve_equilibrium(
            rules, algorithm=algorithm, tolerance=tolerance, run=run, on_check=on_check
        )
        keeper.finished(run)
    return solution


class _RunKeeper:
    """Saves a run now and then, and at its end."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._saved_at = time.monotonic()

    def checked(self, run: RegretRun) -> None:
        if time.monotonic() - self._saved_at >= _SECONDS_BETWEEN_SAVES:
            self.finished(run)

    def finished(self, run: RegretRun) -> None:
        if self._path is not None:
            save_run(run, self._path)
            self._saved_at = time.monotonic()
