"""``croupier blackjack train``: answers, progress in a file, refusals."""

import json
from pathlib import Path

from tests.cli.calling import call


def train(path: Path, *words: str, answers: str) -> str:
    done = call("blackjack", "train", *words, "--set", "decks=1", "--file", str(path), answer=answers)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_progress_is_kept_over_sessions(tmp_path: Path) -> None:
    path = tmp_path / "progress.json"
    said = train(path, "bets", "--seed", "1", answers="x\n1\n2\nquit\n")
    assert "'x' is no whole number" in said
    assert "The ramp, in units by count: " in said
    assert "of 2 right" in said
    again = train(path, "bets", "--questions", "1", answers="1\n")
    assert "of 3 right" in again
    other = train(path, "true-count", "--questions", "1", answers="0\n")
    assert "discard tray" in other
    assert "The ramp" not in other
    assert "of 1 right" in other
    fresh = train(path, "bets", "--fresh", "--questions", "1", answers="1\n")
    assert "of 1 right" in fresh


def test_a_hand_is_answered_by_its_first_letters(tmp_path: Path) -> None:
    said = train(tmp_path / "p.json", "--seed", "1", "--focus", "hard", answers="st\nhistory\nquit\n")
    assert "what do you do?" in said
    assert "of 1 right" in said


def test_what_is_no_progress_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "progress.json"
    path.write_text("[]", encoding="utf-8")
    done = call("blackjack", "train", "--file", str(path))
    assert (done.returncode, "it is no training; begin anew with --fresh" in done.stderr) == (2, True)
    path.write_text("{", encoding="utf-8")
    done = call("blackjack", "train", "--file", str(path))
    assert (done.returncode, "it is no JSON" in done.stderr) == (2, True)


def test_progress_of_other_rules_is_not_mixed(tmp_path: Path) -> None:
    path = tmp_path / "progress.json"
    train(path, "--questions", "1", answers="stand\n")
    assert json.loads(path.read_text(encoding="utf-8"))["strategy"]["rules"]["decks"] == 1
    done = call("blackjack", "train", "--file", str(path), "--set", "decks=2")
    assert (done.returncode, "it is for other rules" in done.stderr) == (2, True)
