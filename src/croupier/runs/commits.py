"""Writes of many threads in few transactions.

A commit waits for the disk. Where many people play, each of their writes would wait for all commits before it. So a thread that
finds another one committing waits, and what has gathered meanwhile is committed together. A write returns when it is on the
disk, as it would alone.
"""

import threading
from collections.abc import Callable
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import sqlalchemy as sql

ResultT = TypeVar("ResultT")

#: What a write does in the transaction. It is done again, alone, if the transaction that it shared has failed.
Work = Callable[[sql.Connection], ResultT]


class _Write:
    """One write: what it does, and what came of it."""

    __slots__ = ("error", "is_done", "result", "work")

    def __init__(self, work: Work[Any]) -> None:
        self.work = work
        self.result: Any = None
        self.error: Exception | None = None
        self.is_done = False


class Commits:
    """The commits of one database; see :func:`commits_of`."""

    def __init__(self, engine: sql.Engine) -> None:
        self._engine = engine
        self._waiting: list[_Write] = []
        self._gathering, self._committing = threading.Lock(), threading.Lock()

    def write(self, work: Work[ResultT]) -> ResultT:
        """Do something in a transaction, which others may share, and commit it.

        Raises
        ------
        Exception
            What the work or its commit has raised; then nothing of it was written.
        """
        write = _Write(work)
        with self._gathering:
            self._waiting.append(write)
        with self._committing:
            if not write.is_done:
                with self._gathering:
                    together, self._waiting = self._waiting, []
                self._commit(together)
        if write.error is not None:
            raise write.error
        result: ResultT = write.result
        return result

    def _commit(self, together: list[_Write]) -> None:
        try:
            with self._engine.begin() as connection:
                for write in together:
                    write.result = write.work(connection)
        except Exception as error:  # each thread is told its own
            if len(together) == 1:
                together[0].error = error
            else:
                for write in together:
                    self._commit([write])
        for write in together:
            write.is_done = True


_commits: "WeakKeyDictionary[sql.Engine, Commits]" = WeakKeyDictionary()
_making = threading.Lock()


def commits_of(engine: sql.Engine) -> Commits:
    """Return the commits of a database, the same ones for everybody who asks.

    Examples
    --------
    >>> engine = sql.create_engine("sqlite://")
    >>> commits_of(engine).write(lambda connection: connection.exec_driver_sql("select 1 + 1").scalar_one())
    2
    >>> commits_of(engine) is commits_of(engine)
    True
    """
    with _making:
        commits = _commits.get(engine)
        if commits is None:
            commits = _commits[engine] = Commits(engine)
        return commits
