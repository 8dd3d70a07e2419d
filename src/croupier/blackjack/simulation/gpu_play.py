"""Lanes on a GPU: one thread a lane, the functions of ``lane_kernel``, each thread's cards in shared memory.

This is all that differs from a processor: where a lane's arrays lie, and that all lanes add to the same counts.
"""

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import uint8
from numpy.typing import NDArray

from croupier.blackjack.simulation.lane_kernel import play_lane_alone, play_lane_at_table
from croupier.blackjack.simulation.round_terms import (
    HAND_FIELDS,
    MOST_HANDS,
    OUTCOME_COUNT,
    SEAT_FIELDS,
    Integers,
)
from croupier.blackjack.simulation.shoe_kernel import SHOE_FIELDS
from croupier.blackjack.simulation.single_seat import add_counts, count_of, empty_counts, paths_of
from croupier.blackjack.simulation.single_seat_kernel import Counts, General
from croupier.blackjack.simulation.table_setup import setup_of
from croupier.blackjack.simulation.tally import Tally
from croupier.numerics.gpu import (
    cuda,
    is_simulated,
    multiprocessors,
    on_gpu,
    padded,
    sent,
    threads_with_shared,
)

if TYPE_CHECKING:
    from croupier.blackjack.simulation.lanes import LanePlay

#: Threads that a multiprocessor runs at a time with the cards of six decks each, and how often a block fills them.
_THREADS_AT_ONCE = 640
_WAVES = 8

#: Blocks of threads count into so many copies: thousands of threads that add to one place wait for each other.
_COPIES = 8

#: More cards than this for each thread do not fit into shared memory.
_MOST_SHARED_CARDS = 1024


def lanes_of_block() -> int:
    """Return how many lanes keep the GPU busy."""
    return multiprocessors() * _THREADS_AT_ONCE * _WAVES


def play_on_gpu(play: "LanePlay", first: int, stop: int, tally: Tally, faults: Integers) -> None:
    """Play lanes on a GPU and add them to a tally; where there are several, neighbouring blocks take turns."""
    with cuda.gpus[first // play.block_lanes % len(cuda.gpus)]:
        _play_on_this_gpu(play, first, stop, tally, faults)


def _play_on_this_gpu(play: "LanePlay", first: int, stop: int, tally: Tally, faults: Integers) -> None:
    seating, lanes = play.seating, play.terms()
    # Threads beyond the last lane play nothing.
    lanes = lanes._replace(in_all=min(lanes.in_all, stop * lanes.a_lane))
    width = padded(len(lanes.pack))
    threads = stop - first if is_simulated() else threads_with_shared(width)
    blocks = -(-(stop - first) // threads)
    counted: tuple[NDArray[Any], ...] = (
        tally.outcomes, tally.cells, tally.squares, tally.side_kinds, tally.sums, tally.spreads, faults,
    )  # fmt: skip
    there = [cuda.to_device(sums) for sums in counted]
    outcomes, cells, squares, side_kinds, sums, spreads, wrong = there
    if play.uses_automaton:
        count = count_of(seating)
        counts = empty_counts(tally, count)
        copies = [cuda.to_device(np.zeros((_COPIES, len(of)), dtype=np.int64)) for of in counts[:3]]
        _single_seat_kernel()[blocks, threads, 0, threads * width](
            first,
            width,
            sent(lanes),
            play.dealing(),
            sent(paths_of(seating)),
            Counts(copies[0], copies[1], copies[2], sums, spreads),
            wrong,
            sent(count),
        )
        for here, copy in zip(counts[:3], copies, strict=True):
            copy.copy_to_host().sum(axis=0, out=here)
    else:
        in_shared = len(lanes.pack) <= _MOST_SHARED_CARDS
        scratch = cuda.device_array((1 if in_shared else blocks * threads, width), np.uint8)
        kernel = _table_kernel(seating.seats, in_shared)
        kernel[blocks, threads, 0, threads * width if in_shared else 0](
            first, width, scratch, sent(lanes), seating.cut, seating.counts_side_bets, side_kinds, sums,
            spreads, wrong, outcomes, cells, squares, sent(setup_of(seating)),
        )  # fmt: skip
    for here, copy in zip(counted, there, strict=True):
        copy.copy_to_host(here)
    if play.uses_automaton:
        add_counts(tally, counts, seating)


@cache
def _single_seat_kernel() -> Any:
    """Compile the kernel of a single player whose rounds never run out of cards."""
    play_lane = on_gpu(play_lane_alone)

    @cuda.jit
    def play_lanes(first, width, lanes, dealing, paths, counts, faults, count):  # type: ignore[no-untyped-def]
        shared = cuda.shared.array(0, uint8)
        shoe = cuda.local.array(SHOE_FIELDS, np.int64)
        stream = cuda.local.array(4, np.uint64)
        thread = cuda.threadIdx.x
        cards = shared[thread * width : (thread + 1) * width]
        copy = cuda.blockIdx.x % _COPIES
        own = Counts(
            counts.histogram[copy], counts.splits[copy], counts.split_hands[copy], counts.sums, counts.spreads
        )
        play_lane(first + cuda.grid(1), lanes, dealing, paths, own, faults, cards, shoe, stream, None, count)

    return play_lanes


@cache
def _table_kernel(seat_count: int, in_shared: bool) -> Any:
    """Compile the kernel of any table with so many seats; cards that do not fit into shared memory lie in ``scratch``."""
    play_lane = on_gpu(play_lane_at_table)
    hand_count = seat_count * MOST_HANDS

    @cuda.jit
    def play_lanes(  # type: ignore[no-untyped-def]
        first, width, scratch, lanes, cut, counts_side_bets, side_kinds, sums, spreads, faults,
        outcomes, cells, squares, setup,
    ):  # fmt: skip
        shared = cuda.shared.array(0, uint8)
        shoe = cuda.local.array(SHOE_FIELDS, np.int64)
        stream = cuda.local.array(4, np.uint64)
        seats = cuda.local.array((seat_count, SEAT_FIELDS), np.int64)
        hands = cuda.local.array((hand_count, HAND_FIELDS), np.int64)
        waiting = cuda.local.array(MOST_HANDS, np.int64)
        ended = cuda.local.array((OUTCOME_COUNT, 2), np.int64)
        for place in range(OUTCOME_COUNT):
            ended[place, 0] = 0
            ended[place, 1] = 0
        thread = cuda.threadIdx.x
        cards = shared[thread * width : (thread + 1) * width] if in_shared else scratch[cuda.grid(1)]
        general = General(seats, hands, waiting, ended, cells, squares, setup)
        play_lane(
            first + cuda.grid(1), lanes, cut, counts_side_bets, side_kinds, sums, spreads, faults, cards, shoe,
            stream, general,
        )  # fmt: skip
        for place in range(OUTCOME_COUNT):
            cuda.atomic.add(outcomes, (place, 0), ended[place, 0])
            cuda.atomic.add(outcomes, (place, 1), ended[place, 1])

    return play_lanes
