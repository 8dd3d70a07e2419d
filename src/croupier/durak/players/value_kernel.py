"""What a new bout is worth, learnt from self-played games: a small network, evaluated inside the compiled search.

The network sees where each card is (with the attacker, with the defender, at which place of the stock) and how many cards the stock
holds, with the suits relabelled so that trumps come first. Two hidden layers of rectified sums lead to one number, the expected score of the
attacker. :mod:`croupier.durak.training` makes the weights; this file holds the ones that are shipped, and the whole of them
becomes part of the compiled code.
"""

import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from croupier.durak.engine.bit_kernels import lowest, place
from croupier.durak.engine.board_kernels import Position, Stock
from croupier.durak.players.network_shapes import PLACES, CounterShape, Layers, ValueShape, layers_of
from croupier.numerics.compiled import compiled, inlined

#: Units of the hidden layers, and where the rows of each kind of input begin.
FIRST_UNITS, SECOND_UNITS = ValueShape.FIRST_UNITS, ValueShape.SECOND_UNITS
HIDDEN = FIRST_UNITS + SECOND_UNITS
_STOCK, _SIZE = ValueShape.STOCK, ValueShape.SIZE

#: Memory for the hidden layers, one after the other; overwritten by every evaluation.
Hidden = NDArray[np.float32]

_DECK_SIZE = 36

#: The shipped weights, which become part of the compiled code.
WEIGHTS_FILE = Path(__file__).with_name("value_network.npy")
COUNTER_WEIGHTS_FILE = Path(__file__).with_name("counter_value_network.npy")
_SKILLED = layers_of(np.load(WEIGHTS_FILE).astype(np.float32), ValueShape)
_COUNTER = layers_of(np.load(COUNTER_WEIGHTS_FILE).astype(np.float32), CounterShape)


@compiled
def expected_score(position: Position, stock: Stock, hidden: Hidden) -> float:
    """Return the expected score of the attacker, 0 to 1, at the start of a bout."""
    return _output(_SKILLED, 0, position, stock, hidden)


@compiled
def expected_score_against_cheap(position: Position, stock: Stock, hidden: Hidden) -> float:
    """Return the same for a game in which seat 1 always plays its cheapest card."""
    return _output(_COUNTER, position.attacker, position, stock, hidden)


@inlined
def _output(layers: Layers, column: int, position: Position, stock: Stock, hidden: Hidden) -> float:
    """Evaluate a network and return one of its outputs as a score."""
    trump_suit = place(position.trumps) & 3
    first, second = hidden[:FIRST_UNITS], hidden[FIRST_UNITS:]
    for unit in range(FIRST_UNITS):
        first[unit] = layers.first[_SIZE + _DECK_SIZE - position.drawn, unit]
    cards = position.attack_hand
    while cards:
        row = place(cards) ^ trump_suit
        cards ^= lowest(cards)
        for unit in range(FIRST_UNITS):
            first[unit] += layers.first[row, unit]
    cards = position.defend_hand
    while cards:
        row = PLACES + (place(cards) ^ trump_suit)
        cards ^= lowest(cards)
        for unit in range(FIRST_UNITS):
            first[unit] += layers.first[row, unit]
    for number in range(position.drawn, _DECK_SIZE):
        row = _STOCK + (number - position.drawn) * PLACES + (int(stock[number]) ^ trump_suit)
        for unit in range(FIRST_UNITS):
            first[unit] += layers.first[row, unit]
    for unit in range(SECOND_UNITS):
        second[unit] = layers.second_biases[unit]
    for unit in range(FIRST_UNITS):
        value = first[unit]
        if value > 0:
            for further in range(SECOND_UNITS):
                second[further] += value * layers.second[unit, further]
    total = layers.output_biases[column]
    for unit in range(SECOND_UNITS):
        total += layers.output[unit, column] * max(second[unit], np.float32(0.0))
    return 1.0 / (1.0 + math.exp(-2.0 * total))
