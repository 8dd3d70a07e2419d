"""Long work outside the event loop: solves, simulations, evolutions, matches, each with progress and a way to stop it.

Work runs in threads of this process. Nearly all of it is spent in compiled kernels, which release the interpreter's lock,
and a thread starts at once, where a process would first import the solvers for a second or two.
"""

import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from enum import StrEnum
from typing import Any, Generic, TypeVar

from croupier.errors import InputError

ResultT = TypeVar("ResultT")

#: How much of what has ended is remembered, for pages that are opened again.
REMEMBERED_JOBS = 200

_log = logging.getLogger(__name__)


class Status(StrEnum):
    """How far a job is."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"


class Stopped(Exception):  # noqa: N818 - it is no error: somebody asked for it
    """Raised in a job's thread at its next report once somebody has asked it to stop."""


class Job(Generic[ResultT]):
    """One piece of work.

    Attributes
    ----------
    name
        What it is, such as ``banluck-solve``.
    status
        How far it is.
    latest
        What it reported last.
    result
        What came out, when it is done.
    error
        What was wrong, in one line, when it failed.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.status = Status.WAITING
        self.latest: Any = None
        self.result: ResultT | None = None
        self.error = ""
        self._stop = threading.Event()
        self._ended = threading.Event()

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come of it."""
        return self.status in (Status.DONE, Status.FAILED, Status.STOPPED)

    def stop(self) -> None:
        """Ask it to stop; it does at its next report."""
        self._stop.set()
        if self.status is Status.WAITING:
            self.status = Status.STOPPED

    def wait(self, seconds: float) -> bool:
        """Wait until it is over, in a thread that may; return whether it is."""
        return self._ended.wait(seconds)

    def report(self, snapshot: object) -> None:
        """Take what the work has to show so far; raise :class:`Stopped` if it is to stop."""
        self.latest = snapshot
        if self._stop.is_set():
            raise Stopped

    def run(self, work: Callable[["Report"], ResultT]) -> None:
        """Do the work in this thread."""
        try:
            self._run(work)
        finally:
            self._ended.set()

    def _run(self, work: Callable[["Report"], ResultT]) -> None:
        if self._stop.is_set():
            self.status = Status.STOPPED
            return
        self.status = Status.RUNNING
        try:
            self.result = work(self.report)
        except Stopped:
            self.status = Status.STOPPED
        except InputError as error:
            self.error, self.status = str(error), Status.FAILED
        except Exception:
            _log.exception("job %s failed", self.name)
            self.error, self.status = "It failed; the server's log says why.", Status.FAILED
        else:
            self.status = Status.DONE


#: What work calls to show how far it is, and to learn that it is to stop.
Report = Callable[[object], None]


class Jobs:
    """All jobs of a lab: one a visitor and name; a new one stops the one before it.

    Parameters
    ----------
    workers
        How many run at a time; the others wait.

    Examples
    --------
    >>> jobs = Jobs(workers=1)
    >>> job = jobs.start("ann", "sum", lambda report: sum(range(10)))
    >>> jobs.close()
    >>> job.status.value, job.result
    ('done', 45)
    """

    def __init__(self, workers: int = 2) -> None:
        self._executor = ThreadPoolExecutor(workers, thread_name_prefix="job")
        self._jobs: dict[tuple[str, str], Job[Any]] = {}

    def start(self, visitor: str, name: str, work: Callable[[Report], ResultT]) -> Job[ResultT]:
        """Start work for a visitor, in place of what the visitor had started under this name."""
        earlier = self._jobs.pop((visitor, name), None)
        if earlier is not None:
            earlier.stop()
        self._forget_old()
        job: Job[ResultT] = Job(name)
        self._jobs[visitor, name] = job
        self._executor.submit(job.run, work)
        return job

    def find(self, visitor: str, name: str) -> Job[Any] | None:
        """Return what a visitor has started under a name."""
        return self._jobs.get((visitor, name))

    def stop_all(self) -> None:
        """Ask every job to stop."""
        for job in tuple(self._jobs.values()):
            job.stop()

    def close(self) -> None:
        """Wait for what is running; nothing can be started any more."""
        self._executor.shutdown(wait=True)

    def _forget_old(self) -> None:
        ended = [key for key, job in self._jobs.items() if job.is_over]
        for key in ended[: max(len(self._jobs) - REMEMBERED_JOBS, 0)]:
            del self._jobs[key]
