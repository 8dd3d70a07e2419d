"""The clock of a game: an engine that uses it up loses, one that is given enough by each answer does not."""

from collections.abc import Callable
from pathlib import Path

import pytest

from croupier.durak.arena.engine_spec import EngineSpec, Limits, read_clock
from croupier.durak.arena.journal import Journal
from croupier.durak.arena.player import EnginePlayer
from croupier.durak.arena.roster import Roster
from croupier.durak.arena.verdict import EngineFault, Verdict
from croupier.errors import InputError

Script = Callable[..., EngineSpec]

#: Answers at once, except to `move`, which it never answers; tells its clock when it is asked to throw in.
SLOW = """
import os, sys, time
for line in sys.stdin:
    command = line.split()[0]
    if command == "move":
        time.sleep(3600)
    print(os.environ.get("DURAK_CLOCK", "none") if command == "give_more" else "ok", flush=True)
"""


def player(spec: EngineSpec, limits: Limits, roster: Roster) -> EnginePlayer:
    engine = EnginePlayer(spec, limits, roster)
    engine.sit_down()
    assert engine.confirm("init 8H") == "ok"
    return engine


def unseen() -> None:
    raise AssertionError("a process is shown lines only")


def test_an_engine_whose_clock_runs_out_loses_by_it(script: Script) -> None:
    with Roster() as roster:
        engine = player(script(SLOW), Limits(start=120, answer=120, game=0.3), roster)
        with pytest.raises(EngineFault, match=r"its clock for the game \(0\.3\+0 s\) ran out") as fault:
            engine.ask("move", unseen)  # type: ignore[arg-type]
    assert fault.value.verdict is Verdict.CLOCK


def test_the_limit_of_an_answer_holds_beside_the_clock(script: Script) -> None:
    with Roster() as roster:
        engine = player(script(SLOW), Limits(start=120, answer=0.3, game=3600), roster)
        with pytest.raises(EngineFault) as fault:
            engine.ask("move", unseen)  # type: ignore[arg-type]
    assert fault.value.verdict is Verdict.HANG


def test_answers_add_to_the_clock_and_a_new_game_sets_it_again(script: Script) -> None:
    with Roster() as roster:
        engine = player(
            script(SLOW).staying_alive(), Limits(start=120, answer=3600, game=1000, increment=500), roster
        )
        for _ in range(3):
            assert engine.ask("respond", unseen) == "ok"  # type: ignore[arg-type]
        assert engine._clock is not None
        assert 2000 < engine._clock <= 2500
        assert engine.confirm("deal") == "ok"
        assert engine._clock <= 2500
        engine.sit_down()
        assert engine._clock == 1000


def test_an_engine_is_told_its_clock(script: Script) -> None:
    for limits, told in ((Limits(120, 120, 60, 0.5), "60+0.5"), (Limits(120, 120), "none")):
        with Roster() as roster:
            assert player(script(SLOW), limits, roster).ask("give_more", unseen) == told  # type: ignore[arg-type]


def test_a_clock_is_written_as_people_write_it() -> None:
    assert Limits(1, 2, *read_clock("60+0.5")).clock == "60+0.5"
    for text in ("", "fast", "60+", "1+x"):
        if text == "60+":
            assert read_clock(text) == (60.0, 0.0)
        else:
            with pytest.raises(InputError, match="SECONDS\\+INCREMENT"):
                read_clock(text)
    with pytest.raises(InputError, match="game limit 0 s"):
        Limits(game=0)


def test_a_saved_match_without_a_clock_is_resumed_and_not_with_one(script: Script, tmp_path: Path) -> None:
    path, spec = tmp_path / "one.match", script(SLOW)

    def opened(limits: Limits, *, resume: bool) -> None:
        Journal(path, spec, spec, limits, seed=1, new_seed=1, resume=resume).close()

    opened(Limits(), resume=False)
    assert '"limits": {"start": 10.0, "answer": 5.0}' in path.read_text()
    opened(Limits(), resume=True)
    with pytest.raises(InputError, match="other limits"):
        opened(Limits(game=60), resume=True)
