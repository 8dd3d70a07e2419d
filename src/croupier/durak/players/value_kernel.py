"""What a new bout is worth, learnt from self-played games: a small network, evaluated inside the compiled search.

The network sees where each card is (with the attacker, with the defender, in the stock) and how many cards the stock holds, with the
suits relabelled so that trumps come first. One hidden layer of rectified sums leads to one number, the expected score of the
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

#: Units of the hidden layer, and rows of its weights: a card with the attacker, the defender, in the stock; the size of the stock.
HIDDEN = 32
PLACES = 36
STOCK_SIZES = 25
INPUTS = 3 * PLACES + STOCK_SIZES

#: Memory for the hidden layer; overwritten by every evaluation.
Hidden = NDArray[np.float32]

_DECK_SIZE = 36

#: The shipped weights: one row per input, then the weights of the output, then its bias.
WEIGHTS_FILE = Path(__file__).with_name("value_network.npy")
_WEIGHTS = np.load(WEIGHTS_FILE)
_FIRST: NDArray[np.float32] = np.ascontiguousarray(_WEIGHTS[: INPUTS * HIDDEN].reshape(INPUTS, HIDDEN))
_SECOND: NDArray[np.float32] = np.ascontiguousarray(_WEIGHTS[INPUTS * HIDDEN : -1])
_BIAS = float(_WEIGHTS[-1])


@compiled
def expected_score(position: Position, stock: Stock, hidden: Hidden) -> float:
    """Return the expected score of the attacker, 0 to 1, at the start of a bout."""
    trump_suit = place(position.trumps) & 3
    for unit in range(HIDDEN):
        hidden[unit] = _FIRST[3 * PLACES + _DECK_SIZE - position.drawn, unit]
    cards = position.attack_hand
    while cards:
        row = place(cards) ^ trump_suit
        cards ^= lowest(cards)
        for unit in range(HIDDEN):
            hidden[unit] += _FIRST[row, unit]
    cards = position.defend_hand
    while cards:
        row = PLACES + (place(cards) ^ trump_suit)
        cards ^= lowest(cards)
        for unit in range(HIDDEN):
            hidden[unit] += _FIRST[row, unit]
    for number in range(position.drawn, _DECK_SIZE):
        row = 2 * PLACES + (int(stock[number]) ^ trump_suit)
        for unit in range(HIDDEN):
            hidden[unit] += _FIRST[row, unit]
    total = _BIAS
    for unit in range(HIDDEN):
        total += _SECOND[unit] * max(hidden[unit], np.float32(0.0))
    return 1.0 / (1.0 + math.exp(-2.0 * total))
