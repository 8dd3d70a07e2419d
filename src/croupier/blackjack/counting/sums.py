"""Sums of floating-point numbers as a tally: what a block of rounds adds to the whole."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from croupier.blackjack.solvers.hands import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """Sums over rounds or shoes; blocks are added in their order, so that the last digit is the same on any workers.

    >>> Sums.from_state(Sums(np.array([1.0, 2.0])).merged(Sums(np.array([0.5, 0.5]))).to_state()).sums.tolist()
    [1.5, 2.5]
    """

    sums: Floats

    def merged(self, other: Self) -> Self:
        """Return the sums of both."""
        return type(self)(self.sums + other.sums)

    def to_state(self) -> dict[str, Any]:
        """Return the sums as plain JSON."""
        return {"sums": self.sums.tolist()}

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        """Read sums back."""
        return cls(np.array(state["sums"]))
