"""The analysing commands: what they print, how they resume, what they refuse."""

import json
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from croupier.banluck.engine import BANLUCK
from tests.cli.calling import call

CROUPIER = str(Path(sys.executable).parent / "croupier")
REFERENCE = -0.0118938886534


def croupier(*words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    process = call("banluck", *words)
    if check:
        process.check_returncode()
    return process


def json_of(*words: str) -> dict[str, Any]:
    data = json.loads(croupier(*words, "--json").stdout)
    assert isinstance(data, dict)
    return data


@pytest.mark.parametrize("algorithm", ["cfr", "cfr+", "dcfr", "pcfr+", "lp"])
def test_solve_prints_one_json_object_with_a_certified_value(algorithm: str) -> None:
    data = json_of("solve", "--algorithm", algorithm, "--tolerance", "1e-4")
    assert data["algorithm"] == algorithm
    assert data["lower"] <= data["value"] <= data["upper"]
    assert data["exploitability"] == pytest.approx(data["upper"] - data["lower"], abs=1e-15)
    assert data["exploitability"] <= 1e-4
    assert data["lower"] - 1e-12 <= REFERENCE <= data["upper"] + 1e-12
    assert data["iterations"] > 0
    assert data["seconds"] > 0
    assert data["rules"] == BANLUCK.preset("reference").rules.model_dump(mode="json")


def test_settings_change_the_game_that_is_solved() -> None:
    data = json_of("solve", "--preset", "singapore", "--set", "reveal=none")
    assert data["rules"]["reveal"] == "none"
    assert abs(data["value"]) <= 1e-7, "both sides have the same rights, so the game is worth nothing"


def test_baseline_prints_the_best_reply_to_the_classic_dealer() -> None:
    data = json_of("baseline")
    assert data["value"] == pytest.approx(0.0123751721, abs=1e-9)
    assert data["std"] == pytest.approx(1.0582, abs=1e-4)
    assert data["stderr"] == 0


def test_simulate_is_reproducible_on_any_number_of_workers() -> None:
    words = ("simulate", "--hands", "600000", "--seed", "3", "--player", "stand-on-16", "--dealer", "classic")
    one, two = json_of(*words, "--workers", "1"), json_of(*words, "--workers", "2")
    for key in ("value", "std", "stderr", "hands", "seed", "outcomes"):
        assert one[key] == two[key]
    assert abs(one["value"] + 0.0170594) < 4 * one["stderr"]


def test_chart_and_explain_and_research_speak_json() -> None:
    assert json_of("chart")["cost_against_best"] < 1e-6
    explanation = json_of("explain", "K 6")
    assert explanation["decision"]["hand"] == "T-6"
    assert {action["action"] for action in explanation["actions"]} == {"stand", "hit"}
    dealer = json_of("explain", "T-7", "--side", "dealer", "--player-cards", "3")
    assert dealer["decision"]["stop"] == "reveal"
    assert {finding["key"] for finding in json_of("research")["findings"]} >= {
        "reveal",
        "surrender",
        "hit-16",
        "several-players",
        "bankroll",
    }


@pytest.mark.parametrize("command", [("solve",), ("baseline",), ("chart",), ("explain", "A-6")])
def test_the_text_for_people_is_on_stdout_and_progress_is_not(command: tuple[str, ...]) -> None:
    result = croupier(*command)
    assert "units" in result.stdout
    assert "solving" not in result.stdout


def test_solve_exports_the_strategies(tmp_path: Path) -> None:
    croupier("solve", "--tolerance", "1e-4", "--export", str(tmp_path / "tables"))
    names = sorted(path.name for path in (tmp_path / "tables").iterdir())
    assert names == ["dealer.csv", "dealer.json", "player.csv", "player.json"]


def test_a_killed_solve_resumes_and_ends_with_the_same_numbers(tmp_path: Path) -> None:
    words = ["solve", "--algorithm", "cfr", "--tolerance", "2e-6", "--json"]
    saved = tmp_path / "run.npz"
    process = subprocess.Popen(
        [CROUPIER, "banluck", *words, "--save", str(saved)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    while not saved.exists() and process.poll() is None:
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.01)
    killed = process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert killed, "the run was over before it could be killed: choose a smaller tolerance"
    resumed = json.loads(croupier(*words, "--save", str(saved)).stdout)
    uninterrupted = json.loads(croupier(*words).stdout)
    for key in ("value", "lower", "upper", "iterations"):
        assert resumed[key] == uninterrupted[key]
    points = [(point["iteration"], point["lower"], point["upper"]) for point in resumed["curve"]]
    assert points == [
        (point["iteration"], point["lower"], point["upper"]) for point in uninterrupted["curve"]
    ]


BAD_INPUT = [
    (("solve", "--tolerance", "0"), "tolerance 0.0: a tolerance is a number above 0"),
    (("solve", "--tolerance", "nan"), "tolerance nan: a tolerance is a number above 0"),
    (("solve", "--algorithm", "simplex"), "simplex"),
    (("solve", "--set", "reveal=perhaps"), '"perhaps" is not allowed'),
    (
        ("solve", "--algorithm", "lp", "--save", "x.npz"),
        "a linear program is not saved; to save a run, choose cfr, cfr+, dcfr, pcfr+",
    ),
    (("explain", "1X"), "1X"),
    (("explain", "A-A"), "A-A (Ban Ban) leaves no decision"),
    (("explain", "5 5 5 5 5"), "5 cards of rank 5, but a pack holds 4"),
    (("explain", "T-8", "--side", "dealer"), "leaves no decision to the dealer"),
    (("simulate", "--player", "stand-on-40"), "player 'stand-on-40': choose"),
    (("simulate", "--dealer", "lucky"), "dealer 'lucky': choose equilibrium or classic"),
    (("simulate", "--hands", "0"), "--hands"),
    (("report", "--out", "/proc/nowhere"), "/proc/nowhere"),
]


@pytest.mark.parametrize(("words", "complaint"), BAD_INPUT, ids=[" ".join(words) for words, _ in BAD_INPUT])
def test_bad_input_gets_one_clear_line_and_exit_code_2(words: tuple[str, ...], complaint: str) -> None:
    result = croupier(*words, check=False)
    assert result.returncode == 2
    assert result.stdout == ""
    assert len(result.stderr.strip().splitlines()) == 1
    assert complaint in result.stderr


@pytest.mark.parametrize("content", [b"", b"not a run", b"PK\x03\x04 cut off"])
def test_a_foreign_or_damaged_save_file_is_refused_and_kept(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "run.npz"
    path.write_bytes(content)
    result = croupier("solve", "--save", str(path), check=False)
    assert result.returncode == 2
    assert "left as it is" in result.stderr
    assert path.read_bytes() == content


def test_a_save_file_in_a_missing_folder_is_refused_before_any_work(tmp_path: Path) -> None:
    result = croupier("solve", "--save", str(tmp_path / "no" / "run.npz"), check=False)
    assert result.returncode == 2
    assert "there is no such folder" in result.stderr


def test_the_coach_prices_a_choice(tmp_path: Path) -> None:
    """T-6 against the equilibrium: a hit costs what the book says."""
    words = ("--coach", "--opponent", "equilibrium", "--cards", "TH 9C 6D 8S", "--seed", "1")
    result = call("banluck", "play", *words, answer="\nhit\nquit\n")
    assert (result.returncode, result.stderr) == (0, "")
    assert "coach: Hit was worth −0.487, stand −0.451: it cost 0.035 units." in result.stdout


def test_a_card_is_drawn_to_carry(tmp_path: Path) -> None:
    names = {form: tmp_path / f"card.{form}" for form in ("pdf", "png", "svg")}
    words = [word for form, path in names.items() for word in (f"--{form}", str(path))]
    done = call("banluck", "chart", *words)
    assert done.returncode == 0, done.stderr
    beginnings = {"pdf": b"%PDF", "png": b"\x89PNG", "svg": b"<?xml"}
    for form, path in names.items():
        assert path.read_bytes().startswith(beginnings[form])
    refused = call("banluck", "chart", "--players", "2", "--pdf", str(names["pdf"]))
    assert (refused.returncode, refused.stderr) == (
        2,
        "croupier: error: --pdf, --png and --svg are for one player\n",
    )
