"""The arena's commands: what they print, what they refuse, and what is left when a real process of them is interrupted."""

import json
import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from croupier import durak
from croupier.durak.arena.log import problems, read_log
from tests.cli.calling import call
from tests.long_cases import cases

BIN = Path(sys.executable).parent
CROUPIER = str(BIN / "croupier")
ZOO = Path(__file__).parents[1] / "durak" / "arena" / "zoo"
ENVIRONMENT = {"PATH": os.environ["PATH"], "COLUMNS": "160", "LANG": "C.UTF-8", "NO_COLOR": "1"}
PATIENCE = 120
LIMITS = ("--time-limit", "120", "--start-limit", "120")

#: How long the match is that is gone on with after its interruption: longer than what is heard of it before.
PAIRS = 8

#: A tame engine that says through a named pipe when a game of it is over.
REPORTING = """
import os, sys
sys.path.insert(0, {zoo!r})
from tame import Tame

class Reporting(Tame):
    def end(self):
        with open(os.environ["GAMES"], "w") as games:
            games.write("over\\n")

Reporting().run()
"""


def run(*words: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return call("durak", *words, environment=ENVIRONMENT, folder=cwd)


def animal(name: str) -> str:
    return f"'{sys.executable}' -S -E '{ZOO / name}'"


def printed_json(*words: str | Path) -> dict[str, Any]:
    process = run(*words, "--json")
    assert (process.returncode, process.stderr) == (0, "")
    data = json.loads(process.stdout)
    assert isinstance(data, dict)
    return data


def test_a_match_prints_wins_losses_draws_forfeits_elo_error_and_seconds() -> None:
    words = ["match", animal("tame.py"), animal("tame.py"), "--pairs", "3", "--seed", "1", *LIMITS]
    data = printed_json(*words)
    assert data["wins"] + data["losses"] + data["draws"] == data["games"] == 6
    assert (data["forfeits"], data["elo"], data["pairs"], data["seed"]) == (0, 0, 3, 1)
    assert data["elo_error"] > 0
    assert data["seconds"] > 0
    text = run(*words).stdout
    assert "6 games, 3 pairs" in text
    assert "Draws" in text
    assert "LOS 50.0%" in text


def test_forfeits_are_told_with_their_verdict() -> None:
    words = ["match", animal("tame.py"), animal("lower_case"), "--pairs", "1", *LIMITS]
    assert "forfeited 2: garbage 2" in run(*words).stdout
    data = printed_json(*words)
    assert (data["wins"], data["forfeits"], data["forfeits_by_engine"]) == (2, 2, [{}, {"garbage": 2}])


def test_a_sequential_test_ends_a_match_and_says_so() -> None:
    engines = (animal("tame.py"), animal("wrong_ok"))
    words = ["match", *engines, "--sprt", "0", "400", "--concurrency", "1", *LIMITS]
    data = printed_json(*words)
    assert data["sprt"]["decision"] == "elo1"
    assert data["games"] < 100
    settled = run(*words, "--alpha", "0.3", "--beta", "0.3").stdout
    assert "settled: elo1 is accepted" in settled


def test_engines_that_stay_alive_play_the_same_match() -> None:
    words = ["match", animal("tame.py"), animal("tame.py"), "--pairs", "3", "--seed", "1", *LIMITS]
    fresh, alive = printed_json(*words), printed_json(*words, "--keep-alive")
    assert {**fresh, "seconds": 0, "games_per_second": 0} == {**alive, "seconds": 0, "games_per_second": 0}


def test_a_tournament_prints_ratings_and_a_cross_table_that_fit_80_columns() -> None:
    words = [
        "tournament",
        animal("tame.py"),
        animal("bluffer"),
        animal("wrong_ok"),
        *("--pairs", "1", "--seed", "2", *LIMITS),
    ]
    text = call("durak", *words, environment=ENVIRONMENT | {"COLUMNS": "80"}).stdout
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text
    ratings, cross = text.split("points against", 1)
    assert "│ python -S -E tame.py  │" in ratings
    assert re.search(r"│ 1 │ +│ +2 │ +2 │", cross)
    assert "wrong ok" in cross
    assert "The numbers are the places in the table of ratings" in cross
    data = printed_json(*words, "--gauntlet")
    assert [engine["games"] for engine in data["engines"]] == [4, 2, 2]


def test_a_cross_table_that_does_not_fit_is_left_out_and_said_so() -> None:
    names = [animal("tame.py")] * 14
    words = ["tournament", *names, "--gauntlet", "--pairs", "1", "--keep-alive", *LIMITS]
    text = call("durak", *words, environment=ENVIRONMENT | {"COLUMNS": "60"}).stdout
    assert "points against" not in text
    assert "The cross table needs" in text
    assert sum("tame.py #" in line for line in text.splitlines()) == 14


def test_a_log_is_written_and_replays(tmp_path: Path) -> None:
    log = tmp_path / "games.log"
    run("match", animal("tame.py"), animal("liar"), "--pairs", "2", "--log", log, "--fsync", *LIMITS)
    process = run("replay", log, "--check")
    assert (process.returncode, process.stderr) == (0, "")
    assert "4 games, every card and result fits" in process.stdout
    told = run("replay", log, "--game", "1").stdout
    assert "Bout 1, stock 24" in told
    assert "Forfeited by player" in told


@pytest.mark.parametrize(
    ("line", "clue"),
    [
        (["match", "/no/such/engine", "durak-dummy"], "engine '/no/such/engine': there is no such file"),
        (["match", "durak-dummy", str(ZOO / "not_a_program")], "cannot run"),
        (["match", "durak-dummy", "durak-dummy", "--resume"], "--save"),
        (["match", "durak-dummy", "durak-dummy", "--sprt", "5", "0"], "elo1 must be the greater one"),
        (["match", "durak-dummy", "durak-dummy", "--time-limit", "0"], "time limit 0 s"),
        (
            ["match", "durak-dummy", "durak-dummy", "--log", "/no/such/folder/x.log"],
            "log '/no/such/folder/x.log'",
        ),
        (["tournament", "durak-dummy"], "at least 2"),
        (["tournament", "durak-dummy", "durak-dummy", "--format", "cup"], "no tournament format 'cup'"),
        (["tournament", "durak-dummy", "durak-dummy", "--rounds", "2"], "only a Swiss one"),
        (["review", __file__], "not a durak log"),
        (["ratings", __file__], "not a rating list"),
        (["ratings", "/tmp/no-such.ratings"], "is empty; add matches"),
        (["tournament", "durak-dummy", "durak-dummy", "--save", "x"], "--seed"),
        (["replay", "/no/such/games.log"], "there is no such file"),
        (["replay", __file__], "not a durak log"),
        (["replay", __file__, "--game", "1"], "not a durak log"),
        (["match", "durak-dummy", "durak-dummy", "--log", __file__], "not a durak log"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(line: list[str], clue: str) -> None:
    process = run(*line)
    assert process.returncode == 2
    assert process.stdout == ""
    assert process.stderr.startswith("croupier: error: ")
    assert process.stderr.count("\n") == 1
    assert clue in process.stderr


def test_the_checker_tells_the_author_and_exits_with_1_for_a_broken_engine() -> None:
    good = run("check", animal("tame.py"), "--rounds", "1", *LIMITS)
    assert (good.returncode, good.stderr) == (0, "")
    assert "keeps the protocol" in good.stdout
    bad = run("check", animal("lower_case"), "--rounds", "1", *LIMITS)
    assert (bad.returncode, bad.stderr) == (1, "")
    assert "lower case" in bad.stdout
    assert "does not keep the protocol" in bad.stdout
    data = json.loads(run("check", animal("wrong_ok"), "--json", *LIMITS).stdout)
    assert data["compliant"] is False
    assert data["findings"][0]["grade"] == "wrong"


def test_a_log_that_does_not_fit_is_told_and_exits_with_1(tmp_path: Path) -> None:
    log = tmp_path / "games.log"
    old = Path(__file__).parents[1] / "data" / "durak" / "old-games.log"
    log.write_text(old.read_text().replace('"result": "s-s"', '"result": "1-0"', 1) + "####garbage####\n")
    checked = run("replay", "--check", cwd=tmp_path)
    assert checked.returncode == 1
    assert "21 games, 2 do not fit" in checked.stdout
    assert "malformed" in checked.stdout
    shown = run("replay", log)
    assert shown.returncode == 0
    data = json.loads(run("replay", log, "--json").stdout)
    assert [problem["game"] for problem in data["logs"][0]["problems"]] == [2, 21]


#: A tame engine that once a game signals the process group of its parent, if that is one of the match's own processes.
SIGNALLING = """
import os, signal, sys
sys.path.insert(0, {zoo!r})
from tame import Tame

class Signalling(Tame):
    def confirm(self, command):
        parent = os.getppid()
        if command == "init" and os.getpgid(parent) == parent != 1:
            os.killpg(parent, signal.{signal})
        return super().confirm(command)

Signalling().run()
"""


@pytest.mark.parametrize(
    "number", cases(["SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"], long=["SIGINT", "SIGHUP", "SIGKILL"])
)
def test_an_engine_that_signals_the_group_of_its_parent_does_not_end_the_match(
    number: str, tmp_path: Path
) -> None:
    engine = tmp_path / "signalling.py"
    engine.write_text(SIGNALLING.format(zoo=str(ZOO), signal=number))
    words = [
        "match",
        f"'{sys.executable}' -S -E '{engine}'",
        animal("tame.py"),
        "--pairs",
        "2",
        "--seed",
        "1",
    ]
    process = subprocess.run(
        [CROUPIER, "durak", *words, "--concurrency", "1", "--json", *LIMITS],
        capture_output=True,
        env=ENVIRONMENT,
        start_new_session=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (process.returncode, process.stderr) == (0, b"")
    data = json.loads(process.stdout)
    assert (data["games"], data["forfeits"]) == (4, 0)


def test_a_review_prints_one_line_for_each_choice_that_was_less_than_good() -> None:
    log = Path(__file__).parents[1] / "data" / "durak" / "old-games.log"
    text = run("review", log, "--game", "1", "--rounds", "500", "--player", "durak-dummy").stdout
    *mistakes, summary = text.splitlines()
    line = re.compile(
        r"game 1, move \d+, durak-dummy: (inaccuracy|mistake|blunder): .+ instead of .+, cost [01]\.\d\d.*; hand .+, table .+"
    )
    assert mistakes
    assert all(line.fullmatch(mistake) for mistake in mistakes)
    found = re.fullmatch(
        r"1 game, \d+ choices: (\d+) were less than good; together they cost \d+\.\d\d points", summary
    )
    assert found is not None
    assert int(found[1]) == len(mistakes)
    data = printed_json("review", log, "--game", "1", "--rounds", "500")
    assert len([move for move in data["games"][0]["moves"] if move["loss"] > 0.05]) == len(mistakes)


def test_a_review_judges_games_of_all_variants_in_one_log(tmp_path: Path) -> None:
    log = tmp_path / "games.log"
    games = [
        durak.Game.between("durak-random --seed 1", "durak-dummy", seed=1),
        durak.Game.between(
            *("durak-random --seed 2", "durak-dummy"),
            seed=2,
            others=["durak-dummy"],
            rules=durak.rules("perevodnoy", players=3),
        ),
    ]
    log.write_text("".join(game.to_log() for game in games))
    data = printed_json("review", log, "--rounds", "100")
    assert [len(game["names"]) for game in data["games"]] == [2, 3]
    assert {move["player"] for move in data["games"][1]["moves"]} == {1, 2, 3}
    *mistakes, summary = run("review", log, "--game", "2", "--rounds", "100").stdout.splitlines()
    worse = [move for move in data["games"][1]["moves"] if move["loss"] > 0.05]
    assert len(mistakes) == len(worse)
    assert all(
        f"cost {move['loss']:.2f} ± {move['error']:.2f}" in line
        for move, line in zip(worse, mistakes, strict=True)
    )
    assert summary.startswith(f"1 game, {len(data['games'][1]['moves'])} choices")
    refused = run("review", log, "--game", "2", "--player", "nobody")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "was played by 'durak-random --seed 2' and 'durak-dummy' and 'durak-dummy'" in refused.stderr
    log.write_text(games[1].to_log().replace('"attack"', '"attach"', 1))
    broken = run("review", log)
    assert (broken.returncode, broken.stdout) == (2, "")
    assert "game 1, line 1: malformed:" in broken.stderr


def test_confined_engines_play_with_a_clock_and_it_is_said_what_confines_them() -> None:
    words = ["match", animal("tame.py"), animal("tame.py"), "--pairs", "1", "--seed", "1", *LIMITS]
    process = run(*words, "--confine", "--memory-mb", "500", "--clock", "3600+1", "--json")
    assert process.returncode == 0
    assert re.fullmatch(
        r"croupier: engines are confined by (bubblewrap|namespaces|resource limits): .+\n", process.stderr
    )
    assert json.loads(process.stdout)["forfeits"] == 0
    refused = run(*words, "--clock", "soon")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "SECONDS+INCREMENT" in refused.stderr


def test_matches_and_tournaments_add_to_a_rating_list(tmp_path: Path) -> None:
    listed, mine = tmp_path / "engines.ratings", tmp_path / "mine.toml"
    mine.write_text(f'command = "{animal("tame.py")}"\nname = "mine"\nversion = "2"\n')
    words = ["--ratings", str(listed), "--pairs", "1", *LIMITS]
    assert run("match", mine, animal("lower_case"), *words).returncode == 0
    assert run("tournament", mine, animal("wrong_ok"), animal("lower_case"), *words).returncode == 0
    data = printed_json("ratings", listed, "--anchor", "mine 2", "--anchor-elo", "1500")
    assert data["matches"] == 4
    assert (data["engines"][0]["name"], data["engines"][0]["pairs"]) == ("mine 2", 3)
    assert data["engines"][0]["elo"] == 1500
    assert "mine 2" in run("ratings", listed).stdout
    refused = run("match", mine, mine, *words)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "two engines are called 'mine 2'" in refused.stderr


def test_a_cup_is_played_and_its_winner_named() -> None:
    words = ["tournament", animal("tame.py"), animal("wrong_ok"), animal("lower_case"), "--pairs", "1"]
    cup = printed_json(*words, "--format", "knockout", "--keep-alive", *LIMITS)
    assert cup["winner"] == "python -S -E tame.py"
    assert [len(played) for played in cup["rounds"]] == [1, 1]
    text = run(*words, "--format", "swiss", "--rounds", "1", *LIMITS).stdout
    assert "forfeited" in text


def test_a_game_can_be_watched_with_open_cards() -> None:
    process = run("watch", animal("tame.py"), animal("tame.py"), "--seed", "8", *LIMITS)
    assert (process.returncode, process.stderr) == (0, "")
    assert "Bout 1, stock 24" in process.stdout


def still_running(mark: str) -> Iterator[str]:
    """Find processes by their mark; one that has been told to go gets the time to."""
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if mark.encode() in (folder / "environ").read_bytes():
                command = (folder / "cmdline").read_text()
                with open(os.pidfd_open(int(folder.name))) as process:
                    if not select.select([process], [], [], 10)[0]:
                        yield command


class Reporter:
    """An engine that reports the end of each game, and the ear that hears it."""

    def __init__(self, folder: Path) -> None:
        self.mark = uuid4().hex
        pipe = folder / "games"
        os.mkfifo(pipe)
        self._ear = os.open(pipe, os.O_RDWR)
        (folder / "reporting.py").write_text(REPORTING.format(zoo=str(ZOO)))
        self.file = folder / "reporting.toml"
        self.file.write_text(
            f"command = \"'{sys.executable}' -S -E '{folder / 'reporting.py'}'\"\nname = 'reporting'\n"
            f"[environment]\nGAMES = '{pipe}'\nDURAK_TEST = '{self.mark}'\n"
        )

    def hear(self, games: int) -> None:
        heard = b""
        while heard.count(b"over\n") < games:
            assert select.select([self._ear], [], [], PATIENCE)[0], "no game came to its end"
            heard += os.read(self._ear, 4096)

    def close(self) -> None:
        os.close(self._ear)


@pytest.fixture
def reporter(tmp_path: Path) -> Iterator[Reporter]:
    found = Reporter(tmp_path)
    yield found
    found.close()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return the result of the match that is interrupted below, played without interruption."""
    quiet = tmp_path_factory.mktemp("whole") / "quiet.toml"
    quiet.write_text(f'command = "{animal("tame.py")}"\nname = "reporting"\n')
    words = ["--seed", "3", "--pairs", str(PAIRS), "--keep-alive", *LIMITS]
    return printed_json("match", quiet, quiet, *words)


@pytest.mark.parametrize(
    "number",
    cases(
        [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL], long=[signal.SIGTERM, signal.SIGHUP]
    ),
)
def test_an_interrupted_match_leaves_nothing_running_and_can_be_resumed(
    number: signal.Signals, reporter: Reporter, whole: dict[str, Any], tmp_path: Path
) -> None:
    save, log = tmp_path / "one.match", tmp_path / "games.log"
    words = ["match", str(reporter.file), str(reporter.file), "--seed", "3", "--concurrency", "2", *LIMITS]
    kept = ["--save", str(save), "--log", str(log), "--json"]
    with subprocess.Popen(
        [CROUPIER, "durak", *words, "--pairs", "5000", *kept],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
        start_new_session=True,
    ) as process:
        reporter.hear(games=12)
        # A terminal sends these two to every process of the command, the tables among them; the others go to one process.
        send = os.killpg if number in (signal.SIGINT, signal.SIGHUP) else os.kill
        send(process.pid, number)
        output, errors = process.communicate(timeout=PATIENCE)
    assert output == b""
    if number is signal.SIGKILL:
        assert process.returncode == -signal.SIGKILL
    else:
        assert (process.returncode, errors) == (130, b"croupier: interrupted\n")
    assert list(still_running(reporter.mark)) == []
    assert save.read_text().count("\n") - 1 >= 4
    resumed = run(*words, "--pairs", str(PAIRS), *kept, "--resume")
    assert (resumed.returncode, resumed.stderr) == (0, "")
    varying = {"seconds": 0, "games_per_second": 0}
    assert {**json.loads(resumed.stdout), **varying} == {**whole, **varying}
    assert list(problems(read_log(log))) == []
    assert list(still_running(reporter.mark)) == []
