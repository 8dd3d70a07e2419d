"""The command ``python -m croupier.durak.training FILE``: play, fit, write the weights."""

import argparse
import io
from pathlib import Path

import numpy as np

from croupier.durak.training.value_network import fit, self_played_rows
from croupier.files import write_bytes

#: What the shipped weights were made with.
GAMES, STEPS, SEED = 100_000, 4000, 1


def main() -> None:
    """Make weights; the defaults make the shipped ones."""
    parser = argparse.ArgumentParser(
        prog="python -m croupier.durak.training",
        description="Make the weights of the master's value network.",
    )
    parser.add_argument("file", type=Path, help="where to write them (.npy)")
    parser.add_argument("--games", type=int, default=GAMES, help=f"self-played games ({GAMES:,})")
    parser.add_argument("--steps", type=int, default=STEPS, help=f"steps of the fit ({STEPS:,})")
    parser.add_argument("--seed", type=int, default=SEED, help=f"the seed of games and fit ({SEED})")
    arguments = parser.parse_args()
    rows = self_played_rows(arguments.games, arguments.seed)
    found = fit(rows, arguments.steps, arguments.seed)
    memory = io.BytesIO()
    np.save(memory, found.weights)
    write_bytes(arguments.file, memory.getvalue(), what="weights")
    print(f"{found.rows:,} bouts, {100 * found.explained:.1f} % of the variance explained: {arguments.file}")


if __name__ == "__main__":
    main()
