"""Long work in numbered blocks, played on any workers and merged in order: the result is the same to the last digit."""

import os
import time
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import BrokenExecutor, Executor, Future
from dataclasses import dataclass
from typing import Any, Generic, Protocol, Self, TypeVar

from croupier.errors import InputError
from croupier.runs.executors import SizedExecutor

#: After so many lost workers a block is given up: the block itself may be what kills them.
MAX_ATTEMPTS = 3


class Summary(Protocol):
    """The result of one or more blocks: small, picklable, and exact in plain JSON values."""

    def merged(self, other: Self) -> Self:
        """Return the summary of these blocks followed by others."""
        ...

    def to_state(self) -> dict[str, Any]:
        """Return everything as JSON values that :meth:`from_state` reads without losing a digit."""
        ...

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        """Read what :meth:`to_state` gave."""
        ...


SummaryT = TypeVar("SummaryT", bound=Summary)


class WorkerLostError(InputError):
    """A block kept losing its workers."""


@dataclass(frozen=True, slots=True)
class Prefix(Generic[SummaryT]):
    """The first blocks of a run, merged.

    Attributes
    ----------
    summary
        What they found.
    blocks
        Their number: blocks 0 to ``blocks - 1``.
    seconds
        The time spent on them, over all starts of the run.
    """

    summary: SummaryT
    blocks: int
    seconds: float


def run_blocks(
    work: Callable[[int], SummaryT],
    executor: Executor,
    *,
    blocks: int | None = None,
    stop: Callable[[SummaryT], bool] | None = None,
    start: Prefix[SummaryT] | None = None,
    on_merge: Callable[[Prefix[SummaryT]], None] | None = None,
) -> Prefix[SummaryT]:
    """Play blocks 0, 1, 2, ... and merge their results in this order.

    The result, and the block after which ``stop`` ends the run, are the same on any executor. A few blocks are played ahead;
    those past the end are thrown away. If a worker dies, its block is played again.

    Parameters
    ----------
    work
        Plays the block with this number. It must be picklable and depend on nothing but the number.
    executor
        Where to play: :func:`croupier.runs.executors.open_executor`, or any other executor.
    blocks
        How many blocks to play at most; without it, ``stop`` alone ends the run.
    stop
        Called with ``start`` and after every block: is the merged summary enough?
    start
        The blocks that are done already, of a run that is resumed.
    on_merge
        Called after every block, in the calling thread. An interrupted run can be resumed from its last argument.

    Raises
    ------
    InputError
        If neither ``blocks`` nor ``stop`` ends the run, or if ``blocks`` is below 1.
    WorkerLostError
        If a block lost its worker :data:`MAX_ATTEMPTS` times.

    Examples
    --------
    >>> from croupier.runs.executors import open_executor
    >>> @dataclass
    ... class Points:
    ...     points: int
    ...     def merged(self, other: "Points") -> "Points":
    ...         return Points(self.points + other.points)
    >>> with open_executor(workers=1) as executor:
    ...     run_blocks(Points, executor, blocks=5).summary
    ...     run_blocks(Points, executor, stop=lambda total: total.points > 30).blocks
    Points(points=10)
    9
    """
    _verify_end(blocks, stop)
    queue = _BlockQueue(work, executor, start.blocks if start else 0, blocks)
    started = time.perf_counter() - (start.seconds if start else 0.0)
    prefix = start
    try:
        while not (prefix and stop and stop(prefix.summary)) and queue.has_next:
            found = queue.next()
            prefix = Prefix(
                prefix.summary.merged(found) if prefix else found,
                prefix.blocks + 1 if prefix else 1,
                time.perf_counter() - started,
            )
            if on_merge is not None:
                on_merge(prefix)
    finally:
        queue.cancel()
    if prefix is None:
        raise AssertionError("at least one block is played")
    return prefix


def _verify_end(blocks: int | None, stop: object) -> None:
    if blocks is None and stop is None:
        raise InputError("a run without an end: say how many blocks, or when to stop")
    if blocks is not None and blocks < 1:
        raise InputError(f"blocks = {blocks}: at least 1 block has to be played")


class _BlockQueue(Generic[SummaryT]):
    """Submits blocks a few ahead, and returns their results in order."""

    def __init__(
        self, work: Callable[[int], SummaryT], executor: Executor, first: int, end: int | None
    ) -> None:
        self._work = work
        self._executor = executor
        self._ahead = executor.in_flight if isinstance(executor, SizedExecutor) else 2 * (os.cpu_count() or 1)
        self._submitted = self._returned = first
        self._end = end
        self._pending: deque[Future[SummaryT]] = deque()

    @property
    def has_next(self) -> bool:
        return self._end is None or self._returned < self._end

    def next(self) -> SummaryT:
        """Wait for the next block; the others run meanwhile."""
        self._fill()
        for _ in range(MAX_ATTEMPTS):
            try:
                found = self._pending[0].result()
            except BrokenExecutor:
                self._replay()
            else:
                self._pending.popleft()
                self._returned += 1
                return found
        raise WorkerLostError(
            f"workers died {MAX_ATTEMPTS} times at block {self._returned} or one soon after it (out of memory?); "
            "the blocks before it are done: try again with fewer workers"
        )

    def cancel(self) -> None:
        """Cancel the blocks that have not started."""
        for future in self._pending:
            future.cancel()

    def _fill(self) -> None:
        while len(self._pending) < self._ahead and (self._end is None or self._submitted < self._end):
            self._pending.append(self._executor.submit(self._work, self._submitted))
            self._submitted += 1

    def _replay(self) -> None:
        """Submit again every block that was lost with a worker."""
        for place, future in enumerate(self._pending):
            if future.done() and isinstance(future.exception(), BrokenExecutor):
                self._pending[place] = self._executor.submit(self._work, self._returned + place)
