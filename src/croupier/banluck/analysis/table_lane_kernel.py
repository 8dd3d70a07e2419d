"""Tables of several players in lanes, as compiled code: short random streams, which a processor and a GPU play alike."""

import numpy as np

from croupier.banluck.analysis.lane_kernel import open_lane
from croupier.banluck.analysis.seats_kernel import SeatsPolicy, SeatsRoom, play_seats_hands
from croupier.banluck.analysis.simulation_kernel import (
    COLUMN_COUNT,
    Cards,
    Histogram,
    Options,
    Totals,
    Tree,
)
from croupier.banluck.analysis.table_kernel import TABLE_SHAPE, TablePolicy, play_table_hands
from croupier.cards import DECK_SIZE
from croupier.numerics.compiled import compiled, compiled_lean
from croupier.numerics.random_kernels import Stream


@compiled_lean
def play_table_lane(
    lane: int, key: np.uint64, hands: int, options: Options, totals: Totals, tree: Tree, policy: TablePolicy,
    deck: Cards, histogram: Histogram, stream: Stream,
) -> None:  # fmt: skip
    """Play a lane of a table of two."""
    length = open_lane(lane, key, hands, deck, stream)
    play_table_hands(length, options, totals, tree, policy, deck, histogram, stream)


@compiled_lean
def play_seats_lane(
    lane: int, key: np.uint64, hands: int, room: SeatsRoom, options: Options, totals: Totals, tree: Tree,
    policy: SeatsPolicy, deck: Cards, histogram: Histogram, stream: Stream,
) -> None:  # fmt: skip
    """Play a lane of a table whose strategies go by card counts."""
    length = open_lane(lane, key, hands, deck, stream)
    play_seats_hands(length, room, options, totals, tree, policy, deck, histogram, stream)


@compiled
def play_table_lanes(
    first: int, stop: int, key: np.uint64, hands: int, options: Options, totals: Totals, tree: Tree, policy: TablePolicy
) -> Histogram:  # fmt: skip
    """Play lanes of a table of two one after the other; count hands by what each seat was paid."""
    deck = np.empty(DECK_SIZE, dtype=np.int8)
    stream = np.empty(4, dtype=np.uint64)
    histogram = np.zeros(TABLE_SHAPE, dtype=np.int64)
    for lane in range(first, stop):
        play_table_lane(lane, key, hands, options, totals, tree, policy, deck, histogram, stream)
    return histogram


@compiled
def play_seats_lanes(
    first: int, stop: int, key: np.uint64, hands: int, room: SeatsRoom, options: Options, totals: Totals, tree: Tree,
    policy: SeatsPolicy,
) -> Histogram:  # fmt: skip
    """Play lanes of a table one after the other; count hands by what each pair of seats was paid."""
    deck = np.empty(DECK_SIZE, dtype=np.int8)
    stream = np.empty(4, dtype=np.uint64)
    histogram = np.zeros((policy.players, policy.players, COLUMN_COUNT, COLUMN_COUNT), dtype=np.int64)
    for lane in range(first, stop):
        play_seats_lane(lane, key, hands, room, options, totals, tree, policy, deck, histogram, stream)
    return histogram
