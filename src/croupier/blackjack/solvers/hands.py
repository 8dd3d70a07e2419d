"""Every hand of one card or more that is not bust, as arrays, and what a card makes of it."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.cards import ACE_CLASS, POINT_CLASSES

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

CLASSES = len(POINT_CLASSES)

#: What a card of each point class counts, an ace as 1.
HARD_POINTS = tuple(1 if point == ACE_CLASS else point + 2 for point in range(CLASSES))


class HandSpace(NamedTuple):
    """All multisets of point classes whose hard total is at most 21; a hand comes before what it can become.

    A tuple of arrays, so that kernels take it whole.

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

    def find(self, classes: tuple[int, ...]) -> int:
        """Return the place of a hand of point classes in any order; a KeyError if it is bust."""
        return _places()[tuple(sorted(classes))]

    def holds(self, classes: tuple[int, ...]) -> bool:
        """Tell whether a hand is not bust."""
        return tuple(sorted(classes)) in _places()


@lru_cache(maxsize=1)
def hand_space() -> HandSpace:
    """Return the hands, built once.

    >>> space = hand_space()
    >>> int(space.total[space.find((ACE_CLASS, 4))]), bool(space.is_soft[space.find((ACE_CLASS, 4))])
    (17, True)
    """
    places = _places()
    counts = np.array([[hand.count(point) for point in range(CLASSES)] for hand in places])
    hard = counts @ np.array(HARD_POINTS)
    is_soft = (counts[:, ACE_CLASS] > 0) & (hard <= 11)
    child = np.array(
        [[places.get(tuple(sorted((*hand, point))), -1) for point in range(CLASSES)] for hand in places]
    )
    return HandSpace(counts, hard + 10 * is_soft, is_soft, counts.sum(axis=1), child)


@lru_cache(maxsize=1)
def hands_of_several() -> Integers:
    """Return the hands of two cards or more.

    >>> len(hands_of_several()) == len(hand_space().total) - CLASSES
    True
    """
    return np.flatnonzero(hand_space().card_count >= 2)


@lru_cache(maxsize=CLASSES)
def hands_with(point: int) -> Integers:
    """Return the hands of two cards or more that hold a card of a class: all that a split of that class can become.

    >>> len(hands_with(0)), len(hands_with(POINT_CLASSES.index("T")))
    (1899, 193)
    """
    return hands_from(hand_space().find((point,)))


@lru_cache(maxsize=512)
def hands_from(hand: int) -> Integers:
    """Return the hands of two cards or more that a hand is or can become.

    >>> space = hand_space()
    >>> [int(space.total[after]) for after in hands_from(space.find((7, 8)))]  # a 9 and a ten, and an ace or a 2
    [19, 20, 21, 21]
    """
    space = hand_space()
    return np.flatnonzero((space.counts >= space.counts[hand]).all(axis=1) & (space.card_count >= 2))


@lru_cache(maxsize=1)
def _places() -> dict[tuple[int, ...], int]:
    """List every hand in the order of its hard total, with its place."""
    hands: list[tuple[int, ...]] = []

    def extend(hand: tuple[int, ...], hard_total: int) -> None:
        if hand:
            hands.append(hand)
        for point in range(hand[-1] if hand else 0, CLASSES):
            if hard_total + HARD_POINTS[point] <= 21:
                extend((*hand, point), hard_total + HARD_POINTS[point])

    extend((), 0)
    hands.sort(key=lambda hand: (sum(HARD_POINTS[point] for point in hand), hand))
    return {hand: place for place, hand in enumerate(hands)}
