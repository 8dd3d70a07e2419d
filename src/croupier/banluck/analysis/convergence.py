"""How fast each way of minimising regrets comes to the equilibrium."""

from collections.abc import Callable

from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.equilibrium import CurvePoint
from croupier.banluck.solvers.regret_minimisation import REGRET_ALGORITHMS, solve_equilibrium

#: How far the curves go; plain CFR would take minutes to get further.
CURVE_TOLERANCE, CURVE_ITERATIONS = 1e-8, 3000


def convergence_curves(
    rules: BanluckRules,
    *,
    max_iterations: int = CURVE_ITERATIONS,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, tuple[CurvePoint, ...]]:
    """Run every algorithm on a rule set and return its curve, by its name.

    Examples
    --------
    >>> curves = convergence_curves(BanluckRules(), max_iterations=32)
    >>> list(curves), curves["cfr+"][-1].iteration
    (['cfr', 'cfr+', 'dcfr', 'pcfr+'], 32)
    """
    curves = {}
    for done, algorithm in enumerate(REGRET_ALGORITHMS, start=1):
        run = solve_equilibrium(
            rules, algorithm=algorithm, tolerance=CURVE_TOLERANCE, max_iterations=max_iterations
        )
        curves[algorithm.value] = run.curve
        if progress is not None:
            progress(done, len(REGRET_ALGORITHMS))
    return curves
