"""A Dask cluster as an executor: a running one, or a local one that is started and stopped here."""

import asyncio
import importlib
import logging
import re
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import ExitStack, contextmanager
from typing import Any

from croupier import __version__
from croupier.errors import InputError
from croupier.extras import needs
from croupier.runs.executors import Arguments, Result, SizedExecutor, interrupts_held_back

#: How long a scheduler may take to answer, and a first worker to be there.
CONNECT_SECONDS = 5

_LOCAL = re.compile(r"local:([1-9]\d*)")
_ADDRESS = re.compile(r"(tcp|tls|ws|wss)://.+:\d+")


class ClusterError(InputError):
    """A cluster that cannot be reached, does not fit, or was lost."""


@contextmanager
def open_cluster(cluster: str) -> Iterator["ClusterExecutor"]:
    """Connect to a cluster, or start one; disconnect at the end, also after an error.

    Parameters
    ----------
    cluster
        ``tcp://host:port`` of a Dask scheduler (also ``tls://``, ``ws://``, ``wss://``), or ``local:4``.

    Raises
    ------
    ClusterError
        If the text is neither, no scheduler answers, there are no workers, or they run another version;
        also if the connection is lost or a block keeps losing its workers.
    MissingExtraError
        If Dask is not installed.

    Examples
    --------
    >>> with open_cluster("localhost"):
    ...     pass
    Traceback (most recent call last):
    croupier.runs.clusters.ClusterError: cluster 'localhost': write tcp://host:port of a Dask scheduler, or local:4 to start one here
    """
    local = _LOCAL.fullmatch(cluster)
    if not local and not _ADDRESS.fullmatch(cluster):
        raise ClusterError(
            f"cluster '{cluster}': write tcp://host:port of a Dask scheduler, or local:4 to start one here"
        )
    needs("cluster")
    # Without types.
    dask, distributed = importlib.import_module("dask"), importlib.import_module("distributed")
    opened = _local_client(distributed, int(local[1])) if local else _remote_client(distributed, cluster)
    with (
        # By default, Dask tries for 30 seconds to fetch a result from a dead worker.
        dask.config.set({"distributed.comm.timeouts.connect": f"{CONNECT_SECONDS}s"}),
        _without_tracebacks(),
        opened as client,
    ):
        try:
            yield ClusterExecutor(client)
        except distributed.KilledWorker as error:
            raise ClusterError(f"cluster '{cluster}': {' '.join(str(error).split())}") from None
        except CancelledError:
            raise ClusterError(f"cluster '{cluster}': the connection to its scheduler was lost") from None


@contextmanager
def _without_tracebacks() -> Iterator[None]:
    """Keep Dask from logging the traceback of a lost connection: it is raised as a :class:`ClusterError`."""
    logger = logging.getLogger("distributed.client")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)


@contextmanager
def _local_client(distributed: Any, workers: int) -> Iterator[Any]:
    with ExitStack() as stack:
        with interrupts_held_back():
            # One thread per worker. No memory limit: blocks are small, and Dask's estimate may be too low.
            local = distributed.LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                memory_limit=0,
                dashboard_address="127.0.0.1:0",  # any free port; the usual one may be taken by another cluster
                silence_logs=logging.CRITICAL,
            )
            stack.enter_context(local)
            client = stack.enter_context(distributed.Client(local))
        yield client


@contextmanager
def _remote_client(distributed: Any, address: str) -> Iterator[Any]:
    try:
        client = distributed.Client(address, timeout=CONNECT_SECONDS)
    except Exception as error:  # any program may listen there and answer anything
        raise ClusterError(
            f"cluster '{address}': no Dask scheduler answers there ({type(error).__name__}: {error})"
        ) from None
    with client:
        _verify_cluster_workers(client, address)
        yield client


def _verify_cluster_workers(client: Any, address: str) -> None:
    """Refuse a cluster without workers, or with workers of another version."""
    try:
        client.wait_for_workers(1, timeout=CONNECT_SECONDS)
    except TimeoutError:
        raise ClusterError(
            f"cluster '{address}': it has no workers; start some with `dask worker {address}`"
        ) from None
    for worker, version in client.run(_installed_version, on_error="return").items():
        if version != __version__:
            found = (
                f"runs Croupier {version}" if isinstance(version, str) else f"cannot run Croupier: {version}"
            )
            raise ClusterError(
                f"cluster '{address}': worker {worker} {found}; install Croupier {__version__} there"
            )


def _installed_version() -> str:
    return __version__


class ClusterExecutor(SizedExecutor):
    """The workers of a Dask cluster. If a worker dies, Dask repeats its calls.

    It replaces Dask's own executor, whose futures never end when the scheduler is lost (``distributed`` 2026.8). It is closed
    together with the connection.

    Parameters
    ----------
    client
        The connection. The workers are counted once, when the executor is made.
    """

    def __init__(self, client: Any) -> None:
        self._client = client
        self._threads: int = sum(client.nthreads().values())

    @property
    def in_flight(self) -> int:
        """Three calls per thread of the cluster: one running, two in reserve while results travel."""
        return 3 * self._threads

    def submit(
        self, fn: Callable[Arguments, Result], /, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Future[Result]:
        """Hand a call to the cluster.

        Raises
        ------
        CancelledError
            If the scheduler is lost. Calls that are running end with the same error.
        """
        if self._client.status != "running":
            raise CancelledError
        task = self._client.submit(fn, *args, pure=False, **kwargs)
        future: Future[Result] = Future()

        def forget_if_cancelled(future: Future[Result]) -> None:
            if future.cancelled():
                task.release()

        future.add_done_callback(forget_if_cancelled)
        self._client.loop.add_callback(_hand_over, task, future)
        return future


async def _hand_over(task: Any, future: Future[Any]) -> None:
    """Wait on Dask's event loop for the result of a call, and pass it to the future."""
    try:
        result = await task
    except (CancelledError, asyncio.CancelledError):
        future.cancel()
        future.set_running_or_notify_cancel()
    except Exception as error:  # what the call raised, or that its workers keep dying
        if future.set_running_or_notify_cancel():
            future.set_exception(error)
    else:
        if future.set_running_or_notify_cancel():
            future.set_result(result)
