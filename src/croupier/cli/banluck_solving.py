"""Solving for the command line: the same as :func:`croupier.banluck.solve`, with a line that shows how far it is."""

from pathlib import Path

from croupier.banluck.analysis.solution import Solution
from croupier.banluck.analysis.solving import solve
from croupier.banluck.engine import BanluckRules
from croupier.banluck.solvers.algorithm import Algorithm
from croupier.banluck.solvers.regret_minimisation import RegretRun
from croupier.cli.progress import status_line


def solve_with_status(
    rules: BanluckRules,
    algorithm: Algorithm = Algorithm.PCFR_PLUS,
    tolerance: float = 1e-7,
    save: Path | None = None,
) -> Solution:
    """Solve a rule set, showing how the interval narrows; with a save file, resume where it ends."""
    label = f"solving with {algorithm}"
    with status_line(label) as show:

        def on_check(run: RegretRun) -> None:
            show(f"{label}: iteration {run.iterations}, exploitability {run.curve[-1].width:.2e}")

        return solve(rules, algorithm=algorithm, tolerance=tolerance, save=save, on_check=on_check)
