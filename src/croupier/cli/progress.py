"""Progress of long work, on stderr, so that what a command prints can be piped."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

Report = Callable[[int, int], None]


class RateColumn(ProgressColumn):
    """Work done per second, such as ``12.3 M hands/s``."""

    def __init__(self, unit: str) -> None:
        super().__init__()
        self._unit = unit

    def render(self, task: Task) -> Text:
        """Show the rate, once there is one."""
        return Text("" if task.speed is None else f"{short_number(task.speed)} {self._unit}/s")


def short_number(number: float) -> str:
    """Write a number of any size in a few characters.

    Examples
    --------
    >>> short_number(7.25), short_number(3_100), short_number(12_345_678), short_number(4e9)
    ('7.2', '3.1 k', '12.3 M', '4.0 G')
    """
    for size, sign in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if number >= size:
            return f"{number / size:.1f}{sign}"
    return f"{number:.1f}"


@contextmanager
def progress_bar(label: str, unit: str | None = None) -> Iterator[Report]:
    """Show a bar while work reports (done, total), with the time left and the rate if its unit is named.

    It is shown on a terminal only, and disappears when the work is over.
    """
    rate = () if unit is None else (RateColumn(unit),)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        *rate,
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(label, total=None)

        def report(done: int, total: int) -> None:
            progress.update(task, completed=done, total=total)

        yield report


@contextmanager
def status_line(label: str) -> Iterator[Callable[[str], None]]:
    """Show a line that changes during the work."""
    with Console(stderr=True).status(label) as status:
        yield status.update
