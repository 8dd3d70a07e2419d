"""Rounds played twice with the same cards as compiled code: what one way to play wins over another, without the luck of the deal."""

import numpy as np
from numpy.typing import NDArray

from croupier.blackjack.simulation.round_kernel import play_round
from croupier.blackjack.simulation.round_terms import RESULT, Integers, Setup
from croupier.blackjack.simulation.shoe_kernel import (
    CHOSEN,
    IS_EXHAUSTED,
    REFILLS,
    Bytes,
    Shoe,
    needs_shuffle,
    open_shoe,
)
from croupier.numerics.compiled import compiled_lean, inlined_lean
from croupier.numerics.random_kernels import Stream

#: Sums over shoes, which are independent: shoes, rounds, what was won more; squares and products of the last two.
SHOES, ROUNDS, GAIN, GAIN_SQUARED, GAIN_TIMES_ROUNDS, ROUNDS_SQUARED = range(6)
SUMS = 6

#: Replay rounds against any up-card.
ANY_UP_CARD = -1


@inlined_lean
def _copy(record: Shoe, to: Shoe) -> None:
    for place in range(len(record)):
        to[place] = record[place]


@compiled_lean
def play_twice(
    rounds: int, cut: int, up_card: int, cards: Bytes, shoe: Shoe, before: Shoe, after: Shoe, stream: Stream,
    seats: Integers, hands: Integers, waiting: Integers, outcomes: Integers, sums: NDArray[np.float64],
    setup: Setup, other: Setup,
) -> None:  # fmt: skip
    """Play rounds one way, and those against an up-card again the other way, with the cards that lie there; add up what the first won more.

    The shoe goes on as the first way left it. A round in which the discards are used again moves cards, cannot be repeated, and ends the shoe.
    """
    played = 0
    while played < rounds and not shoe[IS_EXHAUSTED]:
        open_shoe(shoe)
        gain, dealt, is_open = 0.0, 0.0, True
        while is_open and not shoe[IS_EXHAUSTED]:
            _copy(shoe, before)
            up = play_round(cards, shoe, stream, seats, hands, waiting, outcomes, setup)
            won = seats[0, RESULT]
            _copy(shoe, after)
            if shoe[REFILLS] == 0 and up_card in (ANY_UP_CARD, up):
                _copy(before, shoe)
                shoe[CHOSEN] = after[CHOSEN]
                play_round(cards, shoe, stream, seats, hands, waiting, outcomes, other)
                gain += float(won - seats[0, RESULT])
                after[CHOSEN] = shoe[CHOSEN]
                after[REFILLS] = shoe[REFILLS]
                after[IS_EXHAUSTED] = shoe[IS_EXHAUSTED]
                _copy(after, shoe)
            dealt += 1.0
            played += 1
            is_open = not needs_shuffle(shoe, cut)
        sums[SHOES] += 1.0
        sums[ROUNDS] += dealt
        sums[GAIN] += gain
        sums[GAIN_SQUARED] += gain * gain
        sums[GAIN_TIMES_ROUNDS] += gain * dealt
        sums[ROUNDS_SQUARED] += dealt * dealt
