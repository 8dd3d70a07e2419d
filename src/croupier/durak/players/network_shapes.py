"""The shapes of the networks that the search evaluates and that training makes; both sides read them here.

Light on purpose: training runs on machines that have no more than PyTorch.
"""

import math
from typing import Any, NamedTuple

#: The cards of the pack, and the sizes that the stock may have.
PLACES = 36
STOCK_SIZES = 25


class PolicyShape:
    """The policy: units of its hidden layers, where each kind of input begins, and its outputs.

    Inputs are six sets of cards, the size of the stock, the number of cards in the other hand (the last stands for more, too), what is
    asked for, the rank of the open trump, and how many cards may be thrown in (likewise). Outputs are one number for each card, and
    one for playing none.
    """

    FIRST_UNITS = 1024
    SECOND_UNITS = 512
    SETS = 6
    COUNTS = 16
    KINDS = 4
    RANKS = 9
    ROOMS = 8
    STOCK = SETS * PLACES
    COUNT = STOCK + STOCK_SIZES
    KIND = COUNT + COUNTS
    RANK = KIND + KINDS
    ROOM = RANK + RANKS
    INPUTS = ROOM + ROOMS
    OUTPUTS = PLACES + 1
    #: Numbers that an evaluation needs memory for: both layers, the outputs and room to round them up, and a list of units.
    PADDED_OUTPUTS = 48
    MEMORY = FIRST_UNITS + SECOND_UNITS + PADDED_OUTPUTS + FIRST_UNITS // 2


class ValueShape:
    """The value of a bout's start: units of its hidden layers, and where each kind of input begins.

    Inputs are the hands of the attacker and the defender, the card at each place of the stock, the next one first, and its size.
    """

    FIRST_UNITS = 256
    SECOND_UNITS = 32
    SETS = 2
    STOCK = SETS * PLACES
    SIZE = STOCK + (STOCK_SIZES - 1) * PLACES
    INPUTS = SIZE + STOCK_SIZES
    OUTPUTS = 1


class CounterShape(ValueShape):
    """The value of a bout's start against a player that always plays its cheapest card: when that player defends, and when it attacks."""

    OUTPUTS = 2


class Layers(NamedTuple):
    """The weights of a network with two hidden layers; the biases of the first are part of its rows."""

    first: Any
    second: Any
    second_biases: Any
    output: Any
    output_biases: Any


def layers_of(flat: Any, shape: type[PolicyShape | ValueShape]) -> Layers:
    """Return the weights of a file, which holds one layer after another.

    >>> import numpy as np
    >>> size = 961 * 256 + 256 * 32 + 32 + 32 + 1
    >>> [part.shape for part in layers_of(np.zeros(size), ValueShape)]
    [(961, 256), (256, 32), (32,), (32, 1), (1,)]
    """
    shapes = (
        (shape.INPUTS, shape.FIRST_UNITS),
        (shape.FIRST_UNITS, shape.SECOND_UNITS),
        (shape.SECOND_UNITS,),
        (shape.SECOND_UNITS, shape.OUTPUTS),
        (shape.OUTPUTS,),
    )
    parts, begin = [], 0
    for form in shapes:
        size = math.prod(form)
        parts.append(flat[begin : begin + size].reshape(form))
        begin += size
    if begin != len(flat):
        raise ValueError(f"{len(flat)} weights instead of {begin}")
    return Layers(*parts)
