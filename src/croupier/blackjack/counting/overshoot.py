"""How far the last bet takes a bankroll past its end: what formulas of a motion that is watched at every moment leave out."""

import math

import numpy as np

from croupier.blackjack.counting.best_bets import CountMoments
from croupier.blackjack.simulation.round_terms import Integers
from croupier.blackjack.solvers.hands import Floats

#: Rounds that neither win nor lose, and those that a natural wins: both much the same under all rules and at all counts.
_PUSHES, _NATURALS = 0.085, 0.045

#: How two places of a round go together.
_CORRELATION = 0.36

#: The finest grid on which results lie: so many steps of the smallest bet.
_FINEST = 16

#: Frequencies per step of the largest result.
_FREQUENCIES = 16


def mean_overshoot(values: Floats, chances: Floats, step: float) -> float:
    """Return by how much a walk without drift passes a far barrier on its grid, on average.

    With f for the characteristic function of a step, v for its variance, d for the distance of the grid's points and
    s(t) = 2 sin(t d / 2) / d it is -1/pi times the integral of log(2 (1 - f(t)) / (v s(t)^2)) / s(t)^2 from 0 to pi / d; without a grid,
    s(t) is t. (F. Spitzer, "Principles of Random Walk", 1964; D. Siegmund, "Sequential Analysis", 1985, chapter 10.) The walk is made symmetric.

    Parameters
    ----------
    values, chances
        The steps: whole multiples of the distance of the grid, and how likely each is.
    step
        That distance.

    Examples
    --------
    >>> abs(mean_overshoot(np.array([-1.0, 1.0]), np.array([0.5, 0.5]), 1.0)) < 1e-12  # it cannot pass without stopping there
    True
    >>> fine = np.arange(-8.0, 8.0, 0.0625)
    >>> normal = np.exp(-0.5 * fine**2)
    >>> round(mean_overshoot(fine, normal / normal.sum(), 0.0625) + 0.0625 / 2, 3)  # half a grid more: without one
    0.583
    """
    variance = float(chances @ values**2)
    if variance <= 0:
        return 0.0
    steps = np.rint(np.abs(values) / step).astype(np.int64)
    size = 1 << math.ceil(math.log2(_FREQUENCIES * max(int(steps.max()), 1)))
    weights = np.bincount(steps, weights=chances, minlength=size)
    weights[steps.max() + 1 :] = 0.0
    missing = chances.sum() - np.fft.rfft(weights).real[1:]
    sines = 2.0 * np.sin(np.pi * np.arange(1, size // 2 + 1) / size) / step
    # A frequency at which nothing is missing belongs to a coarser grid, on which all steps lie.
    missing = np.maximum(missing, 1e-12 * chances.sum())
    integrand = -np.log(2.0 * missing / (variance * sines**2)) / sines**2
    spacing = 2.0 * math.pi / (size * step)
    return float(np.trapezoid(np.concatenate([integrand[:1], integrand]), dx=spacing)) / math.pi


def results_of(moments: CountMoments, bets: Floats, spots: Integers) -> tuple[Floats, Floats, float]:
    """Return what a round may win, how likely each result is, and the grid on which results lie.

    A profile knows the mean square of a round, not its results. A place wins or loses one bet, one and a half or two, as often as its mean
    square tells; in a part of the rounds all places do the same, in the others each by itself.

    Examples
    --------
    >>> moments = CountMoments(np.array([1.0]), np.array([0.0]), np.array([1.33]))
    >>> values, chances, step = results_of(moments, np.array([10.0]), np.array([1]))
    >>> step, round(float(chances.sum()), 9), round(float(chances @ values**2), 9)
    (5.0, 1.0, 133.0)
    """
    values, chances = [], []
    played = (moments.shares > 0) & (bets > 0)
    for share, square, bet, places in zip(
        moments.shares[played],
        moments.squares[played],
        bets[played].tolist(),
        spots[played].tolist(),
        strict=True,
    ):
        of_round, likely = _round_results(float(square), places)
        values.append(bet * of_round)
        chances.append(share * likely)
    if not values:
        return np.zeros(1), np.ones(1), 1.0
    step = _grid(bets[played])
    return np.concatenate(values), np.concatenate(chances), step


def _round_results(square: float, places: int) -> tuple[Floats, Floats]:
    """Return results of places with one unit on each, and how likely each is."""
    alone = square / (places * (1.0 + (places - 1) * _CORRELATION))
    of_one = np.zeros(9)  # from -2 to 2 in halves
    single = 1.0 - _PUSHES - _NATURALS
    doubled = min(max((alone - single - 2.25 * _NATURALS) / 3.0, 0.0), single)
    of_one[[0, 8]], of_one[[1, 7]], of_one[[2, 6]], of_one[4] = (
        doubled / 2.0,
        _NATURALS / 2.0,
        (single - doubled) / 2.0,
        _PUSHES,
    )
    if places == 1:
        return np.arange(-2.0, 2.5, 0.5), of_one
    apart = of_one
    for _ in range(places - 1):
        apart = np.convolve(apart, of_one)
    together = np.zeros_like(apart)
    together[::places] = of_one
    return np.arange(-2.0 * places, 2.0 * places + 0.5, 0.5), (
        1.0 - _CORRELATION
    ) * apart + _CORRELATION * together


def _grid(bets: Floats) -> float:
    """Return the largest distance of which half of every bet is a multiple; a fine one if there is none."""
    halves = np.unique(bets) / 2.0
    finest = halves[0] / _FINEST
    found = float(halves[0])
    for half in halves[1:].tolist():
        rest = half
        while rest > finest * 0.5:
            found, rest = rest, found % rest
    return found if found >= finest else float(finest)


def overshoot_past(end: float, mean: float, step: float) -> float:
    """Return the overshoot past an end that may lie between two points of the grid.

    >>> overshoot_past(60.0, 1.5, 0.5), overshoot_past(60.25, 1.5, 0.5)
    (1.5, 1.75)
    """
    return mean + (math.ceil(end / step - 1e-9) * step - end)
