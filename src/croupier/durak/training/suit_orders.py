"""Plain suits are alike: what is learnt for one order of them holds for every other."""

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

#: Every order of the suits that leaves trumps first.
SUIT_ORDERS = tuple((0, *order) for order in permutations((1, 2, 3)))


def in_suit_order(order: tuple[int, ...], cards: int, columns: int) -> NDArray[np.int64]:
    """Return the numbers of columns of which the first are cards, with the suits in another order.

    >>> in_suit_order((0, 2, 1, 3), cards=4, columns=6).tolist()
    [0, 2, 1, 3, 4, 5]
    """
    places = np.arange(cards)
    return np.concatenate([places & ~3 | np.array(order)[places & 3], np.arange(cards, columns)])
