"""The analysing commands of blackjack: what they print, what they write, what they refuse."""

import csv
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from croupier.blackjack.engine.rules import BLACKJACK
from croupier.blackjack.solvers.chart import Chart
from tests.cli.calling import call


def croupier(*words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    process = call("blackjack", *words)
    if check:
        process.check_returncode()
    return process


def json_of(*words: str) -> dict[str, Any]:
    data = json.loads(croupier(*words, "--json").stdout)
    assert isinstance(data, dict)
    return data


def test_edge_prints_both_kinds_of_play() -> None:
    data = json_of("edge", "--set", "decks=1", "--set", "double_after_split=false", "--set", "split_hands=2")
    assert data["composition_dependent"] == pytest.approx(0.000242739, abs=5e-10)
    assert data["total_dependent"] == pytest.approx(-0.000139412, abs=5e-10)
    assert list(data["by_up_card"]) == ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T"]
    assert 1.1 < data["std"] < 1.2
    assert data["seconds"] > 0
    assert data["rules"]["decks"] == 1


def test_the_chart_that_is_written_is_the_chart_that_is_judged(tmp_path: Path) -> None:
    path = tmp_path / "chart.csv"
    chart = json_of("chart", "--set", "decks=infinite", "--csv", str(path))
    assert Chart.from_csv(path.read_text())["16", "T"].value == chart["chart"]["16"]["T"]
    judged = json_of("chart", "--set", "decks=infinite", "--check", str(path))
    assert judged["remarks"] == []
    assert judged["value"] == pytest.approx(chart["value"], abs=1e-12)
    restricted = json_of("chart", "--set", "decks=infinite", "--set", "double=none", "--check", str(path))
    assert (
        "11 against 6: D cannot be played (this table does not allow doubling); hit instead"
        in restricted["remarks"]
    )
    assert restricted["value"] < judged["value"]


def test_ev_lists_the_legal_actions_best_first() -> None:
    data = json_of("ev", "8,8", "T", "--set", "surrender=late")
    assert set(data["actions"]) == {"stand", "hit", "double", "split", "surrender"}
    assert data["best"] == "split"
    assert data["actions"]["surrender"] == pytest.approx(-0.5)
    assert set(json_of("ev", "A 2 4", "9")["actions"]) == {"stand", "hit"}


def test_removed_cards_change_the_odds() -> None:
    full = json_of("ev", "T,6", "T", "--set", "decks=1")["actions"]
    without_small = json_of("ev", "T,6", "T", "--set", "decks=1", "--removed", "4,4,4,5,5,5")["actions"]
    assert without_small["hit"] < full["hit"]


def test_a_custom_rule_file_and_the_presets_are_understood(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_text('preset = "downtown"\nnatural_pays = "6:5"\n', encoding="utf-8")
    rules = json_of("ev", "T,T", "6", "--rules", str(path))["rules"]
    assert rules == BLACKJACK.preset("downtown").rules.replaced({"natural_pays": "6:5"}).model_dump(
        mode="json"
    )


BAD_INPUT = [
    (("ev", "8,8,8,8,8", "T", "--set", "decks=1"), "the shoe holds no further card of rank 8"),
    (("ev", "8,8", "1"), "up-card '1': no rank '1'"),
    (("ev", "8,8", "T,T"), "one rank, such as T or A"),
    (("ev", "8", "T"), "a hand has two cards or more"),
    (("ev", "T,T,5", "T"), "is bust"),
    (("ev", "8,X", "T"), "no rank 'X'"),
    (("edge", "--set", "natural_pays=lots"), "'natural_pays'"),
    (("edge", "--set", "decks=9"), "'decks'"),
    (
        ("edge", "--set", "double_split_aces=true", "--set", "double_after_split=false"),
        "split aces cannot be doubled",
    ),
    (("edge", "--set", "charlie=5", "--set", "hole_card=no-peek-original-bet"), "not defined"),
    (("chart", "--check", "/no/such/chart.csv"), "there is no such file"),
]


@pytest.mark.parametrize(("words", "complaint"), BAD_INPUT, ids=[" ".join(words) for words, _ in BAD_INPUT])
def test_bad_input_gets_one_clear_line_and_exit_code_2(words: tuple[str, ...], complaint: str) -> None:
    result = croupier(*words, check=False)
    assert result.returncode == 2
    assert result.stdout == ""
    assert len(result.stderr.strip().splitlines()) == 1
    assert complaint in result.stderr


def test_an_unknown_code_in_a_chart_is_named(tmp_path: Path) -> None:
    path = tmp_path / "chart.csv"
    json_of("chart", "--set", "decks=infinite", "--csv", str(path))
    path.write_text(path.read_text().replace("16,S", "16,X", 1), encoding="utf-8")
    result = croupier("chart", "--check", str(path), check=False)
    assert result.returncode == 2
    assert "row '16' against 2: no code 'X'" in result.stderr


@pytest.mark.parametrize(
    "words", [("chart", "--check"), ("simulate", "--strategy"), ("profile", "--other-chart")]
)
def test_what_is_no_chart_is_refused_by_its_name(words: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("milk, bread\n", encoding="utf-8")
    refused = croupier(*words, str(path), check=False)
    complaint = f"croupier: error: chart '{path}': the first line must be 'hand' and the up-cards\n"
    assert (refused.returncode, refused.stderr) == (2, complaint)


def test_side_bets_are_priced_from_the_cards_that_are_left() -> None:
    full = json_of("side-bets", "--set", "decks=6")
    assert full["perfect pairs"]["value"] == pytest.approx(-0.061093, abs=1e-6)
    assert full["insurance"]["value"] == pytest.approx(3 * 96 / 311 - 1)
    without = json_of("side-bets", "--set", "decks=6", "--removed", "8H 8H 8D")
    pairs_of_one_suit = 50 * 15 + 6 + 10  # six of a card make 15 pairs, four make 6, five make 10
    assert without["perfect pairs"]["chances"]["perfect pair"] == pytest.approx(pairs_of_one_suit / 47586)
    assert "suited trips" in croupier("side-bets").stdout
    gone = croupier("side-bets", "--set", "decks=1", "--removed", "8H 8H", check=False)
    assert (gone.returncode, gone.stderr) == (2, "croupier: error: the shoe holds no further 8H\n")


def test_edge_writes_every_hand_and_the_effects_of_removal(tmp_path: Path) -> None:
    path = tmp_path / "hands.csv"
    data = json_of("edge", "--set", "decks=1", "--removal", "--hands", str(path))
    with path.open() as file:
        lines = list(csv.DictReader(file))
    assert sum(float(line["probability"]) for line in lines) == pytest.approx(1, abs=1e-6)
    value = sum(float(line["probability"]) * float(line["value"]) for line in lines)
    assert value == pytest.approx(data["composition_dependent"], abs=1e-6)
    assert data["effects_of_removal"]["5"] > 0.005
    assert data["effects_of_removal"]["A"] < 0
    endless = croupier("edge", "--set", "decks=infinite", "--removal", check=False)
    assert endless.returncode == 2
    assert "effects of removal need a finite shoe" in endless.stderr
