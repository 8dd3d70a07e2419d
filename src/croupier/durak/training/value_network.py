"""Fits the value network to self-played games: plain NumPy, one thread of random numbers, the same weights from the same seed.

The network is that of :mod:`~croupier.durak.players.value_kernel`. It learns the attacker's result, -1 to 1, by least squares, with
the plain suits in a random order in every step.
"""

from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from croupier.durak.players.endgame_kernel import STACK_SHAPE
from croupier.durak.players.value_kernel import INPUTS, PLACES, SHAPES
from croupier.durak.training.adam import Adam, rate_at
from croupier.durak.training.self_play_kernel import COLUMNS, play_games
from croupier.durak.training.suit_orders import SUIT_ORDERS, in_suit_order

#: Games per random stream; another number gives other games for a seed.
BLOCK_GAMES = 2000

_ROWS_A_GAME = 16
_MEMO_ENTRIES = 2**18
_SURPRISE = 0.04
_BATCH = 8192
_HIGHEST_RATE = 4e-3
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


def self_played_rows(games: int, seed: int, workers: int = 1) -> NDArray[np.int64]:
    """Play games and return the start of every bout with the attacker's result; the same for any number of workers.

    >>> rows = self_played_rows(20, seed=1)
    >>> rows.shape[1], set(rows[:, 4].tolist()) <= {-1, 0, 1}
    (5, True)
    """
    begins = range(0, games, BLOCK_GAMES)
    play = partial(_block, games=games, seed=seed)
    if workers == 1:
        return np.concatenate(list(map(play, begins)))
    with ProcessPoolExecutor(workers) as pool:
        return np.concatenate(list(pool.map(play, begins)))


def _block(begin: int, games: int, seed: int) -> NDArray[np.int64]:
    """Play the games of one random stream."""
    number = min(BLOCK_GAMES, games - begin)
    rows = np.zeros((number * _ROWS_A_GAME + 200, COLUMNS), dtype=np.int64)
    seeds = np.random.SeedSequence(seed, spawn_key=(begin // BLOCK_GAMES,))
    stream = seeds.generate_state(1, np.uint64).astype(np.uint64)
    memo = np.zeros((_MEMO_ENTRIES, 2), dtype=np.int64)
    stack, allowance = np.zeros(STACK_SHAPE, dtype=np.int64), np.zeros(1, dtype=np.int64)
    return rows[: play_games(number, _SURPRISE, stream, memo, allowance, stack, rows)].copy()


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
        scales = (0.15, 0.18, 0.0, 0.18, 0.0)
        self.weights = [
            (scale * chance.standard_normal(shape)).astype(np.float32)
            for shape, scale in zip(SHAPES, scales, strict=True)
        ]
        self._adam = Adam(self.weights)

    def values(self, inputs: Floats) -> Floats:
        return self._layers(inputs)[2]

    def learn(self, inputs: Floats, results: Floats, rate: float) -> None:
        _, second, _, output, _ = self.weights
        one, two, values = self._layers(inputs)
        slope = 2 * (values - results) * (1 - values**2) / np.float32(len(results))
        back_two = np.outer(slope, output) * (two > 0)
        back_one = (back_two @ second.T) * (one > 0)
        gradients = (inputs.T @ back_one, one.T @ back_two, back_two.sum(axis=0), two.T @ slope)
        self._adam.step((*gradients, slope.sum(keepdims=True)), rate)

    def _layers(self, inputs: Floats) -> tuple[Floats, Floats, Floats]:
        """Return the units of both hidden layers, and the value."""
        first, second, second_biases, output, bias = self.weights
        one = np.maximum(inputs @ first, 0)
        two = np.maximum(one @ second + second_biases, 0)
        values: Floats = np.tanh(two @ output + bias)
        return one, two, values


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
