"""A complete strategy of either side: one probability an information set.

Both sides decide on rank multisets (:data:`croupier.banluck.engine.multisets.MULTISETS`), so a strategy is
an array with one row a multiset. The dealer also knows how many cards the player holds, and at a
hard 15, depending on the rules, which Ban hand the player has shown.
"""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from croupier.banluck.engine.multisets import MULTISETS

Probabilities = NDArray[np.float64]

#: Card counts of the player that a dealer can meet, in the order of the columns of ``DealerStrategy.draw``.
PLAYER_CARD_COUNTS = (2, 3, 4, 5)


class Shown(IntEnum):
    """What the player has shown when the dealer decides on the surrender: the columns of ``surrender``."""

    NOTHING = 0
    BAN_LUCK = 1
    BAN_BAN = 2


@dataclass(frozen=True, slots=True, eq=False)
class PlayerStrategy:
    """How often the player hits each multiset (0 or 1 where the rules leave no choice).

    Attributes
    ----------
    hit
        Probability of a hit, one entry a multiset. Hands that are over (bust, 21, five cards, Ban hands) hold 0.
    """

    hit: Probabilities

    def __post_init__(self) -> None:
        _verify_probabilities("hit", self.hit, (len(MULTISETS),))


@dataclass(frozen=True, slots=True, eq=False)
class DealerStrategy:
    """How often the dealer draws on each multiset against each card count, and surrenders each hard 15.

    Attributes
    ----------
    draw
        Probability of a draw, a row a multiset, a column a player's card count (2, 3, 4, 5).
        Not drawing is a reveal where the rules call it so, else a stand.
    surrender
        Probability of voiding the hand, a row a multiset, a column a :class:`Shown`. Under
        ``surrender = "blind"`` only the column ``NOTHING`` is used, whatever the player holds.
    """

    draw: Probabilities
    surrender: Probabilities

    def __post_init__(self) -> None:
        _verify_probabilities("draw", self.draw, (len(MULTISETS), len(PLAYER_CARD_COUNTS)))
        _verify_probabilities("surrender", self.surrender, (len(MULTISETS), len(Shown)))


def _verify_probabilities(name: str, values: Probabilities, shape: tuple[int, ...]) -> None:
    if values.shape != shape:
        raise ValueError(f"strategy '{name}' has shape {values.shape}; expected {shape}")
    if not np.all((values >= 0) & (values <= 1)):
        raise ValueError(f"strategy '{name}' holds a value outside 0..1")
