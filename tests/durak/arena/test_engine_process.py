import os
import select
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from croupier.durak.arena.engine_process import MAX_ERRORS, EngineProcess, verify_startable
from croupier.durak.arena.engine_spec import EngineError, EngineSpec
from croupier.durak.arena.roster import Roster, RosterClosedError
from croupier.durak.arena.verdict import EngineFault, Verdict

Script = Callable[..., EngineSpec]
PATIENT = 120.0

#: Answers each line with a Python expression of it.
EVALUATE = """
import os, sys
for line in sys.stdin:
    print(eval(line), flush=True)
"""


@contextmanager
def running(spec: EngineSpec) -> Iterator[EngineProcess]:
    process = EngineProcess(spec)
    try:
        yield process
    finally:
        process.kill()


def test_an_engine_runs_in_its_folder_with_its_arguments(script: Script, tmp_path: Path) -> None:
    spec = script(EVALUATE, folder=tmp_path)
    with running(EngineSpec((*spec.command, "--fast"), "engine", folder=tmp_path)) as process:
        assert process.ask("os.getcwd()", PATIENT) == str(tmp_path.resolve())
        assert process.ask("sys.argv[1]", PATIENT) == "--fast"


def test_an_engine_sees_its_own_variables_and_no_secrets(
    script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BANK_PASSWORD", "hunter2")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    with running(script(EVALUATE, environment={"THREADS": "1"})) as process:
        seen = process.ask("sorted(os.environ)", PATIENT)
    assert "THREADS" in seen
    assert "LC_ALL" in seen
    assert "PATH" in seen
    assert "BANK_PASSWORD" not in seen
    assert "DURAK_KEEP_ALIVE" not in seen


def test_an_engine_that_may_stay_alive_is_told_so(script: Script) -> None:
    with running(script(EVALUATE).staying_alive()) as process:
        assert process.ask("os.environ['DURAK_KEEP_ALIVE']", PATIENT) == "1"


def test_an_engine_inherits_no_open_file(script: Script, tmp_path: Path) -> None:
    with (tmp_path / "secret").open("w") as secret:
        os.set_inheritable(secret.fileno(), True)
        with running(script(EVALUATE)) as process:
            files = process.ask("len(os.listdir('/proc/self/fd'))", PATIENT)
    assert files == "4"  # the three standard ones, and the listing itself


def test_an_engine_leads_a_session_of_its_own(script: Script) -> None:
    with running(script(EVALUATE)) as process:
        assert process.ask("os.getsid(0) == os.getpid()", PATIENT) == "True"


def test_an_empty_line_is_an_answer_and_the_end_of_output_is_none(script: Script) -> None:
    with running(script("input()\nprint(flush=True)\ninput()\n")) as process:
        assert process.ask("respond", PATIENT) == ""
        with pytest.raises(EngineFault, match="status 0 instead of answering") as caught:
            process.ask("respond", PATIENT)
        assert caught.value.verdict is Verdict.CRASH


def test_a_line_too_much_is_found_out_before_the_next_question(script: Script) -> None:
    text = "input()\nprint('ok', flush=True)\ninput()\nprint('more', flush=True)\ninput()\n"
    with running(script(text)) as process:
        assert process.ask("init", PATIENT) == "ok"
        process.tell("deal")
        with pytest.raises(EngineFault) as caught:
            process.verify_silence(PATIENT)
        assert caught.value.verdict is Verdict.UNASKED


def test_half_a_line_before_the_end_is_shown(script: Script) -> None:
    spec = script("import sys\ninput()\nsys.stdout.write('9')\nsys.exit(4)\n")
    reason = "status 4 instead of answering after '9'"
    with running(spec) as process, pytest.raises(EngineFault, match=reason):
        process.ask("move", PATIENT)


def test_only_the_end_of_stderr_is_kept(script: Script) -> None:
    text = "import sys\ninput()\nsys.stderr.write('x' * 300_000 + 'the end')\nsys.stderr.flush()\nprint('ok', flush=True)\ninput()\n"
    with running(script(text)) as process:
        assert process.ask("init", PATIENT) == "ok"
        process.verify_silence(0.0)
        assert process.errors.endswith("the end")
        assert len(process.errors) <= MAX_ERRORS


def test_an_engine_that_reads_nothing_does_not_block_the_arena(script: Script) -> None:
    with running(script("import time\ntime.sleep(3600)\n")) as process:
        with pytest.raises(EngineFault, match="does not read its input") as caught:
            process.ask("x" * 1_000_000, limit=0.3)
        assert caught.value.verdict is Verdict.HANG


def test_a_killed_engine_leaves_no_zombie_and_no_child(script: Script) -> None:
    text = "import os, time\nchild = os.fork()\nif child == 0:\n    time.sleep(3600)\ninput()\nprint(child, flush=True)\ninput()\n"
    with running(script(text)) as process:
        child = os.pidfd_open(int(process.ask("who", PATIENT)))
    with pytest.raises(ChildProcessError):
        os.waitpid(process.pid, os.WNOHANG)
    ended, _, _ = select.select([child], [], [], PATIENT)
    os.close(child)
    assert ended


def test_what_cannot_be_run_is_a_fault_in_a_game_and_an_error_before(tmp_path: Path) -> None:
    spec = EngineSpec((str(tmp_path / "nothing"),), "nothing")
    with pytest.raises(EngineFault) as caught:
        EngineProcess(spec)
    assert caught.value.verdict is Verdict.NO_START
    with pytest.raises(EngineError, match="engine 'nothing': cannot run"):
        verify_startable(spec)


def test_a_closed_roster_has_ended_everybody_and_starts_nobody(animal: Callable[..., EngineSpec]) -> None:
    with Roster() as roster:
        playing = roster.start(animal("tame.py"))
        leaving = roster.start(animal("ignores_sigterm"))
        assert leaving.ask("init 8H", PATIENT) == "ok"
        roster.dismiss(leaving, at_fault=True)
    assert playing.has_exited
    assert leaving.has_exited
    with pytest.raises(RosterClosedError):
        roster.start(animal("tame.py"))


def test_an_engine_may_finish_its_work_after_the_game(script: Script, tmp_path: Path) -> None:
    text = "import sys\nfor line in sys.stdin:\n    print('ok', flush=True)\nopen('learned', 'w').write('much')\n"
    with Roster() as roster:
        process = roster.start(script(text, folder=tmp_path))
        process.ask("init 8H", PATIENT)
        process.tell("game_end")
        roster.dismiss(process)
    assert (tmp_path / "learned").read_text() == "much"


def test_an_engine_at_fault_is_asked_to_end_before_it_is_killed(script: Script, tmp_path: Path) -> None:
    text = (
        "import signal, sys, time\n"
        "def end(*_):\n    open('goodbye', 'w').close()\n    sys.exit()\n"
        f"signal.signal({signal.SIGTERM.value}, end)\ninput()\nprint('ok', flush=True)\ntime.sleep(3600)\n"
    )
    with Roster() as roster:
        process = roster.start(script(text, folder=tmp_path))
        process.ask("init 8H", PATIENT)
        roster.dismiss(process, at_fault=True)
        process.wait_for_exit(PATIENT)
    assert (tmp_path / "goodbye").exists()
