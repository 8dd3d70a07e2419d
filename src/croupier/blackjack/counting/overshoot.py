"""The grid on which a bankroll moves, and how far an end that lies between its points is passed."""

import math

import numpy as np

from croupier.blackjack.solvers.hands import Floats

#: The finest grid on which results lie: so many steps of the smallest bet.
_FINEST = 16


def grid_of(bets: Floats, scale: int) -> float:
    """Return the largest distance of which all results are multiples; a fine one if there is none.

    Parameters
    ----------
    bets
        All bets.
    scale
        Results are whole multiples of a bet divided by this.

    Examples
    --------
    >>> grid_of(np.array([1.0, 4.0]), 2), grid_of(np.array([10.0, 15.0]), 2)
    (0.5, 2.5)
    """
    parts = np.unique(bets) / scale
    finest = parts[0] / _FINEST
    found = float(parts[0])
    for part in parts[1:].tolist():
        rest = part
        while rest > finest * 0.5:
            found, rest = rest, found % rest
    return found if found >= finest else float(finest)


def past_grid(end: float, grid: float) -> float:
    """Return how far the first point of the grid at or beyond an end lies from it.

    >>> past_grid(60.0, 0.5), past_grid(60.25, 0.5)
    (0.0, 0.25)
    """
    return math.ceil(end / grid - 1e-9) * grid - end
