"""Confined engines: what they may not do they cannot, as far as this system can confine them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from croupier.durak.arena import confinement
from croupier.durak.arena.confinement import Confinement, Isolation, isolation
from croupier.durak.arena.engine_process import EngineProcess
from croupier.durak.arena.engine_spec import EngineSpec, Limits
from croupier.durak.arena.match import MatchPlan, play_match
from croupier.durak.arena.verdict import EngineFault
from croupier.errors import InputError

Script = Callable[..., EngineSpec]
PATIENT = 120.0

#: Answers each line with a Python expression of it, or with the error that it raises.
EVALUATE = """
import os, socket, sys
for line in sys.stdin:
    try:
        print(eval(line), flush=True)
    except Exception as error:
        print(type(error).__name__, flush=True)
"""


@contextmanager
def running(spec: EngineSpec, **limits: int) -> Iterator[EngineProcess]:
    process = EngineProcess(replace(spec, confinement=Confinement(**limits)))
    try:
        yield process
    finally:
        process.kill()


def test_memory_is_limited(script: Script) -> None:
    with running(script(EVALUATE), memory_mb=200) as process:
        assert process.ask("len(bytearray(10**7))", PATIENT) == "10000000"
        assert process.ask("len(bytearray(10**9))", PATIENT) == "MemoryError"


def test_processor_time_is_limited(script: Script) -> None:
    with (
        running(script(EVALUATE), cpu_seconds=1) as process,
        pytest.raises(EngineFault, match=r"crash: (was ended by SIG|ended with status)"),
    ):
        process.ask("sum(iter(int, 1))", PATIENT)


def test_nothing_can_be_written_into_files(script: Script, tmp_path: Path) -> None:
    target = tmp_path / "file"
    target.write_text("old")
    with running(script(EVALUATE)) as process:
        assert process.ask(f"open({str(target)!r}, 'r+').write('new')", PATIENT) in ("3", "OSError")
        assert process.ask(f"os.write(os.open({str(target)!r}, os.O_WRONLY), b'new')", PATIENT) == "OSError"
    assert target.read_text() == "old"


def test_there_is_no_network_and_no_other_process_where_the_system_can_do_that(script: Script) -> None:
    if isolation() is Isolation.LIMITS:
        pytest.skip("this system has neither bubblewrap nor namespaces for ordinary users")
    with running(script(EVALUATE)) as process:
        assert process.ask("[name for _, name in socket.if_nameindex()]", PATIENT) == "['lo']"
        assert process.ask("socket.create_connection(('192.0.2.1', 9), timeout=5)", PATIENT) == "OSError"
        others = process.ask("[int(name) for name in os.listdir('/proc') if name.isdecimal()]", PATIENT)
        assert len(eval(others)) <= 3


def test_the_tool_that_isolates_most_is_taken_and_a_system_without_any_has_limits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for installed, kind, first in (
        (("bwrap", "unshare", ()), Isolation.BUBBLEWRAP, "bwrap"),
        (("unshare", ()), Isolation.NAMESPACES, "unshare"),
        (((),), Isolation.LIMITS, "/bin/sh"),
    ):
        confinement._tool.cache_clear()
        monkeypatch.setattr(
            confinement,
            "_works",
            lambda prefix, installed=installed: (prefix[0] if prefix else ()) in installed,
        )
        assert isolation() is kind
        assert Confinement().command(["engine"])[0] == first
    confinement._tool.cache_clear()


def test_confined_engines_play_the_same_match(animal: Callable[..., EngineSpec]) -> None:
    free = animal("tame.py")
    confined = replace(free, confinement=Confinement())
    plan, limits = MatchPlan(pairs=1, seed=1), Limits(120, 120)
    alike = play_match(free, free, plan, limits=limits), play_match(confined, confined, plan, limits=limits)
    assert alike[0].tally == alike[1].tally
    assert alike[1].tally.forfeit_count == 0


def test_limits_that_cannot_be_are_refused() -> None:
    with pytest.raises(InputError, match="processor time 0 s"):
        Confinement(cpu_seconds=0)
