"""Progress of long work, on stderr, so that what a command prints can be piped."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

Report = Callable[[int, int], None]


@contextmanager
def progress_bar(label: str) -> Iterator[Report]:
    """Show a bar while work reports (done, total); it disappears when the work is over."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(label, total=None)

        def report(done: int, total: int) -> None:
            progress.update(task, completed=done, total=total)

        yield report


@contextmanager
def status_line(label: str) -> Iterator[Callable[[str], None]]:
    """Show a line that changes while work goes on."""
    with Console(stderr=True).status(label) as status:
        yield status.update
