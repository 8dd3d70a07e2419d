"""The command ``python -m croupier.durak.training value|play FILE``: play, fit, write the weights."""

import argparse
import io
import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from croupier.durak.training import play_model, value_network
from croupier.durak.training.searched_games import searched_choices
from croupier.files import write_bytes

#: What the shipped weights were made with.
VALUE_GAMES, VALUE_STEPS = 600_000, 6000
PLAY_GAMES, PLAY_STEPS, PLAY_ROUNDS = 2800, 4000, 500
SEED = 1


def main() -> None:
    """Make weights; the defaults make the shipped ones."""
    parser = argparse.ArgumentParser(
        prog="python -m croupier.durak.training",
        description="Make the weights of one of the master's networks.",
    )
    parser.add_argument(
        "network", choices=("value", "play"), help="what a position is worth, or how a skilled player chooses"
    )
    parser.add_argument("file", type=Path, help="where to write them (.npy)")
    parser.add_argument(
        "--games", type=int, help=f"self-played games ({VALUE_GAMES:,}; {PLAY_GAMES:,} for play)"
    )
    parser.add_argument(
        "--steps", type=int, help=f"steps of the fit ({VALUE_STEPS:,}; {PLAY_STEPS:,} for play)"
    )
    parser.add_argument(
        "--rounds",
        type=int,
        default=PLAY_ROUNDS,
        help=f"rounds of the search a move, for play ({PLAY_ROUNDS})",
    )
    parser.add_argument("--seed", type=int, default=SEED, help=f"the seed of games and fit ({SEED})")
    arguments = parser.parse_args()
    if arguments.network == "value":
        weights, told = _value(arguments.games or VALUE_GAMES, arguments.steps or VALUE_STEPS, arguments.seed)
    else:
        weights, told = _play(
            arguments.games or PLAY_GAMES, arguments.steps or PLAY_STEPS, arguments.rounds, arguments.seed
        )
    memory = io.BytesIO()
    np.save(memory, weights)
    write_bytes(arguments.file, memory.getvalue(), what="weights")
    print(f"{told}: {arguments.file}")


def _value(games: int, steps: int, seed: int) -> tuple[NDArray[np.float32], str]:
    rows = value_network.self_played_rows(games, seed, workers=os.cpu_count() or 1)
    found = value_network.fit(rows, steps, seed)
    return found.weights, f"{found.rows:,} bouts, {100 * found.explained:.1f} % of the variance explained"


def _play(games: int, steps: int, rounds: int, seed: int) -> tuple[NDArray[np.float32], str]:
    choices = searched_choices(games, rounds, seed, workers=os.cpu_count() or 1)
    found = play_model.fit(choices, steps, seed)
    return found.weights, f"{found.rows:,} choices, the best move expected in {100 * found.agreement:.1f} %"


if __name__ == "__main__":
    main()
