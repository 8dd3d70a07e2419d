"""Every way in which the dealer's hand can end from an up-card, as one trie of multisets.

The probability that the dealer draws a multiset of cards is the number of orders in which the dealer would
draw all of it, times a product of what is left of each class. The products share their beginnings, so
they are kept in a trie: one multiplication a node gives the distribution for any shoe.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from croupier.blackjack.solvers.hands import CLASSES, HARD_POINTS, Floats, Integers
from croupier.cards import ACE_CLASS, TEN_CLASS
from croupier.numerics.compiled import compiled

#: How the dealer can end: 17, 18, 19, 20, 21, bust with more than 22, natural, 22.
BUST, NATURAL, TWENTY_TWO = 5, 6, 7
ENDINGS = 8

#: The dealer never draws as many cards as this, nor as many of one class.
_DEPTHS = 13

#: Shoes that go through the trie side by side. With fewer, the compiler does not use vector instructions.
_LANES = 32


class DealerTrie(NamedTuple):
    """The cards that a dealer may draw to an up-card, in ascending order of class, each node right before its children.

    Attributes
    ----------
    depth
        How many cards the dealer has drawn.
    factor
        Which card a node adds: ``13 * class + how many of that class the dealer has drawn before``.
    orders
        In how many orders the dealer ends exactly with these cards; 0 if never.
    ending
        ``13 * how the dealer ends + depth``.
    """

    depth: Integers
    factor: Integers
    orders: Floats
    ending: Integers


@lru_cache(maxsize=160)
def dealer_trie(up_card: int, *, hits_soft_17: bool, hole_card: int | None = None) -> DealerTrie:
    """Build the trie of an up-card, or of two open cards; a dealer who stands on these draws one card that changes nothing.

    >>> trie = dealer_trie(TEN_CLASS, hits_soft_17=False)
    >>> int(trie.orders[trie.ending // 13 == NATURAL].sum())  # an ace, in one order
    1
    """
    shown = (up_card,) if hole_card is None else (up_card, hole_card)
    endings = _endings(shown, hits_soft_17=hits_soft_17)
    prefixes = sorted({hand[:length] for hand in endings for length in range(1, len(hand) + 1)})
    never = (0.0, 0)
    return DealerTrie(
        depth=np.array([len(prefix) for prefix in prefixes]),
        factor=np.array([_DEPTHS * prefix[-1] + prefix[:-1].count(prefix[-1]) for prefix in prefixes]),
        orders=np.array([endings.get(prefix, never)[0] for prefix in prefixes]),
        ending=np.array([_DEPTHS * endings.get(prefix, never)[1] + len(prefix) for prefix in prefixes]),
    )


def _endings(shown: tuple[int, ...], *, hits_soft_17: bool) -> dict[tuple[int, ...], tuple[float, int]]:
    """Map each multiset that ends the dealer's hand to the number of its orders and to how it ends."""
    stands = _ending(shown, hits_soft_17=hits_soft_17) if len(shown) > 1 else None
    if stands is not None:
        return {(point,): (1.0, stands) for point in range(CLASSES)}
    drawing: dict[tuple[int, ...], float] = {(): 1.0}
    endings: dict[tuple[int, ...], tuple[float, int]] = {}
    while drawing:
        longer: dict[tuple[int, ...], float] = {}
        for hand, orders in drawing.items():
            for point in range(CLASSES):
                after = tuple(sorted((*hand, point)))
                ending = _ending((*shown, *after), hits_soft_17=hits_soft_17)
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
        return TWENTY_TWO if total == 22 else BUST
    if total < 17 or (total == 17 and is_soft and hits_soft_17):
        return None
    return total - 17


@compiled
def ending_probabilities(shoes: Floats, step: float, trie: DealerTrie, out: Floats) -> None:
    """Set the probability of each ending for each shoe, a row of what is left of each class (``step`` is 0 for infinite packs)."""
    available = np.empty((CLASSES * _DEPTHS, _LANES))
    per_depth = np.empty((_DEPTHS, _LANES))
    weight = np.ones((_DEPTHS, _LANES))
    sums = np.empty((ENDINGS * _DEPTHS, _LANES))
    for first in range(0, len(shoes), _LANES):
        for lane in range(_LANES):
            _prepare(shoes[min(first + lane, len(shoes) - 1)], step, available[:, lane], per_depth[:, lane])
        sums[:] = 0.0
        for node in range(len(trie.depth)):
            depth, factor, ending = trie.depth[node], trie.factor[node], trie.ending[node]
            orders = trie.orders[node]
            for lane in range(_LANES):
                product = weight[depth - 1, lane] * available[factor, lane]
                weight[depth, lane] = product
                sums[ending, lane] += orders * product
        for lane in range(min(_LANES, len(shoes) - first)):
            for ending in range(ENDINGS):
                chance = 0.0
                for depth in range(_DEPTHS):
                    chance += sums[_DEPTHS * ending + depth, lane] * per_depth[depth, lane]
                out[first + lane, ending] = chance


@compiled
def _prepare(shoe: Floats, step: float, available: Floats, per_depth: Floats) -> None:
    """Set what is left of a class after some draws of it, and one over the number of ordered draws of each depth."""
    size = shoe.sum()
    for point in range(CLASSES):
        for drawn in range(_DEPTHS):
            available[_DEPTHS * point + drawn] = max(shoe[point] - step * drawn, 0.0)
    per_depth[0] = 1.0
    for depth in range(1, _DEPTHS):
        per_depth[depth] = per_depth[depth - 1] / size if size > 0 else 0.0
        size -= step
