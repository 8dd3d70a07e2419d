"""A saved run: its command, rules, seed and version, its state and its result."""

import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

#: A process that has saved nothing for so long no longer holds its run.
LEASE = timedelta(minutes=2)


class RunStatus(StrEnum):
    """How far a run is."""

    RUNNING = "running"
    INTERRUPTED = "interrupted"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Run:
    """A run as it stands in the store.

    Attributes
    ----------
    id
        Its number in the store.
    kind
        The command that made it, such as ``blackjack simulate``.
    rules, parameters, seed
        Together with ``kind`` and ``version``, all that is needed to repeat it.
    version
        The version of Croupier that ran it.
    created, updated
        When it was started, and when it was last saved.
    status
        The status that was saved last; see :attr:`actual_status`.
    blocks, state
        How many blocks are done, and their summary, to resume from; ``None`` before the first.
    result
        The result; of an unfinished run, the result so far.
    seconds
        The time spent, over all starts.
    host, process, lease
        The process that works on it.
    """

    id: int
    kind: str
    rules: Mapping[str, Any]
    parameters: Mapping[str, Any]
    seed: int
    version: str
    created: datetime
    updated: datetime
    status: RunStatus
    blocks: int
    state: Mapping[str, Any] | None
    result: Mapping[str, Any] | None
    seconds: float
    host: str | None
    process: int | None
    lease: str | None

    @property
    def is_held(self) -> bool:
        """Whether a live process works on it: a process on this machine, or one elsewhere that saved recently."""
        if self.status is not RunStatus.RUNNING or datetime.now(UTC) - self.updated > LEASE:
            return False
        return self.host != socket.gethostname() or _is_alive(self.process)

    @property
    def actual_status(self) -> RunStatus:
        """The status; a run whose process has died is interrupted."""
        is_orphan = self.status is RunStatus.RUNNING and not self.is_held
        return RunStatus.INTERRUPTED if is_orphan else self.status

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON, without the state and the process that works on it."""
        return {
            "id": self.id,
            "kind": self.kind,
            "status": str(self.actual_status),
            "created": self.created.isoformat(timespec="seconds"),
            "updated": self.updated.isoformat(timespec="seconds"),
            "version": self.version,
            "seed": self.seed,
            "blocks": self.blocks,
            "seconds": self.seconds,
            "parameters": dict(self.parameters),
            "result": dict(self.result) if self.result is not None else None,
            "rules": dict(self.rules),
        }


def _is_alive(process: int | None) -> bool:
    if process is None:
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # it belongs to another user, but it exists
        return True
    return True
