"""Where parallel work runs: this process, threads, processes of this machine, or a Dask cluster.

All of them are a ``concurrent.futures.Executor``, so that whoever hands out work need not know which it is.
"""

import multiprocessing
import os
import signal
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import resource_tracker
from typing import ParamSpec, TypeVar

from croupier.errors import InputError

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class SizedExecutor(Executor, ABC):
    """An executor that knows how much it can take on."""

    @property
    @abstractmethod
    def in_flight(self) -> int:
        """How many calls keep it busy, including some that wait for a free worker."""


@contextmanager
def open_executor(
    workers: int | None = None, cluster: str | None = None, *, threads: bool = False
) -> Iterator[SizedExecutor]:
    """Open the executor that fits, and close it whatever happens: no process is left behind.

    Parameters
    ----------
    workers
        How many workers of this machine, by default one a processor. One works in this process.
    cluster
        A Dask cluster instead: ``tcp://host:port`` of its scheduler, or ``local:4`` to start one of 4 processes.
    threads
        Whether the workers are threads. They start at once, but only kernels that release the interpreter's lock
        run side by side.

    Raises
    ------
    InputError
        If the number of workers or the cluster is not one, or the cluster cannot be reached.

    Examples
    --------
    >>> with open_executor(workers=1) as executor:
    ...     executor.submit(pow, 2, 10).result()
    1024
    >>> with open_executor(workers=0) as executor:
    ...     pass
    Traceback (most recent call last):
    croupier.errors.InputError: workers = 0: at least 1 worker is needed
    """
    verify_workers(workers, cluster)
    if cluster is not None:
        from croupier.runs.clusters import open_cluster  # noqa: PLC0415  # Dask is optional, and slow to import

        with open_cluster(cluster) as remote:
            yield remote
        return
    executor = _local_executor((os.cpu_count() or 1) if workers is None else workers, threads=threads)
    try:
        yield executor
    finally:
        executor.shutdown(cancel_futures=True)


def verify_workers(workers: int | None, cluster: str | None = None) -> None:
    """Raise an :class:`InputError` if this is no number of workers, or if a cluster brings its own."""
    if workers is None:
        return
    if cluster is not None:
        raise InputError(f"workers = {workers}: cluster '{cluster}' brings its own workers; name one of both")
    if workers < 1:
        raise InputError(f"workers = {workers}: at least 1 worker is needed")


def _local_executor(workers: int, *, threads: bool) -> SizedExecutor:
    if workers == 1:
        return InProcessExecutor()
    return ThreadExecutor(workers) if threads else ProcessExecutor(workers)


class InProcessExecutor(SizedExecutor):
    """Does a call where it is handed over, before anything else.

    Examples
    --------
    >>> InProcessExecutor().submit(pow, 2, 10).done()
    True
    """

    @property
    def in_flight(self) -> int:
        """One: nothing is done ahead."""
        return 1

    def submit(
        self, fn: Callable[Arguments, Result], /, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Future[Result]:
        """Make the call; Ctrl-C is not a result of it and goes up to the caller."""
        future: Future[Result] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class ThreadExecutor(ThreadPoolExecutor, SizedExecutor):
    """Threads, for kernels that release the interpreter's lock.

    Examples
    --------
    >>> with ThreadExecutor(2) as executor:
    ...     list(executor.map(abs, [-1, -2, -3]))
    [1, 2, 3]
    """

    def __init__(self, workers: int) -> None:
        super().__init__(workers, thread_name_prefix="croupier")
        self._workers = workers

    @property
    def in_flight(self) -> int:
        """One call to do and one to go on with, a thread."""
        return 2 * self._workers


class ProcessExecutor(SizedExecutor):
    """Worker processes of this machine; a pool that lost one is replaced at the next call.

    The processes are spawned, not forked: a fork would copy the locks of running threads (Numba's, BLAS's) as
    they happen to stand. They leave Ctrl-C to this process, and end when it is gone, however it went.

    Examples
    --------
    >>> with ProcessExecutor(2) as executor:
    ...     executor.submit(pow, 2, 10).result()
    1024
    """

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._pool = self._fresh_pool()

    @property
    def in_flight(self) -> int:
        """One call to do, one in the pipe and one to spare, a process."""
        return 3 * self._workers

    def submit(
        self, fn: Callable[Arguments, Result], /, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Future[Result]:
        """Hand a call to a worker; if a worker died, to fresh ones."""
        with interrupts_held_back():
            try:
                return self._pool.submit(fn, *args, **kwargs)
            except BrokenExecutor:
                self._pool.shutdown()
                self._pool = self._fresh_pool()
                return self._pool.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let the workers end what they are at, and go."""
        self._pool.shutdown(wait, cancel_futures=cancel_futures)

    def _fresh_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self._workers,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_end_with_parent,
        )


@contextmanager
def interrupts_held_back() -> Iterator[None]:
    """Start threads and processes that never see Ctrl-C; one that comes meanwhile is delivered afterwards.

    A terminal sends Ctrl-C to every process of a command. The signal mask is inherited, so that a worker is deaf
    to it from its first instruction on, where a handler of its own would come too late for its imports.
    """
    resource_tracker.ensure_running()  # it comes with the first worker otherwise, and unblocks Ctrl-C when it starts
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_with_parent() -> None:
    """Watch the process that started this worker: if it is killed, nobody else would ever end the worker."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
