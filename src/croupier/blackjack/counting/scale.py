"""What a whole count says of the unseen cards: the scale on which indices and ramps lie.

A true count that is made a whole number stands for a range, and is judged at the middle of it: floored, +2 is 2 to 3. A running count says the
more the fewer cards are left, and is judged by what it says on average over the depths at which it comes up. At the
pivot both are the same at every depth; far from it a running count is a blunt instrument.
"""

from dataclasses import dataclass

import numpy as np

from croupier.blackjack.counting.system import CountingSystem, verify_countable
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.simulation.counted_play import Rounding
from croupier.blackjack.solvers.hands import Floats
from croupier.cards import DECK_SIZE

#: How far a scale reaches on either side, in standard deviations of a tag: Hi-Lo true counts to about 10.
_REACH = 12.0

#: Depths over which a running count is averaged.
_DEPTHS = 200


@dataclass(frozen=True, slots=True, eq=False)
class CountScale:
    """The whole counts that are looked at, rising, and the excess that each stands for."""

    counts: tuple[int, ...]
    excesses: Floats
    is_true: bool

    def count_of(self, excess: float) -> float:
        """Return an excess as a count that is not made whole."""
        return excess if self.is_true else float(np.interp(excess, self.excesses, self.counts))

    def nearest_count(self, excess: float) -> int:
        """Return the whole count that is nearest to an excess."""
        return round(self.count_of(excess))


def count_scale(rules: BlackjackRules, system: CountingSystem, rounding: Rounding = "floor") -> CountScale:
    """List the whole counts of a table, each with the excess that it stands for.

    Examples
    --------
    >>> from croupier.blackjack.counting.system import HI_LO, KO
    >>> scale = count_scale(BlackjackRules(), HI_LO)
    >>> scale.counts[0], scale.counts[-1], float(scale.excesses[scale.counts.index(2)])
    (-11, 10, 2.5)
    >>> scale = count_scale(BlackjackRules(), KO)
    >>> [round(float(scale.excesses[scale.counts.index(count)]), 2) for count in (-4, 0, 4)]
    [0.98, 2.36, 4.0]
    """
    decks, reach = verify_countable(rules), _REACH * system.spread
    whole = int(reach * decks) + abs(system.pivot(decks)) + abs(system.initial_count(decks))
    counts = range(-whole, whole + 1)
    if system.is_balanced:
        excesses = [_middle(count, rounding) for count in counts]
    else:
        # Near the count of a new shoe the average falls by some hundredths; a scale rises.
        excesses = np.maximum.accumulate(_average_excesses(counts, rules, system)).tolist()
    inside = [(count, excess) for count, excess in zip(counts, excesses, strict=True) if abs(excess) <= reach]
    return CountScale(
        tuple(count for count, _ in inside),
        np.array([excess for _, excess in inside], dtype=np.float64),
        system.is_balanced,
    )


def _middle(count: int, rounding: Rounding) -> float:
    """Return the middle of the exact true counts that become a whole one."""
    side = {"floor": 0.5, "nearest": 0.0, "truncate": 0.5 * np.sign(count)}[rounding]
    return float(count + side)


def _average_excesses(counts: range, rules: BlackjackRules, system: CountingSystem) -> Floats:
    """Return what running counts say on average over the depths to the cut card, each weighing as often as the count comes up there."""
    decks = verify_countable(rules)
    packs_left = decks * (1.0 - rules.penetration * (np.arange(_DEPTHS) + 0.5) / _DEPTHS)
    variances = np.array([excess_variance(system, decks, packs) for packs in packs_left.tolist()])
    excesses = system.per_pack - (system.pivot(decks) - np.array(counts)[:, None]) / packs_left
    logarithms = -0.5 * excesses**2 / variances - 0.5 * np.log(variances) - np.log(packs_left)
    weights = np.exp(logarithms - logarithms.max(axis=1, keepdims=True))
    averages: Floats = (weights * excesses).sum(axis=1) / weights.sum(axis=1)
    return averages


def excess_variance(system: CountingSystem, decks: int, packs_left: float) -> float:
    """Return the variance of the excess when so many packs are left, all orders of the shoe being equally likely.

    >>> from croupier.blackjack.counting.system import HI_LO
    >>> round(excess_variance(HI_LO, 6, packs_left=3.0) ** 0.5, 2)  # true counts of that much are usual half-way
    2.59
    """
    of_one_card = (DECK_SIZE * system.spread) ** 2
    return of_one_card / (DECK_SIZE * decks - 1) * (decks / packs_left - 1.0)
