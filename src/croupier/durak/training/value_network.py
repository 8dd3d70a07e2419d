"""Fits the value network to self-played games: plain NumPy, one thread of random numbers, the same weights from the same seed.

The network is that of :mod:`~croupier.durak.players.value_kernel`. It learns the attacker's result, -1 to 1, by least squares, with
the plain suits in a random order in every step.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from croupier.durak.players.endgame_kernel import STACK_SHAPE
from croupier.durak.players.value_kernel import HIDDEN, INPUTS, PLACES
from croupier.durak.training.adam import Adam, rate_at
from croupier.durak.training.self_play_kernel import COLUMNS, play_games
from croupier.durak.training.suit_orders import SUIT_ORDERS, in_suit_order

#: Games per random stream; another number gives other games for a seed.
BLOCK_GAMES = 2000

_ROWS_A_GAME = 16
_MEMO_ENTRIES = 2**18
_SURPRISE = 0.04
_BATCH = 4096
_HIGHEST_RATE = 6e-3
_HELD_BACK = 0.05

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Fit:
    """Weights and how well they fit.

    Attributes
    ----------
    weights
        As the kernel reads them.
    explained
        The share of the variance of the results that is explained, in games that were held back.
    rows
        How many starts of bouts it was fitted to.
    """

    weights: Floats
    explained: float
    rows: int


def self_played_rows(games: int, seed: int) -> NDArray[np.int64]:
    """Play games and return the start of every bout with the attacker's result.

    >>> rows = self_played_rows(20, seed=1)
    >>> rows.shape[1], set(rows[:, 4].tolist()) <= {-1, 0, 1}
    (5, True)
    """
    memo = np.zeros((_MEMO_ENTRIES, 2), dtype=np.int64)
    stack, allowance = np.zeros(STACK_SHAPE, dtype=np.int64), np.zeros(1, dtype=np.int64)
    blocks = []
    for begin in range(0, games, BLOCK_GAMES):
        number = min(BLOCK_GAMES, games - begin)
        rows = np.zeros((number * _ROWS_A_GAME + 200, COLUMNS), dtype=np.int64)
        seeds = np.random.SeedSequence(seed, spawn_key=(begin // BLOCK_GAMES,))
        stream = seeds.generate_state(1, np.uint64).astype(np.uint64)
        size = play_games(number, _SURPRISE, stream, memo, allowance, stack, rows)
        blocks.append(rows[:size].copy())
    return np.concatenate(blocks)


def inputs_of(rows: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return the inputs of the network for starts of bouts, trumps first.

    >>> inputs = inputs_of(np.array([[0b10, 0b100, 0, 1, 1]]))
    >>> inputs.shape, inputs[0, 0], inputs[0, 36 + 3], inputs[0, 108]
    ((1, 133), np.uint8(1), np.uint8(1), np.uint8(1))
    """
    places = np.arange(PLACES) ^ rows[:, 3:4]
    inputs = np.zeros((len(rows), INPUTS), dtype=np.uint8)
    for number in range(3):
        inputs[:, number * PLACES : (number + 1) * PLACES] = rows[:, number : number + 1] >> places & 1
    stock = inputs[:, 2 * PLACES : 3 * PLACES].sum(axis=1)
    inputs[np.arange(len(rows)), 3 * PLACES + stock] = 1
    return inputs


class _Network:
    """The weights, their gradients, and Adam's memory of them."""

    def __init__(self, chance: np.random.Generator) -> None:
        shapes = ((INPUTS, HIDDEN), (HIDDEN,), (1,))
        scales = (0.15, 0.15, 0.0)
        self.weights = [
            (scale * chance.standard_normal(shape)).astype(np.float32)
            for shape, scale in zip(shapes, scales, strict=True)
        ]
        self._adam = Adam(self.weights)

    def values(self, inputs: Floats) -> Floats:
        first, second, bias = self.weights
        result: Floats = np.tanh(np.maximum(inputs @ first, 0) @ second + bias)
        return result

    def learn(self, inputs: Floats, results: Floats, rate: float) -> None:
        first, second, bias = self.weights
        hidden = np.maximum(inputs @ first, 0)
        values = np.tanh(hidden @ second + bias)
        slope = 2 * (values - results) * (1 - values**2) / np.float32(len(results))
        back = np.outer(slope, second) * (hidden > 0)
        self._adam.step((inputs.T @ back, hidden.T @ slope, slope.sum(keepdims=True)), rate)


def fit(rows: NDArray[np.int64], steps: int, seed: int) -> Fit:
    """Fit the network to starts of bouts; the learning rate rises to its highest and falls to zero again."""
    chance = np.random.default_rng(seed)
    inputs, results = inputs_of(rows), rows[:, 4].astype(np.float32)
    held_back = max(1, int(_HELD_BACK * len(rows)))
    network = _Network(chance)
    columns = [in_suit_order(order, 3 * PLACES, INPUTS) for order in SUIT_ORDERS]
    for step in range(steps):
        chosen = chance.integers(held_back, len(rows), _BATCH)
        batch = inputs[chosen][:, columns[chance.integers(len(columns))]].astype(np.float32)
        network.learn(batch, results[chosen], rate_at((step + 1) / steps, _HIGHEST_RATE))
    error = network.values(inputs[:held_back].astype(np.float32)) - results[:held_back]
    explained = 1 - float(np.mean(error**2) / np.var(results[:held_back]))
    return Fit(np.concatenate([weights.ravel() for weights in network.weights]), explained, len(rows))
