"""Limits for engines of strangers: memory, processor time, files, network and other processes, as far as the system can confine them.

Bubblewrap does all of it where it is installed. Elsewhere the namespaces of Linux take away the network and the sight of other processes,
where the system lets an ordinary user make them. Resource limits work everywhere. :func:`isolation` says which it is.
"""

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from croupier.errors import InputError

_LARGEST_MB, _LONGEST = 1_000_000, 86_400

#: How long the trial of a tool may take.
_PATIENCE = 10.0


class Isolation(StrEnum):
    """What confines engines here, besides the limits of memory and processor time."""

    BUBBLEWRAP = "bubblewrap"
    NAMESPACES = "namespaces"
    LIMITS = "resource limits"

    @property
    def meaning(self) -> str:
        """What it does and what it does not."""
        return _MEANING[self]


_MEANING = {
    Isolation.BUBBLEWRAP: "no network, a read-only file system, no sight of other processes",
    Isolation.NAMESPACES: "no network, no sight of other processes; nothing can be written into files, but they can be removed",
    Isolation.LIMITS: "nothing can be written into files, but they can be removed; network and other processes are open to it",
}

#: What starts a command in isolation, by how much it isolates; the first that works is taken.
_TOOLS = (
    (
        Isolation.BUBBLEWRAP,
        ("bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-all", "--die-with-parent", "--"),
    ),
    (
        Isolation.NAMESPACES,
        ("unshare", "--map-current-user", "--net", "--ipc", "--pid", "--mount-proc", "--fork", "--kill-child", "--"),
    ),
    (
        Isolation.NAMESPACES,
        ("unshare", "--map-root-user", "--net", "--ipc", "--pid", "--mount-proc", "--fork", "--kill-child", "--"),
    ),
    (Isolation.LIMITS, ()),
)  # fmt: skip

#: A shell sets the limits and becomes the engine. Kilobytes, seconds, and blocks that a file may have.
_LIMITING = 'ulimit -v "$1"; ulimit -t "$2"; ulimit -f 0; ulimit -c 0; shift 2; exec "$@"'


@dataclass(frozen=True, slots=True)
class Confinement:
    """How much an engine may use.

    Attributes
    ----------
    memory_mb
        Address space of each of its processes, in MB.
    cpu_seconds
        Processor time of each of its processes; one process plays one game, unless it is kept alive.

    Examples
    --------
    >>> Confinement(memory_mb=0)
    Traceback (most recent call last):
    croupier.errors.InputError: memory 0 MB: at least 1 and at most 1000000
    """

    memory_mb: int = 1024
    cpu_seconds: int = 3600

    def __post_init__(self) -> None:
        if not 1 <= self.memory_mb <= _LARGEST_MB:
            raise InputError(f"memory {self.memory_mb} MB: at least 1 and at most {_LARGEST_MB}")
        if not 1 <= self.cpu_seconds <= _LONGEST:
            raise InputError(f"processor time {self.cpu_seconds} s: at least 1 and at most {_LONGEST}")

    def command(self, command: Sequence[str]) -> tuple[str, ...]:
        """Return the command line that runs a program confined.

        >>> Confinement(memory_mb=1).command(["/bin/true"])[-4:]
        ('sh', '1024', '3600', '/bin/true')
        """
        limits = (str(1024 * self.memory_mb), str(self.cpu_seconds))
        return (*_tool()[1], "/bin/sh", "-c", _LIMITING, "sh", *limits, *command)


def isolation() -> Isolation:
    """Return what confines engines on this machine.

    >>> isolation() in Isolation
    True
    """
    return _tool()[0]


@cache
def _tool() -> tuple[Isolation, tuple[str, ...]]:
    """Return the first tool that works here: installed is not enough, the system may forbid it."""
    return next((kind, prefix) for kind, prefix in _TOOLS if _works(prefix))


def _works(prefix: tuple[str, ...]) -> bool:
    try:
        trial = subprocess.run(
            (*prefix, "/bin/sh", "-c", ":"), capture_output=True, timeout=_PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return trial.returncode == 0
