"""How the results of whole shoes go: what a bankroll depends on beside mean and standard deviation of a round.

Shoes are independent and alike, the rounds of one shoe are not: cards that helped are gone, large bets come together, and a bankroll begins with a new
shoe. So a sample of shoes is dealt once and kept, round by round, and summed up for the bets of every question.
"""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np

from croupier.blackjack.counting import shoe_sample_kernel as kernel
from croupier.blackjack.counting.best_bets import CountMoments
from croupier.blackjack.counting.overshoot import grid_of
from croupier.blackjack.counting.profile_kernel import LOWEST_COUNT
from croupier.blackjack.counting.questions import Question
from croupier.blackjack.counting.system import verify_countable
from croupier.blackjack.simulation.round_terms import Integers
from croupier.blackjack.solvers.hands import Floats
from croupier.errors import InputError

if TYPE_CHECKING:
    from croupier.blackjack.counting.profile import CountProfile

#: Rounds and shoes that are kept, at most. Errors depend on the shoes, and the time of an answer on the rounds.
SAMPLE_ROUNDS = 1 << 20
SAMPLE_SHOES = 40_000

#: Parts of the sample that share no shoe. What differs between them gives its error.
GROUPS = 16

#: Steps of a grid that are as good as none.
_FINER = 64

#: Turns of the search for where both directions of a shoe agree; each gains a digit or more.
_TURNS = 30


class Passage(NamedTuple):
    """How a far end is passed, on average.

    Attributes
    ----------
    overshoot
        How far the round goes past the end.
    beyond
        How far beyond the end the shoe would have ended, less the mean of its rounds.
    rest
        Rounds of the shoe that were left.
    variance
        Of where the shoe would have ended.
    """

    overshoot: float
    beyond: float
    rest: float
    variance: float


class ShoePaths(NamedTuple):
    """What whole shoes come to with some bets, per round where it is not said otherwise.

    Attributes
    ----------
    cross
        What the variance of a whole shoe has beyond those of its rounds.
    third, fourth
        The coefficients of r^3 and r^4 of the shoe's exponent; see :mod:`~croupier.blackjack.counting.ruin`.
    with_squares
        The covariance of what a shoe wins with the sum of the squares of its rounds.
    down, up
        How the end of a bankroll and a goal are passed.
    grid
        The distance of the places at which a bankroll can be.
    """

    cross: float
    third: float
    fourth: float
    with_squares: float
    down: Passage
    up: Passage
    grid: float


@dataclass(frozen=True, slots=True, eq=False)
class ShoeSample:
    """Whole shoes of the table of a profile: the count, the depth step and the results of every round, and where shoes end."""

    counts: kernel.Small
    steps: kernel.Small
    won: kernel.Small
    ends: Integers

    @classmethod
    def of(cls, profile: "CountProfile") -> Self:
        """Deal the first shoes of a profile again, or more of its kind if it is short."""
        layout, somebody, rounds = profile.layout, profile.somebody, SAMPLE_ROUNDS
        counts, steps = np.zeros(rounds, dtype=np.int16), np.zeros(rounds, dtype=np.int16)
        won, ends = np.zeros((rounds, profile.spots), dtype=np.int16), np.zeros(SAMPLE_SHOES, dtype=np.int64)
        shoes = kernel.deal_shoes(
            somebody.seating.cut, somebody.records(profile.seed, 0), counts, steps, won, ends,
            layout.bins(profile.spots), somebody.person(),
        )  # fmt: skip
        if not shoes:
            raise InputError("a shoe has run out of cards; play fewer places or more decks")
        played = int(ends[shoes - 1])
        return cls(counts[:played].copy(), steps[:played].copy(), won[:played].copy(), ends[:shoes].copy())

    def paths(self, bettor: kernel.Bettor, square: float) -> tuple[ShoePaths, ...]:
        """Return what whole shoes come to: first of all groups, then without each of them.

        Parameters
        ----------
        square
            The mean square of what a round wins, tips not paid.
        """
        longest = int(np.diff(self.ends, prepend=0).max())
        results, worth = np.zeros(longest), np.zeros(longest)
        groups = min(GROUPS, len(self.ends))
        of_shoes = np.zeros((groups, kernel.OF_SHOES))
        of_ends = np.zeros((groups, 2, 2, kernel.OF_END))
        kernel.sum_shoes(
            self.counts, self.steps, self.won, self.ends, results, worth, of_shoes, of_ends, bettor
        )
        all_shoes, all_ends = of_shoes.sum(axis=0), of_ends.sum(axis=0)
        whole = _paths_of(all_shoes, all_ends, square, bettor)
        if groups < 2:
            return (whole,)
        return (
            whole,
            *(
                _paths_of(all_shoes - some_shoes, all_ends - some_ends, square, bettor)
                for some_shoes, some_ends in zip(of_shoes, of_ends, strict=True)
            ),
        )


def bettor_of(
    profile: "CountProfile", question: Question, bets: Floats, spots: Integers, moments: CountMoments
) -> kernel.Bettor:
    """Say how the player of a question bets.

    Parameters
    ----------
    bets, spots, moments
        Money on each place, places, and what one unit on each of them comes to, by count.
    """
    played = bets[(bets > 0) & (moments.shares > 0)]
    return kernel.Bettor(
        profile.layout.counts[0],
        bets / profile.scale,
        bets * moments.means,
        spots,
        LOWEST_COUNT if question.enter is None else question.enter,
        LOWEST_COUNT if question.leave is None else question.leave,
        question.returns,
        profile.layout.steps_before(question.penetration, verify_countable(profile.rules)),
        float(moments.shares @ (bets * moments.means)),
        # Tips take a bankroll off the grid.
        grid_of(played, profile.scale) / (_FINER if question.tips else 1),
    )


def _paths_of(of_shoes: Floats, of_ends: Floats, square: float, bettor: kernel.Bettor) -> ShoePaths:
    """Turn sums into means."""
    rounds = float(of_shoes[kernel.N])
    per_round = of_shoes / rounds
    cross = 2.0 * float(per_round[kernel.CROSS])
    variance = square - bettor.mean**2 + cross
    return ShoePaths(
        cross,
        float(per_round[kernel.Z3] / 6.0 - variance * per_round[kernel.ZN] / 2.0),
        float(
            per_round[kernel.Z4] / 24.0
            - variance * per_round[kernel.Z2N] / 4.0
            + variance**2 * per_round[kernel.N2] / 8.0
        ),
        float(per_round[kernel.ZQ] - square * per_round[kernel.ZN]),
        _passage(of_ends, kernel.DOWN, variance),
        _passage(of_ends, kernel.UP, variance),
        bettor.grid,
    )


def _passage(of_ends: Floats, side: int, variance: float) -> Passage:
    """Return how an end on one side is passed.

    Far from its start, a shoe begins at a distance x from the end with a weight of x + b. (This is the harmonic function of the shoes played
    backwards, up to what is felt close to the end.) There b is by how far shoes played backwards from the other side end beyond an end, on
    average, with the same weight, in which b is that of shoes played forwards.

    For normal steps, one to a shoe, b is 0.577 standard deviations; exact is 0.583.

    >>> ends = np.zeros((2, 2, kernel.OF_END))
    >>> ends[:, :, :4] = 0.39894, 0.25, 0.25, 0.13298
    >>> round(_passage(ends, kernel.DOWN, 1.0).beyond, 3)
    0.577
    """
    there, back = of_ends[side, kernel.FORWARDS], of_ends[1 - side, kernel.BACKWARDS]

    def mean(sums: Floats, field: int, shift: float) -> float:
        places = sums[kernel.PLACES + 1] + shift * sums[kernel.PLACES]
        return float((sums[field + 1] + shift * sums[field]) / places) if places > 0 else 0.0

    def beyond(sums: Floats, shift: float) -> float:
        return mean(sums, kernel.OVER, shift) + mean(sums, kernel.AFTER, shift)

    shift = back_shift = 0.6 * math.sqrt(max(variance, 0.0))
    for _ in range(_TURNS):
        shift = beyond(there, max(back_shift, 0.0))
        back_shift = beyond(back, max(shift, 0.0))
    weight = max(back_shift, 0.0)
    return Passage(
        mean(there, kernel.OVER, weight),
        shift,
        mean(there, kernel.REST, weight),
        max(mean(there, kernel.SQUARE, weight) - shift**2, 0.0),
    )
