"""One engine as a process: lines in, lines out, with a verdict for every way in which that can go wrong.

The process is started from a process apart (:mod:`~croupier.durak.arena.engine_starter`) and leads its own session. It gets three pipes and no
other open file, and only the variables that its :class:`~croupier.durak.arena.engine_spec.EngineSpec` allows. Nothing that it does can block the arena: output is read within
a limit of time and of bytes, and stderr is drained while an answer is awaited.
"""

import os
import select
import signal
import time
from contextlib import suppress

from croupier.durak.arena.engine_spec import EngineError, EngineSpec
from croupier.durak.arena.engine_starter import engine_starter
from croupier.durak.arena.verdict import EngineFault, Verdict
from croupier.durak.engine.protocol2 import INFO

#: A longer answer is a flood: the longest that makes sense, a whole pack of cards, has 107 characters.
MAX_LINE = 4096
#: How much of stderr is kept: the end, where a crash is explained.
MAX_ERRORS = 4096
#: How long a process whose output ended may take to exit before it counts as alive with its pipe closed.
EXIT_GRACE = 1.0
#: How often a silent engine is asked whether it still lives: children of a dead one may hold its pipe open.
_HEARTBEAT = 0.1
_CHUNK = 65_536
_INFO = INFO.encode()
_SHOWN = 60


class EngineProcess:
    """A running engine.

    Raises
    ------
    EngineFault
        From the constructor, if the program cannot be started; from :meth:`ask`, if there is no proper line.

    Examples
    --------
    >>> from croupier.durak.arena.engine_spec import read_engine
    >>> process = EngineProcess(read_engine("cat"))
    >>> process.ask("hello", limit=60)
    'hello'
    >>> process.kill()
    """

    def __init__(self, spec: EngineSpec, marker: tuple[str, str] = ("DURAK_ARENA", "1")) -> None:
        self.info = ""
        self._errors = b""
        self._buffer = b""
        self._is_reaped = False
        (keys, self._stdin), (self._stdout, answers), (self._stderr, errors) = (os.pipe() for _ in range(3))
        ours, theirs = (self._stdin, self._stdout, self._stderr), (keys, answers, errors)
        try:
            self._starter = engine_starter()
            self.pid = self._starter.start(
                spec.full_command,
                os.getcwd() if spec.folder is None else str(spec.folder),
                spec.full_environment() | dict([marker]),
                theirs,
            )
            handle = os.pidfd_open(self.pid)
        except OSError as error:
            _close(*ours)
            why = error.strerror or str(error)
            raise EngineFault(Verdict.NO_START, f"cannot run '{spec.command[0]}': {why}") from None
        finally:
            _close(*theirs)
        self._open = {*ours, handle}
        with suppress(ProcessLookupError):
            os.sched_setaffinity(self.pid, os.sched_getaffinity(0))  # that of this thread: see processors
        for pipe in ours:
            os.set_blocking(pipe, False)
        self._end = select.poll()
        self._end.register(handle, select.POLLIN)
        self._output = select.poll()
        self._output.register(self._stdout, select.POLLIN)
        self._output.register(self._stderr, select.POLLIN)

    @property
    def errors(self) -> str:
        """The end of what the engine has written to stderr."""
        return self._errors.decode("utf-8", errors="replace")

    @property
    def has_exited(self) -> bool:
        """Whether the process has ended; it is not reaped, so its number cannot go to another one before the kill."""
        return self._is_reaped or bool(self._end.poll(0))

    def ask(self, line: str, limit: float, *, with_info: bool = False) -> str:
        """Send a line and return the answer, stripped of white space; lines of information may come before it, if allowed.

        Raises
        ------
        EngineFault
            With the verdict hang, crash, closed pipe, flood, not UTF-8 or unasked line. The end of the output is never
            taken for an empty answer.
        """
        deadline = time.monotonic() + limit
        self.verify_silence()
        self._write(line.encode() + b"\n", deadline, limit)
        self.info = ""
        answer = self._read_line(deadline, limit, with_info=with_info)
        try:
            return answer.decode("utf-8").strip()
        except UnicodeDecodeError:
            raise EngineFault(Verdict.NOT_UTF8, f"answered {_shown(answer)}") from None

    def verify_silence(self, seconds: float = 0.0) -> None:
        """Raise an EngineFault if the engine says something without being asked, now or within some time."""
        patience = time.monotonic() + seconds
        while ready := self._output.poll(1000 * max(0.0, patience - time.monotonic())):
            for pipe, _ in ready:
                if pipe == self._stdout:
                    chunk = os.read(self._stdout, _CHUNK)
                    if not chunk:
                        return
                    raise self._excess(chunk, f"wrote {_shown(chunk)} without being asked")
                if not self._drain_errors():
                    self._output.unregister(self._stderr)
            if time.monotonic() >= patience:
                return

    def wait_for_exit(self, seconds: float) -> bool:
        """Give the process some time to end by itself, reading its stderr; return whether it did."""
        patience = time.monotonic() + seconds
        while not self.has_exited and time.monotonic() < patience:
            self._drain_errors()
            time.sleep(0.002)
        return self.has_exited

    def last_words(self, seconds: float) -> str:
        """Close the engine's input and return what it still writes within some time."""
        self.close_input()
        self.wait_for_exit(seconds)
        text = self._buffer
        with suppress(BlockingIOError):
            text += os.read(self._stdout, MAX_LINE)
        return text.decode("utf-8", errors="replace").strip()

    def tell(self, line: str) -> None:
        """Send a line that is not answered; an engine need not read it."""
        with suppress(OSError):
            os.write(self._stdin, line.encode() + b"\n")

    def close_input(self) -> None:
        """Let the engine see the end of its input."""
        self._close(self._stdin)

    def terminate(self) -> None:
        """Ask the process and all its children to end."""
        self._signal(signal.SIGTERM)

    def strike(self) -> None:
        """Kill the process and all its children; for use from another thread than the one that talks with it."""
        self._signal(signal.SIGKILL)

    def kill(self) -> None:
        """Kill the process and all its children, and leave neither a zombie nor an open pipe."""
        if self._is_reaped:
            return
        self._signal(signal.SIGKILL)
        self._end.poll()
        self._is_reaped = True
        self._starter.status(self.pid, is_reaped=True)
        self._close(*self._open)

    def _close(self, *files: int) -> None:
        for file in files:
            if file in self._open:
                self._open.discard(file)
                _close(file)

    def _signal(self, number: signal.Signals) -> None:
        if not self._is_reaped:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, number)

    def _write(self, data: bytes, deadline: float, limit: float) -> None:
        while data:
            try:
                data = data[os.write(self._stdin, data) :]
            except BlockingIOError:
                if not self._wait_until_writable(deadline):
                    raise EngineFault(Verdict.HANG, f"does not read its input; waited {limit:g} s") from None
            except OSError:
                raise self._departure("input") from None

    def _wait_until_writable(self, deadline: float) -> bool:
        """Wait until the engine's input takes more, and drain its stderr meanwhile: it may be blocked writing there."""
        waiting = select.poll()
        waiting.register(self._stdin, select.POLLOUT)
        waiting.register(self._stderr, select.POLLIN)
        while (left := deadline - time.monotonic()) > 0:
            for pipe, _ in waiting.poll(1000 * left):
                if pipe == self._stdin:
                    return True
                if not self._drain_errors():
                    waiting.unregister(self._stderr)
        return False

    def _read_line(self, deadline: float, limit: float, *, with_info: bool) -> bytes:
        while True:
            line, line_end, excess = self._buffer.partition(b"\n")
            if line_end and with_info and line.startswith(_INFO) and len(line) <= MAX_LINE:
                self._buffer, self.info = excess, line.decode("utf-8", errors="replace").strip()
                if time.monotonic() < deadline:
                    continue
            elif line_end:
                self._buffer = b""
                if excess:
                    raise self._excess(excess, f"answered {_shown(line)} and went on: {_shown(excess)}")
                if len(line) <= MAX_LINE:
                    return line
            if len(line) > MAX_LINE:
                raise EngineFault(Verdict.FLOOD, f"a line of over {MAX_LINE} characters: {_shown(line)}")
            left = deadline - time.monotonic()
            if left <= 0:
                raise EngineFault(Verdict.HANG, self._silence(limit))
            self._listen(min(left, _HEARTBEAT))

    def _silence(self, limit: float) -> str:
        if self._buffer:
            return f"wrote {_shown(self._buffer)} without a line end; waited {limit:g} s"
        return f"no answer within {limit:g} s; an engine must end its line and flush it"

    def _listen(self, seconds: float) -> None:
        """Read what comes within the time; if nothing does, find out whether the engine is gone."""
        ready = self._output.poll(1000 * seconds)
        if not ready and self.has_exited and not self._output.poll(0):
            raise self._departure("output")
        for pipe, _ in ready:
            if pipe == self._stderr:
                if not self._drain_errors():
                    self._output.unregister(self._stderr)
            elif chunk := os.read(self._stdout, _CHUNK):
                self._buffer += chunk
            else:
                raise self._departure("output")

    def _excess(self, text: bytes, reason: str) -> EngineFault:
        """Tell one line too many from a flood, which does not end."""
        patience = time.monotonic() + _HEARTBEAT
        size = len(text)
        while size <= MAX_LINE and time.monotonic() < patience and self._output.poll(1000 * _HEARTBEAT):
            self._drain_errors()
            with suppress(BlockingIOError):
                size += len(os.read(self._stdout, _CHUNK))
        return EngineFault(Verdict.FLOOD if size > MAX_LINE else Verdict.UNASKED, reason)

    def _drain_errors(self) -> bool:
        """Keep the end of what waits on stderr; return whether more can come."""
        with suppress(BlockingIOError):
            chunk = os.read(self._stderr, _CHUNK)
            self._errors = (self._errors + chunk)[-MAX_ERRORS:]
            return bool(chunk)
        return True

    def _departure(self, pipe: str) -> EngineFault:
        """Tell an engine that ended from one that is running with its pipe closed."""
        has_exited = self.wait_for_exit(EXIT_GRACE)
        self._drain_errors()
        if not has_exited:
            return EngineFault(Verdict.CLOSED_PIPE, f"closed its {pipe} and went on running")
        status = self._starter.status(self.pid, is_reaped=False)
        half_line = f" after {_shown(self._buffer)}" if self._buffer else ""
        return EngineFault(Verdict.CRASH, f"{_ending(status)} instead of answering{half_line}")


def verify_startable(spec: EngineSpec) -> None:
    """Start the program once and end it: what the system refuses to run is the person's mistake, not the engine's.

    Raises
    ------
    EngineError
        If the system refuses.
    """
    try:
        process = EngineProcess(spec)
    except EngineFault as fault:
        raise EngineError(f"engine '{spec.name}': {fault.reason}") from None
    process.kill()


def _shown(data: bytes) -> str:
    text = data[:_SHOWN].decode("utf-8", errors="backslashreplace")
    return repr(text) + ("..." if len(data) > _SHOWN else "")


def _ending(status: int | None) -> str:
    if status is None or status >= 0:
        return f"ended with status {'unknown' if status is None else status}"
    return f"was ended by {signal.Signals(-status).name}"


def _close(*files: int) -> None:
    for file in files:
        os.close(file)
