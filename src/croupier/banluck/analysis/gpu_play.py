"""Lanes of Banluck on a GPU: one thread a lane, the functions of ``lane_kernel``, each thread's deck in shared memory."""

from functools import cache
from typing import Any

import numpy as np
from numba import int8

from croupier.banluck.analysis.lane_kernel import LANE_HANDS, play_lane
from croupier.banluck.analysis.simulation_kernel import COLUMN_COUNT, OUTCOME_COUNT, Histogram, Setup
from croupier.cards import DECK_SIZE
from croupier.numerics.gpu import cuda, grid_shape, multiprocessors, on_gpu, padded, sent

#: Threads of a block, threads that a multiprocessor runs at a time, and how often a block of lanes fills them.
_THREADS = 128
_THREADS_AT_ONCE = 1024
_WAVES = 16

#: Blocks of threads count into so many copies: thousands of threads that add to one place wait for each other.
_COPIES = 32

#: Bytes of a thread's deck in shared memory.
_WIDTH = padded(DECK_SIZE)


def lanes_of_block() -> int:
    """Return how many lanes keep the GPU busy."""
    return multiprocessors() * _THREADS_AT_ONCE * _WAVES


def play_on_gpu(setup: Setup, key: np.uint64, hands: int, first: int, stop: int, block: int) -> Histogram:
    """Play lanes on a GPU and count hands by outcome and price; where there are several GPUs, neighbouring blocks take turns."""
    with cuda.gpus[block % len(cuda.gpus)]:
        counts = cuda.to_device(np.zeros((_COPIES, OUTCOME_COUNT, COLUMN_COUNT), dtype=np.int64))
        threads, blocks = grid_shape(stop - first, _THREADS)
        # Threads beyond the last lane play nothing.
        _kernel()[blocks, threads, 0, threads * _WIDTH](
            first, key, min(hands, stop * LANE_HANDS), *sent(setup), counts
        )
        histogram: Histogram = counts.copy_to_host().sum(axis=0)
        return histogram


@cache
def _kernel() -> Any:
    play = on_gpu(play_lane)

    @cuda.jit
    def play_lanes(first, key, hands, options, totals, tree, policy, counts):  # type: ignore[no-untyped-def]
        shared = cuda.shared.array(0, int8)
        stream = cuda.local.array(4, np.uint64)
        thread = cuda.threadIdx.x
        deck = shared[thread * _WIDTH : (thread + 1) * _WIDTH]
        histogram = counts[cuda.blockIdx.x % _COPIES]
        play(first + cuda.grid(1), key, hands, options, totals, tree, policy, deck, histogram, stream)

    return play_lanes
