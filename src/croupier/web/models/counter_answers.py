"""What the Counter page draws of an answer: how a trip ends, how the bankroll decides on ruin, and how far to trust both."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from croupier.blackjack.counting.answers import Answer, Figure
from croupier.blackjack.counting.bankroll import trip_risk

#: Points of a curve.
_POINTS = 61

#: Quantiles of a trip that are named.
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)

#: From here on ruined trips are drawn.
SHOWN_RUIN = 0.0005

#: Bankrolls of the ruin curve, as parts of the one that is asked about.
_SMALLEST, _LARGEST = 0.1, 3.0

#: Errors are drawn as 95 % intervals.
_TWO_SIDED = 1.96

Floats = npt.NDArray[np.float64]
Curve = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class TripEnds:
    """How a trip ends: a bankroll that is lost stays lost, others have won or lost something.

    Attributes
    ----------
    ruined
        The chance that the bankroll is lost on the way.
    ahead
        The chance to end ahead.
    quantiles
        What is won at each of :data:`QUANTILES`.
    density
        Points of the density of what is won, per unit of money, without those who were ruined. Where ruin is worth a word, it begins at the
        loss of the bankroll.
    """

    ruined: float
    ahead: float
    quantiles: tuple[float, ...]
    density: Curve


@dataclass(frozen=True, slots=True)
class RuinCurve:
    """The risk of ruin by bankroll: for ever and within the trip, and the 95 % interval of the first."""

    ever: Curve
    trip: Curve
    low: Curve
    high: Curve


def trip_ends(mean: float, std: float, bankroll: float, rounds: float, past: float = 0.0) -> TripEnds:
    """Return how a trip of so many rounds ends, as Brownian motion that stops at the loss of the bankroll.

    The last bets take a lost bankroll ``past`` nothing: that is where the motion stops, but what is lost is the bankroll, and no more.

    The density of who is not ruined is ``n(x; m, s) - exp(-2 mean bankroll / std^2) n(x; m - 2 bankroll, s)`` for x above minus the
    bankroll, with m and s the mean and the standard deviation of the trip (the method of images; D. R. Cox and H. D. Miller, "The
    Theory of Stochastic Processes", 1965, section 5.7).

    Examples
    --------
    >>> ends = trip_ends(mean=0.0, std=1.0, bankroll=1e6, rounds=100)
    >>> round(ends.ahead, 6), round(ends.quantiles[0], 1), ends.ruined
    (0.5, -16.4, 0.0)
    """
    middle, width, end = mean * rounds, std * math.sqrt(rounds), bankroll + past
    ruined = trip_risk(mean, std, end, rounds)
    normal = NormalDist(middle, width)
    factor = math.exp(min(-2.0 * mean * end / std**2, 700.0))
    image = NormalDist(middle - 2.0 * end, width)

    def below(win: float) -> float:
        """Return the chance to end with less than a win, ruin included."""
        if win < -end:
            return 0.0
        alive = normal.cdf(win) - normal.cdf(-end)
        # Deep in the tail the image is 0 times infinity; its part of the chance is then nothing.
        mirrored = image.cdf(win) - image.cdf(-end)
        return min(max(ruined + alive - (factor * mirrored if mirrored > 0 else 0.0), 0.0), 1.0)

    low = -bankroll if ruined >= SHOWN_RUIN else max(middle - 4.0 * width, -bankroll)
    wins: Floats = np.linspace(low, middle + 4.0 * width, _POINTS)

    def density(win: float) -> float:
        mirrored = image.pdf(win)
        return max(normal.pdf(win) - (factor * mirrored if mirrored > 0 else 0.0), 0.0)

    return TripEnds(
        ruined=ruined,
        ahead=1.0 - below(0.0),
        quantiles=tuple(
            -bankroll
            if share <= ruined
            else max(_inverse(below, share, -end, middle + 8.0 * width), -bankroll)
            for share in QUANTILES
        ),
        density=tuple((float(win), density(float(win))) for win in wins),
    )


def _inverse(below: Callable[[float], float], share: float, low: float, high: float) -> float:
    """Return where a rising function reaches a share; its lowest place where it is above it from the start."""
    if below(low) >= share:
        return low
    for _ in range(60):
        middle = (low + high) / 2.0
        low, high = (middle, high) if below(middle) < share else (low, middle)
    return high


def ruin_curve(answer: Answer) -> RuinCurve:
    """Return how the bankroll decides on ruin, the bets staying as they are."""
    question, risks, error = answer.question, answer.risks, answer.win_rate.stderr or 0.0
    rounds = (question.hours or 0.0) * question.rounds_per_hour
    bankrolls = [
        question.bankroll * (_SMALLEST + (_LARGEST - _SMALLEST) * place / (_POINTS - 1))
        for place in range(_POINTS)
    ]

    def ever(errors: float) -> Curve:
        moved = replace(risks, mean=risks.mean + errors * error)
        return tuple((bankroll, moved.ever(bankroll)) for bankroll in bankrolls)

    return RuinCurve(
        ever=ever(0.0),
        trip=tuple((bankroll, risks.trip(bankroll, rounds)) for bankroll in bankrolls),
        low=ever(_TWO_SIDED),
        high=ever(-_TWO_SIDED),
    )


def trip_of(answer: Answer) -> TripEnds:
    """Return how the trip of an answer ends."""
    question = answer.question
    rounds = (question.hours or 0.0) * question.rounds_per_hour
    # The motion stops where the last bets take a lost bankroll: past nothing.
    motion = answer.risks.trip_motion(question.bankroll, rounds)
    ends = trip_ends(
        motion.mean, motion.std, question.bankroll, motion.rounds, past=motion.distance - question.bankroll
    )
    return replace(ends, ruined=answer.risks.trip(question.bankroll, rounds))


def trust(answer: Answer) -> str:
    """Say how far an answer is to be trusted: ``rough`` if the sign of the win may be luck, ``fair``, or ``good``.

    >>> from croupier.blackjack.counting.answers import Figure
    >>> [trust_of(Figure(1.0, error)) for error in (0.6, 0.2, 0.01, None)]
    ['rough', 'fair', 'good', 'rough']
    """
    return trust_of(answer.win_rate)


def trust_of(figure: Figure) -> str:
    """Say how far a figure is to be trusted."""
    if figure.stderr is None or abs(figure.value) < _TWO_SIDED * figure.stderr:
        return "rough"
    return "good" if figure.stderr < 0.03 * abs(figure.value) else "fair"
