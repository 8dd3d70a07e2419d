"""A run as the store knows it: what was run, by which rules, from which seed and version, and what came out."""

import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

#: A process that has saved nothing for so long does not hold its run any more.
LEASE = timedelta(minutes=2)


class RunStatus(StrEnum):
    """How far a run is."""

    RUNNING = "running"
    INTERRUPTED = "interrupted"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Run:
    """What the store knows of a run.

    Attributes
    ----------
    id
        Its number in the store.
    kind
        The command that made it, such as ``blackjack simulate``.
    rules, parameters, seed
        What it takes to run it again, together with ``kind`` and ``version``.
    version
        The Croupier that ran it.
    created, updated
        When it was begun, and when something was last saved.
    status
        How far it is, by the last that was saved; see :attr:`is_held`.
    blocks, state
        How many blocks are done, and what they found, for going on; ``None`` before the first.
    result
        What came out, of an unfinished run: so far.
    seconds
        The time spent, in all sittings.
    host, process, lease
        Who works on it.
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
        """Whether a live process works on it: one of this machine, or one that saved something just now."""
        if self.status is not RunStatus.RUNNING or datetime.now(UTC) - self.updated > LEASE:
            return False
        return self.host != socket.gethostname() or _is_alive(self.process)

    @property
    def actual_status(self) -> RunStatus:
        """How far it is: a run whose process has died without a word is interrupted."""
        is_orphan = self.status is RunStatus.RUNNING and not self.is_held
        return RunStatus.INTERRUPTED if is_orphan else self.status

    def to_dict(self) -> dict[str, Any]:
        """Return what a person wants to know, ready for JSON: not the state, nor who works on it."""
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
    except PermissionError:  # somebody else's, but there
        return True
    return True
