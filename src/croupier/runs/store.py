"""The store of runs: start a run, save its progress, resume it, read its result."""

import os
import secrets
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Self

import sqlalchemy as sql

from croupier import __version__
from croupier.runs.blocks import Prefix, SummaryT
from croupier.runs.database import StoreError, database_errors, open_database, runs_table
from croupier.runs.run import Run, RunStatus

#: A run in progress is saved at most this often: a kill costs at most a second of work.
SECONDS_BETWEEN_SAVES = 1.0


@contextmanager
def open_store(location: str | None = None, *, create: bool = False) -> Iterator["RunStore"]:
    """Open a store of runs.

    Parameters
    ----------
    location
        A file or a SQLAlchemy URL, by default ``$CROUPIER_STORE``, else ``croupier/runs.sqlite`` in the user's
        data folder (``$XDG_DATA_HOME`` or ``~/.local/share``).
    create
        Whether a missing store is made.

    Raises
    ------
    StoreError
        If it cannot be opened; the message says why.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, open_store(f"{folder}/runs.sqlite", create=True) as store:
    ...     with store.begin("dice", rules={"sides": 6}, parameters={}, seed=1) as recording:
    ...         pass  # nothing was rolled
    ...     [(run.id, run.kind, run.status.value) for run in store.runs()]
    [(1, 'dice', 'interrupted')]
    """
    with open_database(location, create=create) as engine:
        yield RunStore(engine)


class RunStore:
    """An open store. Every change is one transaction: it happens completely or not at all."""

    def __init__(self, engine: sql.Engine) -> None:
        self._engine = engine
        self._name = engine.url.database or str(engine.url)

    def begin(
        self, kind: str, *, rules: Mapping[str, Any], parameters: Mapping[str, Any], seed: int
    ) -> "Recording":
        """Save a new run, and return what records it.

        Parameters
        ----------
        kind
            The command, such as ``blackjack simulate``.
        rules, parameters
            Plain JSON values: everything but the seed that decides the result. The number of workers does not.
        seed
            The seed.
        """
        now = datetime.now(UTC)
        values = {
            "kind": kind,
            "rules": dict(rules),
            "parameters": dict(parameters),
            "seed": str(seed),
            "version": __version__,
            "created": now,
            "blocks": 0,
            "seconds": 0.0,
            **_claim(now),
        }
        statement = sql.insert(runs_table).values(values).returning(runs_table.c.id)
        with self._errors(), self._engine.begin() as connection:
            run_id = connection.execute(statement).scalar_one()
        return Recording(self, self.find(run_id))

    def verify_resume(self, run_id: int, *, kind: str) -> None:
        """Raise a :class:`StoreError` if a run cannot be resumed.

        A run is refused if it is unknown, of another kind, finished, from another version (which may play other blocks), or if a live
        process works on it.
        """
        run = self.find(run_id)
        if run.kind != kind:
            raise StoreError(f"run {run_id} is a run of `{run.kind}`, not of `{kind}`")
        if run.status is RunStatus.FINISHED:
            raise StoreError(f"run {run_id} is finished; `croupier runs show {run_id}` shows what came out")
        if run.version != __version__:
            raise StoreError(
                f"run {run_id} was started by Croupier {run.version} and cannot be resumed by {__version__}, "
                "which may deal other cards; start a new run"
            )
        self._verify_free(run)

    def resume(self, run_id: int, *, kind: str) -> "Recording":
        """Resume a run where it stopped.

        Raises
        ------
        StoreError
            If it cannot be resumed; see :meth:`verify_resume`.
        """
        self.verify_resume(run_id, kind=kind)
        self.update(self.find(run_id), _claim(datetime.now(UTC)))
        return Recording(self, self.find(run_id))

    def find(self, run_id: int) -> Run:
        """Return a run by its number; the error for an unknown number names the nearest ones."""
        columns = sql.select(runs_table)
        with self._errors(), self._engine.connect() as connection:
            row = connection.execute(columns.where(runs_table.c.id == run_id)).mappings().one_or_none()
            if row is not None:
                return _run_of(row)
            distance = sql.func.abs(runs_table.c.id - run_id)
            near = connection.execute(sql.select(runs_table.c.id).order_by(distance).limit(3)).scalars().all()
        known = f"the nearest are {', '.join(map(str, sorted(near)))}" if near else "the store is empty"
        raise StoreError(f"run {run_id}: there is none in store '{self._name}'; {known}")

    def runs(self, kind: str | None = None, *, with_state: bool = True) -> tuple[Run, ...]:
        """Return all runs, or those of one kind, the oldest first; for a list without their states, which may be large."""
        columns = [
            column if with_state or column is not runs_table.c.state else sql.null().label("state")
            for column in runs_table.c
        ]
        statement = sql.select(*columns).order_by(runs_table.c.id)
        if kind is not None:
            statement = statement.where(runs_table.c.kind == kind)
        with self._errors(), self._engine.connect() as connection:
            return tuple(_run_of(row) for row in connection.execute(statement).mappings())

    def remove(self, run_id: int) -> None:
        """Remove a run for good; a run that a live process works on is refused."""
        run = self.find(run_id)
        self._verify_free(run)
        with self._errors(), self._engine.begin() as connection:
            connection.execute(sql.delete(runs_table).where(runs_table.c.id == run_id))

    def update(self, run: Run, values: Mapping[str, Any]) -> None:
        """Change a run in one transaction, unless another process took it over since it was read.

        Raises
        ------
        StoreError
            If another process has resumed it, or it was removed. Then nothing is changed.
        """
        ours = (runs_table.c.id == run.id) & (runs_table.c.lease.is_not_distinct_from(run.lease))
        with self._errors(), self._engine.begin() as connection:
            changed = connection.execute(sql.update(runs_table).where(ours).values(dict(values))).rowcount
        if not changed:
            raise StoreError(f"run {run.id}: another process has resumed it, or it was removed")

    def _verify_free(self, run: Run) -> None:
        if run.is_held:
            raise StoreError(f"run {run.id}: process {run.process} on {run.host} is working on it")

    def _errors(self) -> AbstractContextManager[None]:
        return database_errors(self._name)


class Recording:
    """A run being recorded. If it ends without :meth:`finish` (Ctrl-C, an error), the run is saved as interrupted.

    Parameters
    ----------
    store
        Where it is recorded.
    run
        The run when it was started or resumed: its rules, parameters and seed.
    """

    def __init__(self, store: RunStore, run: Run) -> None:
        self.run = run
        self._store = store
        self._noted: tuple[Prefix[Any], Callable[[], Mapping[str, Any]] | None] | None = None
        self._saved_at = time.monotonic()
        self._is_finished = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._is_finished and not isinstance(error, StoreError):
            self._save(RunStatus.INTERRUPTED)

    @property
    def blocks(self) -> int:
        """How many blocks are done; all of them are saved when the recording ends."""
        return self.run.blocks if self._noted is None else self._noted[0].blocks

    def prefix(self, summary: type[SummaryT]) -> Prefix[SummaryT] | None:
        """Return the blocks that are done already, or nothing if there are none."""
        if self.run.state is None:
            return None
        return Prefix(summary.from_state(self.run.state), self.run.blocks, self.run.seconds)

    def keep(self, prefix: Prefix[SummaryT], result: Callable[[], Mapping[str, Any]] | None = None) -> None:
        """Note the progress of the run. It is saved about once a second, the count of blocks together with their summary.

        Parameters
        ----------
        prefix
            All blocks so far.
        result
            Computes the result so far, for readers of the unfinished run; called when it is saved.
        """
        self._noted = (prefix, result)
        if time.monotonic() - self._saved_at >= SECONDS_BETWEEN_SAVES:
            self._save(RunStatus.RUNNING)

    def finish(self, prefix: Prefix[SummaryT], result: Mapping[str, Any]) -> None:
        """Save the run as finished, with its result."""
        self._noted = (prefix, lambda: result)
        self._save(RunStatus.FINISHED)
        self._is_finished = True

    def _save(self, status: RunStatus) -> None:
        values: dict[str, Any] = {"status": str(status), "updated": datetime.now(UTC)}
        if status is not RunStatus.RUNNING:
            values |= {"host": None, "process": None, "lease": None}
        if self._noted is not None:
            prefix, result = self._noted
            values |= {
                "blocks": prefix.blocks,
                "state": prefix.summary.to_state(),
                "seconds": prefix.seconds,
                "result": dict(result()) if result is not None else None,
            }
        self._store.update(self.run, values)
        self._saved_at = time.monotonic()


def _claim(now: datetime) -> dict[str, Any]:
    """Return the columns that name this process as the one at work, with a token of its own."""
    return {
        "status": str(RunStatus.RUNNING),
        "updated": now,
        "host": socket.gethostname(),
        "process": os.getpid(),
        "lease": secrets.token_hex(16),
    }


def _run_of(row: Mapping[Any, Any]) -> Run:
    return Run(**{**row, "seed": int(row["seed"]), "status": RunStatus(row["status"])})
