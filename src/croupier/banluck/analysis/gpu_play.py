"""Lanes of Banluck on a GPU: one thread a lane, the functions of the lane kernels, each thread's deck in shared memory."""

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
from numba import int8

from croupier.banluck.analysis.lane_kernel import LANE_HANDS, play_lane
from croupier.banluck.analysis.simulation_kernel import COLUMN_COUNT, OUTCOME_COUNT, Histogram, Setup
from croupier.cards import DECK_SIZE
from croupier.numerics.gpu import cuda, grid_shape, multiprocessors, on_gpu, padded, sent

#: Threads of a block, and threads that a multiprocessor runs at a time.
_THREADS = 128
_THREADS_AT_ONCE = 1024

#: Blocks of threads count into so many copies: thousands of threads that add to one place wait for each other.
COPIES = 32

#: Bytes of a thread's deck in shared memory.
WIDTH = padded(DECK_SIZE)


def lanes_at_once() -> int:
    """Return how many lanes the GPU plays at a time."""
    return multiprocessors() * _THREADS_AT_ONCE


def play_heads_up(setup: Setup, first: int, stop: int, key: np.uint64, hands: int, block: int) -> Histogram:
    """Play lanes of one player and count hands by outcome and price."""
    return count_on_gpu(
        partial(deck_kernel, play_lane), setup, (OUTCOME_COUNT, COLUMN_COUNT), first, stop, key, hands, block
    )


def count_on_gpu(
    kernel: Callable[[], Any],
    setup: tuple[Any, ...],
    shape: tuple[int, ...],
    first: int,
    stop: int,
    key: np.uint64,
    hands: int,
    block: int,
) -> Histogram:
    """Let a kernel play lanes, and return what they were counted as; where there are several GPUs, neighbouring blocks take turns."""
    with cuda.gpus[block % len(cuda.gpus)]:
        counts = cuda.to_device(np.zeros((COPIES, *shape), dtype=np.int64))
        threads, blocks = grid_shape(stop - first, _THREADS)
        # Threads beyond the last lane play nothing.
        kernel()[blocks, threads, 0, threads * WIDTH](
            first, key, min(hands, stop * LANE_HANDS), *sent(setup), counts
        )
        histogram: Histogram = counts.copy_to_host().sum(axis=0)
        return histogram


@cache
def deck_kernel(lane: Any) -> Any:
    """Compile the kernel that plays a lane in each thread, with a deck in shared memory and nothing else of its own."""
    play = on_gpu(lane)

    @cuda.jit
    def play_lanes(first, key, hands, options, totals, tree, policy, counts):  # type: ignore[no-untyped-def]
        shared = cuda.shared.array(0, int8)
        stream = cuda.local.array(4, np.uint64)
        thread = cuda.threadIdx.x
        deck = shared[thread * WIDTH : (thread + 1) * WIDTH]
        histogram = counts[cuda.blockIdx.x % COPIES]
        play(first + cuda.grid(1), key, hands, options, totals, tree, policy, deck, histogram, stream)

    return play_lanes
