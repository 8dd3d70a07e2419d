"""How a run in blocks is executed: on which workers, watched by whom, saved where. None of it changes the result."""

from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, Protocol, TypedDict, TypeVar

from croupier.runs.blocks import Prefix, SummaryT, run_blocks
from croupier.runs.executors import open_executor

if TYPE_CHECKING:  # only a run that is saved pays for the database behind it
    from croupier.runs.store import Recording

#: Told how much is done, and how much there is to do.
Progress = Callable[[int, int], None]


class Execution(TypedDict, total=False):
    """The keyword arguments that every run in blocks takes; none of them is required."""

    workers: int | None
    """How many threads to play on; one per processor by default."""
    executor: Executor | None
    """Where to play instead, such as a cluster; see :func:`croupier.runs.executors.open_executor`."""
    progress: Progress | None
    """Called from the calling thread as blocks finish."""
    recording: "Recording | None"
    """Where to save the progress; blocks that are saved there are not played again."""


class _Result(Protocol):
    def figures(self) -> dict[str, Any]: ...


ResultT = TypeVar("ResultT", bound=_Result)


def execute(
    work: Callable[[int], SummaryT],
    summary: type[SummaryT],
    result_of: Callable[[Prefix[SummaryT]], ResultT],
    *,
    done: Callable[[SummaryT], tuple[int, int]],
    blocks: int | None,
    stop: Callable[[SummaryT], bool] | None = None,
    watch: Callable[[ResultT], None] | None = None,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    recording: "Recording | None" = None,
) -> ResultT:
    """Play all blocks of a run and return its result.

    Parameters
    ----------
    work, blocks, stop
        See :func:`~croupier.runs.blocks.run_blocks`.
    summary
        What a block returns.
    result_of
        Turns the blocks so far into a result.
    done
        Says how much of the work a summary stands for, and how much there is to do.
    watch
        Called after every block, with the result so far.
    workers, executor, progress, recording
        See :class:`Execution`.
    """

    def on_merge(prefix: Prefix[SummaryT]) -> None:
        if recording is not None:
            recording.keep(prefix, lambda: result_of(prefix).figures())
        if progress is not None:
            progress(*done(prefix.summary))
        if watch is not None:
            watch(result_of(prefix))

    start = recording.prefix(summary) if recording is not None else None
    with nullcontext(executor) if executor is not None else open_executor(workers, threads=True) as opened:
        end = run_blocks(work, opened, blocks=blocks, stop=stop, start=start, on_merge=on_merge)
    result = result_of(end)
    if recording is not None:
        recording.finish(end, result.figures())
    return result
