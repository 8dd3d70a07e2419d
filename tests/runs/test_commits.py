"""Writes that gather behind a commit share the next one; each thread is told what came of its own."""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
import sqlalchemy as sql

from croupier.errors import InputError
from croupier.runs.commits import _Write, commits_of
from croupier.runs.database import open_database
from croupier.runs.sessions import SessionStore

THREADS = 8


class Gathered(list[_Write]):
    """A list that says when so many have gathered."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self._left, self.is_full = count, threading.Event()

    def append(self, item: _Write) -> None:
        super().append(item)
        self._left -= 1
        if self._left == 0:
            self.is_full.set()


@pytest.fixture
def database(tmp_path: Path) -> Iterator[sql.Engine]:
    with open_database(str(tmp_path / "store.sqlite"), create=True) as engine:
        yield engine


def together(
    database: sql.Engine, writes: Sequence[Callable[[], object]]
) -> tuple[list[BaseException | None], int]:
    """Let threads write while another one is committing; return the error of each, and how many commits there were."""
    commits, count = commits_of(database), 0

    def note(_connection: sql.Connection) -> None:
        nonlocal count
        count += 1

    gathered = commits._waiting = Gathered(len(writes))
    sql.event.listen(database, "commit", note)
    with ThreadPoolExecutor(len(writes)) as threads:
        with commits._committing:
            futures = [threads.submit(write) for write in writes]
            assert gathered.is_full.wait(60)
        errors = [future.exception(60) for future in futures]
    return errors, count


def test_what_has_gathered_is_committed_at_once(database: sql.Engine) -> None:
    store = SessionStore(database)
    writes = [partial(store.save, "ann", f"t{n}", {"n": n}) for n in range(THREADS)]
    assert together(database, writes) == ([None] * THREADS, 1)
    assert [store.load("ann", f"t{n}") for n in range(THREADS)] == [{"n": n} for n in range(THREADS)]


def test_a_write_that_fails_fails_alone(database: sql.Engine) -> None:
    store = SessionStore(database)
    writes: list[Callable[[], object]] = [
        lambda: store.save("ann", "good", {"n": 1}),
        lambda: store.save("ann", "bad", {"n": float("nan")}),  # no JSON
        lambda: store.save("ben", "good", {"n": 2}),
    ]
    errors, _ = together(database, writes)
    assert [error is None for error in errors] == [True, False, True]
    assert isinstance(errors[1], InputError | ValueError)
    assert [store.load(*place) for place in (("ann", "good"), ("ann", "bad"), ("ben", "good"))] == [
        {"n": 1},
        None,
        {"n": 2},
    ]


def test_a_table_and_what_belongs_to_it_are_written_both_or_not_at_all(database: sql.Engine) -> None:
    store = SessionStore(database)

    def broken(_connection: sql.Connection) -> None:
        raise InputError("no")

    with pytest.raises(InputError, match="no"):
        store.save("ann", "table", {"n": 1}, also=broken)
    assert store.load("ann", "table") is None
