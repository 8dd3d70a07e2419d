"""Saved runs: real processes that are killed, interrupted and resumed; runs listed, compared and removed."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from croupier.banluck.analysis.dealing import BLOCK_HANDS
from croupier.banluck.analysis.simulator import simulate_strategies
from croupier.banluck.engine.rules import BANLUCK, BanluckRules
from croupier.banluck.solvers.fixed import classic_dealer, stand_on
from croupier.runs.run import Run, RunStatus
from croupier.runs.store import open_store
from tests.cli.calling import call

CROUPIER = str(Path(sys.executable).parent / "croupier")
ENVIRONMENT = {"PATH": os.environ["PATH"], "COLUMNS": "160", "LANG": "C.UTF-8", "NO_COLOR": "1"}
SIMULATE = ("banluck", "simulate", "--player", "stand-on-16", "--dealer", "classic")
#: So many hands that a run is saved, about once a second, long before it is over.
MANY = ("--hands", "20000000", "--seed", "5")
FIGURES = ("value", "std", "stderr", "hands", "seed", "outcomes")

#: Runs the command as a person without special rights: root may write everything, so root becomes nobody first, who
#: may not be able to import what the command imports late.
RUN_WITHOUT_RIGHTS = """
import os
import croupier.cli.run_tables
import croupier.runs.store
from croupier.cli.main import main

if os.getuid() == 0:
    os.setuid(65534)
main()
"""


def croupier(*words: str, answer: str = "") -> subprocess.CompletedProcess[str]:
    return call(*words, answer=answer, environment=ENVIRONMENT)


def json_of(*words: str) -> dict[str, Any]:
    process = croupier(*words, "--json")
    assert process.returncode == 0, process.stderr
    data = json.loads(process.stdout)
    assert isinstance(data, dict)
    return data


def verify_refused(process: subprocess.CompletedProcess[str], *clues: str) -> None:
    assert (process.returncode, process.stdout) == (2, "")
    assert process.stderr.count("\n") == 1, process.stderr
    for clue in clues:
        assert clue in process.stderr


@pytest.fixture(scope="module")
def uninterrupted() -> dict[str, Any]:
    return json_of(*SIMULATE, *MANY)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Give a store with two finished runs, of two seeds and two rule sets."""
    path = str(tmp_path_factory.mktemp("store") / "runs.sqlite")
    changed = BANLUCK.load("singapore", settings=["reveal=none"])
    with open_store(path, create=True) as store:
        for seed, rules in enumerate((BanluckRules(), changed), start=1):
            settings, names = rules.model_dump(mode="json"), {"player": "stand-on-16", "dealer": "classic"}
            with store.begin("banluck simulate", rules=settings, parameters=names, seed=seed) as recording:
                players = stand_on(16, rules), classic_dealer(rules)
                simulate_strategies(*players, rules, hands=200_000, seed=seed, recording=recording)
    return path


@contextmanager
def running(path: Path) -> Iterator[tuple["subprocess.Popen[str]", Run]]:
    """Start a long run and wait until some of it is saved."""
    words = [CROUPIER, *SIMULATE, *MANY, "--workers", "1", "--save", "--store", str(path)]
    with subprocess.Popen(
        words, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stderr is not None
            assert process.stderr.readline() == "croupier: saving as run 1\n"
            with open_store(str(path)) as store:
                while not (run := store.find(1)).blocks and process.poll() is None:
                    with suppress(subprocess.TimeoutExpired):
                        process.wait(timeout=0.02)
            assert run.status is RunStatus.RUNNING, (
                "the run was over before it could be stopped: deal more hands"
            )
            yield process, run
        finally:
            process.kill()


def test_a_killed_run_loses_nothing_saved_and_ends_with_the_same_totals(
    tmp_path: Path, uninterrupted: dict[str, Any]
) -> None:
    path = tmp_path / "runs.sqlite"
    resume = ("banluck", "simulate", "--resume", "1", "--store", str(path))
    with running(path) as (process, saved):
        verify_refused(croupier(*resume), f"run 1: process {process.pid} on ", "is working on it")
        process.send_signal(signal.SIGKILL)
    with open_store(str(path)) as store:
        left = store.find(1)
    assert left.actual_status is RunStatus.INTERRUPTED
    assert left.blocks >= saved.blocks
    assert left.result is not None
    assert left.result["hands"] == left.blocks * BLOCK_HANDS
    resumed = json_of(*resume)
    assert {key: resumed[key] for key in FIGURES} == {key: uninterrupted[key] for key in FIGURES}
    assert resumed["run"] == 1
    assert resumed["seconds"] > left.seconds


def test_ctrl_c_saves_and_the_run_goes_on_with_the_same_totals(
    tmp_path: Path, uninterrupted: dict[str, Any]
) -> None:
    path = tmp_path / "runs.sqlite"
    with running(path) as (process, saved):
        process.send_signal(signal.SIGINT)
        told, complaints = process.communicate(timeout=60)
    assert (told, process.returncode) == ("", 130)
    with open_store(str(path)) as store:
        run = store.find(1)
    assert complaints.splitlines() == [
        f"croupier: {run.blocks} blocks are saved; resume with: croupier banluck simulate --resume 1 --store {path}",
        "croupier: interrupted",
    ]
    assert run.status is RunStatus.INTERRUPTED
    assert run.blocks >= saved.blocks
    resumed = json_of("banluck", "simulate", "--resume", "1", "--store", str(path))
    assert {key: resumed[key] for key in FIGURES} == {key: uninterrupted[key] for key in FIGURES}


def test_a_terminal_sees_how_far_it_is_the_rate_and_the_time_left() -> None:
    terminal, end = os.openpty()
    words = [CROUPIER, *SIMULATE, "--hands", "10000000", "--seed", "1", "--workers", "1"]
    with subprocess.Popen(words, env=ENVIRONMENT | {"TERM": "xterm"}, stdout=subprocess.DEVNULL, stderr=end):
        os.close(end)
        seen = b""
        with suppress(OSError):  # which is how a terminal says that nobody is at its other end
            while piece := os.read(terminal, 4096):
                seen += piece
    os.close(terminal)
    assert re.search(rb"dealing .*\d+/10000000 \d+\.\d [kM] hands/s \d:\d\d:\d\d", seen)


@pytest.mark.verify
def test_a_cluster_deals_the_same_hands() -> None:
    cluster = json_of(*SIMULATE, "--hands", "600000", "--seed", "1", "--cluster", "local:1")
    rules = BanluckRules()
    here = simulate_strategies(
        stand_on(16, rules), classic_dealer(rules), rules, hands=600_000, seed=1
    ).to_dict()
    assert {key: cluster[key] for key in FIGURES} == {key: here[key] for key in FIGURES}


def test_runs_are_listed(store: str) -> None:
    lines = croupier("runs", "list", "--store", store).stdout.splitlines()
    assert lines[0].split() == [
        "id",
        "kind",
        "begun",
        "rules",
        "seed",
        "played",
        "value",
        "±",
        "error",
        "status",
    ]
    first, second = (" ".join(line.split()) for line in lines[1:])
    assert first.startswith("1 banluck simulate 20")
    assert " reference 1 200,000 hands -0.0" in first
    assert ' singapore with reveal = "none" 2 200,000 hands ' in second
    assert first.endswith(" finished")
    data = json_of("runs", "list", "--store", store, "--kind", "banluck simulate")
    assert [run["id"] for run in data["runs"]] == [1, 2]
    assert json_of("runs", "list", "--store", store, "--kind", "chess")["runs"] == []
    assert (
        "No runs of `chess` are saved."
        in croupier("runs", "list", "--store", store, "--kind", "chess").stdout
    )


def test_a_run_is_shown(store: str) -> None:
    data = json_of("runs", "show", "2", "--store", store)
    assert (data["kind"], data["seed"], data["status"]) == ("banluck simulate", 2, "finished")
    assert data["rules"]["reveal"] == "none"
    assert data["parameters"]["player"] == "stand-on-16"
    assert data["result"]["hands"] == 200_000
    text = croupier("runs", "show", "2", "--store", store).stdout
    rows = {line.split()[0]: " ".join(line.split()[1:]) for line in text.splitlines() if line}
    assert rows["rules"] == 'singapore with reveal = "none"'
    assert rows["value"] == f"{data['result']['value']:.6f}"
    assert rows["push"].split()[-1] == str(data["result"]["outcomes"][-1]["count"])


def test_runs_are_compared(store: str) -> None:
    data = json_of("runs", "compare", "1", "2", "--store", store)
    assert data["settings"]["seed"] == [1, 2]
    assert data["settings"]["rules.reveal"] == ["optional", "none"]
    assert "player" not in data["settings"]
    (difference,) = data["differences"]
    one, two = (run["result"] for run in data["runs"])
    assert difference["difference"] == two["value"] - one["value"]
    text = croupier("runs", "compare", "1", "2", "--store", store).stdout
    assert f"run 2 less run 1: {difference['difference']:+.6f} ± {difference['stderr']:.6f}: " in text
    assert f"{abs(difference['in_standard_errors']):.1f} standard errors" in text


def test_a_run_is_removed_when_its_owner_agrees(tmp_path: Path) -> None:
    path = str(tmp_path / "runs.sqlite")
    with open_store(path, create=True) as store:
        for seed in (1, 2):
            with store.begin("dice roll", rules={}, parameters={}, seed=seed):
                pass
    remove = ("runs", "remove", "1", "--store", path)
    refused = croupier(*remove, answer="n\n").stdout
    assert (
        refused == "Remove run 1 (dice roll, 0 blocks, interrupted) for good? [y/N]: Nothing was removed.\n"
    )
    silent = croupier(*remove)
    assert silent.returncode == 2
    assert "--yes removes without being asked" in silent.stderr
    assert left(path) == [1, 2]
    assert croupier(*remove, answer="y\n").stdout.endswith(": Run 1 is removed.\n")
    assert left(path) == [2]


def left(path: str) -> list[int]:
    with open_store(path) as store:
        return [run.id for run in store.runs()]


@pytest.mark.parametrize(
    ("words", "clues"),
    [
        (("runs", "show", "7"), ["run 7: there is none in store", "the nearest are 1, 2"]),
        (("runs", "show", "one"), ["'ID'"]),
        (("runs", "compare", "1", "1"), ["name two different runs or more"]),
        (("banluck", "simulate", "--resume", "1"), ["run 1 is finished"]),
        (
            ("banluck", "simulate", "--resume", "1", "--hands", "5"),
            ["--hands: run 1 is resumed with the options it was saved with"],
        ),
        (("banluck", "simulate"), ["--store goes with --save or --resume"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_bad_input_gets_one_clear_line(store: str, words: tuple[str, ...], clues: list[str]) -> None:
    verify_refused(croupier(*words, "--store", store), *clues)


def test_a_cluster_and_workers_contradict_each_other() -> None:
    verify_refused(croupier(*SIMULATE, "--workers", "2", "--cluster", "local:2"), "brings its own workers")


def test_what_is_no_store_gets_one_clear_line(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear store, " * 100)
    for words in (("runs", "list"), (*SIMULATE, "--save")):
        verify_refused(croupier(*words, "--store", str(letter)), f"store '{letter}': not a database")


def test_a_store_without_permission_is_not_written() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)  # every user may enter it, unlike the folders that pytest makes
        path = str(folder / "runs.sqlite")
        with open_store(path, create=True) as store, store.begin("dice", rules={}, parameters={}, seed=1):
            pass
        words = [sys.executable, "-c", RUN_WITHOUT_RIGHTS, "runs", "remove", "1", "--yes", "--store", path]
        refused = subprocess.run(
            words, capture_output=True, text=True, env=ENVIRONMENT, timeout=120, check=False
        )
        verify_refused(refused, f"store '{path}': no permission")


def test_nothing_saved_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ENVIRONMENT, "CROUPIER_STORE", str(tmp_path / "runs.sqlite"))
    assert croupier("runs", "list").stdout == "No runs are saved.\n"
    assert not (tmp_path / "runs.sqlite").exists()
