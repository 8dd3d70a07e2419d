"""`croupier prepare` compiles every kernel that a command needs: none is left for the middle of a game."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import typer.main

from croupier.cli.main import app
from croupier.folders import cache_folders
from croupier.preparation import GAMES
from tests.cli.calling import call

ROOT = Path(__file__).parents[1]

#: A small piece of every command with kernels, and what a person would type. Durak's search is one piece of machine code.
COMMANDS = {
    "banluck baseline": "",
    "banluck chart": "",
    "banluck explain": "T-6",
    "banluck play": "--coach --seed 1",
    "banluck simulate": "--hands 2000 --seed 1 --player baseline --dealer classic",
    "banluck solve": "--algorithm cfr --tolerance 0.001",
    "banluck watch": "--hands 2 --players 2 --seed 8",
    "blackjack chart": "--preset downtown",
    "blackjack mistakes": "--set decks=1 --rounds 200 --seed 1",
    "blackjack indices": "--set decks=1 --top 1 --play --rounds 100 --seed 1",
    "blackjack side-counts": "over-13 --shoes 10 --seed 1",
    "blackjack compare": "hi-lo ko --shoes 100 --seed 1",
    "blackjack count": "--rounds 2000 --seed 1",
    "blackjack edge": "--preset european",
    "blackjack ev": "8,8 T --set surrender=late --removed 8,8,T",
    "blackjack evolve": "--set decks=infinite --generations 2 --seed 1",
    "blackjack play": "--preset downtown --coach --seed 1",
    "blackjack profile": "--rounds 2000 --spots 2 --seed 1 --save --store {folder}/runs.sqlite",
    "blackjack bets": "--store {folder}/runs.sqlite",
    "blackjack side-bets": "--preset downtown",
    "blackjack train": "--preset downtown --questions 2 --seed 1 --file {folder}/training.json",
    "blackjack simulate": "--rounds 2000 --seats 2 --seed 1",
}

#: These price every rule, and would take minutes; `make verify` runs them.
LONG_COMMANDS = {"banluck report": "--out {folder} --no-pairs", "banluck research": "--sensitivity"}

PREPARED = """
import json
from croupier.numerics.kernel_cache import KERNELS
from croupier.preparation import prepare, unprepared_kernels

games = ("banluck", "blackjack")
for game in games:
    told = []
    prepare(game, lambda done, total: told.append((done, total)))
    assert told[-1][0] == told[-1][1] > 20, told[-1]
print(json.dumps([sum(map(unprepared_kernels, games), []), {name: sorted(kernel.types) for name, kernel in KERNELS.items()}]))
"""

CALLED = """
import json, sys
from croupier.numerics.kernel_cache import KERNELS
from tests.cli.calling import call

for line in json.loads(sys.argv[1]):
    done = call(*line.split(), answer="s\\n" * 30)
    assert done.returncode in (0, 1), (line, done.stderr)
print(json.dumps({name: sorted(kernel.types) for name, kernel in KERNELS.items()}))
"""


def result_of(program: str, *words: str) -> Any:
    done = subprocess.run(
        [sys.executable, "-c", program, *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def prepared() -> dict[str, set[str]]:
    """Every kernel, with the types of arguments it is prepared for."""
    missing, ready = result_of(PREPARED)
    assert missing == []
    return {name: set(types) for name, types in ready.items()}


def needed_beyond(prepared: dict[str, set[str]], lines: list[str]) -> dict[str, set[str]]:
    """Return what commands need and `prepare` did not compile."""
    needed = {name: set(types) for name, types in result_of(CALLED, json.dumps(lines)).items()}
    return {name: rest for name, types in needed.items() if (rest := types - prepared.get(name, set()))}


@pytest.mark.verify
def test_after_prepare_no_command_compiles_anything(prepared: dict[str, set[str]], tmp_path: Path) -> None:
    lines = [f"{name} {words.format(folder=tmp_path)}" for name, words in COMMANDS.items()]
    lines += [f"blackjack simulate --rounds 2000 --seed 1 --set decks={decks}" for decks in (1, 6)]
    assert needed_beyond(prepared, lines) == {}


def leaves(command: object, path: tuple[str, ...] = ()) -> Iterator[str]:
    children = getattr(command, "commands", {})
    for name, child in children.items():
        yield from leaves(child, (*path, name))
    if not children:
        yield " ".join(path)


def test_every_command_of_a_game_with_kernels_is_tried() -> None:
    commands = {
        name for name in leaves(typer.main.get_command(app)) if name.split()[0] in ("banluck", "blackjack")
    }
    assert commands == COMMANDS.keys() | LONG_COMMANDS.keys()


def test_the_command_says_how_long_it_took_and_where_the_result_is() -> None:
    done = call("prepare", "durak")
    assert done.returncode == 0
    first, last = done.stdout.splitlines()
    assert first.startswith("durak: ready after ")
    assert last.startswith("Done in ")
    assert last.endswith(f"kept in {next(cache_folders())}")


def test_a_game_that_is_none_is_refused() -> None:
    done = call("prepare", "poker")
    assert done.returncode == 2
    assert all(game in done.stderr for game in GAMES)


@pytest.mark.verify
def test_an_interrupted_preparation_keeps_what_is_compiled(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [Path(sys.executable).with_name("croupier"), "prepare", "banluck"],
        env={**os.environ, "CROUPIER_CACHE": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not list(tmp_path.glob("kernels/*.nbc")) and process.poll() is None:
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.05)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate()
    assert (process.returncode, output, errors) == (130, "", "croupier: interrupted\n")
    assert list(tmp_path.glob("kernels/*.nbc"))
