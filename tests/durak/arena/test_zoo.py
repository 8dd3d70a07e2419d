"""One tournament with engines that are broken in every way we could think of: it finishes, and every verdict is right."""

import os
import select
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest

from croupier.durak.arena.engine_spec import EngineSpec, Limits
from croupier.durak.arena.log import GameLog, problems, read_log
from croupier.durak.arena.match import MatchPlan
from croupier.durak.arena.pairing import TournamentFormat
from croupier.durak.arena.tournament import TournamentResult, play_tournament
from croupier.durak.arena.verdict import Forfeit, Verdict
from croupier.durak.engine.record import GameRecord

#: Every broken engine, its verdict, and a piece of the reason.
BROKEN = {
    "silent": (Verdict.SLOW_START, "no answer within"),
    "buffered": (Verdict.SLOW_START, "flush"),
    "no_line_end": (Verdict.SLOW_START, "wrote 'ok' without a line end"),
    "sleeper": (Verdict.HANG, "no answer within"),
    "ignores_sigterm": (Verdict.HANG, "no answer within"),
    "stops_reading": (Verdict.HANG, "no answer within"),
    "prompt": (Verdict.WRONG_OK, "'> ok' to init"),
    "wrong_ok": (Verdict.WRONG_OK, "'yes' to init"),
    "no_ok_to_deal": (Verdict.WRONG_OK, "'' to deal"),
    "banner": (Verdict.UNASKED, "'MegaDurak 1.0 by nobody' and went on: 'ok"),
    "answers_twice": (Verdict.UNASKED, "'ok' and went on: 'ok"),
    "answers_before_asked": (Verdict.UNASKED, "'ok' and went on"),
    "verbose": (Verdict.GARBAGE, "'I play "),
    "lower_case": (Verdict.GARBAGE, "lower case"),
    "symbols": (Verdict.GARBAGE, "answered '"),
    "two_cards": (Verdict.GARBAGE, "2 cards"),
    "nul_bytes": (Verdict.GARBAGE, r"\x00"),
    "unknown_card": (Verdict.GARBAGE, "5H"),
    "liar": (Verdict.ILLEGAL, "answered '"),
    "passes_at_lead": (Verdict.ILLEGAL, "answered ''"),
    "bluffer": (Verdict.ILLEGAL, "answered '"),
    "dies_at_start": (Verdict.CRASH, "status 3"),
    "raises": (Verdict.CRASH, "status 1"),
    "segfault": (Verdict.CRASH, "SIGSEGV"),
    "exits_after_ok": (Verdict.CRASH, "status 0"),
    "forks_and_dies": (Verdict.CRASH, "status 5"),
    "shell_script": (Verdict.CRASH, "status 7"),
    "closes_stdout": (Verdict.CLOSED_PIPE, "closed its output"),
    "closes_stdin": (Verdict.CLOSED_PIPE, "closed its input"),
    "not_utf8": (Verdict.NOT_UTF8, r"\xff"),
    "endless_line": (Verdict.FLOOD, "xxx"),
    "flood_of_lines": (Verdict.FLOOD, "ok"),
    "not_a_program": (Verdict.NO_START, "cannot run"),
}  # fmt: skip

#: Odd manners that break no rule.
ODD = ("noisy_stderr", "leaves_children", "stays_after_the_game", "windows_lines")

#: Limits only for those that will not answer: a good engine is never condemned because the machine is busy.
IMPATIENT = 0.4
PATIENT = Limits(start=120, answer=120)

MARK = "DURAK_ZOO_TEST"


#: These run by themselves, the others by Python.
WITHOUT_PYTHON = ("shell_script", "not_a_program")


def engine(animal: Callable[..., EngineSpec], name: str, mark: str) -> EngineSpec:
    spec = replace(animal(name), environment={MARK: mark})
    if name in WITHOUT_PYTHON:
        spec = replace(spec, command=spec.command[-1:])
    verdict, _ = BROKEN.get(name, (None, ""))
    if verdict is Verdict.SLOW_START:
        return replace(spec, start_limit=IMPATIENT)
    return replace(spec, time_limit=IMPATIENT) if verdict is Verdict.HANG else spec


def processes_with(mark: str) -> Iterator[str]:
    """Find what still runs; what was killed may take a moment to be gone, what sleeps for an hour does not."""
    wanted = f"{MARK}={mark}".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if wanted in (folder / "environ").read_bytes():
                command = (folder / "cmdline").read_text()
                with open(os.pidfd_open(int(folder.name))) as process:
                    if not select.select([process], [], [], 10)[0]:
                        yield command


@pytest.fixture(scope="module")
def mark() -> str:
    return uuid4().hex


@pytest.fixture(scope="module")
def log_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("zoo") / "zoo.log"


@pytest.fixture(scope="module")
def tournament(animal: Callable[..., EngineSpec], mark: str, log_file: Path) -> TournamentResult:
    names = ("tame.py", *BROKEN, *ODD)
    with GameLog(log_file) as log:
        return play_tournament(
            [engine(animal, name, mark) for name in names],
            MatchPlan(pairs=1, seed=7, concurrency=2),
            format_=TournamentFormat.GAUNTLET,
            limits=PATIENT,
            log=log,
        )


@pytest.fixture(scope="module")
def games(tournament: TournamentResult, log_file: Path) -> dict[str, list[GameRecord]]:
    """Return the two games of each engine from the log, read back."""
    found: dict[str, list[GameRecord]] = {}
    for game in read_log(log_file):
        assert isinstance(game, GameRecord)
        name = game.player2_name if game.player1_name == "tame.py" else game.player1_name
        found.setdefault(name, []).append(game)
    return found


def forfeit_of(game: GameRecord) -> Forfeit:
    assert game.forfeit is not None
    return Forfeit.from_dict(game.forfeit)


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_engine_forfeits_with_the_right_verdict(
    name: str, tournament: TournamentResult, games: dict[str, list[GameRecord]]
) -> None:
    verdict, clue = BROKEN[name]
    number = tournament.names.index(name)
    assert tournament.forfeits(number) == {str(verdict): 2}
    assert tournament.total(number) == (0, 2)
    for game in games[name]:
        forfeit = forfeit_of(game)
        assert (game.player1_name, game.player2_name)[forfeit.seat] == name
        assert forfeit.verdict is verdict
        assert clue in forfeit.reason
        assert any(line.startswith("<- ") for line in forfeit.last_lines) or verdict is Verdict.NO_START


@pytest.mark.parametrize("name", ODD)
def test_odd_manners_lose_no_game(name: str, tournament: TournamentResult) -> None:
    assert tournament.forfeits(tournament.names.index(name)) == {}


def test_the_good_engine_is_never_blamed(tournament: TournamentResult) -> None:
    assert tournament.forfeits(0) == {}
    assert tournament.total(0)[1] == 2 * (len(BROKEN) + len(ODD))


def test_nothing_of_the_zoo_is_left_running(tournament: TournamentResult, mark: str) -> None:
    assert list(processes_with(mark)) == []


def test_a_crash_is_recorded_with_the_traceback(games: dict[str, list[GameRecord]]) -> None:
    for game in games["raises"]:
        assert "IndexError: no such card in my hand" in forfeit_of(game).errors


def test_every_game_of_the_zoo_replays(tournament: TournamentResult, log_file: Path) -> None:
    assert list(problems(read_log(log_file))) == []
