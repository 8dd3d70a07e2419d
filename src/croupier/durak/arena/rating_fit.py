"""One rating for each engine of a field, fitted to all their results, with errors.

Maximum likelihood in the Bradley-Terry model with a draw as half a point; errors by the sandwich formula from the variance of pairs. One drawn
pair is added to every meeting; without it, an engine that lost every game would have no finite rating. Only differences have a
meaning: ratings are told above the mean of the field, or above one engine, the anchor.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.durak.arena.pairing import Meeting
from croupier.durak.arena.rating import PairCounts, expected_score

#: An Elo point as a change of the log-odds.
_LOG_ODDS = np.log(10.0) / 400.0

#: The normal quantile of a 95 % interval.
_REACH = 1.96


@dataclass(frozen=True, slots=True)
class Rating:
    """An engine's strength in a field, in Elo above the field's mean or above its anchor, with the 95 % error."""

    elo: float
    error: float


def fit_pairs(
    engines: int, results: Mapping[Meeting, PairCounts], anchor: int | None = None
) -> tuple[Rating, ...]:
    """Fit one Elo rating for each engine, so that expected scores come as close as possible to the real ones.

    Parameters
    ----------
    engines
        How many there are.
    results
        The pairs of each meeting, from the first engine's side.
    anchor
        The engine whose rating is 0, and to which all errors are told; None for the mean of the field.

    Examples
    --------
    >>> counts = PairCounts((0, 20, 60, 90, 30))
    >>> [(round(rating.elo), round(rating.error)) for rating in fit_pairs(2, {(0, 1): counts}, anchor=1)]
    [(117, 23), (0, 0)]
    """
    played = [(first, second, counts) for (first, second), counts in results.items() if counts.pairs]
    elo = np.zeros(engines)
    inverse: NDArray[Any] = np.zeros((engines, engines))
    scatter = np.zeros((engines, engines))
    for _ in range(100):
        slope, curvature = np.zeros(engines), np.zeros((engines, engines))
        scatter = np.zeros((engines, engines))
        for first, second, counts in played:
            expected = expected_score(elo[first] - elo[second])
            pairs = counts.pairs + 1
            direction = np.zeros(engines)
            direction[first], direction[second] = 1.0, -1.0
            slope += direction * (counts.pairs * counts.score + 0.5 - pairs * expected)
            square = np.outer(direction, direction)
            curvature += square * pairs * expected * (1 - expected) * _LOG_ODDS
            scatter += square * counts.pairs * counts.variance
        inverse = np.linalg.pinv(curvature)
        step = np.clip(inverse @ slope, -400.0, 400.0)
        elo += step
        if np.abs(step).max() < 1e-9:
            break
    covariance = inverse @ scatter @ inverse
    return _told_above(elo, covariance, anchor)


def _told_above(elo: NDArray[np.float64], covariance: NDArray[Any], anchor: int | None) -> tuple[Rating, ...]:
    if anchor is None:
        elo, variances = elo - elo.mean(), np.diag(covariance)
    else:
        elo = elo - elo[anchor]
        variances = np.diag(covariance) + covariance[anchor, anchor] - 2 * covariance[anchor]
    errors = _REACH * np.sqrt(np.maximum(variances, 0.0))
    return tuple(Rating(float(value), float(error)) for value, error in zip(elo, errors, strict=True))


def connected_with(engine: int, engines: int, meetings: Sequence[Meeting]) -> set[int]:
    """Return the engines that a chain of meetings connects with one; ratings of the others cannot be compared with its own.

    >>> connected_with(0, 4, [(0, 1), (2, 3)])
    {0, 1}
    """
    found, added = {engine}, True
    while added:
        reached = {other for meeting in meetings if found & set(meeting) for other in meeting}
        added = not reached <= found
        found |= reached
    return found & set(range(engines))
