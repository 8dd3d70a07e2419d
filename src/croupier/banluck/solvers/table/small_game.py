r"""A small game between some decisions of the seats and a pool of the dealer's strategies.

Each decision wants to be taken where its own slope is positive; the dealer wants the strategy of least cost. With :math:`x` the
probabilities of the decisions and :math:`y` those of the strategies,

.. math:: x_i \text{ maximises } x_i \sum_k y_k d_{ki}, \qquad y \text{ minimises } \sum_k y_k (c_k + s_k \cdot x).

Own slopes :math:`d` and slopes :math:`s` are alike but not the same, because a seat does not care what its play does to the
other one. Were they the same, this would be a zero-sum game and a linear program. So it is solved as a row of linear programs: each
takes off what the decisions do to others, :math:`(s - d)^\top y`, at the weights that the last one found.
"""

from typing import NamedTuple

import numpy as np
from scipy.optimize import linprog

from croupier.banluck.solvers.hand_table import Floats

_PROGRAMS = 60
#: From this program on, weights are averaged with those before: the shift goes round in circles.
_UNDAMPED = 12
_SETTLED = 1e-11
_FEASIBILITY = 1e-10


class SmallSolution(NamedTuple):
    """What the decisions and the dealer do, and what it is worth.

    Attributes
    ----------
    chances, weights
        The probabilities of the decisions and of the strategies.
    shift
        What each decision does to others, which is taken off.
    bound
        The most that the decisions can bring, less the shift.
    """

    chances: Floats
    weights: Floats
    shift: Floats
    bound: float


def solve_small_game(own_slopes: Floats, offsets: Floats, slopes: Floats) -> SmallSolution:
    """Solve the game by linear programs.

    Parameters
    ----------
    own_slopes, slopes
        By strategy and decision: what taking the decision brings its own seat, and both seats.
    offsets
        The cost of each strategy when no decision is taken.

    Examples
    --------
    >>> found = solve_small_game(np.array([[1.0], [-3.0]]), np.array([0.0, 2.0]), np.array([[1.0], [-3.0]]))
    >>> found.chances.round(9).tolist(), found.weights.round(9).tolist(), round(found.bound, 9)
    ([0.5], [0.75, 0.25], 0.5)
    """
    lowest = float(offsets.min())
    scale = max(float(np.ptp(offsets)), float(np.abs(slopes).max(initial=0.0)), 1e-300)
    costs, gains, external = (offsets - lowest) / scale, slopes / scale, (slopes - own_slopes) / scale
    shift = np.zeros(slopes.shape[1])
    weights = np.zeros(len(offsets))
    for number in range(_PROGRAMS):
        chances, found, bound = _program(costs, gains, shift)
        weights = found if number < _UNDAMPED else (weights + found) / 2
        wanted = weights @ external
        if np.abs(wanted - shift).max(initial=0.0) <= _SETTLED:
            break
        shift = wanted
    return SmallSolution(chances, weights, shift * scale, bound * scale + lowest)


def _program(costs: Floats, gains: Floats, shift: Floats) -> tuple[Floats, Floats, float]:
    """Maximise the least cost less the shift; the weights of the strategies are the dual solution."""
    strategies, decisions = gains.shape
    result = linprog(
        np.append(shift, -1.0),
        A_ub=np.column_stack((-gains, np.ones(strategies))),
        b_ub=costs,
        bounds=[(0.0, 1.0)] * decisions + [(None, None)],
        method="highs-ds",
        options={"primal_feasibility_tolerance": _FEASIBILITY, "dual_feasibility_tolerance": _FEASIBILITY},
    )
    weights = np.maximum(-result.ineqlin.marginals, 0.0)
    return np.clip(result.x[:-1], 0.0, 1.0), weights / weights.sum(), -float(result.fun)
