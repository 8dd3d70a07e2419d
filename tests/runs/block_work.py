"""Work for real workers: it has to be imported by them, so it has a module of its own."""

import os
import signal
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self


@dataclass(frozen=True)
class Trail:
    """A sum of fractions, which rounds differently in another order, and the blocks in the order they were merged."""

    total: float
    blocks: tuple[int, ...]

    def merged(self, other: Self) -> Self:
        return type(self)(self.total + other.total, self.blocks + other.blocks)

    def to_state(self) -> dict[str, Any]:
        return {"total": self.total, "blocks": list(self.blocks)}

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        return cls(state["total"], tuple(state["blocks"]))


def fraction(block: int) -> Trail:
    """Play a block; the even ones take longer, so that blocks end out of order."""
    sum(range(0 if block % 2 else 200_000))
    return Trail(1 / (3 * block + 1), (block,))


@dataclass(frozen=True)
class DyingOnce:
    """Kills the process that plays a block, the first time."""

    block: int
    marker: Path

    def __call__(self, block: int) -> Trail:
        if block == self.block and not self.marker.exists():
            self.marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return fraction(block)


@dataclass(frozen=True)
class DyingAlways:
    """Kills every process that plays a block."""

    block: int

    def __call__(self, block: int) -> Trail:
        if block == self.block:
            os.kill(os.getpid(), signal.SIGKILL)
        return fraction(block)


@dataclass(frozen=True)
class Failing:
    """Has a defect in one block."""

    block: int

    def __call__(self, block: int) -> Trail:
        if block == self.block:
            raise ZeroDivisionError(f"block {block}")
        return fraction(block)
