"""Long work outside the event loop: solves, simulations, evolutions, matches, each with progress and a way to stop it.

Work runs in threads of this process. Nearly all of it is spent in compiled kernels, which release the interpreter's lock,
and a thread starts at once, where a process would first import the solvers for a second or two.
"""

import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
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


@dataclass(frozen=True, slots=True)
class JobState(Generic[ResultT]):
    """A job at one moment. What is read of it belongs together, however much further the job is by then.

    Attributes
    ----------
    status
        How far it is.
    latest
        What it reported last.
    result
        What came out, when it is done.
    error
        What was wrong, in one line, when it failed.
    """

    status: Status = Status.WAITING
    latest: Any = None
    result: ResultT | None = None
    error: str = ""

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come of it."""
        return self.status in (Status.DONE, Status.FAILED, Status.STOPPED)

    @property
    def newest(self) -> Any:
        """What there is to show: the result, or what was reported last."""
        return self.latest if self.result is None else self.result


class Job(Generic[ResultT]):
    """One piece of work, done in a thread while others look at it.

    Parameters
    ----------
    name
        What it is, such as ``banluck-solve``.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._state: JobState[ResultT] = JobState()
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._ended = threading.Event()

    @property
    def state(self) -> JobState[ResultT]:
        """How it stands now; the same object until something changes. Look once, and go by what was seen."""
        return self._state

    def stop(self) -> None:
        """Ask it to stop; it does at its next report."""
        with self._lock:
            self._stop.set()
            if self._state.status is Status.WAITING:
                self._state = JobState(Status.STOPPED)

    def wait(self, seconds: float) -> bool:
        """Wait until it is over, in a thread that may; return whether it is."""
        return self._ended.wait(seconds)

    def report(self, snapshot: object) -> None:
        """Take what the work has to show so far; raise :class:`Stopped` if it is to stop."""
        self._state = replace(self._state, latest=snapshot)
        if self._stop.is_set():
            raise Stopped

    def run(self, work: Callable[["Report"], ResultT]) -> None:
        """Do the work in this thread."""
        try:
            if self._begin():
                self._state = self._outcome(work)
        finally:
            self._ended.set()

    def _begin(self) -> bool:
        with self._lock:
            if self._stop.is_set():
                return False
            self._state = JobState(Status.RUNNING)
            return True

    def _outcome(self, work: Callable[["Report"], ResultT]) -> JobState[ResultT]:
        try:
            result = work(self.report)
        except Stopped:
            return replace(self._state, status=Status.STOPPED)
        except InputError as error:
            return replace(self._state, status=Status.FAILED, error=str(error))
        except Exception:
            _log.exception("job %s failed", self.name)
            return replace(self._state, status=Status.FAILED, error="It failed; the server's log says why.")
        return replace(self._state, status=Status.DONE, result=result)


#: What work calls to show how far it is, and to learn that it is to stop.
Report = Callable[[object], None]


class Jobs:
    """All jobs of a web app: one a visitor and name; a new one stops the one before it.

    Parameters
    ----------
    workers
        How many run at a time; the others wait.

    Examples
    --------
    >>> jobs = Jobs(workers=1)
    >>> job = jobs.start("ann", "sum", lambda report: sum(range(10)))
    >>> jobs.close()
    >>> job.state.status.value, job.state.result
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
        ended = [key for key, job in self._jobs.items() if job.state.is_over]
        for key in ended[: max(len(self._jobs) - REMEMBERED_JOBS, 0)]:
            del self._jobs[key]
