"""Bankroll figures from the distribution of results per hand: ruin, survival, the chance of being ahead."""

import math
from collections.abc import Mapping
from statistics import NormalDist

from scipy.optimize import brentq

from croupier.errors import InputError


def moments(distribution: Mapping[float, float]) -> tuple[float, float]:
    """Return mean and standard deviation of a distribution of units to probabilities.

    >>> moments({1.0: 0.5, -1.0: 0.5})
    (0.0, 1.0)
    """
    mean = math.fsum(units * probability for units, probability in distribution.items())
    variance = math.fsum((units - mean) ** 2 * probability for units, probability in distribution.items())
    return mean, math.sqrt(variance)


def adjustment_coefficient(distribution: Mapping[float, float]) -> float:
    """Return the positive root R of E[exp(-R X)] = 1 for a favourable game (Lundberg's coefficient).

    The probability of ever losing a bankroll B is at most exp(-R B), and close to it for single-unit losses.

    Examples
    --------
    >>> round(adjustment_coefficient({1.0: 0.6, -1.0: 0.4}), 6)  # log(0.6 / 0.4)
    0.405465
    """
    mean, _ = moments(distribution)
    if mean <= 0 or min(distribution) >= 0:
        raise InputError(
            f"a game with mean {mean:+.6f} has no adjustment coefficient: it must be favourable and can lose"
        )

    def excess(rate: float) -> float:
        return (
            math.fsum(probability * math.exp(-rate * units) for units, probability in distribution.items())
            - 1.0
        )

    high = 1e-6
    while excess(high) < 0:
        high *= 2
    return float(brentq(excess, high / 4 if excess(high / 4) < 0 else 1e-12, high, xtol=1e-15))


def bankroll_for_ruin(distribution: Mapping[float, float], risk: float) -> float:
    """Return the bankroll in units that keeps the risk of ever going broke at or below a level.

    >>> round(bankroll_for_ruin({1.0: 0.6, -1.0: 0.4}, risk=0.05), 1)
    7.4
    """
    return -math.log(risk) / adjustment_coefficient(distribution)


def chance_ahead(distribution: Mapping[float, float], hands: int) -> float:
    """Return the probability of being ahead after some hands, by the normal approximation.

    >>> round(chance_ahead({1.0: 0.5, -1.0: 0.5}, 100), 2)
    0.5
    """
    mean, std = moments(distribution)
    return 1.0 - NormalDist(hands * mean, std * math.sqrt(hands)).cdf(0.0)


def bankroll_to_survive(distribution: Mapping[float, float], hands: int, risk: float) -> float:
    """Return the bankroll that lasts for some hands except with a given risk (Brownian motion with drift).

    The chance that a walk with drift m and deviation s falls by B within n hands is
    Phi((-B - m n) / (s sqrt n)) + exp(-2 m B / s^2) Phi((-B + m n) / (s sqrt n)).

    Examples
    --------
    >>> round(bankroll_to_survive({1.0: 0.5, -1.0: 0.5}, 100, risk=0.05), 1)
    19.6
    """
    mean, std = moments(distribution)
    deviation = std * math.sqrt(hands)
    phi = NormalDist().cdf

    def excess_risk(bankroll: float) -> float:
        straight = phi((-bankroll - mean * hands) / deviation)
        reflected = math.exp(-2 * mean * bankroll / std**2) * phi((-bankroll + mean * hands) / deviation)
        return straight + reflected - risk

    return float(brentq(excess_risk, 0.0, 10 * deviation + abs(mean) * hands))
