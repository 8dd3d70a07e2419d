"""A seat's hands: which are played, which can be final, and how a strategy spreads over them.

A seat's *mass* of a hand is the number of orders in which its cards can come, each weighted by the seat's own choices on the
way. Multiplied by the probability that given ranks come in one given order, it is the probability of the hand.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Self

import numpy as np

from croupier.banluck.engine.multisets import MULTISETS
from croupier.banluck.engine.permissions import player_may_act, player_must_hit
from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.engine.settlement import settle_bust
from croupier.banluck.solvers.hand_table import TWO_CARD_HANDS, Flags, Floats, Integers, deals, hand_table
from croupier.banluck.solvers.strategy import PLAYER_CARD_COUNTS
from croupier.numerics.compiled import compiled, inlined


@dataclass(frozen=True, slots=True, eq=False)
class SeatHands:
    """What can become of a seat's two cards under one rule set.

    Attributes
    ----------
    dealt
        The mass of each multiset right after the deal; Ban hands hold 0, because they are not played.
    acts, must_hit
        Whether the seat decides on a multiset, and whether the rules force a hit there.
    final
        The multisets that can be final and closed, by card count. Under ``both_bust = "push"`` busts are among them.
    first_of_count
        ``final[first_of_count[i]:first_of_count[i + 1]]`` holds 2 + i cards.
    place
        The place of each multiset in ``final``, or -1.
    bust
        The multisets that are settled and shown as soon as they are bust; none under ``both_bust = "push"``.
    bust_units
        What each of them brings the player.
    """

    dealt: Floats
    acts: Flags
    must_hit: Flags
    final: Integers
    first_of_count: Integers
    place: Integers
    bust: Integers
    bust_units: Floats

    def masses(self, hit: Floats) -> Floats:
        """Return the mass of every multiset for a seat that hits with these probabilities."""
        masses = self.dealt.copy()
        fill_masses(masses, self.acts, self.effective(hit), deals().child)
        return masses

    def final_masses(self, masses: Floats, hit: Floats) -> Floats:
        """Return the mass with which the seat ends on each final hand."""
        stands: Floats = np.where(self.acts, 1.0 - self.effective(hit), 1.0)
        return (masses * stands)[self.final]

    def effective(self, hit: Floats) -> Floats:
        """Return the hit probabilities with what the rules force filled in."""
        return np.where(self.must_hit, 1.0, np.where(self.acts, hit, 0.0))


@lru_cache(maxsize=8)
def seat_hands(rules: BanluckRules) -> SeatHands:
    """Sort the multisets by what a seat can do with them.

    >>> hands = seat_hands(BanluckRules())
    >>> len(hands.final), hands.first_of_count.tolist()
    (996, [0, 53, 230, 564, 996])
    """
    values = hand_table(rules).values
    acts = np.array([player_may_act(value) for value in values])
    must_hit = acts & np.array([player_must_hit(value, rules) for value in values])
    dealt = np.zeros(len(MULTISETS))
    dealt[:TWO_CARD_HANDS] = np.where(hand_table(rules).is_ban[:TWO_CARD_HANDS], 0.0, deals().orders)
    reached = dealt > 0.0
    for hand in np.flatnonzero(acts):
        if reached[hand]:
            after = deals().child[hand]
            reached[after[after >= 0]] = True
    is_bust = np.array([value.is_bust for value in values])
    shown = reached & is_bust & (rules.both_bust == "player_loses")
    final = np.flatnonzero(reached & ~must_hit & ~shown)
    place = np.full(len(MULTISETS), -1)
    place[final] = np.arange(len(final))
    first = np.searchsorted(deals().card_count[final], [*PLAYER_CARD_COUNTS, PLAYER_CARD_COUNTS[-1] + 1])
    bust = np.flatnonzero(shown)
    units = np.array([settle_bust(values[hand], rules).units for hand in bust], dtype=np.float64)
    return SeatHands(dealt, acts, must_hit, final, first, place, bust, units)


@inlined
def pass_on(masses: Floats, after_card: Integers, mass: float) -> None:
    """Add a mass to every hand that one more card makes; -1 stands where no card can come."""
    for after in after_card:
        if after >= 0:
            masses[after] += mass


@compiled
def fill_masses(masses: Floats, acts: Flags, hit: Floats, child: Integers) -> None:
    """Push the masses of the two-card hands through the hits."""
    for hand in range(len(masses)):
        if acts[hand] and masses[hand] > 0.0 and hit[hand] > 0.0:
            pass_on(masses, child[hand], masses[hand] * hit[hand])


@compiled
def play_values(
    worth: Floats, stand: Floats, acts: Flags, must_hit: Flags, hit: Floats, child: Integers, best: Flags
) -> Floats:
    """Fill in what a seat's hands are worth when it plays by ``hit``; return what a hit is worth less a stand.

    Parameters
    ----------
    worth
        What each hand is worth; given for hands that are over, filled in for those that are played.
    stand
        What standing on each hand is worth.
    best
        One flag: play the better action instead of ``hit``, and write it there.
    """
    difference = np.zeros(len(worth))
    for hand in range(len(worth) - 1, -1, -1):
        if not acts[hand]:
            continue
        after_hit = 0.0
        for after in child[hand]:
            if after >= 0:
                after_hit += worth[after]
        if must_hit[hand]:
            worth[hand] = after_hit
            continue
        difference[hand] = after_hit - stand[hand]
        if best[0]:
            hit[hand] = 1.0 if difference[hand] > 0.0 else 0.0
        worth[hand] = stand[hand] + hit[hand] * difference[hand]
    return difference


@dataclass(frozen=True, slots=True, eq=False)
class SeatReply:
    """What a seat earns, by a way to play: the value, the way, and what a hit is worth more than a stand."""

    value: float
    hit: Floats
    difference: Floats

    @classmethod
    def of(cls, seats: SeatHands, stand: Floats, over: Floats, hit: Floats, *, best: bool) -> Self:
        """Value a way to play, or find the best one."""
        worth = over.copy()
        chosen = seats.effective(hit)
        difference = play_values(
            worth, stand, seats.acts, seats.must_hit, chosen, deals().child, np.array([best])
        )
        return cls(float(seats.dealt @ worth), chosen, difference)
