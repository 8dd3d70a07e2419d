"""Rate ``durak-master`` among engines that it was not tuned against.

    .venv/bin/python -m benchmarks.durak_ratings [--time-ms 100] [--pairs 500] [--everybody] [--log FILE] [--save FOLDER]

The rivals in ``benchmarks/durak_rivals`` share no code with the package. By default the master meets every other engine; with
``--everybody`` all of them meet. With ``--log``, the end games of the master are then checked by the rivals' solver.
"""

import argparse
import shlex
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console

from benchmarks.durak_endgames import check_logs
from benchmarks.durak_rivals import CHARACTERS, build
from croupier import durak

_MASTER = shlex.quote(str(Path(sys.executable).with_name("durak-master")))


def engines(rival: Path, milliseconds: int) -> Iterator[str]:
    """Yield the command lines of all engines, the one to be rated first."""
    yield f"{_MASTER} --time-ms {milliseconds}"
    yield f"{_MASTER} --time-ms {max(1, milliseconds // 10)}"
    for character in reversed(CHARACTERS):
        yield f"{shlex.quote(str(rival))} {character} --time-ms {milliseconds}"
    yield f"{_MASTER} --level 3"
    yield "durak-dummy"
    yield "durak-random"


def main() -> None:
    """Play the tournament, print its table, and check the end games of its log."""
    parser = argparse.ArgumentParser(description="Rate durak-master among engines it was not tuned against.")
    parser.add_argument(
        "--time-ms", type=int, default=100, help="how long an engine thinks about a move (100)"
    )
    parser.add_argument("--pairs", type=int, default=500, help="pairs of games of each match (500)")
    parser.add_argument("--seed", type=int, default=2026, help="the seed of the deals (2026)")
    parser.add_argument("--everybody", action="store_true", help="everybody meets everybody")
    parser.add_argument(
        "--log", type=Path, metavar="FILE", help="append every game to this log, and check it"
    )
    parser.add_argument("--save", type=Path, metavar="FOLDER", help="resume from, and save to, this folder")
    arguments = parser.parse_args()
    console = Console()
    with tempfile.TemporaryDirectory() as folder, console.status("") as status:
        rival = build(arguments.save or Path(folder))
        result = durak.tournament(
            list(engines(rival, arguments.time_ms)),
            arguments.pairs,
            arguments.seed,
            gauntlet=not arguments.everybody,
            log=arguments.log,
            save=arguments.save,
            resume=arguments.save is not None and any(arguments.save.glob("*.match")),
            announce=lambda first, second: status.update(f"{first} against {second}"),
        )
        console.print(str(result), markup=False, highlight=False)
        if arguments.log is not None:
            status.update("checking the end games")
            console.print(check_logs([arguments.log], rival, engine="durak-master"), markup=False)


if __name__ == "__main__":
    main()
