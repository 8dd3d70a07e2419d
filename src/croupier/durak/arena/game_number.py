"""The games of a match: pairs, with the seats swapped in the second game.

Light on purpose: the process of a slot imports it, which draws no cards and so needs no NumPy.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple


class GameNumber(NamedTuple):
    """A game of a match: its pair, and whether the first engine sits in the second seat."""

    pair: int
    is_swapped: bool


@dataclass(frozen=True, slots=True)
class Deal:
    """The cards of a pair, and the seat that leads: the same in both games."""

    deck: tuple[int, ...]
    leader: int


def games_of_match(pairs: int) -> Iterator[GameNumber]:
    """Yield all games in order.

    >>> list(games_of_match(1))
    [GameNumber(pair=0, is_swapped=False), GameNumber(pair=0, is_swapped=True)]
    """
    return (GameNumber(pair, is_swapped) for pair in range(pairs) for is_swapped in (False, True))
