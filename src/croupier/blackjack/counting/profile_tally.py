"""What a count profile records: whole numbers, added up over any number of blocks."""

import base64
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from croupier.blackjack.counting.profile_kernel import ROUNDS, Cells


@dataclass(frozen=True, slots=True, eq=False)
class ProfileTally:
    """The records of some rounds, by group, state, depth step, count and field; money in whole numbers, ``scale`` per unit."""

    cells: Cells

    @property
    def rounds(self) -> int:
        """How many rounds were played."""
        return int(self.cells[:, 0, :, :, ROUNDS].sum())

    def merged(self, other: Self) -> Self:
        """Count both together."""
        return type(self)(self.cells + other.cells)

    def to_state(self) -> dict[str, Any]:
        """Return the records as JSON values: the numbers in eight bytes each, compressed, as text."""
        packed = zlib.compress(self.cells.astype("<i8").tobytes(), level=1)
        return {"shape": list(self.cells.shape), "cells": base64.b64encode(packed).decode("ascii")}

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        """Read what :meth:`to_state` gave.

        >>> tally = ProfileTally(np.arange(32).reshape(2, 2, 2, 2, 2))
        >>> bool((ProfileTally.from_state(tally.to_state()).cells == tally.cells).all())
        True
        """
        numbers = np.frombuffer(zlib.decompress(base64.b64decode(state["cells"])), dtype="<i8")
        return cls(numbers.astype(np.int64).reshape(state["shape"]))
