"""Where parallel work runs: this process, threads, processes of this machine, or a Dask cluster.

All are ``concurrent.futures.Executor`` objects, so callers need not know which one they use.
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
    """An executor that knows how many calls keep it busy."""

    @property
    @abstractmethod
    def in_flight(self) -> int:
        """How many calls to submit ahead, including some that wait for a free worker."""


@contextmanager
def open_executor(
    workers: int | None = None, cluster: str | None = None, *, threads: bool = False
) -> Iterator[SizedExecutor]:
    """Open the executor that fits; close it at the end, also after an error, and leave no process behind.

    Parameters
    ----------
    workers
        How many workers on this machine; by default one per processor. A single worker is this process.
    cluster
        A Dask cluster instead: ``tcp://host:port`` of its scheduler, or ``local:4`` to start one of 4 processes.
    threads
        Whether the workers are threads. Threads start at once, but only kernels that release the interpreter's lock run in parallel.

    Raises
    ------
    InputError
        If the number of workers is below 1, or the cluster is misspelt or cannot be reached.

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
    """Raise an :class:`InputError` if there are fewer workers than 1, or if workers and a cluster are both given."""
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
    """Makes each call at once, in the calling thread.

    Examples
    --------
    >>> InProcessExecutor().submit(pow, 2, 10).done()
    True
    """

    @property
    def in_flight(self) -> int:
        """One: nothing is submitted ahead."""
        return 1

    def submit(
        self, fn: Callable[Arguments, Result], /, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Future[Result]:
        """Make the call. Ctrl-C is not stored as its result; it reaches the caller."""
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
        """Two calls per thread: one running, one waiting."""
        return 2 * self._workers


class ProcessExecutor(SizedExecutor):
    """Worker processes on this machine. If one dies, the next call replaces the pool.

    The processes are spawned, not forked: a fork would copy locks that other threads (Numba's, BLAS's) hold. They ignore Ctrl-C and
    end when this process ends, even if it is killed.

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
        """Three calls per process: one running, one in the pipe, one waiting."""
        return 3 * self._workers

    def submit(
        self, fn: Callable[Arguments, Result], /, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Future[Result]:
        """Submit a call; start a new pool first if a worker has died."""
        with interrupts_held_back():
            try:
                return self._pool.submit(fn, *args, **kwargs)
            except BrokenExecutor:
                self._pool.shutdown()
                self._pool = self._fresh_pool()
                return self._pool.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let the workers finish their calls and end."""
        self._pool.shutdown(wait, cancel_futures=cancel_futures)

    def _fresh_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self._workers,
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_end_with_parent,
        )


@contextmanager
def interrupts_held_back() -> Iterator[None]:
    """Block Ctrl-C while threads and processes are started, so that they never receive it; deliver it afterwards.

    A terminal sends Ctrl-C to every process of a command. Workers inherit the signal mask, so they ignore it from their first
    instruction on. A handler in the worker would be installed too late, after its imports.
    """
    resource_tracker.ensure_running()  # otherwise it starts with the first worker, and unblocks Ctrl-C
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end_with_parent() -> None:
    """End this worker when the process that started it has ended, even if that was killed."""
    parent = multiprocessing.parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
