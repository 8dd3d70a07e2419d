"""Rounds of a single player with flat bets, as compiled code that follows the arrows of a ``round_automaton``."""

import numpy as np
from numpy.typing import NDArray

from croupier.blackjack.simulation.round_kernel import play_round
from croupier.blackjack.simulation.round_terms import Integers, Setup, Table
from croupier.blackjack.simulation.shoe_kernel import (
    CHOSEN,
    IS_INFINITE,
    POSITION,
    REFILLS,
    SIZE,
    Bytes,
    Shoe,
    choose_ahead,
    open_shoe,
)
from croupier.blackjack.simulation.table_kernel import (
    FULL_SHOES,
    ROUNDS,
    Squares,
    close_shoe,
    record_seats,
)
from croupier.numerics.compiled import compiled_lean
from croupier.numerics.random_kernels import Stream

Arrows = NDArray[np.uint16]

#: As in ``round_automaton``; a row of the histogram has a place for each ending.
_ENDING_BITS = np.uint64(5)
_SPLIT = np.uint64(31)
_FIRST_STATE = np.uint64(40)

_POINT = np.uint64(15)
_ONE, _TWO, _THREE, _TEN = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(10)


@compiled_lean
def play_alone(
    rounds: int, shoes: int, cut: int, longest_round: int,
    deal: Arrows, step: Arrows, won: Integers, row_of_two: Table, histogram: Integers,
    cards: Bytes, shoe: Shoe, stream: Stream,
    seats: Integers, hands: Integers, waiting: Integers, outcomes: Integers,
    sums: Integers, cells: Integers, squares: Squares, spreads: Squares,
    setup: Setup,
) -> None:  # fmt: skip
    """Play this many rounds or shoes, whichever comes first.

    Rounds without a split are counted in ``histogram`` by cell and ending. Those with one, and those that might run out of
    cards, are played by the general kernel and recorded as it does.
    """
    deal_size = np.uint64(4 if setup.terms.peeks else 3)
    last_start = np.uint64(max(shoe[SIZE] - longest_round, 0))
    open_shoe(shoe)
    position, chosen = np.uint64(0), np.uint64(0)
    shoe_result, shoe_rounds, played = 0, 0, 0
    is_over = False
    while played < rounds and sums[FULL_SHOES] < shoes:
        start = position
        ending = _SPLIT
        if position <= last_start:
            if position + deal_size > chosen:
                chosen = np.uint64(choose_ahead(cards, shoe, stream))
            first = np.uint64(cards[position]) & _POINT
            up = np.uint64(cards[position + _ONE]) & _POINT
            second = np.uint64(cards[position + _TWO]) & _POINT
            place = (first * _TEN + up) * _TEN + second
            if setup.terms.peeks:
                place = place * _TEN + (np.uint64(cards[position + _THREE]) & _POINT)
            ending = np.uint64(deal[place])
            position += deal_size
            while ending >= _FIRST_STATE:
                if position == chosen:
                    chosen = np.uint64(choose_ahead(cards, shoe, stream))
                ending = np.uint64(step[ending + (np.uint64(cards[position]) & _POINT)])
                position += _ONE
            row = np.uint64(row_of_two[first * _TEN + second])
            histogram[((row * _TEN + up) << _ENDING_BITS) + ending] += 1
            shoe_result += won[ending]
        if ending == _SPLIT:
            shoe[POSITION] = start
            slow_up = play_round(cards, shoe, stream, seats, hands, waiting, outcomes, setup)
            result, _ = record_seats(slow_up, seats, 1, sums, cells, squares)
            shoe_result += result
            position, chosen = np.uint64(shoe[POSITION]), np.uint64(shoe[CHOSEN])
            is_over = shoe[REFILLS] > 0 and not shoe[IS_INFINITE]
        shoe_rounds += 1
        played += 1
        if position >= np.uint64(cut) or is_over:
            shoe[POSITION] = position
            close_shoe(shoe_result, shoe_rounds, shoe_rounds, shoe, True, sums, spreads)
            shoe_result, shoe_rounds, is_over = 0, 0, False
            open_shoe(shoe)
            position, chosen = np.uint64(0), np.uint64(0)
    if shoe_rounds > 0:
        close_shoe(shoe_result, shoe_rounds, shoe_rounds, shoe, False, sums, spreads)
    sums[ROUNDS] = played
