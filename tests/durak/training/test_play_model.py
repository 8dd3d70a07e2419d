"""The play model of the compiled search against a second reading in NumPy, what it is shown, and its training."""

import subprocess
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from croupier.durak.engine.bit_kernels import CLUBS
from croupier.durak.engine.board_kernels import ATTACK, DEFEND, THROW_IN, Position
from croupier.durak.players.play_model_kernel import (
    COUNT,
    HAND,
    HIDDEN,
    INPUTS,
    KIND,
    NUMBERS,
    OPEN_CARD,
    OUTPUTS,
    TABLE,
    TRUMP_SUIT,
    WEIGHTS_FILE,
    move_probability,
    write_public_part,
)
from croupier.durak.training.play_model import columns_of, fit, inputs_of
from croupier.durak.training.searched_games import Choices, searched_choices

CHOICES = searched_choices(6, rounds=60, seed=3)

#: The phases of the four things that can be asked for.
_PHASES = (ATTACK, ATTACK, DEFEND, THROW_IN)


def compiled_probabilities(row: int) -> NDArray[np.float64]:
    """What the search would compute for the moves of a choice."""
    seen = CHOICES.seen[row]
    hand, count = int(seen[HAND]), int(seen[COUNT])
    other = (1 << count) - 1
    phase = _PHASES[int(seen[KIND])]
    is_defence = phase == DEFEND
    position = Position(
        other if is_defence else hand,
        hand if is_defence else other,
        int(seen[TABLE]),
        int(seen[OPEN_CARD]),
        0,
        36,
        30,
        1,
        CLUBS << int(seen[TRUMP_SUIT]),
        36,
    )
    public, work = np.zeros(HIDDEN, dtype=np.float32), np.zeros(HIDDEN + NUMBERS, dtype=np.float32)
    write_public_part(seen, public)
    moves = [int(move) for move in CHOICES.moves[row] if move >= 0]
    return np.array([move_probability(position, phase, hand, move, public, work) for move in moves])


def test_the_compiled_model_agrees_with_matrices() -> None:
    weights = np.load(WEIGHTS_FILE)
    first = weights[: INPUTS * HIDDEN].reshape(INPUTS, HIDDEN)
    second = weights[INPUTS * HIDDEN : -OUTPUTS].reshape(OUTPUTS, HIDDEN)
    numbers = np.maximum(inputs_of(CHOICES.seen) @ first, 0) @ second.T + weights[-OUTPUTS:]
    padded = np.hstack([numbers, np.zeros((len(numbers), 1))])
    scores = np.array(
        [row[columns].sum(axis=1) for row, columns in zip(padded, columns_of(CHOICES), strict=True)]
    )
    assert {int(kind) for kind in CHOICES.seen[:, KIND]} == {0, 1, 2, 3}
    for row in range(len(CHOICES.seen)):
        is_move = CHOICES.moves[row] >= 0
        expected = np.exp(scores[row, is_move])
        found = compiled_probabilities(row)
        assert np.allclose(found, expected / expected.sum(), atol=1e-4)


def test_the_shipped_model_expects_the_best_move_more_than_chance() -> None:
    shares = [
        (compiled_probabilities(row)[0], np.sum(CHOICES.moves[row] >= 0)) for row in range(len(CHOICES.seen))
    ]
    gain = np.mean([np.log(share * moves) for share, moves in shares])
    assert gain > 0.2


def assert_same(one: Choices, other: Choices) -> None:
    assert np.array_equal(one.seen, other.seen)
    assert np.array_equal(one.moves, other.moves)
    assert np.array_equal(one.shares, other.shares)


def test_a_seed_gives_the_same_games_and_the_same_weights() -> None:
    assert_same(searched_choices(6, rounds=60, seed=3), CHOICES)
    first = searched_choices(3, rounds=60, seed=3)
    size = len(first.seen)
    assert_same(first, Choices(CHOICES.seen[:size], CHOICES.moves[:size], CHOICES.shares[:size]))
    one, other = (fit(CHOICES, steps=3, seed=2) for _ in range(2))
    assert np.array_equal(one.weights, other.weights)
    assert one.weights.shape == np.load(WEIGHTS_FILE).shape
    assert one.rows == len(CHOICES.seen)


def test_learning_lowers_the_surprise() -> None:
    choices = searched_choices(12, rounds=60, seed=3)
    assert fit(choices, steps=30, seed=1).surprise < fit(choices, steps=1, seed=1).surprise - 0.05


def test_choices_lead_with_the_move_that_was_played_and_hold_legal_moves() -> None:
    assert isinstance(CHOICES, Choices)
    assert np.allclose(CHOICES.shares.sum(axis=1), 1, atol=1e-5)
    assert np.all(CHOICES.moves[:, 0] >= 0)
    assert not np.any(np.maximum(CHOICES.moves, 0) & ~CHOICES.seen[:, HAND, None])


def test_the_command_writes_weights(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "croupier.durak.training", "play", str(tmp_path / "weights.npy")]
    options = ["--games", "2", "--steps", "2", "--rounds", "30"]
    run = subprocess.run([*command, *options], capture_output=True, text=True, check=True)
    assert "choices, the best move expected" in run.stdout
    assert np.load(tmp_path / "weights.npy").dtype == np.float32
