"""Who is better, and how sure that is: Elo, its error and the likelihood of superiority, all from pairs of games.

The two games of a pair are played from one deck with the seats swapped. What the deck gives to one side it gives to the
other in the second game, so a pair says more than two games, and its two games are not independent. The error is
therefore taken from the variance of pairs, of which there are five kinds: 0, ½, 1, 1½ or 2 points. A draw is half a point.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

from croupier.errors import InputError

#: What a pair can bring, as points a game.
PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)

#: The default confidence of an interval.
CONFIDENCE = 0.95


def expected_score(elo: float) -> float:
    """Return the points a game that an Elo difference stands for.

    >>> expected_score(0), round(expected_score(200), 3)
    (0.5, 0.76)
    """
    return 1.0 / (1.0 + math.pow(10.0, -elo / 400.0))


def elo_of_score(score: float) -> float:
    """Return the Elo difference that a score stands for; infinite where every point was made, or none.

    >>> elo_of_score(0.5), round(elo_of_score(0.76)), elo_of_score(1)
    (0.0, 200, inf)
    """
    if score <= 0.0:
        return -math.inf
    if score >= 1.0:
        return math.inf
    return 400.0 * math.log10(score / (1.0 - score))


@dataclass(frozen=True, slots=True)
class PairCounts:
    """How many pairs brought the first engine 0, ½, 1, 1½ and 2 points.

    Examples
    --------
    >>> counts = PairCounts.of([2, 1, 1, 0.5])
    >>> counts
    PairCounts(counts=(0, 1, 2, 0, 1))
    >>> counts.pairs, counts.score
    (4, 0.5625)
    >>> PairCounts.of([3])
    Traceback (most recent call last):
    croupier.errors.InputError: a pair of 3 points: two games bring 0, 0.5, 1, 1.5 or 2
    """

    counts: tuple[int, ...] = (0, 0, 0, 0, 0)

    @classmethod
    def of(cls, points: Iterable[float]) -> "PairCounts":
        """Count pairs by their points."""
        counts = [0] * len(PAIR_SCORES)
        for pair_points in points:
            if pair_points / 2 not in PAIR_SCORES:
                raise InputError(f"a pair of {pair_points} points: two games bring 0, 0.5, 1, 1.5 or 2")
            counts[int(2 * pair_points)] += 1
        return cls(tuple(counts))

    def with_pair(self, points: float) -> "PairCounts":
        """Return the counts with one more pair."""
        more = PairCounts.of([points]).counts
        return PairCounts(tuple(old + new for old, new in zip(self.counts, more, strict=True)))

    @property
    def pairs(self) -> int:
        """The number of pairs."""
        return sum(self.counts)

    @property
    def score(self) -> float:
        """The first engine's points a game."""
        return math.fsum(n * score for n, score in zip(self.counts, PAIR_SCORES, strict=True)) / self.pairs

    @property
    def variance(self) -> float:
        """The variance of one pair's points a game, with one more pair divided evenly among the five kinds.

        That pair keeps the error above zero where all pairs ended alike; among a hundred pairs it no longer shows.
        """
        blurred = [n + 1 / len(PAIR_SCORES) for n in self.counts]
        total = math.fsum(blurred)
        mean = math.fsum(n * score for n, score in zip(blurred, PAIR_SCORES, strict=True)) / total
        squares = (n * (score - mean) ** 2 for n, score in zip(blurred, PAIR_SCORES, strict=True))
        return math.fsum(squares) / total

    @property
    def standard_error(self) -> float:
        """The standard error of the score."""
        return math.sqrt(self.variance / self.pairs)


@dataclass(frozen=True, slots=True)
class EloEstimate:
    """An Elo difference with its interval.

    Attributes
    ----------
    score
        Points a game, a draw being half a point.
    elo
        The difference. Where every point was made (or none), it is a bound: the value for half a point less (or more).
    low, high
        The interval; infinite where that of the score reaches 0 or 1.
    los
        Likelihood of superiority: how likely it is that the first engine is the better one.
    """

    score: float
    elo: float
    low: float
    high: float
    los: float

    @property
    def error(self) -> float:
        """Half the width of the interval; if only one end is finite, the distance to that end."""
        if math.isinf(self.high):
            return self.elo - self.low
        return self.high - self.elo if math.isinf(self.low) else (self.high - self.low) / 2

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON; None stands for infinity."""
        values = {"elo": self.elo, "elo_error": self.error, "elo_low": self.low, "elo_high": self.high}
        finite = {name: value if math.isfinite(value) else None for name, value in values.items()}
        return {"score": self.score, **finite, "los": self.los}

    def __str__(self) -> str:
        if self.score in (0.0, 1.0):
            value = f"{self.elo:+.1f} Elo or {'more' if self.score else 'less'}"
        else:
            value = f"{self.elo:+.1f} ± {self.error:.1f} Elo"
        return f"{value} ({self.low:+.1f} to {self.high:+.1f}), LOS {self.los:.1%}"


def estimate_elo(counts: PairCounts, confidence: float = CONFIDENCE) -> EloEstimate:
    """Estimate the Elo difference from pairs, by the normal approximation of the score.

    Raises
    ------
    InputError
        If there is no pair, or the confidence is not between 0 and 1.

    Examples
    --------
    >>> print(estimate_elo(PairCounts((20, 60, 100, 90, 30))))
    +29.0 ± 21.2 Elo (+7.9 to +50.3), LOS 99.7%
    >>> print(estimate_elo(PairCounts((0, 0, 0, 0, 30))))
    +830.2 Elo or more (+557.0 to +inf), LOS 100.0%
    """
    if counts.pairs == 0:
        raise InputError("no pair of games was finished; Elo needs at least 1")
    if not 0 < confidence < 1:
        raise InputError(f"confidence {confidence}: it lies between 0 and 1, such as 0.95")
    reach = NormalDist().inv_cdf((1 + confidence) / 2) * counts.standard_error
    half_a_point = 0.5 / (2 * counts.pairs)
    return EloEstimate(
        score=counts.score,
        elo=elo_of_score(min(max(counts.score, half_a_point), 1 - half_a_point)),
        low=elo_of_score(counts.score - reach),
        high=elo_of_score(counts.score + reach),
        los=NormalDist().cdf((counts.score - 0.5) / counts.standard_error),
    )
