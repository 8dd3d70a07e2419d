"""What the commands of ``croupier runs`` print as JSON."""

from typing import Any

from croupier.runs.run import RunStatus
from croupier.schemas.document import Document, Output


class RunRecord(Document):
    """A saved run."""

    id: int
    """Its number in the store."""
    kind: str
    """The command that made it, such as `blackjack simulate`."""
    status: RunStatus
    """How far it is."""
    created: str
    """When it was begun, in ISO format."""
    updated: str
    """When it was last saved, in ISO format."""
    version: str
    """The version of Croupier that played it."""
    seed: int
    """Its seed."""
    blocks: int
    """How many blocks of work are done."""
    seconds: float
    """How long it took, over all sessions."""
    parameters: dict[str, Any]
    """The options it was begun with, by name; they differ from command to command."""
    result: dict[str, Any] | None
    """What came out so far, with the keys of the command's own JSON output; null before the first block."""
    rules: dict[str, Any]
    """The rules, as the version that played it wrote them."""


class RunList(Output):
    """The saved runs, oldest first."""

    runs: list[RunRecord]
    """The runs."""


class Difference(Document):
    """How far the values of two runs are apart."""

    first: int
    """The number of one run."""
    second: int
    """The number of the other."""
    difference: float
    """The value of the second minus the value of the first."""
    stderr: float
    """The standard error of the difference, as of independent runs."""
    same_seed: bool
    """Whether both have the same seed. They are not independent then, and `stderr` is a rough guess."""
    in_standard_errors: float | None
    """The difference divided by `stderr`; null if that is 0."""


class Comparison(Output):
    """Runs side by side."""

    runs: list[RunRecord]
    """The runs, in the order of the command line."""
    settings: dict[str, list[Any]]
    """Every setting in which they differ, with its value in each run; null where a run has no such setting."""
    differences: list[Difference]
    """Every two of the runs that have a value and a standard error."""
