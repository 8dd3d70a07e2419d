"""``croupier blackjack count``: what it prints, saves and refuses."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.cli.calling import call

ONE_DECK = ("--set", "decks=1", "--set", "split_hands=1")


def count(*words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    process = call("blackjack", "count", *words)
    if check:
        process.check_returncode()
    return process


def json_of(*words: str) -> dict[str, Any]:
    data = json.loads(count(*words, "--json").stdout)
    assert isinstance(data, dict)
    return data


def test_counting_says_what_it_wins_and_risks() -> None:
    data = json_of(
        *ONE_DECK, "--ramp", "1:1,2:4,3:8", "--rounds", "400000", "--seed", "3", "--bankroll", "500"
    )
    assert {"value", "std", "stderr", "n0", "score", "risk_of_ruin", "rounds", "seed", "seconds"} <= set(data)
    assert (data["rounds"], data["seed"], data["ramp"]) == (400_000, 3, "1:1,2:4,3:8")
    assert data["value"] > 4 * data["stderr"]
    assert data["score"] * data["n0"] == pytest.approx(1e6)
    assert 0 < data["risk_of_ruin"] < 1
    assert data["system"]["name"] == "hi-lo"
    assert {play["hand"] for play in data["indices"]["plays"]} >= {"16", "12", "10"}
    assert sum(line["rounds"] for line in data["by_count"]) == 400_000


def test_indices_are_listed_without_playing(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(
        'name = "my count"\ntags = {2 = 1, 3 = 1, 4 = 1, 5 = 1, 6 = 1, 7 = 0, 8 = 0, 9 = 0, T = -1, A = -1}\n',
        encoding="utf-8",
    )
    text = count(*ONE_DECK, "--tags", str(path), "--list-indices", "--indices", "illustrious").stdout
    assert "my count" in text
    assert "insurance correlation 0.760" in text
    assert "Insurance from a true count of +1 on" in text
    assert "16" in text
    assert "soft 18" not in text


def test_a_list_of_indices_says_where_a_running_count_begins() -> None:
    words = ("--set", "decks=6", "--set", "split_hands=1", "--list-indices", "--indices", "none")
    assert "A shoe begins at -20." in count(*words, "--system", "ko").stdout
    assert "begins" not in count(*words).stdout
    assert json_of(*words, "--system", "ko")["initial_count"] == -20


@pytest.mark.parametrize("command", ["count", "indices", "mistakes"])
def test_a_ramp_leaves_no_spread_to_ask_for(command: str) -> None:
    refused = call("blackjack", command, *ONE_DECK, "--spread", "12", "--ramp", "1:1")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == "croupier: error: --ramp and --spread: name one of them\n"


def test_a_run_is_printed_and_saved(tmp_path: Path) -> None:
    store = str(tmp_path / "runs.sqlite")
    words = (
        "--system",
        "ko",
        "--indices",
        "none",
        "--rounds",
        "20000",
        "--seed",
        "1",
        "--save",
        "--store",
        store,
    )
    text = " ".join(count(*ONE_DECK, *words).stdout.split())
    assert "units per 100 rounds (95 %:" in text
    assert "risk of ruin with 1,000 units" in text
    assert "ko, bets 2:1,3:2,4:8, 0 index plays" in text
    refused = count("--resume", "1", "--store", store, check=False)
    assert (refused.returncode, "run 1 is finished" in refused.stderr) == (2, True)
    shown = call("runs", "show", "1", "--store", store, "--json")
    assert json.loads(shown.stdout)["result"]["rounds"] == 20_000


BAD_INPUT = [
    (("--system", "ko", "--tags", "x.toml"), "--system and --tags: name one of them"),
    (("--tags", "/no/such/file.toml"), "there is no such file"),
    (("--ramp", "1:1;2:2"), "bet ramp '1:1;2:2'"),
    (("--set", "shuffle=continuous"), "leaves nothing to count"),
]


@pytest.mark.parametrize(("words", "message"), BAD_INPUT)
def test_bad_input_is_one_clear_line(words: tuple[str, ...], message: str) -> None:
    refused = count(*words, check=False)
    assert refused.returncode == 2
    assert message in refused.stderr
    assert "Traceback" not in refused.stderr
