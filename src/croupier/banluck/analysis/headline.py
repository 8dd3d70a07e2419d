"""The figures at the head of everything that is said of a solved game."""

from typing import NamedTuple

from croupier.banluck.analysis.outcomes import OutcomeDistribution
from croupier.banluck.solvers.equilibrium import Equilibrium
from croupier.numerics.numbers import signed


class HeadlineFigure(NamedTuple):
    """A figure with its name and what has to be known of it."""

    name: str
    figure: str
    note: str


def headline_figures(solution: Equilibrium, distribution: OutcomeDistribution) -> list[HeadlineFigure]:
    """Return the value of a game, how sure it is, how much luck is in it, and how it was found.

    Examples
    --------
    >>> from croupier import banluck
    >>> solution = banluck.solve()
    >>> headline_figures(solution, solution.outcomes)[0].figure
    '−0.011894'
    """
    edge = -100 * solution.value
    side = "dealer" if edge > 0 else "player"
    certified = "within the tolerance" if solution.converged else "not yet within the tolerance"
    return [
        HeadlineFigure("Value of the game", signed(solution.value, 6), "units/hand, from the player's side"),
        HeadlineFigure("Dealer's edge", f"{signed(edge, 3)}%", f"of the bet; the {side} is ahead"),
        HeadlineFigure(
            "Certified interval", f"{signed(solution.lower, 8)} to {signed(solution.upper, 8)}", "units/hand"
        ),
        HeadlineFigure(
            "Exploitability",
            f"{solution.exploitability:.1e}",
            f"units/hand, {certified} of {solution.tolerance:g}",
        ),
        HeadlineFigure("Standard deviation", f"{distribution.std:.4f} units", "of one hand"),
        HeadlineFigure("Algorithm", solution.algorithm.value, f"{solution.iterations:,} iterations"),
    ]
