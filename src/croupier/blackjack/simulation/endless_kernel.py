"""Rounds of a single player from infinite packs, as compiled code: cards come straight from random words, and there is no shoe.

Half a random word is worth four cards, because 13**4 is far below 2**32: the product of the half and 13 has a rank in its upper half, and in its
lower half what the next card is made of. A half whose last rest is too small would make some cards likelier than others; its word is dropped
(see :func:`~croupier.numerics.random_kernels.four_below`). One word deals a round and holds four further cards for it.

Numbers have 32 bits where they can: a GPU needs twice as long for 64.
"""

from typing import NamedTuple

import numpy as np

from croupier.blackjack.simulation.round_terms import Integers, Table
from croupier.blackjack.simulation.single_seat_kernel import (
    Arrows,
    Counts,
    Dealing,
    Paths,
    Totals,
    add_totals,
    close_shoe,
    next_hand,
    settle_split,
)
from croupier.blackjack.solvers.chart_moves import FIRST_PAIR_ROW
from croupier.numerics.compiled import compiled_lean, inlined_lean
from croupier.numerics.random_kernels import Stream, xoshiro_step
from croupier.numerics.together import add_to, in_any_lane

RANKS = 13

_RANKS, _PAIRS, _FOUR_CARDS = np.uint64(RANKS), np.uint64(RANKS**2), np.uint64(RANKS**4)
_HALF, _LOW = np.uint64(32), np.uint64(0xFFFFFFFF)
_SMALLEST_REST = np.uint32(2**32 % RANKS**4)
_LAST_RANK, _TEN_POINT = np.uint32(RANKS - 1), np.uint32(8)
_TEN, _ONE, _ZERO = np.uint32(10), np.uint32(1), np.uint32(0)
_CARDS_OF_HALF = np.uint32(4)
_FIRST_PAIR_ROW = np.uint32(FIRST_PAIR_ROW)

#: As in ``round_automaton``.
_ENDING_BITS = np.uint32(5)
_DEALER_DONE, _SPLIT, _FIRST_STATE = np.uint32(32), np.uint32(63), np.uint32(128)


class EndlessPaths(NamedTuple):
    """A round automaton with its deal by ranks.

    ``rows`` are the chart's rows of two ranks, ``dealers`` the point classes of the up-card and, where there is one, the hole card (ten times the
    first plus the second), and ``deal`` leads on from both.
    """

    rows: Table
    dealers: Table
    deal: Arrows
    step: Arrows
    won: Integers
    paths: Paths


@inlined_lean
def _is_fair(half: np.uint64) -> bool:
    return bool(np.uint32(half * _FOUR_CARDS) >= _SMALLEST_REST)


@inlined_lean
def _fair_word(
    a: np.uint64, b: np.uint64, c: np.uint64, d: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64, np.uint64]:
    """Return the next random word whose halves are four cards each without bias, and the generator's state after it."""
    word, a, b, c, d = xoshiro_step(a, b, c, d)
    while not (_is_fair(word >> _HALF) and _is_fair(word & _LOW)):
        word, a, b, c, d = xoshiro_step(a, b, c, d)
    return word, a, b, c, d


@inlined_lean
def _point_of(rank: np.uint32) -> np.uint32:
    point = rank if rank < _TEN_POINT else _TEN_POINT
    return np.uint32(point + _ONE) if rank == _LAST_RANK else point


@inlined_lean
def _record(
    arrow: np.uint32, row: np.uint32, up: np.uint32, done: np.uint64, codes: np.uint64, scale: int,
    paths: EndlessPaths, counts: Counts,
) -> int:  # fmt: skip
    """Count a round; return what it won."""
    if arrow >= _DEALER_DONE:
        cell = np.uint64((row - _FIRST_PAIR_ROW) * _TEN + up)
        dealer = np.uint64(arrow - _DEALER_DONE)
        return settle_split(dealer, codes, done, cell, np.uint64(0), paths.paths, counts) * scale
    add_to(counts.histogram, np.uint32((np.uint32(row * _TEN + up) << _ENDING_BITS) + arrow), 1)
    return int(paths.won[arrow])


@compiled_lean
def play_endless(
    rounds: int,
    shoes: int,
    most_steps: int,
    dealing: Dealing,
    paths: EndlessPaths,
    counts: Counts,
    stream: Stream,
) -> None:
    """Play this many rounds or shoes, whichever comes first.

    Lanes that run in step take up to ``most_steps`` cards or new hands between two deals; those whose round is over by then begin the
    next one, while the others go on. What is counted does not depend on it.
    """
    a, b, c, d = stream[0], stream[1], stream[2], stream[3]
    width, cut = np.uint32(100 if dealing.peeks else 10), np.uint32(dealing.cut)
    deal_size = np.uint32(4 if dealing.peeks else 3)
    full, played, shoe_result, shoe_rounds = Totals(0, 0, 0, 0, 0, 0), np.int32(0), np.int32(0), np.int32(0)
    arrow, row, dealer, dealt = _ZERO, _ZERO, _ZERO, _ZERO
    rest, left = _ZERO, _ZERO
    hands, done, codes = np.uint64(1), np.uint64(0), np.uint64(0)
    is_playing, is_dealt = rounds > 0 and shoes > 0, False
    while in_any_lane(is_playing):
        if is_playing and not is_dealt:
            word, a, b, c, d = _fair_word(a, b, c, d)
            player = (word >> _HALF) * _PAIRS
            row = np.uint32(paths.rows[player >> _HALF])
            dealer = np.uint32(paths.dealers[((player & _LOW) * _PAIRS) >> _HALF])
            arrow = np.uint32(paths.deal[np.uint32(np.uint32(row * width) + dealer)])
            rest, left = np.uint32(word), _CARDS_OF_HALF
            dealt = np.uint32(dealt + deal_size)
            hands, done, codes = np.uint64(1), np.uint64(0), np.uint64(0)
            is_dealt = True
        steps = 0
        while steps < most_steps and in_any_lane(arrow >= _SPLIT):
            steps += 1
            if arrow >= _FIRST_STATE:
                if left == _ZERO:
                    word, a, b, c, d = _fair_word(a, b, c, d)
                    rest, left = np.uint32(word), _CARDS_OF_HALF
                product = np.uint64(rest) * _RANKS
                rest, left = np.uint32(product), np.uint32(left - _ONE)
                arrow = np.uint32(paths.step[np.uint32(arrow + _point_of(np.uint32(product >> _HALF)))])
                dealt = np.uint32(dealt + _ONE)
            elif arrow >= _SPLIT:
                up = np.uint32(dealer // _TEN) if dealing.peeks else dealer
                hole = np.uint32(dealer - up * _TEN) if dealing.peeks else _ZERO
                onward, hands, done, codes = next_hand(
                    np.uint64(arrow), hands, done, codes, np.uint64(row - _FIRST_PAIR_ROW), np.uint64(up), np.uint64(hole),
                    paths.paths,
                )  # fmt: skip
                arrow = np.uint32(onward)
        if is_dealt and arrow < _SPLIT:
            up = np.uint32(dealer // _TEN) if dealing.peeks else dealer
            won = _record(arrow, row, up, done, codes, dealing.scale, paths, counts)
            is_dealt = False
            shoe_result = np.int32(shoe_result + won)
            shoe_rounds = np.int32(shoe_rounds + 1)
            played = np.int32(played + 1)
            if dealt >= cut:
                full = close_shoe(
                    int(np.int64(shoe_result)),
                    int(np.int64(shoe_rounds)),
                    int(np.int64(shoe_rounds)),
                    int(np.int64(dealt)),
                    full,
                )
                shoe_result, shoe_rounds, dealt = np.int32(0), np.int32(0), _ZERO
            is_playing = bool(played < rounds and full.shoes < shoes)
    add_totals(
        full,
        int(np.int64(shoe_result)),
        int(np.int64(shoe_rounds)),
        int(np.int64(shoe_rounds)),
        int(np.int64(played)),
        counts,
    )
