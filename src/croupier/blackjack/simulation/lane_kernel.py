"""Rounds in lanes, as compiled code: short stretches of play, each with a shoe and a random stream of its own.

What a lane counts depends on its number and on nothing else, and all counts are whole numbers. So lanes can be played in any order and
on anything: one after the other here, a hundred thousand at a time on a GPU.
"""

from typing import NamedTuple

import numpy as np

from croupier.blackjack.simulation.count_kernel import Count, Ledger
from croupier.blackjack.simulation.endless_kernel import EndlessPaths, play_endless
from croupier.blackjack.simulation.length import NO_LIMIT
from croupier.blackjack.simulation.round_terms import Integers
from croupier.blackjack.simulation.shoe_kernel import IS_EXHAUSTED, SHOE_FIELDS, Bytes, Shoe
from croupier.blackjack.simulation.single_seat_kernel import Counts, Dealing, General, Paths, play_alone
from croupier.blackjack.simulation.table_kernel import Squares, play_table
from croupier.numerics.compiled import compiled_lean, inlined_lean
from croupier.numerics.random_kernels import Stream, begin_lane
from croupier.numerics.together import add_to


class Lanes(NamedTuple):
    """What all lanes of a run have in common.

    Rounds or shoes: so many to a lane, and so many in all, which shortens the last lane. ``pack`` and ``record`` are the shoe as
    every lane begins it.
    """

    key: np.uint64
    a_lane: int
    in_all: int
    by_shoes: bool
    pack: Bytes
    record: Shoe


@inlined_lean
def _lane_length(lane: int, lanes: Lanes) -> tuple[int, int]:
    """Return how many rounds or shoes end a lane."""
    length = max(min(lanes.a_lane, lanes.in_all - lane * lanes.a_lane), 0)
    if lanes.by_shoes:
        return NO_LIMIT, length
    return length, NO_LIMIT


@inlined_lean
def _open_lane(lane: int, lanes: Lanes, cards: Bytes, shoe: Shoe, stream: Stream) -> tuple[int, int]:
    """Lay out the shoe and the random stream of a lane; return how many rounds or shoes end it."""
    begin_lane(stream, lanes.key, lane)
    for place in range(len(lanes.pack)):
        cards[place] = lanes.pack[place]
    for field in range(SHOE_FIELDS):
        shoe[field] = lanes.record[field]
    return _lane_length(lane, lanes)


@compiled_lean
def play_lane_alone(
    lane: int, lanes: Lanes, dealing: Dealing, paths: Paths, counts: Counts, faults: Integers,
    cards: Bytes, shoe: Shoe, stream: Stream, general: General | None, count: Count | None, ledger: Ledger | None,
) -> None:  # fmt: skip
    """Play a lane of a single player; count a fault if a round has asked for more cards than there are."""
    rounds, shoes = _open_lane(lane, lanes, cards, shoe, stream)
    play_alone(rounds, shoes, dealing, paths, counts, cards, shoe, stream, general, count, ledger)
    if general is not None:
        add_to(faults, 0, shoe[IS_EXHAUSTED])


@compiled_lean
def play_lane_endless(
    lane: int,
    lanes: Lanes,
    most_steps: int,
    dealing: Dealing,
    paths: EndlessPaths,
    counts: Counts,
    stream: Stream,
) -> None:
    """Play a lane of a single player with infinite packs."""
    begin_lane(stream, lanes.key, lane)
    rounds, shoes = _lane_length(lane, lanes)
    play_endless(rounds, shoes, most_steps, dealing, paths, counts, stream)


@compiled_lean
def play_lane_at_table(
    lane: int, lanes: Lanes, cut: int, counts_side_bets: bool, side_kinds: Integers, sums: Integers,
    spreads: Squares, faults: Integers, cards: Bytes, shoe: Shoe, stream: Stream, general: General,
    ledger: Ledger | None,
) -> None:  # fmt: skip
    """Play a lane of any table; count a fault if a round has asked for more cards than there are."""
    rounds, shoes = _open_lane(lane, lanes, cards, shoe, stream)
    play_table(
        rounds, shoes, cut, counts_side_bets, cards, shoe, stream,
        general.seats, general.hands, general.waiting, general.outcomes, side_kinds,
        sums, general.cells, general.squares, spreads, general.setup, ledger,
    )  # fmt: skip
    add_to(faults, 0, shoe[IS_EXHAUSTED])


@compiled_lean
def play_lanes_alone(
    first: int, stop: int, lanes: Lanes, dealing: Dealing, paths: Paths, counts: Counts, faults: Integers,
    cards: Bytes, shoe: Shoe, stream: Stream, general: General | None, count: Count | None, ledger: Ledger | None,
) -> None:  # fmt: skip
    """Play lanes of a single player one after the other."""
    for lane in range(first, stop):
        play_lane_alone(
            lane, lanes, dealing, paths, counts, faults, cards, shoe, stream, general, count, ledger
        )


@compiled_lean
def play_lanes_endless(
    first: int, stop: int, lanes: Lanes, dealing: Dealing, paths: EndlessPaths, counts: Counts, stream: Stream
) -> None:
    """Play lanes of a single player with infinite packs one after the other."""
    for lane in range(first, stop):
        play_lane_endless(lane, lanes, NO_LIMIT, dealing, paths, counts, stream)


@compiled_lean
def play_lanes_at_table(
    first: int, stop: int, lanes: Lanes, cut: int, counts_side_bets: bool, side_kinds: Integers, sums: Integers,
    spreads: Squares, faults: Integers, cards: Bytes, shoe: Shoe, stream: Stream, general: General,
    ledger: Ledger | None,
) -> None:  # fmt: skip
    """Play lanes of any table one after the other."""
    for lane in range(first, stop):
        play_lane_at_table(
            lane,
            lanes,
            cut,
            counts_side_bets,
            side_kinds,
            sums,
            spreads,
            faults,
            cards,
            shoe,
            stream,
            general,
            ledger,
        )
