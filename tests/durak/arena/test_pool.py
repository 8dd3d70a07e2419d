"""Games in several slots at once, in threads and in processes of their own."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from croupier.durak.arena.engine_spec import EngineSpec, Limits
from croupier.durak.arena.game_number import games_of_match
from croupier.durak.arena.log import GameLog, problems, read_log
from croupier.durak.arena.match import Books, MatchPlan, play_match
from croupier.durak.arena.pool import GAMES_WORTH_A_PROCESS, open_pool
from croupier.durak.arena.processors import keep_to, processors_for
from croupier.durak.arena.roster import RosterClosedError
from croupier.durak.arena.schedule import deal_of_pair
from croupier.durak.arena.slot import Fixture
from croupier.durak.arena.slot_process import SlotLostError, SlotProcess

Animal = Callable[..., EngineSpec]
Script = Callable[..., EngineSpec]
PATIENT = Limits(start=120, answer=120)

#: As few pairs as make two slots worth a process each.
MANY = GAMES_WORTH_A_PROCESS

#: The parent of an engine starts engines; its parent is the slot.
KILL_THE_SLOT = (
    "os.kill(int(open(f'/proc/{os.getppid()}/stat').read().rpartition(')')[2].split()[1]), signal.SIGKILL)"
)

#: Writes down how many processors an engine may use when it is asked to begin.
NOTE_PROCESSORS = """
def confirm(self, command):
    open('seen', 'a').write(f'{len(os.sched_getaffinity(0))}\\n')
    return 'ok'
Tame.confirm = confirm
"""

#: A tame engine that does something first.
TAME = """
import os, signal, sys
sys.path.insert(0, {zoo!r})
from tame import Tame
{first}
Tame().run()
"""


def tame(script: Script, animal: Animal, first: str, **options: object) -> EngineSpec:
    zoo = str(Path(animal("tame.py").command[-1]).parent)
    return script(TAME.format(zoo=zoo, first=first), **options)


def test_slots_in_processes_and_in_threads_play_the_same_match(animal: Animal, tmp_path: Path) -> None:
    engine = animal("tame.py").staying_alive()
    results = []
    for slots in (1, 2):
        path = tmp_path / f"{slots}.log"
        with GameLog(path) as log:
            plan = MatchPlan(pairs=MANY, seed=6, concurrency=slots)
            results.append(play_match(engine, engine, plan, limits=PATIENT, books=Books(log=log)))
        assert len(read_log(path)) == 2 * MANY
        assert list(problems(read_log(path))) == []
    assert results[0] == results[1]


def test_a_table_process_that_is_killed_is_replaced_and_its_games_are_played(
    animal: Animal, script: Script, tmp_path: Path
) -> None:
    """The engine kills the slot, the parent of what started it, in its second game; its successor is spared."""
    murder = f"open('games', 'a').write('x')\nif len(open('games').read()) == 2:\n    {KILL_THE_SLOT}\n"
    killer = tame(script, animal, murder, folder=tmp_path)
    table = SlotProcess(Fixture(killer, animal("tame.py"), PATIENT, seed=1))
    games = [table.submit(number, deal_of_pair(1, number.pair)) for number in games_of_match(2)]
    assert [game.result().outcome.number for game in games] == list(games_of_match(2))
    assert all(game.result().outcome.forfeit is None for game in games)
    table.dismiss()
    table.join()
    assert (tmp_path / "games").read_text() == "xxxxx"


def test_a_table_process_that_cannot_be_kept_alive_is_given_up(animal: Animal, script: Script) -> None:
    killer = tame(script, animal, KILL_THE_SLOT)
    table = SlotProcess(Fixture(killer, animal("tame.py"), PATIENT, seed=1))
    games = [table.submit(number, deal_of_pair(1, number.pair)) for number in games_of_match(1)]
    table.join()
    for game in games:
        with pytest.raises(SlotLostError, match="and so did its successor"):
            game.result()
    with pytest.raises(SlotLostError):
        table.submit(next(games_of_match(1)), deal_of_pair(1, 0))


@pytest.mark.parametrize("games", [2, 2 * MANY])
def test_an_aborted_hall_fails_its_games_and_leaves_no_engine(
    games: int, script: Script, tmp_path: Path
) -> None:
    """The engine never answers; the named pipe that it holds open comes to its end when the last process of it is gone."""
    pipe = tmp_path / "alive"
    os.mkfifo(pipe)
    deaf = script(
        f"import time\nalive = open({str(pipe)!r}, 'w')\nprint('here', file=alive, flush=True)\ntime.sleep(3600)\n"
    )
    with open_pool(Fixture(deaf, deaf, PATIENT, seed=1), slots=2, games=games) as pool:
        futures = [pool.submit(number) for number in games_of_match(1)]
        with pipe.open() as words:
            assert words.readline() == "here\n"
            pool.abort()
            words.read()
    for future in futures:
        assert future.cancelled() or isinstance(future.exception(), RosterClosedError)


def test_a_full_hall_gives_every_game_a_processor_and_leaves_the_rest_free() -> None:
    available = os.sched_getaffinity(0)
    shares = processors_for(len(available))
    assert {next(shares) for _ in available} == available
    assert next(processors_for(len(available) - 1)) is None or len(available) == 1


def test_a_thread_that_keeps_to_a_processor_binds_no_other() -> None:
    before = os.sched_getaffinity(0)
    processor = max(before)
    seen: list[set[int]] = []

    def look() -> None:
        keep_to(processor)
        keep_to(None)
        seen.append(os.sched_getaffinity(0))

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert seen == [{processor}]
    assert os.sched_getaffinity(0) == before


@pytest.mark.parametrize("games", [1, MANY])
def test_engines_keep_to_the_processor_of_their_game(
    games: int, animal: Animal, script: Script, tmp_path: Path
) -> None:
    """An engine is bound before it is asked anything, but it may run for a moment before that."""
    engine = tame(script, animal, NOTE_PROCESSORS, folder=tmp_path).staying_alive()
    slots = max(2, len(os.sched_getaffinity(0)))
    plan = MatchPlan(pairs=(games * slots + 1) // 2, seed=1, concurrency=slots)
    assert play_match(engine, engine, plan, limits=PATIENT).tally.forfeit_count == 0
    assert set((tmp_path / "seen").read_text().split()) == {"1"}


def test_a_table_process_starts_without_numpy() -> None:
    program = "import sys, croupier.durak.arena.slot_process; print('numpy' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"
