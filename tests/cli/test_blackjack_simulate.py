"""``croupier blackjack simulate``: figures, seeds, impossible advice, and a real process that is killed and gone on with."""

import csv
import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.simulation.length import BLOCK_ROUNDS
from croupier.blackjack.solvers.chart import PAIR_ROWS, ROWS, UP_CARDS, Chart, Code
from croupier.blackjack.solvers.chart_columns import chart_value
from croupier.runs.run import RunStatus
from croupier.runs.store import open_store
from tests.cli.calling import call

CROUPIER = str(Path(sys.executable).parent / "croupier")
ENVIRONMENT = {"PATH": os.environ["PATH"], "COLUMNS": "160", "LANG": "C.UTF-8", "NO_COLOR": "1"}

#: So many rounds that a run is saved, about once a second, long before it is over.
MANY = ("--rounds", "40000000", "--seed", "5")
FIGURES = ("value", "std", "stderr", "rounds", "rounds_per_shoe", "seed", "outcomes", "moves")


def croupier(*words: str) -> subprocess.CompletedProcess[str]:
    return call("blackjack", "simulate", *words, environment=ENVIRONMENT)


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
def chart(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Give a chart that draws to 17, doubles 10 and 11, and splits aces and eights."""
    cells: dict[tuple[str, str], Code] = {}
    for row in ROWS:
        total = int(row.rsplit(maxsplit=1)[-1]) if row not in PAIR_ROWS else 0
        code = Code.HIT if total < 17 else Code.STAND
        code = Code.DOUBLE if row in ("10", "11") else code
        code = Code.SPLIT if row in ("8,8", "A,A") else Code.STAND if row == "T,T" else code
        cells |= {(row, up_card): code for up_card in UP_CARDS}
    path = tmp_path_factory.mktemp("chart") / "chart.csv"
    path.write_text(Chart.from_cells(cells).to_csv(), encoding="utf-8")
    return str(path)


def test_lanes_are_another_stream_and_the_only_one_for_a_gpu(chart: str) -> None:
    words = ("--strategy", chart, "--rounds", "1000", "--seed", "2")
    blocks, lanes = (json_of(*words, "--stream", name) for name in ("blocks", "lanes"))
    assert (blocks["stream"], lanes["stream"]) == ("blocks", "lanes")
    assert blocks["value"] != lanes["value"]
    verify_refused(
        croupier(*words, "--stream", "blocks", "--device", "cuda"), "a GPU plays the stream 'lanes'"
    )


def test_simulate_prints_the_figures_as_json(chart: str) -> None:
    data = json_of("--strategy", chart, "--rounds", "300000", "--seed", "1", "--set", "shuffle=continuous")
    assert (data["rounds"], data["seed"], data["rounds_per_shoe"]) == (300_000, 1, 1)
    assert data["seconds"] > 0
    assert data["rounds_per_second"] == pytest.approx(300_000 / data["seconds"])
    rules = BlackjackRules.create(data["rules"])
    table = Chart.from_csv(Path(chart).read_text(encoding="utf-8"))
    assert abs(data["value"] - chart_value(rules, table)) < 4 * data["stderr"]
    assert data["interval"][0] < data["value"] < data["interval"][1]
    assert sum(share["share"] for share in data["outcomes"].values()) == pytest.approx(1)
    assert data["remarks"] == []


def test_the_workers_change_nothing(chart: str) -> None:
    words = ("--strategy", chart, "--rounds", str(BLOCK_ROUNDS + 5), "--seed", "2", "--seats", "2")
    alone, together = json_of(*words, "--workers", "1"), json_of(*words, "--workers", "2")
    assert {key: alone[key] for key in FIGURES} == {key: together[key] for key in FIGURES}


def test_the_best_chart_of_the_rules_is_played_unless_another_is_named() -> None:
    data = json_of("--shoes", "3000", "--seed", "3", "--set", "decks=infinite", "--set", "split_hands=1")
    assert data["shoes"] == 3000
    assert abs(data["value"] + 0.0098) < 4 * data["stderr"]  # 0.98 %: no splitting, dealer stands on all 17s
    assert data["remarks"] == []


def test_a_table_is_printed_for_people(chart: str, tmp_path: Path) -> None:
    cells = tmp_path / "cells.csv"
    words = ("--strategy", chart, "--shoes", "2000", "--seed", "4", "--side-bets", "--cells", str(cells))
    process = croupier(*words)
    assert process.returncode == 0, process.stderr
    for part in (
        "Value ",
        "of the initial bet",
        "rounds a shoe",
        "dealer bust",
        "double",
        "perfect pairs",
        "seed 4",
    ):
        assert part in process.stdout
    rows = list(csv.DictReader(cells.read_text(encoding="utf-8").splitlines()))
    assert {row["up_card"] for row in rows} == set(UP_CARDS)
    assert sum(float(row["share"]) for row in rows) == pytest.approx(1, abs=1e-6)


def test_impossible_advice_is_listed_with_what_is_played_instead_or_refused(chart: str) -> None:
    words = ("--strategy", chart, "--rounds", "1000", "--seed", "1", "--set", "double=none")
    remark = "10 against 2: D cannot be played (this table does not allow doubling); hit instead"
    assert remark in json_of(*words)["remarks"]
    process = croupier(*words)
    assert process.returncode == 0
    assert remark in process.stderr
    assert "... and 8 more; --json lists all" in process.stderr
    verify_refused(croupier(*words, "--strict"), "20 entries cannot be played; the first: 10 against 2: D")


def test_a_chart_without_a_second_choice_is_refused(chart: str, tmp_path: Path) -> None:
    text = Path(chart).read_text(encoding="utf-8").replace("16,H", "16,P")
    path = tmp_path / "chart.csv"
    path.write_text(text, encoding="utf-8")
    verify_refused(
        croupier("--strategy", str(path), "--rounds", "10"),
        "row '16' against 2: P on a total names no second choice",
    )


@pytest.mark.parametrize(
    ("words", "clue"),
    [
        (("--rounds", "5", "--shoes", "5"), "name one of rounds, shoes and target standard error"),
        (("--target-stderr", "0"), "target standard error = 0.0: it must be above 0"),
        (("--strategy", "/no/such/chart.csv"), "chart '/no/such/chart.csv': there is no such file"),
        (("--seats", "8"), "'--seats'"),
        (("--store", "runs.sqlite"), "--store goes with --save or --resume"),
    ],
)
def test_bad_options_are_refused_in_one_line(words: tuple[str, ...], clue: str) -> None:
    verify_refused(croupier(*words), clue)


@pytest.mark.verify
def test_a_killed_run_loses_nothing_saved_and_ends_with_the_same_totals(chart: str, tmp_path: Path) -> None:
    path = str(tmp_path / "runs.sqlite")
    words = ["--strategy", chart, *MANY, "--workers", "1"]
    with subprocess.Popen(
        [CROUPIER, "blackjack", "simulate", *words, "--save", "--store", path],
        env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stderr is not None
        assert process.stderr.readline() == "croupier: saving as run 1\n"
        with open_store(path) as store:
            while not store.find(1).blocks and process.poll() is None:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(timeout=0.02)
        assert process.poll() is None, "the run was over before it could be killed: play more rounds"
        process.send_signal(signal.SIGKILL)
    with open_store(path) as store:
        left = store.find(1)
    assert left.actual_status is RunStatus.INTERRUPTED
    assert left.result is not None
    assert left.result["rounds"] == left.blocks * BLOCK_ROUNDS
    resumed = json_of("--resume", "1", "--store", path)
    uninterrupted = json_of(*words)
    assert {key: resumed[key] for key in FIGURES} == {key: uninterrupted[key] for key in FIGURES}
    assert resumed["run"] == 1
