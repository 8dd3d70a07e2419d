"""Every hand of one card or more that is not bust, as arrays, and what a card makes of it."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from croupier.cards import ACE_CLASS, POINT_CLASSES

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

CLASSES = len(POINT_CLASSES)

#: What a card of each point class counts, an ace as 1.
HARD_POINTS = tuple(1 if point == ACE_CLASS else point + 2 for point in range(CLASSES))


@dataclass(frozen=True, slots=True, eq=False)
class HandSpace:
    """All multisets of point classes whose hard total is at most 21; a hand comes before what it can become.

    Attributes
    ----------
    counts
        How many cards of each class a hand holds.
    total, is_soft, card_count
        What the hand counts (an ace as 11 where that is not over 21), whether it does so, and its number of cards.
    child
        The hand after one more card of a class, or -1 where that is bust.
    """

    counts: Integers
    total: Integers
    is_soft: Flags
    card_count: Integers
    child: Integers
    index: dict[tuple[int, ...], int]

    def find(self, classes: tuple[int, ...]) -> int:
        """Return the place of a hand of point classes in any order."""
        return self.index[tuple(sorted(classes))]


@lru_cache(maxsize=1)
def hand_space() -> HandSpace:
    """Return the hands, built once.

    >>> space = hand_space()
    >>> int(space.total[space.find((ACE_CLASS, 4))]), bool(space.is_soft[space.find((ACE_CLASS, 4))])
    (17, True)
    """
    hands: list[tuple[int, ...]] = []

    def extend(hand: tuple[int, ...], hard_total: int) -> None:
        if hand:
            hands.append(hand)
        for point in range(hand[-1] if hand else 0, CLASSES):
            if hard_total + HARD_POINTS[point] <= 21:
                extend((*hand, point), hard_total + HARD_POINTS[point])

    extend((), 0)
    hands.sort(key=lambda hand: (sum(HARD_POINTS[point] for point in hand), hand))
    index = {hand: place for place, hand in enumerate(hands)}
    counts = np.array([[hand.count(point) for point in range(CLASSES)] for hand in hands])
    hard = counts @ np.array(HARD_POINTS)
    is_soft = (counts[:, ACE_CLASS] > 0) & (hard <= 11)
    child = np.array(
        [[index.get(tuple(sorted((*hand, point))), -1) for point in range(CLASSES)] for hand in hands]
    )
    return HandSpace(counts, hard + 10 * is_soft, is_soft, counts.sum(axis=1), child, index)
