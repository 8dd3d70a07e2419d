"""What a new bout is worth, learnt from self-played games: a small network, evaluated inside the compiled search.

The network sees where each card is (with the attacker, with the defender, in the stock) and how many cards the stock holds, with the
suits relabelled so that trumps come first. Two hidden layers of rectified sums lead to one number, the expected score of the
attacker. :mod:`croupier.durak.training` makes the weights; this file holds the ones that are shipped, and the whole of them
becomes part of the compiled code.
"""

import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from croupier.durak.engine.bit_kernels import lowest, place
from croupier.durak.engine.board_kernels import Position, Stock
from croupier.numerics.compiled import compiled

#: Units of the two hidden layers, and rows of the first one's weights: a card with the attacker, the defender, in the stock; the
#: size of the stock.
FIRST_UNITS = 64
SECOND_UNITS = 32
HIDDEN = FIRST_UNITS + SECOND_UNITS
PLACES = 36
STOCK_SIZES = 25
INPUTS = 3 * PLACES + STOCK_SIZES

#: Memory for the hidden layers, one after the other; overwritten by every evaluation.
Hidden = NDArray[np.float32]

_DECK_SIZE = 36

#: The shapes of the weights, in the order in which a file holds them: the first layer, the second and its biases, the output and
#: its bias.
SHAPES = ((INPUTS, FIRST_UNITS), (FIRST_UNITS, SECOND_UNITS), (SECOND_UNITS,), (SECOND_UNITS,), (1,))

Floats = NDArray[np.float32]

WEIGHTS_FILE = Path(__file__).with_name("value_network.npy")


def read_weights(flat: Floats) -> tuple[Floats, ...]:
    """Return the weights of a file in their shapes.

    >>> [part.shape for part in read_weights(np.load(WEIGHTS_FILE))] == list(SHAPES)
    True
    """
    sizes = [math.prod(shape) for shape in SHAPES]
    parts = np.split(flat, np.cumsum(sizes)[:-1])
    return tuple(np.ascontiguousarray(part.reshape(shape)) for part, shape in zip(parts, SHAPES, strict=True))


_FIRST, _SECOND, _SECOND_BIASES, _OUTPUT, _OUTPUT_BIAS = read_weights(np.load(WEIGHTS_FILE))
_BIAS = float(_OUTPUT_BIAS[0])


@compiled
def expected_score(position: Position, stock: Stock, hidden: Hidden) -> float:
    """Return the expected score of the attacker, 0 to 1, at the start of a bout."""
    trump_suit = place(position.trumps) & 3
    first, second = hidden[:FIRST_UNITS], hidden[FIRST_UNITS:]
    for unit in range(FIRST_UNITS):
        first[unit] = _FIRST[3 * PLACES + _DECK_SIZE - position.drawn, unit]
    cards = position.attack_hand
    while cards:
        row = place(cards) ^ trump_suit
        cards ^= lowest(cards)
        for unit in range(FIRST_UNITS):
            first[unit] += _FIRST[row, unit]
    cards = position.defend_hand
    while cards:
        row = PLACES + (place(cards) ^ trump_suit)
        cards ^= lowest(cards)
        for unit in range(FIRST_UNITS):
            first[unit] += _FIRST[row, unit]
    for number in range(position.drawn, _DECK_SIZE):
        row = 2 * PLACES + (int(stock[number]) ^ trump_suit)
        for unit in range(FIRST_UNITS):
            first[unit] += _FIRST[row, unit]
    for unit in range(SECOND_UNITS):
        second[unit] = _SECOND_BIASES[unit]
    for unit in range(FIRST_UNITS):
        value = first[unit]
        if value > 0:
            for further in range(SECOND_UNITS):
                second[further] += value * _SECOND[unit, further]
    total = _BIAS
    for unit in range(SECOND_UNITS):
        total += _OUTPUT[unit] * max(second[unit], np.float32(0.0))
    return 1.0 / (1.0 + math.exp(-2.0 * total))
