"""What is counted while rounds are played with a count: small, exact, and added up in any number of blocks."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from croupier.blackjack.counting import kernel
from croupier.blackjack.simulation.round_terms import Integers
from croupier.blackjack.solvers.hands import Floats


@dataclass(frozen=True, slots=True, eq=False)
class CountingTally:
    """The records of some rounds, by the count before the deal. Money is in whole numbers, ``scale`` a unit.

    Attributes
    ----------
    by_count
        ``[count]``: rounds, bets in units, what they won, and how often insurance was taken.
    sums
        ``[count]``: what they won, squared, the counts before they were made whole, and one over the packs left.
    spreads
        Over shoes: see ``counting_kernel``.
    """

    by_count: Integers
    sums: Floats
    spreads: Floats

    @classmethod
    def empty(cls) -> Self:
        """Return a tally of nothing."""
        return cls(
            np.zeros((kernel.COUNTS, kernel.COUNT_FIELDS), dtype=np.int64),
            np.zeros((kernel.COUNTS, kernel.COUNT_SUMS)),
            np.zeros(kernel.SHOE_FIELDS),
        )

    @property
    def rounds(self) -> int:
        """How many rounds were played."""
        return int(self.by_count[:, kernel.ROUNDS].sum())

    def merged(self, other: Self) -> Self:
        """Count both together."""
        return type(self)(
            self.by_count + other.by_count, self.sums + other.sums, self.spreads + other.spreads
        )

    def to_state(self) -> dict[str, Any]:
        """Return the counts as plain numbers; those that came up."""
        seen = np.flatnonzero(self.by_count[:, kernel.ROUNDS])
        return {
            "seen": seen.tolist(),
            "by_count": self.by_count[seen].tolist(),
            "sums": self.sums[seen].tolist(),
            "spreads": self.spreads.tolist(),
        }

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        """Read what :meth:`to_state` gave.

        >>> tally = CountingTally.empty()
        >>> tally.by_count[7] = (2, 2, -4, 0)
        >>> bool((CountingTally.from_state(tally.to_state()).by_count == tally.by_count).all())
        True
        """
        tally = cls.empty()
        tally.by_count[state["seen"]] = np.reshape(state["by_count"], (-1, kernel.COUNT_FIELDS))
        tally.sums[state["seen"]] = np.reshape(state["sums"], (-1, kernel.COUNT_SUMS))
        tally.spreads[:] = state["spreads"]
        return tally
