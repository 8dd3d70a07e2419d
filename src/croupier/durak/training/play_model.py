"""Fits the play model to choices of the master: plain NumPy, one stream of random numbers, the same weights from the same seed.

The network is that of :mod:`~croupier.durak.players.play_model_kernel`. It learns which move the search preferred, by the logarithm of
its probability, with the plain suits in a random order in every step. Half of what it is told is the best move, half how often
the search visited each.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from croupier.durak.players.play_model_kernel import (
    BOTTOM,
    BOTTOM_INPUTS,
    CARD_SETS,
    COUNT,
    COUNT_INPUTS,
    COUNTS,
    HIDDEN,
    INPUTS,
    KIND,
    KIND_INPUTS,
    OUTPUTS,
    PLACES,
    STOCK,
    STOCK_INPUTS,
    TRUMP_SUIT,
)
from croupier.durak.training.adam import Adam, rate_at
from croupier.durak.training.searched_games import Choices
from croupier.durak.training.suit_orders import SUIT_ORDERS, in_suit_order

_BATCH = 2048
_HIGHEST_RATE = 3e-3
_HELD_BACK = 0.04

#: The share of the visits in what is learnt; the rest is the best move alone.
_VISITS_SHARE = 0.5

#: The column of a number that is always zero.
NOTHING = OUTPUTS

_NEVER = np.float32(-1e9)

Floats = NDArray[np.float32]
Columns = NDArray[np.uint8]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class PlayModelFit:
    """Weights and how well they fit.

    Attributes
    ----------
    weights
        As the kernel reads them.
    agreement
        How often the likeliest move was the best, in choices that were held back.
    surprise
        The mean of minus the logarithm of the probability of the best move, in the same choices.
    rows
        How many choices it was fitted to.
    """

    weights: Floats
    agreement: float
    surprise: float
    rows: int


def inputs_of(seen: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return the inputs of the network for what was seen, trumps first.

    >>> inputs = inputs_of(np.array([[5, 0, 0, 0, 0, 24, 6, 0, 8, 3]]))
    >>> inputs.shape, np.flatnonzero(inputs[0]).tolist()
    ((1, 234), [1, 3, 204, 211, 221, 225])
    """
    places = np.arange(PLACES) ^ seen[:, TRUMP_SUIT, None]
    inputs = np.zeros((len(seen), INPUTS), dtype=np.uint8)
    for number in range(CARD_SETS):
        inputs[:, number * PLACES : (number + 1) * PLACES] = seen[:, number, None] >> places & 1
    rows = np.arange(len(seen))
    inputs[rows, STOCK_INPUTS + seen[:, STOCK]] = 1
    inputs[rows, COUNT_INPUTS + np.minimum(seen[:, COUNT], COUNTS - 1)] = 1
    inputs[rows, KIND_INPUTS + seen[:, KIND]] = 1
    inputs[rows, BOTTOM_INPUTS + np.log2(seen[:, BOTTOM]).astype(np.int64) // 4] = 1
    return inputs


def columns_of(choices: Choices) -> NDArray[np.uint8]:
    """Return which numbers of the network each move adds up: those of its cards, trumps first, or that of playing none.

    The last axis holds their columns; :data:`NOTHING` fills it up.
    """
    bits = np.maximum(choices.moves, 0).astype("<i8").view(np.uint8).reshape(*choices.moves.shape, 8)
    cards = np.unpackbits(bits, axis=2, count=PLACES, bitorder="little")
    counts = cards.sum(axis=2, dtype=np.int64)
    row, move, card = np.nonzero(cards)
    order = np.arange(len(row)) - np.repeat(np.cumsum(counts) - counts.ravel(), counts.ravel())
    columns = np.full((*choices.moves.shape, counts.max()), NOTHING, dtype=np.uint8)
    columns[row, move, order] = card ^ choices.seen[row, TRUMP_SUIT]
    columns[:, :, 0][choices.moves == 0] = PLACES
    return columns


class _Network:
    """The weights of the network, and what Adam remembers of them."""

    def __init__(self, chance: np.random.Generator) -> None:
        shapes = ((INPUTS, HIDDEN), (OUTPUTS, HIDDEN), (OUTPUTS,))
        scales = (0.12, 0.12, 0.0)
        self.weights: list[Floats] = [
            (scale * chance.standard_normal(shape)).astype(np.float32)
            for shape, scale in zip(shapes, scales, strict=True)
        ]
        self._adam = Adam(self.weights)

    def probabilities(self, inputs: Floats, columns: Columns, is_move: Flags) -> tuple[Floats, Floats]:
        """Return the probability of each move, and the hidden layer."""
        first, second, bias = self.weights
        hidden = np.maximum(inputs @ first, 0)
        numbers = np.zeros((len(inputs), NOTHING + 1), dtype=np.float32)
        numbers[:, :OUTPUTS] = hidden @ second.T + bias
        sums = numbers[np.arange(len(inputs))[:, None, None], columns].sum(axis=2)
        scores = np.where(is_move, sums, _NEVER)
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        probabilities: Floats = scores / scores.sum(axis=1, keepdims=True)
        return probabilities, hidden

    def learn(self, inputs: Floats, columns: Columns, is_move: Flags, shares: Floats, rate: float) -> None:
        """Make one step towards the shares of the moves."""
        probabilities, hidden = self.probabilities(inputs, columns, is_move)
        slope = (probabilities - shares) / np.float32(len(shares))
        cells = np.arange(len(inputs))[:, None, None] * (NOTHING + 1) + columns
        weights = np.broadcast_to(slope[:, :, None], columns.shape)
        size = len(inputs) * (NOTHING + 1)
        back_numbers = np.bincount(cells.ravel(), weights.ravel(), size).astype(np.float32)
        back_numbers = back_numbers.reshape(len(inputs), -1)[:, :OUTPUTS]
        back = back_numbers @ self.weights[1] * (hidden > 0)
        self._adam.step((inputs.T @ back, back_numbers.T @ hidden, back_numbers.sum(axis=0)), rate)


def fit(choices: Choices, steps: int, seed: int) -> PlayModelFit:
    """Fit the network to choices; the learning rate rises to its highest and falls to zero again."""
    chance = np.random.default_rng(seed)
    inputs, columns, size = inputs_of(choices.seen), columns_of(choices), len(choices.seen)
    held_back = max(1, int(_HELD_BACK * size))
    network = _Network(chance)
    for step in range(steps):
        chosen = chance.integers(held_back, size, _BATCH)
        order = SUIT_ORDERS[chance.integers(len(SUIT_ORDERS))]
        relabelled = in_suit_order(order, CARD_SETS * PLACES, INPUTS)
        numbers = np.argsort(in_suit_order(order, PLACES, NOTHING + 1)).astype(np.uint8)
        shares = np.float32(_VISITS_SHARE) * choices.shares[chosen]
        shares[:, 0] += np.float32(1 - _VISITS_SHARE)
        network.learn(
            inputs[chosen][:, relabelled].astype(np.float32),
            numbers[columns[chosen]],
            choices.moves[chosen] >= 0,
            shares,
            rate_at((step + 1) / steps, _HIGHEST_RATE),
        )
    found, _ = network.probabilities(
        inputs[:held_back].astype(np.float32),
        columns[:held_back],
        choices.moves[:held_back] >= 0,
    )
    return PlayModelFit(
        weights=np.concatenate([weights.ravel() for weights in network.weights]),
        agreement=float(np.mean(found.argmax(axis=1) == 0)),
        surprise=float(-np.mean(np.log(np.maximum(found[:, 0], 1e-9)))),
        rows=size,
    )
