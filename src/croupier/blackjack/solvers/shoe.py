"""What is left of a shoe, rank by rank: all that an exact analysis needs to know of it."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.hands import Floats
from croupier.cards import RANK_LETTERS, TEN, CardError, point_class_of_rank

RANKS = len(RANK_LETTERS)
#: The first rank of every point class; ranks of one class follow each other.
_FIRST_RANKS = np.unique([point_class_of_rank(rank) for rank in range(RANKS)], return_index=True)[1]


def classes_of(ranks: Floats) -> Floats:
    """Return how many cards of each point class there are, from those of each rank; the ranks lie on the last axis.

    >>> classes_of(np.full((2, RANKS), 4.0))[0].tolist()
    [4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 16.0, 4.0]
    """
    counts: Floats = np.add.reduceat(ranks, _FIRST_RANKS, axis=-1)
    return counts


@dataclass(frozen=True, slots=True, eq=False)
class ShoeCounts:
    """How many cards of each of the 13 ranks are left; ``step`` is what drawing one takes away: 0 for infinite packs."""

    ranks: Floats
    step: float = 1.0

    @classmethod
    def full(cls, rules: BlackjackRules) -> "ShoeCounts":
        """Return the full shoe of a table.

        >>> int(ShoeCounts.full(BlackjackRules()).classes.sum())
        312
        """
        ranks = np.ones(RANKS) if rules.decks == "infinite" else np.full(RANKS, 4.0 * rules.decks)
        if not rules.ten_spots:
            ranks[TEN] = 0.0
        return cls(ranks, step=0.0 if rules.decks == "infinite" else 1.0)

    @property
    def classes(self) -> Floats:
        """How many cards of each point class are left."""
        return classes_of(self.ranks)

    @property
    def cards(self) -> float:
        """How many cards are left."""
        return float(self.ranks.sum())

    def without(self, ranks: Iterable[int]) -> "ShoeCounts":
        """Return the shoe without some cards.

        >>> ShoeCounts.full(BlackjackRules(decks=1)).without([12] * 5)
        Traceback (most recent call last):
        croupier.cards.card.CardError: the shoe holds no further card of rank A
        """
        left = self.ranks.copy()
        for rank in ranks:
            if left[rank] <= 0:
                raise CardError(f"the shoe holds no further card of rank {RANK_LETTERS[rank]}")
            left[rank] -= self.step
        return ShoeCounts(left, self.step)

    def ranks_of_class(self, point: int) -> list[int]:
        """Return the ranks of a point class: four for the ten-value cards, else one.

        >>> [RANK_LETTERS[rank] for rank in ShoeCounts.full(BlackjackRules()).ranks_of_class(8)]
        ['T', 'J', 'Q', 'K']
        """
        return [rank for rank in range(RANKS) if point_class_of_rank(rank) == point]
