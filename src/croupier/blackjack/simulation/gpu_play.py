"""Lanes on a GPU: one thread a lane, the functions of ``lane_kernel``, each thread's cards in shared memory.

This is all that differs from a processor: where a lane's arrays lie, and that all lanes add to the same counts.
"""

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import uint8, uint16
from numpy.typing import NDArray

from croupier.blackjack.simulation.count_kernel import Ledger
from croupier.blackjack.simulation.endless_kernel import EndlessPaths
from croupier.blackjack.simulation.lane_kernel import (
    Lanes,
    play_lane_alone,
    play_lane_at_table,
    play_lane_endless,
)
from croupier.blackjack.simulation.round_terms import (
    HAND_FIELDS,
    MOST_HANDS,
    OUTCOME_COUNT,
    SEAT_FIELDS,
    Integers,
)
from croupier.blackjack.simulation.shoe_kernel import SHOE_FIELDS
from croupier.blackjack.simulation.single_seat import (
    add_counts,
    count_of,
    empty_counts,
    endless_paths_of,
    paths_of,
)
from croupier.blackjack.simulation.single_seat_kernel import Counts, General
from croupier.blackjack.simulation.table_setup import setup_of
from croupier.blackjack.simulation.tally import Tally
from croupier.numerics.gpu import (
    cuda,
    grid_shape,
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
_ENDLESS_COPIES = 32

#: With infinite packs: threads of a block, and how many cards lanes take between two deals.
_ENDLESS_THREADS = 128
_ENDLESS_STEPS = 2

#: More cards than this for each thread do not fit into shared memory.
_MOST_SHARED_CARDS = 1024


def lanes_of_block() -> int:
    """Return how many lanes keep the GPU busy."""
    return multiprocessors() * _THREADS_AT_ONCE * _WAVES


def play_on_gpu(
    play: "LanePlay", first: int, stop: int, tally: Tally, faults: Integers, ledger: Ledger | None
) -> None:
    """Play lanes on a GPU and add them to a tally, and a ledger if there is one; where there are several GPUs, blocks take turns."""
    with cuda.gpus[first // play.block_lanes % len(cuda.gpus)]:
        notes = _Notes(ledger)
        _play_on_this_gpu(play, first, stop, tally, faults, notes)
        notes.add()


class _Notes:
    """A ledger on the GPU; 0 where there is none, because None is no argument of a kernel."""

    def __init__(self, ledger: Ledger | None) -> None:
        self._ledger = ledger
        self.there: Any = 0
        if ledger is not None:
            zeros = np.zeros((_COPIES, *ledger.cells.shape), dtype=np.int64)
            self.there = Ledger(ledger.lowest, cuda.to_device(zeros))

    @property
    def are_kept(self) -> bool:
        return self._ledger is not None

    def add(self) -> None:
        """Add what was entered on the GPU to the ledger."""
        if self._ledger is not None:
            self._ledger.cells[...] += self.there.cells.copy_to_host().sum(axis=0)


def _play_on_this_gpu(
    play: "LanePlay", first: int, stop: int, tally: Tally, faults: Integers, notes: _Notes
) -> None:
    lanes = play.terms()
    # Threads beyond the last lane play nothing.
    lanes = lanes._replace(in_all=min(lanes.in_all, stop * lanes.a_lane))
    counted: tuple[NDArray[Any], ...] = (
        tally.outcomes, tally.cells, tally.squares, tally.side_kinds, tally.sums, tally.spreads, faults,
    )  # fmt: skip
    there = _Records(*(cuda.to_device(sums) for sums in counted))
    if play.uses_automaton:
        counts = _play_alone(play, first, stop, lanes, tally, there, notes)
    else:
        _play_at_table(play, first, stop, lanes, there, notes)
    for here, copy in zip(counted, there, strict=True):
        copy.copy_to_host(here)
    if play.uses_automaton:
        add_counts(tally, counts, play.seating)


def _play_alone(
    play: "LanePlay", first: int, stop: int, lanes: Lanes, tally: Tally, there: "_Records", notes: _Notes
) -> Counts:
    """Play lanes of a single player; return what they were counted as, except for the sums."""
    seating, count = play.seating, count_of(play.seating)
    counts = empty_counts(tally, count)
    copy_count = _ENDLESS_COPIES if play.is_endless else _COPIES
    copies = [cuda.to_device(np.zeros((copy_count, len(of)), dtype=np.int64)) for of in counts[:3]]
    own = Counts(copies[0], copies[1], copies[2], there.sums, there.spreads)
    if play.is_endless:
        paths = endless_paths_of(seating)
        threads, blocks = grid_shape(stop - first, _ENDLESS_THREADS)
        shared = sum(table.nbytes for table in (paths.step, paths.deal, paths.rows, paths.dealers))
        _endless_kernel()[blocks, threads, 0, shared](
            first, sent(lanes), _ENDLESS_STEPS, play.dealing(), sent(paths), own
        )
    else:
        width = padded(len(lanes.pack))
        threads, blocks = grid_shape(stop - first, threads_with_shared(width))
        _single_seat_kernel(count is not None, notes.are_kept)[blocks, threads, 0, threads * width](
            first,
            width,
            sent(lanes),
            play.dealing(),
            sent(paths_of(seating)),
            own,
            there.faults,
            0 if count is None else sent(count),  # None is no argument of a kernel
            notes.there,
        )
    for here, copy in zip(counts[:3], copies, strict=True):
        copy.copy_to_host().sum(axis=0, out=here)
    return counts


def _play_at_table(
    play: "LanePlay", first: int, stop: int, lanes: Lanes, there: "_Records", notes: _Notes
) -> None:
    """Play lanes of any table."""
    seating, width = play.seating, padded(len(lanes.pack))
    threads, blocks = grid_shape(stop - first, threads_with_shared(width))
    in_shared = len(lanes.pack) <= _MOST_SHARED_CARDS
    scratch = cuda.device_array((1 if in_shared else blocks * threads, width), np.uint8)
    kernel = _table_kernel(seating.seats, in_shared, notes.are_kept)
    kernel[blocks, threads, 0, threads * width if in_shared else 0](
        first, width, scratch, sent(lanes), seating.cut, seating.counts_side_bets, there.side_kinds, there.sums,
        there.spreads, there.faults, there.outcomes, there.cells, there.squares, sent(setup_of(seating)), notes.there,
    )  # fmt: skip


class _Records(NamedTuple):
    """The arrays of a tally on the GPU, and the faults."""

    outcomes: Any
    cells: Any
    squares: Any
    side_kinds: Any
    sums: Any
    spreads: Any
    faults: Any


@cache
def _single_seat_kernel(is_counted: bool, has_ledger: bool) -> Any:
    """Compile the kernel of a single player whose rounds never run out of cards."""
    play_lane = on_gpu(play_lane_alone)

    @cuda.jit
    def play_lanes(first, width, lanes, dealing, paths, counts, faults, count, ledger):  # type: ignore[no-untyped-def]
        shared = cuda.shared.array(0, uint8)
        shoe = cuda.local.array(SHOE_FIELDS, np.int64)
        stream = cuda.local.array(4, np.uint64)
        thread = cuda.threadIdx.x
        cards = shared[thread * width : (thread + 1) * width]
        copy = cuda.blockIdx.x % _COPIES
        own = Counts(
            counts.histogram[copy], counts.splits[copy], counts.split_hands[copy], counts.sums, counts.spreads
        )
        given = count if is_counted else None
        notes = Ledger(ledger.lowest, ledger.cells[copy]) if has_ledger else None
        play_lane(
            first + cuda.grid(1), lanes, dealing, paths, own, faults, cards, shoe, stream, None, given, notes
        )

    return play_lanes


def _copy_together(values: Any, shared: Any, start: Any) -> None:
    """Let the threads of a block copy a table into shared memory."""
    for place in range(cuda.threadIdx.x, len(values), cuda.blockDim.x):
        shared[start + place] = values[place]


@cache
def _endless_kernel() -> Any:
    """Compile the kernel of a single player with infinite packs: the tables of the automaton lie in shared memory."""
    play_lane, copy_together = on_gpu(play_lane_endless), cuda.jit(device=True)(_copy_together)

    @cuda.jit
    def play_lanes(first, lanes, most_steps, dealing, paths, counts):  # type: ignore[no-untyped-def]
        words, letters = cuda.shared.array(0, uint16), cuda.shared.array(0, uint8)
        stream = cuda.local.array(4, np.uint64)
        steps, both = len(paths.step), len(paths.step) + len(paths.deal)
        rows, dealers = 2 * both + len(paths.rows), 2 * both + len(paths.rows) + len(paths.dealers)
        copy_together(paths.step, words, 0)
        copy_together(paths.deal, words, steps)
        copy_together(paths.rows, letters, 2 * both)
        copy_together(paths.dealers, letters, rows)
        cuda.syncthreads()
        there = EndlessPaths(
            letters[2 * both : rows], letters[rows:dealers], words[steps:both], words[:steps],
            paths.won, paths.paths,
        )  # fmt: skip
        copy = cuda.blockIdx.x % _ENDLESS_COPIES
        own = Counts(
            counts.histogram[copy], counts.splits[copy], counts.split_hands[copy], counts.sums, counts.spreads
        )
        play_lane(first + cuda.grid(1), lanes, most_steps, dealing, there, own, stream)

    return play_lanes


@cache
def _table_kernel(seat_count: int, in_shared: bool, has_ledger: bool) -> Any:
    """Compile the kernel of any table with so many seats; cards that do not fit into shared memory lie in ``scratch``."""
    play_lane = on_gpu(play_lane_at_table)
    hand_count = seat_count * MOST_HANDS

    @cuda.jit
    def play_lanes(  # type: ignore[no-untyped-def]
        first, width, scratch, lanes, cut, counts_side_bets, side_kinds, sums, spreads, faults,
        outcomes, cells, squares, setup, ledger,
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
        notes = Ledger(ledger.lowest, ledger.cells[cuda.blockIdx.x % _COPIES]) if has_ledger else None
        play_lane(
            first + cuda.grid(1), lanes, cut, counts_side_bets, side_kinds, sums, spreads, faults, cards, shoe,
            stream, general, notes,
        )  # fmt: skip
        for place in range(OUTCOME_COUNT):
            cuda.atomic.add(outcomes, (place, 0), ended[place, 0])
            cuda.atomic.add(outcomes, (place, 1), ended[place, 1])

    return play_lanes
