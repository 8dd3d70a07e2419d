"""Lanes of tables of several players on a GPU, as :mod:`~croupier.banluck.analysis.gpu_play` plays those of one."""

from functools import cache, partial
from typing import Any

import numpy as np
from numba import int8

from croupier.banluck.analysis.gpu_play import COPIES, WIDTH, count_on_gpu, deck_kernel
from croupier.banluck.analysis.seats_kernel import SeatsPolicy, SeatsRoom
from croupier.banluck.analysis.simulation_kernel import COLUMN_COUNT, Hand, Histogram, Options, Totals, Tree
from croupier.banluck.analysis.table_kernel import TABLE_SHAPE, TablePolicy
from croupier.banluck.analysis.table_lane_kernel import play_seats_lane, play_table_lane
from croupier.banluck.solvers.table.situations import KINDS
from croupier.numerics.gpu import cuda, on_gpu

_HAND_FIELDS = len(Hand._fields)


def play_two(
    setup: tuple[Options, Totals, Tree], policy: TablePolicy, first: int, stop: int, key: np.uint64, hands: int, block: int
) -> Histogram:  # fmt: skip
    """Play lanes of a table of two; count hands by what each seat was paid."""
    return count_on_gpu(
        partial(deck_kernel, play_table_lane), (*setup, policy), TABLE_SHAPE, first, stop, key, hands, block
    )


def play_seats(
    setup: tuple[Options, Totals, Tree], policy: SeatsPolicy, first: int, stop: int, key: np.uint64, hands: int, block: int
) -> Histogram:  # fmt: skip
    """Play lanes of a table whose strategies go by card counts; count hands by what each pair of seats was paid."""
    players = policy.players
    shape = (players, players, COLUMN_COUNT, COLUMN_COUNT)
    return count_on_gpu(
        partial(_seats_kernel, players), (*setup, policy), shape, first, stop, key, hands, block
    )


@cache
def _seats_kernel(players: int) -> Any:
    """Compile the kernel of a table with so many players."""
    play = on_gpu(play_seats_lane)

    @cuda.jit
    def play_lanes(first, key, hands, options, totals, tree, policy, counts):  # type: ignore[no-untyped-def]
        shared = cuda.shared.array(0, int8)
        stream = cuda.local.array(4, np.uint64)
        prices = cuda.local.array(players, np.int64)
        held_hands = cuda.local.array((players, _HAND_FIELDS), np.int64)
        is_closed = cuda.local.array(players, np.bool_)
        held = cuda.local.array(KINDS, np.int64)
        thread = cuda.threadIdx.x
        deck = shared[thread * WIDTH : (thread + 1) * WIDTH]
        room = SeatsRoom(prices, held_hands, is_closed, held)
        histogram = counts[cuda.blockIdx.x % COPIES]
        play(first + cuda.grid(1), key, hands, room, options, totals, tree, policy, deck, histogram, stream)

    return play_lanes
