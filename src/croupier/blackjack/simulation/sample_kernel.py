"""Many columns of a chart played with the same cards, as compiled code: how evolution compares them."""

import numpy as np
from numpy.typing import NDArray

from croupier.blackjack.simulation.round_kernel import play_round
from croupier.blackjack.simulation.round_terms import RESULT, Integers, Setup
from croupier.blackjack.simulation.shoe_kernel import (
    CHOSEN,
    IS_EXHAUSTED,
    Bytes,
    Shoe,
    choose_cards,
    invent_cards,
    open_shoe,
)
from croupier.numerics.compiled import compiled_lean
from croupier.numerics.random_kernels import Stream
from croupier.numerics.together import add_to

Sample = NDArray[np.uint8]

#: What is added up for each column: its results, how much they are above the first column's, and the squares of that.
TOTAL, ABOVE, SQUARED = range(3)
SUM_COUNT = 3


@compiled_lean
def deal_sample(
    packs: Bytes, size: int, is_infinite: bool, up_card: int, stream: Stream, sample: Sample
) -> None:
    """Deal the cards of many rounds against one up-card, which is not in the packs: it comes second, the rest is shuffled each time."""
    depth = sample.shape[1]
    for place in range(sample.shape[0]):
        if is_infinite:
            invent_cards(packs, 0, depth - 1, size, stream, len(packs) - size)
        else:
            choose_cards(packs, 0, depth - 1, size, stream)
        sample[place, 0] = packs[0]
        sample[place, 1] = up_card
        for card in range(2, depth):
            sample[place, card] = packs[card - 1]


@compiled_lean
def play_sample(
    sample: Sample, columns: Integers, results: Integers, sums: Integers,
    shoe: Shoe, stream: Stream, seats: Integers, hands: Integers, waiting: Integers, outcomes: Integers,
    setup: Setup,
) -> None:  # fmt: skip
    """Play every round of a sample by each column; the others are compared with the first one.

    Stops if a round needs more cards than the sample has; the shoe is then marked as exhausted.
    """
    depth = sample.shape[1]
    for place in range(len(columns)):
        column = columns[place]
        own = Setup(
            setup.terms, setup.counting, setup.plans[column : column + 1], setup.indices, setup.ramp, setup.tags,
            setup.after, setup.doubled,
        )  # fmt: skip
        for number in range(sample.shape[0]):
            open_shoe(shoe)
            shoe[CHOSEN] = depth
            play_round(sample[number], shoe, stream, seats, hands, waiting, outcomes, own)
            result = seats[0, RESULT]
            if place == 0:
                results[number] = result
            above = result - results[number]
            add_to(sums, (column, TOTAL), result)
            if above != 0:
                add_to(sums, (column, ABOVE), above)
                add_to(sums, (column, SQUARED), above * above)
            if shoe[IS_EXHAUSTED]:
                return
