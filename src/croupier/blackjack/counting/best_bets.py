"""The best bets by count: for a bankroll (Kelly), and the best ramp of a spread (SCORE)."""

from dataclasses import dataclass

import numpy as np

from croupier.blackjack.solvers.hands import Floats

#: The search for the best slope of a ramp ends when its logarithm is known this well.
_PRECISION = 1e-6

#: Slopes that are tried before the search, between the one that bets the least everywhere and the one that bets the most.
_TRIALS = 60


@dataclass(frozen=True, slots=True, eq=False)
class CountMoments:
    """What one unit on every place that is played comes to, by count, rising.

    Attributes
    ----------
    shares
        Which part of all rounds dealt begins with the count and is played.
    means, squares
        Mean and mean square of what all places together win, in units.
    """

    shares: Floats
    means: Floats
    squares: Floats

    @property
    def slopes(self) -> Floats:
        """The bet that wins most for its risk, up to a factor: mean over mean square, made to rise with the count.

        Rare counts are known badly. Neighbours that fall where they should rise are replaced by their mean (isotonic regression with the
        rounds as weights).
        """
        from scipy.optimize import isotonic_regression  # noqa: PLC0415 - a quarter of a second

        seen = self.shares > 0
        slopes = np.divide(self.means, self.squares, out=np.zeros_like(self.means), where=self.squares > 0)
        if seen.any():
            weights = (self.shares * self.squares)[seen]
            slopes[seen] = isotonic_regression(slopes[seen], weights=np.maximum(weights, 1e-300)).x
            places = np.arange(len(slopes))
            slopes = np.interp(places, places[seen], slopes[seen])
        return slopes


def sloped_bets(moments: CountMoments, factor: float, least: Floats, most: Floats) -> Floats:
    """Return the bets, on each place, that are so many times the slope of their count, inside limits.

    With the fraction of Kelly's bets times the bankroll as the factor, ``factor * mean / mean square`` makes the bankroll grow fastest (J. L.
    Kelly 1956; E. O. Thorp), to second order.

    >>> moments = CountMoments(np.array([0.5, 0.5]), np.array([-0.01, 0.01]), np.array([1.25, 1.25]))
    >>> sloped_bets(moments, 0.5 * 10_000, np.array([10.0, 10.0]), np.array([500.0, 500.0])).tolist()
    [10.0, 40.0]
    """
    bets: Floats = np.clip(factor * moments.slopes, least, most)
    return bets


def best_factor(moments: CountMoments, least: Floats, most: Floats) -> float:
    """Return the factor with which bets between two limits win most for their risk: the largest mean per standard deviation.

    With a mean m and a mean square q of a round, m^2 / q is largest where every bet is ``factor * mean / mean square`` inside its limits,
    with the same factor for all counts (its optimum is q / m); the factor is searched. 0 where no count wins.

    >>> moments = CountMoments(np.array([0.7, 0.2, 0.1]), np.array([-0.01, 0.01, 0.03]), np.array([1.3, 1.3, 1.3]))
    >>> sloped_bets(moments, best_factor(moments, np.ones(3), np.full(3, 8.0)), np.ones(3), np.full(3, 8.0)).round(2).tolist()
    [1.0, 4.18, 8.0]
    """
    from scipy.optimize import minimize_scalar  # noqa: PLC0415 - as above

    slopes = moments.slopes
    positive = slopes[(slopes > 0) & (moments.shares > 0) & (most > least)]
    if not len(positive):
        return 0.0

    won, squared = moments.shares * moments.means, moments.shares * moments.squares

    def badness(logarithms: Floats) -> Floats:
        tried = np.clip(np.exp(logarithms)[..., None] * slopes, least, most)
        squares = tried**2 @ squared
        found: Floats = -(tried @ won) / np.sqrt(np.maximum(squares, 1e-300))
        return found

    smallest = float(least[least > 0].min()) if (least > 0).any() else float(most.max()) * 1e-3
    trials = np.linspace(
        np.log(smallest / positive.max()), np.log(float(most.max()) / positive.min()), _TRIALS
    )
    losses = badness(trials)
    best = int(np.argmin(losses))
    low, high = trials[max(best - 1, 0)], trials[min(best + 1, _TRIALS - 1)]
    found = minimize_scalar(
        lambda trial: float(badness(np.array(trial))),
        bounds=(low, high),
        method="bounded",
        options={"xatol": _PRECISION},
    )
    return float(np.exp(found.x if found.fun <= losses[best] else trials[best]))


def whole_chips(bets: Floats, chip: float, least: Floats, most: float) -> Floats:
    """Round bets to whole chips, inside the limits of the table.

    >>> whole_chips(np.array([0.0, 3.0, 12.6, 700.0]), 5.0, np.array([0.0, 5.0, 5.0, 5.0]), 500.0).tolist()
    [0.0, 5.0, 15.0, 500.0]
    """
    rounded = np.round(bets / chip) * chip
    lowest = np.ceil(least / chip - 1e-9) * chip + 0.0  # without it, nothing rounded up is -0.0
    highest = np.floor(most / chip + 1e-9) * chip
    found: Floats = np.clip(rounded, lowest, np.maximum(highest, lowest))
    return found
