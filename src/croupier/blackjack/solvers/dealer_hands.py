"""Every way in which the dealer's hand can end from an up-card, as one trie of multisets.

The probability that the dealer draws a multiset of cards is the number of orders in which the dealer would
draw all of it, times a product of what is left of each class. The products share their beginnings, so
they are kept in a trie: one multiplication a node gives the distribution for any shoe.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from croupier.blackjack.solvers.hands import CLASSES, HARD_POINTS, Floats, Integers
from croupier.cards import ACE_CLASS, TEN_CLASS
from croupier.lab.compiled import compiled

#: How the dealer can end: 17, 18, 19, 20, 21, bust, natural.
BUST, NATURAL = 5, 6
ENDINGS = 7


@dataclass(frozen=True, slots=True, eq=False)
class DealerTrie:
    """The cards that a dealer may draw to an up-card, in ascending order of class, parents before children.

    Attributes
    ----------
    parent
        The node without its last card, -1 for the up-card alone.
    point, repeat
        The class of a node's last card, and how many of that class the dealer has drawn before it.
    depth
        How many cards the dealer has drawn.
    orders, ending
        In how many orders the dealer ends exactly with these cards (0 if never), and how.
    """

    parent: Integers
    point: Integers
    repeat: Integers
    depth: Integers
    orders: Floats
    ending: Integers


@lru_cache(maxsize=32)
def dealer_trie(up_card: int, *, hits_soft_17: bool) -> DealerTrie:
    """Build the trie of an up-card.

    >>> trie = dealer_trie(TEN_CLASS, hits_soft_17=False)
    >>> int((trie.orders[trie.ending == NATURAL]).sum())  # an ace, in one order
    1
    """
    endings = _endings(up_card, hits_soft_17=hits_soft_17)
    prefixes = sorted(
        {hand[:length] for hand in endings for length in range(1, len(hand) + 1)}, key=lambda h: (len(h), h)
    )
    place = {prefix: number for number, prefix in enumerate(prefixes)}
    return DealerTrie(
        parent=np.array([place.get(prefix[:-1], -1) for prefix in prefixes]),
        point=np.array([prefix[-1] for prefix in prefixes]),
        repeat=np.array([prefix[:-1].count(prefix[-1]) for prefix in prefixes]),
        depth=np.array([len(prefix) for prefix in prefixes]),
        orders=np.array([endings[prefix][0] if prefix in endings else 0.0 for prefix in prefixes]),
        ending=np.array([endings[prefix][1] if prefix in endings else 0 for prefix in prefixes]),
    )


def _endings(up_card: int, *, hits_soft_17: bool) -> dict[tuple[int, ...], tuple[float, int]]:
    """Map each multiset that ends the dealer's hand to the number of its orders and to how it ends."""
    drawing: dict[tuple[int, ...], float] = {(): 1.0}
    endings: dict[tuple[int, ...], tuple[float, int]] = {}
    while drawing:
        longer: dict[tuple[int, ...], float] = {}
        for hand, orders in drawing.items():
            for point in range(CLASSES):
                after = tuple(sorted((*hand, point)))
                ending = _ending((up_card, *after), hits_soft_17=hits_soft_17)
                if ending is None:
                    longer[after] = longer.get(after, 0.0) + orders
                else:
                    endings[after] = (endings.get(after, (0.0, ending))[0] + orders, ending)
        drawing = longer
    return endings


def _ending(hand: tuple[int, ...], *, hits_soft_17: bool) -> int | None:
    """Say how a dealer's hand has ended, or None if the dealer draws."""
    hard = sum(HARD_POINTS[point] for point in hand)
    is_soft = ACE_CLASS in hand and hard <= 11
    total = hard + 10 * is_soft
    if len(hand) == 2 and set(hand) == {ACE_CLASS, TEN_CLASS}:
        return NATURAL
    if total > 21:
        return BUST
    if total < 17 or (total == 17 and is_soft and hits_soft_17):
        return None
    return total - 17


@compiled
def ending_probabilities(
    left: Floats,
    step: float,
    parent: Integers,
    point: Integers,
    repeat: Integers,
    depth: Integers,
    orders: Floats,
    ending: Integers,
    weight: Floats,
    out: Floats,
) -> None:
    """Set the probability of each ending, given what is left of each class (``step`` is 0 for infinite packs)."""
    cards = left.sum()
    per_depth = np.ones(32)
    for number in range(1, 32):
        size = cards - step * (number - 1)
        per_depth[number] = per_depth[number - 1] / size if size > 0 else 0.0
    out[:] = 0.0
    for node in range(len(parent)):
        before = 1.0 if parent[node] < 0 else weight[parent[node]]
        available = left[point[node]] - step * repeat[node]
        weight[node] = before * available if available > 0 else 0.0
        if orders[node] > 0.0:
            out[ending[node]] += orders[node] * weight[node] * per_depth[depth[node]]
