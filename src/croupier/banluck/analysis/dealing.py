"""The hands of a simulation in blocks, of one player or of several: where they are played, and what is counted."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, Self

import numpy as np

from croupier.banluck.analysis.lane_kernel import LANE_HANDS
from croupier.banluck.analysis.simulation_kernel import Histogram
from croupier.numerics.devices import Device, StreamName, verify_device, why_no_gpu
from croupier.numerics.random_kernels import Stream, lane_key

#: Hands of one random stream. Part of what a seed means: another size deals other hands.
BLOCK_HANDS = 2**18

#: Lanes of a block on a processor.
PROCESSOR_LANES = BLOCK_HANDS // LANE_HANDS


class Game(Protocol):
    """Who sits at the table and how they play, as the simulator needs it."""

    #: How often a block of lanes fills a GPU.
    gpu_waves: ClassVar[int]

    def play_block(self, hands: int, stream: Stream) -> Histogram:
        """Play so many hands on a stream, and count them."""
        ...

    def play_lanes(self, first: int, stop: int, key: np.uint64, hands: int) -> Histogram:
        """Play lanes of a run of so many hands here, and count them."""
        ...

    def play_on_gpu(self, first: int, stop: int, key: np.uint64, hands: int, block: int) -> Histogram:
        """Play lanes on a GPU; where there are several GPUs, neighbouring blocks take turns."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """How often hands ended in each way: the summary of a block.

    ``histogram`` counts all hands in its last two dimensions; those before, where a game has them, count the same hands again.
    """

    histogram: Histogram

    @property
    def hands(self) -> int:
        """How many hands were counted."""
        return int(self.histogram[(0,) * (self.histogram.ndim - 2)].sum())

    def merged(self, other: Self) -> Self:
        """Count both together."""
        return type(self)(self.histogram + other.histogram)

    def to_state(self) -> dict[str, Any]:
        """Return the counts as plain numbers."""
        return {"histogram": self.histogram.tolist()}

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        """Read what :meth:`to_state` gave."""
        return cls(np.array(state["histogram"], dtype=np.int64))


@dataclass(frozen=True, slots=True)
class BlockDealing:
    """The hands of a simulation in blocks, each on the stream that belongs to it and to nothing else."""

    game: Game
    hands: int
    seed: int

    @property
    def blocks(self) -> int:
        """In how many blocks they are played."""
        return math.ceil(self.hands / BLOCK_HANDS)

    def __call__(self, block: int) -> Tally:
        """Play a block."""
        hands = min(BLOCK_HANDS, self.hands - block * BLOCK_HANDS)
        seeds = np.random.SeedSequence(self.seed, spawn_key=(block,))
        stream = seeds.generate_state(4, np.uint64).astype(np.uint64)
        return Tally(self.game.play_block(hands, stream))


@dataclass(frozen=True, slots=True)
class LaneDealing:
    """The hands of a simulation in blocks of lanes; how many lanes make a block does not change what is counted.

    ``device`` is ``"cpu"`` or ``"cuda"``; both count the same. A worker without a GPU plays its blocks on its processor.
    """

    game: Game
    hands: int
    seed: int
    block_lanes: int = PROCESSOR_LANES
    device: Device = "cpu"

    @property
    def lanes(self) -> int:
        """How many lanes there are."""
        return math.ceil(self.hands / LANE_HANDS)

    @property
    def blocks(self) -> int:
        """In how many blocks they are played."""
        return math.ceil(self.lanes / self.block_lanes)

    def __call__(self, block: int) -> Tally:
        """Play a block."""
        first = block * self.block_lanes
        return self.play(block, first, min(first + self.block_lanes, self.lanes))

    def play(self, block: int, first: int, stop: int) -> Tally:
        """Play the lanes from ``first`` to ``stop``, which is not among them."""
        key = lane_key(self.seed)
        if self.device == "cuda" and why_no_gpu() is None:
            return Tally(self.game.play_on_gpu(first, stop, key, self.hands, block))
        return Tally(self.game.play_lanes(first, stop, key, self.hands))


def usual_block_lanes(device: Device, gpu_waves: int) -> int:
    """Return how many lanes make a block of a good size: a second's work on a GPU, much less on a processor."""
    if device == "cuda" and why_no_gpu() is None:
        from croupier.banluck.analysis.gpu_play import lanes_at_once  # noqa: PLC0415 - needs a GPU

        return lanes_at_once() * gpu_waves
    return PROCESSOR_LANES


def dealing_of(
    game: Game, hands: int, seed: int, stream: StreamName, device: Device, block_lanes: int | None = None
) -> BlockDealing | LaneDealing:
    """Cut the hands of a game into blocks.

    Raises
    ------
    InputError
        If the device cannot play the stream.
    """
    verify_device(stream, device)
    if stream == "blocks":
        return BlockDealing(game, hands, seed)
    return LaneDealing(game, hands, seed, block_lanes or usual_block_lanes(device, game.gpu_waves), device)
