"""What mean and standard deviation of a round mean for a bankroll: N0, desirability, SCORE, certainty equivalent, risks of ruin.

All take rounds as independent and alike, and many of them: results add up to a Brownian motion with drift.
:mod:`~croupier.blackjack.counting.ruin` says which motion stands for a bankroll at a table, where rounds of a shoe are not independent, and the last bet
takes a bankroll past nothing.
"""

import math
from statistics import NormalDist

from croupier.errors import InputError

_NORMAL = NormalDist()

#: The terms of the SCORE: a bankroll, rounds an hour, and a risk of ever losing it all of e^-2, which is 13.5 %.
SCORE_BANKROLL = 10_000.0
SCORE_ROUNDS = 100
SCORE_RISK = math.exp(-2.0)


def rounds_to_overcome(mean: float, std: float) -> float | None:
    """Return N0: after so many rounds the expected win is one standard deviation; None for a game that does not win.

    The name and the measure are B. Harris's (1997): ``variance / mean^2``.

    >>> rounds_to_overcome(0.25, 2.0)
    64.0
    """
    return (std / mean) ** 2 if mean > 0 else None


def desirability_index(mean: float, std: float) -> float:
    """Return D. Schlesinger's DI, ``1000 * mean / std`` of a round (Blackjack Attack).

    0 where all rounds had the same result, as a single one has: nothing can be said then.

    >>> round(desirability_index(0.01, 1.15), 3)
    8.696
    """
    return 1000.0 * mean / std if std > 0 else 0.0


def custom_score(mean: float, std: float) -> float:
    """Return the c-SCORE: what 100 rounds win in money, at the unit with which a bankroll of 10,000 runs a risk of ruin of 13.5 %.

    That unit is ``10,000 * mean / variance``, so that the measure is ``10^6 * mean^2 / variance``, the square of the DI, for the given
    ramp of bets. (Schlesinger's SCORE, the Standardized Comparison Of Risk and Expectation, takes the best ramp of a spread;
    "custom" says that the ramp is one's own.) 0 for a game that does not win.

    >>> round(custom_score(0.01, 1.15), 2)
    75.61
    """
    return score_of_index(desirability_index(mean, std))


def score_of_index(index: float) -> float:
    """Return the SCORE of a DI: its square, or 0 for a game that does not win.

    >>> score_of_index(8.0), score_of_index(-8.0)
    (64.0, 0.0)
    """
    return max(index, 0.0) ** 2


def risk_of_ruin(mean: float, std: float, bankroll: float) -> float:
    """Return the chance of ever losing a bankroll, in units, that is neither added to nor taken from, at unchanging stakes.

    ``exp(-2 * mean * bankroll / variance)``, exact for Brownian motion; 1 for a game that does not win.

    Examples
    --------
    >>> round(risk_of_ruin(0.01, 1.15, bankroll=0.5 * 1.15**2 / 0.01 * 2), 4)  # e^-2, full Kelly
    0.1353
    >>> risk_of_ruin(-0.005, 1.15, bankroll=1000)
    1.0
    >>> risk_of_ruin(1.5, 0.0, bankroll=1000)  # a single round that won
    0.0
    """
    if not bankroll > 0:
        raise InputError(f"bankroll {bankroll}: it must be above 0 units")
    if std == 0:
        return 0.0 if mean > 0 else 1.0
    return math.exp(-2.0 * mean * bankroll / std**2) if mean > 0 else 1.0


def bankroll_for_risk(mean: float, std: float, risk: float) -> float | None:
    """Return the bankroll in units that runs a risk of ruin: the inverse of :func:`risk_of_ruin`.

    >>> bankroll_for_risk(0.01, 1.0, SCORE_RISK)
    100.0
    """
    if not 0 < risk < 1:
        raise InputError(f"risk {risk}: a risk lies between 0 and 1, such as 0.05")
    return -math.log(risk) * std**2 / (2.0 * mean) if mean > 0 else None


def certainty_equivalent(mean: float, std: float, bankroll: float, kelly: float = 1.0) -> float:
    """Return what a round without risk would have to pay to be worth as much to this bankroll: ``mean - variance / (2 k bankroll)``.

    The player's utility is the logarithm of the bankroll (Kelly), or for a fraction k below 1 one that fears risk more.

    >>> certainty_equivalent(0.01, 1.0, bankroll=100)
    0.005
    """
    return mean - std**2 / (2.0 * kelly * bankroll)


def trip_risk(mean: float, std: float, bankroll: float, rounds: float) -> float:
    """Return the chance that a bankroll is lost at some time within so many rounds.

    For Brownian motion with drift m and standard deviation s it is
    Phi((-B - m n) / (s sqrt n)) + exp(-2 m B / s^2) Phi((-B + m n) / (s sqrt n)) (D. R. Cox and H. D. Miller, "The Theory of Stochastic
    Processes", 1965, section 5.7).

    >>> round(trip_risk(0.0, 1.0, bankroll=10, rounds=100), 4), round(trip_risk(0.01, 1.0, 100, 1e9), 4)  # 2 Phi(-1); e^-2
    (0.3173, 0.1353)
    """
    if std == 0 or rounds <= 0:
        return 1.0 if rounds > 0 and mean * rounds <= -bankroll else 0.0
    root = std * math.sqrt(rounds)
    reflected = _NORMAL.cdf((-bankroll + mean * rounds) / root)
    exponent = -2.0 * mean * bankroll / std**2
    second = math.exp(exponent + math.log(reflected)) if reflected > 0 else 0.0
    return min(_NORMAL.cdf((-bankroll - mean * rounds) / root) + second, 1.0)


def goal_risk(mean: float, std: float, bankroll: float, goal: float) -> float:
    """Return the chance that a bankroll is lost before so much is won.

    >>> goal_risk(0.0, 1.0, bankroll=100, goal=300), round(goal_risk(0.01, 1.0, 100, 1e9), 4)
    (0.75, 0.1353)
    """
    if std == 0:
        return 0.0 if mean > 0 else 1.0
    rate = 2.0 * mean / std**2
    if abs(rate) * (bankroll + goal) < 1e-9:
        return goal / (bankroll + goal)
    if mean > 0:
        return (math.exp(-rate * bankroll) - math.exp(-rate * (bankroll + goal))) / -math.expm1(
            -rate * (bankroll + goal)
        )
    # The same fraction, divided by its largest term, which would overflow.
    return -math.expm1(rate * goal) / -math.expm1(rate * (bankroll + goal))
