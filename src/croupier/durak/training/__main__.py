"""The command ``python -m croupier.durak.training networks|play``: play, learn, write the weights."""

import argparse
import io
import os
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.errors import InputError
from croupier.extras import needs
from croupier.files import write_bytes

#: What the shipped weights were made with.
PLAY_GAMES, PLAY_STEPS, PLAY_ROUNDS = 2800, 4000, 500
SEED = 1

#: How far a training has come, in its folder.
_PROGRESS = "training.pt"


def main() -> None:
    """Make weights; the defaults make the shipped ones."""
    parser = argparse.ArgumentParser(
        prog="python -m croupier.durak.training", description="Make the weights of the master's networks."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    _add_networks(commands)
    _add_play(commands)
    arguments = parser.parse_args()
    try:
        arguments.run(arguments)
    except InputError as error:
        parser.exit(2, f"error: {error}\n")


def _add_networks(commands: Any) -> None:
    command = commands.add_parser(
        "networks",
        help="how to choose, and what a position is worth: learnt by self-play (PyTorch; on a GPU, a quarter of an hour)",
    )
    command.add_argument(
        "folder", type=Path, help="where to write them; an interrupted training goes on there"
    )
    command.add_argument(
        "--against",
        choices=("itself", "dummy"),
        default="itself",
        help="whom the policy plays: itself (the default), or durak-dummy (on a GPU, five minutes)",
    )
    command.add_argument("--device", default="cuda", help="where to learn (cuda)")
    command.add_argument("--seed", type=int, default=SEED, help=f"the seed of games and networks ({SEED})")
    for name in ("games", "moves", "blocks", "rounds", "value-rounds", "batch"):
        command.add_argument(f"--{name}", type=int, metavar="N", help="instead of the shipped setting")
    command.set_defaults(run=_networks)


def _add_play(commands: Any) -> None:
    command = commands.add_parser(
        "play", help="how a skilled player chooses: learnt from games of the search"
    )
    command.add_argument("file", type=Path, help="where to write them (.npy)")
    command.add_argument("--games", type=int, default=PLAY_GAMES, help=f"self-played games ({PLAY_GAMES:,})")
    command.add_argument("--steps", type=int, default=PLAY_STEPS, help=f"steps of the fit ({PLAY_STEPS:,})")
    command.add_argument(
        "--rounds", type=int, default=PLAY_ROUNDS, help=f"rounds of the search a move ({PLAY_ROUNDS})"
    )
    command.add_argument("--seed", type=int, default=SEED, help=f"the seed of games and fit ({SEED})")
    command.set_defaults(run=_play)


def _write(path: Path, weights: NDArray[Any]) -> None:
    memory = io.BytesIO()
    np.save(memory, weights)
    write_bytes(path, memory.getvalue(), what="weights")


def _networks(arguments: argparse.Namespace) -> None:
    """Learn block by block; what is done is kept after each of them."""
    needs("training")
    import torch  # noqa: PLC0415 - an extra

    from croupier.durak.training.networks import bout_value_weights, policy_weights  # noqa: PLC0415
    from croupier.durak.training.reinforcement import RIVALS, Settings, Training  # noqa: PLC0415

    given = {item.name: getattr(arguments, item.name, None) for item in fields(Settings)}
    rival = RIVALS[arguments.against]
    changes = {name: number for name, number in given.items() if number is not None}
    training = Training(replace(rival.settings, **changes), arguments.seed, arguments.device, rival)
    progress = arguments.folder / _PROGRESS
    arguments.folder.mkdir(parents=True, exist_ok=True)
    if progress.is_file():
        training.restore(torch.load(progress, map_location=arguments.device))
        print(f"going on after block {training.block}")
    while not training.is_done:
        training.learn_block(lambda line: print(line, flush=True))
        memory = io.BytesIO()
        torch.save(training.state(), memory)
        write_bytes(progress, memory.getvalue(), what="the training")
    value = training.fit_value(print)
    weights = {"policy": policy_weights(training.averaged), "value": bout_value_weights(value)}
    for name, numbers in weights.items():
        path = arguments.folder / f"{rival.prefix}{name}_network.npy"
        _write(path, numbers.astype(np.float16))
        print(f"{numbers.size:,} weights: {path}")


def _play(arguments: argparse.Namespace) -> None:
    from croupier.durak.training import play_model  # noqa: PLC0415 - compiles kernels, which a GPU machine may lack
    from croupier.durak.training.searched_games import searched_choices  # noqa: PLC0415

    choices = searched_choices(arguments.games, arguments.rounds, arguments.seed, workers=os.cpu_count() or 1)
    found = play_model.fit(choices, arguments.steps, arguments.seed)
    _write(arguments.file, found.weights)
    print(
        f"{found.rows:,} choices, the best move expected in {100 * found.agreement:.1f} %: {arguments.file}"
    )


if __name__ == "__main__":
    main()
