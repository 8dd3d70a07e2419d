"""The figures at the head of everything that is said of a solved game."""

from typing import NamedTuple

from croupier.banluck.analysis.outcomes import OutcomeDistribution
from croupier.banluck.solvers.equilibrium import Equilibrium
from croupier.numerics.numbers import signed
from croupier.texts import say


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
    ahead = say("banluck.headline.dealer_ahead" if edge > 0 else "banluck.headline.player_ahead")
    interval = {"low": signed(solution.lower, 8), "high": signed(solution.upper, 8)}
    certified = "certified" if solution.converged else "not_certified"
    return [
        HeadlineFigure(
            say("banluck.headline.value"), signed(solution.value, 6), say("banluck.headline.from_player")
        ),
        HeadlineFigure(
            say("banluck.headline.edge"), say("banluck.headline.percent", edge=signed(edge, 3)), ahead
        ),
        HeadlineFigure(
            say("banluck.headline.interval"),
            say("banluck.headline.from_to", **interval),
            say("banluck.headline.per_hand"),
        ),
        HeadlineFigure(
            say("banluck.headline.exploitability"),
            f"{solution.exploitability:.1e}",
            say(f"banluck.headline.{certified}", tolerance=f"{solution.tolerance:g}"),
        ),
        HeadlineFigure(
            say("banluck.headline.deviation"),
            say("banluck.headline.units", units=distribution.std),
            say("banluck.headline.of_one_hand"),
        ),
        HeadlineFigure(
            say("banluck.headline.algorithm"),
            solution.algorithm.value,
            say("banluck.headline.iterations", iterations=solution.iterations),
        ),
    ]
