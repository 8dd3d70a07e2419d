"""Long work outside the event loop: solves, simulations, evolutions and matches, with progress and a way to stop.

Jobs run in threads of this process. They spend nearly all their time in compiled kernels, which release the interpreter's
lock. A thread starts at once; a process would first import the solvers, which takes a second or two.

There are two lanes. Solves, which end within seconds, never wait for simulations, evolutions or matches, which may take hours.
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

#: How many finished jobs are kept for pages that are opened again.
REMEMBERED_JOBS = 200

_log = logging.getLogger(__name__)


class Status(StrEnum):
    """The state of a job."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"


class Stopped(Exception):  # noqa: N818 - a requested stop is not an error
    """Raised in a job's thread at its next report after it was asked to stop."""


@dataclass(frozen=True, slots=True)
class JobState(Generic[ResultT]):
    """A consistent snapshot of a job.

    Attributes
    ----------
    status
        Waiting, running or how it ended.
    latest
        The last report.
    result
        The result, if it is done.
    error
        The reason in one line, if it failed.
    """

    status: Status = Status.WAITING
    latest: Any = None
    result: ResultT | None = None
    error: str = ""

    @property
    def is_over(self) -> bool:
        """Whether the job has ended."""
        return self.status in (Status.DONE, Status.FAILED, Status.STOPPED)

    @property
    def newest(self) -> Any:
        """The result if there is one, otherwise the last report."""
        return self.latest if self.result is None else self.result


class Lane(StrEnum):
    """Where a job waits: only for jobs of its own lane."""

    SHORT = "short"
    LONG = "long"


class Job(Generic[ResultT]):
    """One piece of work that runs in a thread.

    Parameters
    ----------
    name
        The name of the work, such as ``banluck-solve``.
    kind
        What kind of work it is: a key of ``jobs`` in the texts.
    lane
        Where it waits.
    """

    def __init__(self, name: str, kind: str, lane: Lane) -> None:
        self.name, self.kind, self.lane = name, kind, lane
        self._state: JobState[ResultT] = JobState()
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._ended = threading.Event()

    @property
    def state(self) -> JobState[ResultT]:
        """The current snapshot; read it once and use that object, because the job goes on."""
        return self._state

    def stop(self) -> None:
        """Ask it to stop at its next report."""
        with self._lock:
            self._stop.set()
            if self._state.status is Status.WAITING:
                self._state = JobState(Status.STOPPED)

    def wait(self, seconds: float) -> bool:
        """Block until it has ended, or for at most some seconds; return whether it has ended."""
        return self._ended.wait(seconds)

    def report(self, snapshot: object) -> None:
        """Publish progress.

        Raises
        ------
        Stopped
            If the job was asked to stop.
        """
        self._state = replace(self._state, latest=snapshot)
        if self._stop.is_set():
            raise Stopped

    def run(self, work: Callable[["Report"], ResultT]) -> None:
        """Run the work in this thread."""
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
            return replace(self._state, status=Status.FAILED, error=error.said)
        except Exception:
            _log.exception("job %s failed", self.name)
            return replace(
                self._state, status=Status.FAILED, error="It failed; see the server's log for the reason."
            )
        return replace(self._state, status=Status.DONE, result=result)


#: The function that work calls with its progress; it raises :class:`Stopped` to end the work.
Report = Callable[[object], None]


class Jobs:
    """All jobs of the web app: one per visitor and name; a new one stops the one before.

    Parameters
    ----------
    workers
        How many jobs run at the same time in each lane; the others wait.

    Examples
    --------
    >>> jobs = Jobs(workers=1)
    >>> job = jobs.start("ann", "sum", lambda report: sum(range(10)))
    >>> jobs.close()
    >>> job.state.status.value, job.state.result
    ('done', 45)
    """

    def __init__(self, workers: int = 2) -> None:
        self._executors = {
            lane: ThreadPoolExecutor(workers, thread_name_prefix=f"{lane}-job") for lane in Lane
        }
        self._jobs: dict[tuple[str, str], Job[Any]] = {}
        self._unfinished: list[Job[Any]] = []

    def start(
        self,
        visitor: str,
        name: str,
        work: Callable[[Report], ResultT],
        *,
        kind: str = "other",
        lane: Lane = Lane.SHORT,
    ) -> Job[ResultT]:
        """Start work for a visitor, replacing the visitor's job of the same name.

        Parameters
        ----------
        visitor, name
            Whose job it is, and its name.
        work
            The work; it is called with a function to report progress.
        kind
            What kind of work it is, for those who wait for it.
        lane
            The long one for work that may take longer than some seconds.
        """
        earlier = self._jobs.pop((visitor, name), None)
        if earlier is not None:
            earlier.stop()
        self._forget_old()
        job: Job[ResultT] = Job(name, kind, lane)
        self._jobs[visitor, name] = job
        self._unfinished = [other for other in self._unfinished if not other.state.is_over]
        self._unfinished.append(job)
        self._executors[lane].submit(job.run, work)
        return job

    def ahead_of(self, job: Job[Any]) -> list[str]:
        """Return the kinds of the unfinished jobs that were started before a job in its lane.

        >>> jobs = Jobs(workers=1)
        >>> begun, may_end = threading.Event(), threading.Event()
        >>> _ = jobs.start("ann", "match", lambda _: begun.set() or may_end.wait(), kind="match")
        >>> jobs.ahead_of(jobs.start("bob", "solve", lambda _: None))
        ['match']
        >>> may_end.set()
        >>> jobs.close()
        """
        unfinished = [other for other in self._unfinished if not other.state.is_over]
        place = unfinished.index(job) if job in unfinished else 0
        return [other.kind for other in unfinished[:place] if other.lane is job.lane]

    def find(self, visitor: str, name: str) -> Job[Any] | None:
        """Return a visitor's job by its name, or None."""
        return self._jobs.get((visitor, name))

    def stop_all(self) -> None:
        """Ask every job to stop."""
        for job in tuple(self._jobs.values()):
            job.stop()

    def close(self) -> None:
        """Wait for the running jobs; no job can be started afterwards."""
        for executor in self._executors.values():
            executor.shutdown(wait=True)

    def _forget_old(self) -> None:
        ended = [key for key, job in self._jobs.items() if job.state.is_over]
        for key in ended[: max(len(self._jobs) - REMEMBERED_JOBS, 0)]:
            del self._jobs[key]
