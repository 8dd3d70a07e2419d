"""The network of the compiled search against a second reading in NumPy, and its training: same seed, same weights."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from croupier.durak.engine.bit_kernels import CLUBS
from croupier.durak.engine.board_kernels import Position
from croupier.durak.players.value_kernel import HIDDEN, WEIGHTS_FILE, expected_score, read_weights
from croupier.durak.training.value_network import fit, inputs_of, self_played_rows

ROWS = self_played_rows(300, seed=3)


def position_of(row: NDArray[np.int64]) -> tuple[Position, NDArray[np.int8]]:
    """The start of a bout as the search meets it; the order of the stock plays no part."""
    attacker, defender, rest, trump_suit, _ = (int(value) for value in row)
    stock = np.zeros(36, dtype=np.int8)
    left = [place for place in range(36) if rest >> place & 1]
    stock[36 - len(left) :] = left
    return Position(attacker, defender, 0, 0, 0, 36, 36 - len(left), 0, CLUBS << trump_suit, 36), stock


def test_the_compiled_network_agrees_with_matrices() -> None:
    first, second, second_biases, output, bias = read_weights(np.load(WEIGHTS_FILE))
    one = np.maximum(inputs_of(ROWS[:200]) @ first, 0)
    values = np.tanh(np.maximum(one @ second + second_biases, 0) @ output + bias)
    hidden = np.zeros(HIDDEN, dtype=np.float32)
    for row, value in zip(ROWS[:200], values, strict=True):
        assert 2 * expected_score(*position_of(row), hidden) - 1 == pytest.approx(value, abs=1e-4)


def test_the_shipped_network_knows_more_than_the_average_result() -> None:
    hidden = np.zeros(HIDDEN, dtype=np.float32)
    values = np.array([2 * expected_score(*position_of(row), hidden) - 1 for row in ROWS])
    results = ROWS[:, 4]
    assert np.mean((values - results) ** 2) < 0.85 * np.var(results)


def test_self_played_bouts_are_real_positions() -> None:
    hands = ROWS[:, 0] | ROWS[:, 1] | ROWS[:, 2]
    assert not np.any(ROWS[:, 0] & ROWS[:, 1] | (ROWS[:, 0] | ROWS[:, 1]) & ROWS[:, 2])
    assert np.all(hands < 1 << 36)
    with_stock = ROWS[ROWS[:, 2] > 0]
    assert all(int(row[0]).bit_count() >= 6 <= int(row[1]).bit_count() for row in with_stock)
    assert {-1, 1} <= set(ROWS[:, 4].tolist()) <= {-1, 0, 1}


def test_a_seed_gives_the_same_games_and_the_same_weights() -> None:
    assert np.array_equal(ROWS, self_played_rows(300, seed=3))
    assert not np.array_equal(ROWS[:50], self_played_rows(300, seed=4)[:50])
    one, other = (fit(ROWS, steps=5, seed=2) for _ in range(2))
    assert np.array_equal(one.weights, other.weights)
    assert one.weights.shape == np.load(WEIGHTS_FILE).shape
    assert one.rows == len(ROWS)


def test_learning_explains_results() -> None:
    rows = self_played_rows(2000, seed=5)
    assert fit(rows, steps=150, seed=1).explained > fit(rows, steps=1, seed=1).explained + 0.05


def test_the_command_writes_weights(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "croupier.durak.training", "value", str(tmp_path / "weights.npy")]
    run = subprocess.run(
        [*command, "--games", "50", "--steps", "2"], capture_output=True, text=True, check=True
    )
    assert "of the variance explained" in run.stdout
    assert np.load(tmp_path / "weights.npy").dtype == np.float32


@pytest.mark.verify
def test_any_number_of_workers_plays_the_same_games() -> None:
    assert np.array_equal(self_played_rows(2100, seed=3, workers=2), self_played_rows(2100, seed=3))
