"""Banluck in lanes, as compiled code: short random streams, which a processor and a GPU play alike."""

import numpy as np

from croupier.banluck.analysis.simulation_kernel import (
    COLUMN_COUNT,
    OUTCOME_COUNT,
    Cards,
    Histogram,
    Options,
    Policy,
    Totals,
    Tree,
    play_hands,
)
from croupier.cards import DECK_SIZE
from croupier.numerics.compiled import compiled, inlined, inlined_lean
from croupier.numerics.random_kernels import Stream, begin_lane

#: Hands of one random stream. Part of what a seed means: another size deals other hands.
LANE_HANDS = 2**12


@inlined_lean
def open_lane(lane: int, key: np.uint64, hands: int, deck: Cards, stream: Stream) -> int:
    """Begin the random stream of a lane with a deck in order; return how many hands it has in a run of so many."""
    begin_lane(stream, key, lane)
    for card in range(DECK_SIZE):
        deck[card] = card
    return max(min(LANE_HANDS, hands - lane * LANE_HANDS), 0)


@inlined
def play_lane(
    lane: int, key: np.uint64, hands: int, options: Options, totals: Totals, tree: Tree, policy: Policy,
    deck: Cards, histogram: Histogram, stream: Stream,
) -> None:  # fmt: skip
    """Play a lane of a run of so many hands, which shortens the last lane."""
    length = open_lane(lane, key, hands, deck, stream)
    play_hands(length, options, totals, tree, policy, deck, histogram, stream)


@compiled
def play_lanes(
    first: int, stop: int, key: np.uint64, hands: int, options: Options, totals: Totals, tree: Tree, policy: Policy
) -> Histogram:  # fmt: skip
    """Play lanes one after the other; count hands by outcome and price."""
    deck = np.empty(DECK_SIZE, dtype=np.int8)
    stream = np.empty(4, dtype=np.uint64)
    histogram = np.zeros((OUTCOME_COUNT, COLUMN_COUNT), dtype=np.int64)
    for lane in range(first, stop):
        play_lane(lane, key, hands, options, totals, tree, policy, deck, histogram, stream)
    return histogram
