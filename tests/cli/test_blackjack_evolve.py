"""``croupier blackjack evolve``: results, pictures, a real process that is interrupted, and going on."""

import csv
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.cli.calling import call

CROUPIER = str(Path(sys.executable).parent / "croupier")
QUICK = ("--set", "decks=infinite", "--set", "split_hands=1", "--seed", "5", "--population", "12")


def croupier(*words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    process = call("blackjack", "evolve", *words)
    if check:
        process.check_returncode()
    return process


def json_of(*words: str) -> dict[str, Any]:
    data = json.loads(croupier(*words, "--json").stdout)
    assert isinstance(data, dict)
    return data


@pytest.mark.verify
def test_the_result_is_exact_and_lists_what_every_differing_cell_costs(tmp_path: Path) -> None:
    chart, plot, film = tmp_path / "chart.csv", tmp_path / "run.png", tmp_path / "run.gif"
    data = json_of(
        *QUICK, "--generations", "8", "--csv", str(chart), "--plot", str(plot), "--animation", str(film)
    )
    assert data["loss"] == pytest.approx(data["optimum"] - data["value"])
    assert data["generations"] == 8
    assert data["differing_cells"] == len(data["differences"]) > 0
    assert [line["cost"] for line in data["differences"]] == sorted(
        (line["cost"] for line in data["differences"]), reverse=True
    )
    judged = call("blackjack", "chart", "--check", str(chart), *QUICK[:4], "--json")
    assert json.loads(judged.stdout)["value"] == pytest.approx(data["value"], abs=1e-12)
    assert json.loads(judged.stdout)["remarks"] == []
    with chart.open() as file:
        assert next(csv.reader(file))[0] == "hand"
    with Image.open(plot) as picture, Image.open(film) as frames:
        assert picture.size[0] > 400
        assert getattr(frames, "n_frames", 1) > 1


def test_simulated_fitness_never_reports_its_training_score() -> None:
    data = json_of(
        *QUICK, "--fitness", "simulated", "--rounds", "20000", "--generations", "6", "--population", "8"
    )
    exact = json_of(*QUICK, "--generations", "1")
    assert data["fitness"] == "simulated"
    assert data["optimum"] == exact["optimum"]
    assert data["value"] < data["optimum"]
    assert data["loss"] == pytest.approx(sum(line["cost"] for line in data["differences"]), rel=0.9)


@pytest.mark.verify
def test_an_interrupted_run_goes_on_to_what_it_would_have_been(tmp_path: Path) -> None:
    store = str(tmp_path / "runs.sqlite")
    whole = json_of(*QUICK, "--generations", "40", "--patience", "0")
    with subprocess.Popen(
        [
            CROUPIER,
            "blackjack",
            "evolve",
            *QUICK,
            "--generations",
            "40",
            "--patience",
            "0",
            "--save",
            "--store",
            store,
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        assert "saving as run 1" in process.stderr.readline()
        os.kill(process.pid, signal.SIGINT)
        said = process.stderr.read()
        assert process.wait(120) == 130
    assert "Traceback" not in said
    resumed = json_of("--resume", "1", "--store", store)
    assert resumed["value"] == whole["value"]
    assert resumed["chart"] == whole["chart"]
    listed = call("runs", "list", "--store", store, "--json")
    assert "blackjack evolve" in listed.stdout


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--fitness", "luck"), "fitness 'luck': choose exact or simulated"),
        (("--population", "2"), "population 2: must be from 4 to 10000"),
        (("--fitness", "simulated", "--rounds", "5"), "rounds 5: a race has from 20000"),
        (("--plot", "run.txt"), "plot 'run.txt': the name must end in .png, .svg or .pdf"),
        (("--animation", "run.mp4"), "animation 'run.mp4': the name must end in .gif"),
        (("--resume", "7", "--store", "nowhere.sqlite"), "nowhere.sqlite"),
    ],
)
def test_wrong_options_are_refused_in_one_line(words: tuple[str, ...], complaint: str) -> None:
    done = croupier(*words, check=False)
    assert done.returncode == 2
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1
