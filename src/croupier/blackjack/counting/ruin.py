"""Risks of ruin of bets at a table that deals shoe after shoe.

The chance of ruin within n rounds has the transform E exp(-s T) = exp(-r B) / E exp(r H - e R), where T is the round of ruin, B the bankroll, H how far
below the end the shoe of the ruin would have ended, less the mean of the R rounds that were left of it, and e = s + m r (A. Wald's identity at the ends of
shoes). With the mean m and the variance v of a round, Z what a shoe of N rounds wins beyond m N, and r small,

    s = -m r + v r^2 / 2 - a r^3 + b r^4,   a = E(Z^3 / 6 - v Z N / 2) / E N,   b = E(Z^4 / 24 - v Z^2 N / 4 + v^2 N^2 / 8) / E N,   v = E Z^2 / E N.

A Brownian motion has a = b = 0 and H = R = 0. To the first order in a, b and the variance of H, the risk is again that of a Brownian motion: r^2 is
replaced by 2 (s + m r) / v, terms with s r shift the time by a multiple of B, and those with s^2 make it random. This is D. Siegmund's corrected diffusion
("Sequential Analysis", 1985, chapter 10), for shoes instead of steps.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

from croupier.blackjack.counting.bankroll import goal_risk, risk_of_ruin, trip_risk
from croupier.blackjack.counting.overshoot import past_grid
from croupier.blackjack.counting.shoe_paths import Passage, ShoePaths

#: Corrections change a variance by no more than this factor. Where they would, shoes are no longer small against the bankroll.
_MOST = 1.5


class TripMotion(NamedTuple):
    """The Brownian motion that comes to the end of a bankroll within a trip as often as the bankroll is lost.

    Attributes
    ----------
    mean, std, distance, rounds
        Of a round; how far the end is; and how long the trip.
    randomness
        The standard deviation of the logarithm of its length.
    """

    mean: float
    std: float
    distance: float
    rounds: float
    randomness: float


@dataclass(frozen=True, slots=True)
class RuinRisks:
    """The risks of ruin of some bets, for any bankroll.

    Attributes
    ----------
    mean, std
        Of a round.
    paths
        What whole shoes come to.

    Examples
    --------
    >>> nothing = Passage(0.0, 0.0, 0.0, 0.0)
    >>> steps = RuinRisks(0.01, 1.0, ShoePaths(0.0, 0.0, 0.0, 0.0, nothing, nothing, 0.001))
    >>> round(steps.ever(100.0), 4), round(steps.trip(100.0, 1e9), 4), round(steps.goal(100.0, 1e9), 4)  # e^-2
    (0.1353, 0.1353, 0.1353)
    >>> round(steps.drawdown(100.0, 0.5), 3)  # full Kelly: the chance of ever halving is one half
    0.5
    """

    mean: float
    std: float
    paths: ShoePaths

    @property
    def variance(self) -> float:
        """The variance of whole shoes, per round."""
        return max(self.std**2 + self.paths.cross, self.std**2 / _MOST)

    def ever(self, bankroll: float) -> float:
        """Return the chance of ever losing a bankroll."""
        return risk_of_ruin(self.mean, self._exponent_std(self.mean, self.variance), self._distance(bankroll))

    def goal(self, bankroll: float, goal: float) -> float:
        """Return the chance that a bankroll is lost before so much is won."""
        std = self._exponent_std(self.mean, self.variance)
        return goal_risk(self.mean, std, self._distance(bankroll), self._distance_up(goal))

    def trip(self, bankroll: float, rounds: float) -> float:
        """Return the chance that a bankroll is lost within so many rounds."""
        motion = self.trip_motion(bankroll, rounds)
        # Two lengths, each as likely as the other, have the variance of a random one.
        likely = [
            trip_risk(
                motion.mean, motion.std, motion.distance, motion.rounds * math.exp(side * motion.randomness)
            )
            for side in (-1, 1)
        ]
        return sum(likely) / 2.0

    def trip_motion(self, bankroll: float, rounds: float) -> TripMotion:
        """Return the Brownian motion that stands for a trip."""
        mean, variance, paths = self.mean, self.variance, self.paths
        distance = self._distance(bankroll)
        if not (variance > 0 and rounds > 0):
            return TripMotion(mean, math.sqrt(variance), distance, rounds, 0.0)
        std = self._exponent_std(mean, variance)
        delay = (2.0 * paths.third / variance - 8.0 * paths.fourth * mean / variance**2) / std**2
        factor = _bounded(1.0 - mean * delay)
        sooner = paths.down.rest - paths.down.variance / variance - delay * distance
        # Shoes are not small against a trip of a few: there it stays a trip, and a longer one risks more.
        length = (
            rounds * math.exp(max(sooner / rounds, -1.0))
            if sooner < 0
            else min(rounds + sooner, _MOST * rounds)
        )
        randomness = math.sqrt(min(max(8.0 * paths.fourth / variance**2 / rounds, 0.0), 1.0))
        return TripMotion(mean * factor, std * math.sqrt(factor), distance, length, randomness)

    def drawdown(self, bankroll: float, floor: float, growth: float = math.inf) -> float:
        """Return the chance that a bankroll falls to a part of itself, ever or before it has grown, if all bets follow it up and down.

        The logarithm of the bankroll then has the mean ``m / B - q / (2 B^2)`` of a round, with the mean square q (E. O. Thorp, "The Kelly criterion in
        blackjack, sports betting and the stock market", 1997). Such bets lie on no grid.
        """
        mean = self.mean - (self.std**2 + self.mean**2) / (2.0 * bankroll)
        variance = max(self.variance - self.paths.with_squares / bankroll, self.variance / _MOST)
        std = self._exponent_std(mean, variance)
        half = self.paths.grid / 2.0
        down = _moved(-bankroll * math.log(floor), half + _beyond(self.paths.down, mean, variance))
        if math.isinf(growth):
            return risk_of_ruin(mean, std, down)
        up = _moved(bankroll * math.log(growth), half + _beyond(self.paths.up, -mean, variance))
        return goal_risk(mean, std, down, up)

    def _distance(self, bankroll: float) -> float:
        past = past_grid(bankroll, self.paths.grid)
        return _moved(bankroll, past + _beyond(self.paths.down, self.mean, self.variance))

    def _distance_up(self, goal: float) -> float:
        past = past_grid(goal, self.paths.grid)
        return _moved(goal, past + _beyond(self.paths.up, -self.mean, self.variance))

    def _exponent_std(self, mean: float, variance: float) -> float:
        """Return the standard deviation of the Brownian motion with the same exponent: the r above 0 for which s is 0."""
        if not variance > 0:
            return 0.0
        third, fourth = self.paths.third, self.paths.fourth
        change = -4.0 * third * mean / variance**2 + 8.0 * fourth * mean**2 / variance**3
        return math.sqrt(variance * _bounded(1.0 + change))


def _bounded(factor: float) -> float:
    return min(max(factor, 1.0 / _MOST), _MOST)


def _moved(end: float, beyond: float) -> float:
    """Return an end moved further or closer; one that is closer than a shoe reaches stays an end."""
    return max(end + beyond, end / 2.0)


def _beyond(passage: Passage, mean: float, variance: float) -> float:
    """Return how far beyond an end a Brownian motion with some mean away from it ends instead."""
    return passage.beyond - mean * (passage.rest - passage.variance / variance) if variance > 0 else 0.0
