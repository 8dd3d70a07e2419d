"""All engine processes of a match; none is left running, whatever happens to the match."""

import atexit
import os
import signal
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from croupier.durak.arena.engine_process import EngineProcess
from croupier.durak.arena.engine_spec import EngineSpec

#: How long an engine may take to exit by itself after game_end, and how long after SIGTERM.
FAREWELL, LAST_WORDS = 1.0, 0.2

#: An environment variable by which a process that left its engine's session is still recognised.
MARKER = "DURAK_ARENA"


class RosterClosedError(Exception):
    """The match is being ended: no engine is started any more."""


class Roster:
    """Starts engines, waits for their exit, and ends all of them when the match is over or interrupted.

    Parameters
    ----------
    mark
        By what its engines are recognised, in case another process has to end them; random by default.

    Examples
    --------
    >>> from croupier.durak.arena.engine_spec import read_engine
    >>> with Roster() as roster:
    ...     cat = roster.start(read_engine("cat"))
    ...     cat.ask("miaow", limit=60)
    'miaow'
    >>> cat.has_exited
    True
    """

    def __init__(self, mark: str | None = None) -> None:
        self._lock = threading.Lock()
        self._is_open = True
        self._mark = mark or new_mark()
        self._playing: set[EngineProcess] = set()
        self._leaving: dict[EngineProcess, float] = {}
        atexit.register(self.close)

    def start(self, spec: EngineSpec) -> EngineProcess:
        """Start an engine.

        Raises
        ------
        EngineFault
            If the program cannot be started.
        RosterClosedError
            If the match is being ended.
        """
        with self._lock:
            self._verify_open()
            process = EngineProcess(spec, (MARKER, self._mark))
            self._playing.add(process)
        return process

    def dismiss(self, process: EngineProcess, *, at_fault: bool = False) -> None:
        """Let an engine go: it may exit by itself for a while, and is killed if it does not.

        Nobody waits for it here; :meth:`see_out` looks after those who are leaving. One that is at fault is asked to
        end at once.
        """
        process.close_input()
        if at_fault:
            process.terminate()
        with self._lock:
            self._playing.discard(process)
            self._leaving[process] = time.monotonic() + (LAST_WORDS if at_fault else FAREWELL)

    def see_out(self) -> None:
        """Reap engines that have exited, and kill those whose time to exit is over."""
        with self._lock:
            gone = [
                process
                for process, deadline in self._leaving.items()
                if process.has_exited or time.monotonic() > deadline
            ]
            for process in gone:
                del self._leaving[process]
                process.kill()

    def verify_open(self) -> None:
        """Raise a RosterClosedError if the match is being ended: what an engine did just now was not its own doing."""
        with self._lock:
            self._verify_open()

    def _verify_open(self) -> None:
        if not self._is_open:
            raise RosterClosedError

    def abort(self) -> None:
        """Kill every engine and start no more, while other threads still talk with them; call close afterwards."""
        with self._lock:
            self._is_open = False
            for process in (*self._playing, *self._leaving):
                process.strike()

    def close(self, *, at_once: bool = True) -> None:
        """End everything; those who are leaving may finish first, unless it has to be at once.

        No other thread may be talking with an engine any more.
        """
        if not at_once:
            for process in tuple(self._playing):
                self.dismiss(process)
        while not at_once and self._leaving:
            self.see_out()
            time.sleep(0.002)
        with self._lock:
            self._is_open = False
            for process in (*self._playing, *self._leaving):
                process.kill()
            self._playing.clear()
            self._leaving.clear()
        end_strays(self._mark)
        atexit.unregister(self.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close(at_once=kind is not None)


def new_mark() -> str:
    """Return a mark for the engines of a roster that no other roster has."""
    return uuid.uuid4().hex


def end_strays(mark: str) -> None:
    """Kill all engines of a roster that still run, and their children."""
    for stray in _processes_marked(MARKER, mark):
        with suppress(ProcessLookupError, PermissionError):
            os.kill(stray, signal.SIGKILL)


def _processes_marked(name: str, value: str) -> Iterator[int]:
    """Find processes by a variable of their environment, where the system shows it (/proc)."""
    wanted = f"{name}={value}".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                yield int(folder.name)
