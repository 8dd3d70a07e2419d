"""``croupier blackjack profile``, ``bets``, ``compare`` and cards to carry: what they print, save and refuse."""

import json
from pathlib import Path

import pytest

from croupier.blackjack.solvers.chart import Chart
from tests.cli.calling import call

SMALL = ("--set", "decks=1", "--indices", "none", "--rounds", "20000", "--seed", "1")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = str(tmp_path_factory.mktemp("profiles") / "runs.sqlite")
    done = call("blackjack", "profile", *SMALL, "--spots", "2", "--save", "--store", path)
    assert done.returncode == 0, done.stderr
    text = " ".join(done.stdout.split())
    assert "places: 2 of your own, 0 of others" in text
    assert "Entries at +1, +2, +3, +4; exits at -3, -2, -1, +0" in text
    assert "Ask: croupier blackjack bets 1 --spread 8" in text
    return path


def test_the_best_ramp_of_a_spread_is_found_in_whole_units(store: str) -> None:
    done = call(
        "blackjack", "bets", "--store", store, "--spread", "8", "--unit", "10", "--bankroll", "5000", "--json"
    )
    data = json.loads(done.stdout)
    assert data["run"] == 1
    assert all(line["bet"] % 10 == 0 and 10 <= line["bet"] <= 80 for line in data["by_count"])
    assert data["score"]["value"] >= data["c_score"]["value"] > 0
    assert 0 < data["ruin"]["value"] < 1
    assert data["trip_ruin"] is None


def test_a_ramp_is_answered_in_words(store: str) -> None:
    words = (
        "--ramp",
        "0:0,1:1,2:4",
        "--enter",
        "1",
        "--leave",
        "-1",
        "--spots",
        "2:1,3:2",
        "--hours",
        "20",
        "--goal",
        "50",
    )
    done = call("blackjack", "bets", "1", "--store", store, *words)
    assert done.returncode == 0, done.stderr
    text = " ".join(done.stdout.split())
    for part in (
        "bets 0:0,1:1,2:4",
        "won per 100 rounds",
        "SCORE",
        "in a trip of 20 hours",
        "before 50 are won",
    ):
        assert part in text


def test_a_profile_that_is_not_saved_says_so() -> None:
    done = call(
        "blackjack", "profile", "--set", "decks=1", "--indices", "none", "--rounds", "100", "--seed", "1"
    )
    assert "Not saved: --save keeps it" in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--ramp", "0:1", "--spread", "8"), "--ramp and --spread: name one of them"),
        (("--ramp", "0:1", "--sit-out-below", "1"), "--sit-out-below goes with --spread or --kelly"),
        (("--kelly", "0"), "Kelly fraction 0: it lies above 0"),
        (("--penetration", "0.9"), "penetration 0.9: this profile knows"),
        (("7",), "run 7: there is none"),
    ],
)
def test_bad_input_is_one_clear_line(store: str, words: tuple[str, ...], message: str) -> None:
    refused = call("blackjack", "bets", *words, "--store", store)
    assert refused.returncode == 2
    assert message in refused.stderr
    assert "Traceback" not in refused.stderr


def test_without_a_profile_there_is_nothing_to_ask(tmp_path: Path) -> None:
    path = str(tmp_path / "runs.sqlite")
    simulated = (
        "banluck",
        "simulate",
        "--player",
        "stand-on-16",
        "--dealer",
        "classic",
        "--hands",
        "20",
        "--save",
    )
    assert call(*simulated, "--store", path).returncode == 0
    refused = call("blackjack", "bets", "--store", path)
    assert (refused.returncode, "no profile is saved" in refused.stderr) == (2, True)
    refused = call("blackjack", "bets", "1", "--store", path)
    assert (refused.returncode, "run 1 is a run of `banluck simulate`" in refused.stderr) == (2, True)


def test_systems_are_printed_side_by_side() -> None:
    words = (
        "compare",
        "hi-lo",
        "ko",
        "--indices",
        "none",
        "--set",
        "decks=1",
        "--shoes",
        "2000",
        "--seed",
        "1",
    )
    text = call("blackjack", *words).stdout
    assert "hi-lo" in text
    assert "2,000 shoes, the same for all, seed 1" in text


def test_systems_are_compared_with_their_own_indices_and_from_files(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(
        'name = "mine"\ntags = [1, 1, 1, 1, 1, 0, 0, 0, -1, -1]\nred = {7 = 1}\ninitial = [0, -2]\n'
    )
    done = call(
        *("blackjack", "compare", "hi-lo:2", f"{mine}:none", "red-7:none"),
        *("--set", "decks=1", "--shoes", "300", "--seed", "1", "--json"),
    )
    first, own, red_7 = json.loads(done.stdout)["systems"]
    assert [first["indices"], own["indices"]] == ["2", "none"]
    assert own["score"] == red_7["score"], "the same tags"
    rough = call(
        *("blackjack", "compare", "hi-lo:none", "--estimate", "26", "--rounding", "truncate"),
        *("--set", "decks=1", "--shoes", "300", "--seed", "1", "--json"),
    )
    found = json.loads(rough.stdout)
    assert (found["estimate"], found["rounding"]) == (26, "truncate")
    refused = call("blackjack", "compare", "hi-lo:many", "--set", "decks=1")
    assert (refused.returncode, "indices 'many'" in refused.stderr) == (2, True)


def test_places_are_a_number_or_go_by_the_count(tmp_path: Path) -> None:
    path = str(tmp_path / "runs.sqlite")
    saved = ("--set", "decks=1", "--indices", "none", "--spots", "2", "--rounds", "20000", "--save")
    assert call("blackjack", "profile", *saved, "--store", path).returncode == 0
    always, from_lowest = (
        json.loads(call("blackjack", "bets", "--spots", spots, "--store", path, "--json").stdout)
        for spots in ("2", "-9:2")
    )
    assert {line["places"] for line in always["by_count"]} == {2}
    assert always["by_count"] == from_lowest["by_count"]
    refused = call("blackjack", "bets", "--spots", "two", "--store", path)
    assert (refused.returncode, "count:places" in refused.stderr) == (2, True)


def test_bankrolls_are_played_with_the_bets_of_an_answer(tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "runs.sqlite"))
    chart = tmp_path / "others.csv"
    chart.write_text(Chart.uniform("S").to_csv())
    recorded = ("--set", "decks=1", "--indices", "none", "--rounds", "3000", "--seed", "1", "--save", *store)
    others = ("--others", "1", "--other-chart", str(chart), "--miscounts", "0.1", "--misplays", "0.1")
    profile = call("blackjack", "profile", *recorded, *others)
    assert "10.0% of the rounds miscounted, 10.0% misplayed" in profile.stdout
    played = ("--play-bankrolls", "40", "--seed", "2", "--bankroll", "50", "--goal", "50")
    found = json.loads(
        call(
            "blackjack", "bets", "--spread", "4", "--tips", "2", "--resize", "0.1", *played, *store, "--json"
        ).stdout
    )
    assert found["asked"]["tips"] == 2
    assert found["bankrolls"]["trips"] == 40
    assert found["bankrolls"]["ruined"]["value"] + found["bankrolls"]["reached"]["value"] == pytest.approx(1)
    refused = call("blackjack", "bets", "--resize", "0.1", *store)
    named = "--resize, --cover-win, --cover-push and --cover-loss go with --play-bankrolls"
    assert (refused.returncode, named in refused.stderr) == (2, True)
    refused = call("blackjack", "profile", *recorded, "--miscounts", "3")
    assert (refused.returncode, "miscounts 3: a rate lies between 0 and 1" in refused.stderr) == (2, True)


@pytest.mark.verify
def test_a_chart_is_drawn_to_carry(tmp_path: Path) -> None:
    names = {form: tmp_path / "to carry" / f"chart.{form}" for form in ("pdf", "png", "svg")}
    words = [word for form, path in names.items() for word in (f"--{form}", str(path))]
    done = call("blackjack", "chart", "--set", "decks=infinite", *words)
    assert done.returncode == 0, done.stderr
    beginnings = {"pdf": b"%PDF", "png": b"\x89PNG", "svg": b"<?xml"}
    for form, path in names.items():
        assert path.read_bytes().startswith(beginnings[form])


def test_a_chart_says_which_files_it_wrote_and_json_stays_json(tmp_path: Path) -> None:
    table, card = tmp_path / "chart.csv", tmp_path / "chart.svg"
    words = ("--set", "decks=infinite", "--csv", str(table), "--svg", str(card), "--json")
    done = call("blackjack", "chart", *words)
    assert done.stderr == f"Chart written to {table}\nCard written to {card}\n"
    assert "chart" in json.loads(done.stdout)


@pytest.mark.parametrize("game", ["blackjack", "banluck"])
def test_a_chart_is_not_written_under_the_ending_of_another_form(game: str, tmp_path: Path) -> None:
    wrong, right = tmp_path / "chart.png", tmp_path / "chart.svg"
    refused = call(game, "chart", "--svg", str(right), "--pdf", str(wrong))
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == f"croupier: error: --pdf '{wrong}': the name must end in .pdf\n"
    assert not wrong.exists()
    assert not right.exists()


def test_a_card_has_chart_deviations_and_bets(tmp_path: Path) -> None:
    path = tmp_path / "a folder" / "that is made" / "card.svg"
    done = call(
        "blackjack",
        "count",
        "--set",
        "decks=1",
        "--indices",
        "none",
        "--ramp",
        "1:1,2:7",
        "--card",
        str(path),
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", f"Card written to {path}\n")
    assert "<svg" in path.read_text(encoding="utf-8")
    refused = call("blackjack", "count", "--card", str(tmp_path / "card.doc"))
    assert (refused.returncode, "must end in .png, .svg or .pdf" in refused.stderr) == (2, True)


def test_a_card_of_a_running_count_has_the_deviations_that_earn_most(tmp_path: Path) -> None:
    """A shoe begins at -20: what matters often lies far from 0, what lies near it may hardly matter."""
    path = tmp_path / "card.svg"
    done = call("blackjack", "count", "--set", "decks=6", "--system", "ko", "--card", str(path))
    assert done.returncode == 0, done.stderr
    card = path.read_text(encoding="utf-8")
    assert "13 v 2: H→S -12" in card
    assert "6,6 v 7" not in card
    assert "that earn less are left out" in card
