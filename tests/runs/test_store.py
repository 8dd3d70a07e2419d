"""The store of runs: real files, real processes; nothing that was saved is lost, nobody works on a run twice."""

import os
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sql
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy.engine.mock import MockConnection

from croupier import __version__
from croupier.runs import database
from croupier.runs.blocks import Prefix, run_blocks
from croupier.runs.comparison import compare_runs
from croupier.runs.database import StoreError, default_location, open_database, runs_table
from croupier.runs.executors import InProcessExecutor
from croupier.runs.run import LEASE, RunStatus
from croupier.runs.store import Recording, RunStore, open_store
from tests.runs.block_work import Failing, Trail, fraction

ROOT = Path(__file__).parents[2]
BLOCKS = 12


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "runs.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[RunStore]:
    with open_store(str(path), create=True) as opened:
        yield opened


def begin(store: RunStore, seed: int = 1, **parameters: Any) -> Recording:
    return store.begin("dice roll", rules={"sides": 6}, parameters=parameters, seed=seed)


def finish(store: RunStore, seed: int = 1, result: dict[str, Any] | None = None, **parameters: Any) -> int:
    with begin(store, seed, **parameters) as recording:
        recording.finish(Prefix(fraction(0), 1, 0.5), result or {})
    return recording.run.id


def change(path: Path, run_id: int, **values: Any) -> None:
    """Change a run behind the store's back."""
    with open_database(str(path)) as engine, engine.begin() as connection:
        connection.execute(sql.update(runs_table).where(runs_table.c.id == run_id).values(values))


def verify_refused(path: Path | str, *clues: str, create: bool = False) -> None:
    with pytest.raises(StoreError) as caught, open_store(str(path), create=create):
        pytest.fail("it was opened")
    assert "\n" not in str(caught.value)
    for clue in (f"store '{path}': ", *clues):
        assert clue in str(caught.value)


def test_a_finished_run_is_kept_with_what_it_was_made_of(store: RunStore) -> None:
    run_id = finish(store, seed=7, result={"value": 0.1, "stderr": 0.01}, rounds=100)
    run = store.find(run_id)
    assert (run.kind, run.rules, run.parameters, run.seed) == ("dice roll", {"sides": 6}, {"rounds": 100}, 7)
    assert (run.version, run.status, run.blocks, run.seconds) == (__version__, RunStatus.FINISHED, 1, 0.5)
    assert run.result == {"value": 0.1, "stderr": 0.01}
    assert run.created <= run.updated <= datetime.now(UTC)
    assert (run.host, run.process, run.lease) == (None, None, None)


def test_a_seed_of_any_length_is_kept(store: RunStore) -> None:
    assert store.find(finish(store, seed=10**40 + 1)).seed == 10**40 + 1


@settings(max_examples=15)
@given(st.sets(st.integers(1, BLOCKS - 1), max_size=4))
def test_a_run_cut_anywhere_ends_as_one_that_was_never_cut(cuts: set[int]) -> None:
    whole = run_blocks(fraction, InProcessExecutor(), blocks=BLOCKS).summary
    with tempfile.TemporaryDirectory() as folder, open_store(f"{folder}/runs.sqlite", create=True) as store:
        recording = begin(store)
        for cut in sorted(cuts):
            with pytest.raises(KeyboardInterrupt), recording:
                play(recording, until=cut)
            assert store.find(recording.run.id).status is RunStatus.INTERRUPTED
            recording = store.resume(recording.run.id, kind="dice roll")
        with recording:
            recording.finish(play(recording), {})
        run = store.find(recording.run.id)
    assert run.state == whole.to_state()
    assert run.blocks == BLOCKS


def play(recording: Recording, until: int | None = None) -> Prefix[Trail]:
    """Resume a run, and press Ctrl-C after some block."""

    def keep(prefix: Prefix[Trail]) -> None:
        recording.keep(prefix)
        if prefix.blocks == until:
            raise KeyboardInterrupt

    start = recording.prefix(Trail)
    return run_blocks(fraction, InProcessExecutor(), blocks=BLOCKS, start=start, on_merge=keep)


def test_what_is_kept_for_a_second_is_saved_with_what_it_comes_to(
    store: RunStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    with begin(store) as recording:
        recording.keep(Prefix(fraction(0), 1, 0.1), lambda: {"value": 1.0})
        assert store.find(recording.run.id).blocks == 0, "the second is not over"
        monkeypatch.setattr("croupier.runs.store.SECONDS_BETWEEN_SAVES", 0.0)
        recording.keep(Prefix(Trail(1.25, (0, 1)), 2, 0.2), lambda: {"value": 1.25})
        run = store.find(recording.run.id)
    assert (run.status, run.blocks, run.seconds, run.result) == (RunStatus.RUNNING, 2, 0.2, {"value": 1.25})
    assert run.state == {"total": 1.25, "blocks": [0, 1]}


def test_a_defect_in_the_work_leaves_what_is_merged(store: RunStore) -> None:
    with pytest.raises(ZeroDivisionError), begin(store) as recording:
        run_blocks(Failing(1), InProcessExecutor(), blocks=2, on_merge=recording.keep)
    run = store.find(recording.run.id)
    assert (run.status, run.blocks) == (RunStatus.INTERRUPTED, 1)


#: Begins a run in the store named first, says so and waits to be killed.
HOLD_A_RUN = """
import sys
from croupier.runs.store import open_store
with open_store(sys.argv[1]) as store:
    with store.begin("dice roll", rules={}, parameters={}, seed=1) as recording:
        print(recording.run.id, flush=True)
        sys.stdin.read()
"""


def test_a_run_is_held_until_its_process_dies(store: RunStore, path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD_A_RUN, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdout is not None
        run_id = int(holder.stdout.readline())
        held = store.find(run_id).actual_status
        with pytest.raises(StoreError, match=rf"run {run_id}: process {holder.pid} on .* is working on it"):
            store.resume(run_id, kind="dice roll")
        with pytest.raises(StoreError, match="is working on it"):
            store.remove(run_id)
        holder.send_signal(signal.SIGKILL)
    assert (held, store.find(run_id).actual_status) == (RunStatus.RUNNING, RunStatus.INTERRUPTED)
    with store.resume(run_id, kind="dice roll") as recording:
        assert recording.run.process == os.getpid()


def test_a_run_of_another_machine_is_held_while_it_saves(store: RunStore, path: Path) -> None:
    with begin(store) as recording:
        run_id = recording.run.id
        change(path, run_id, host="elsewhere", process=1)
        assert store.find(run_id).is_held
        change(path, run_id, updated=datetime.now(UTC) - LEASE - timedelta(seconds=1))
        assert not store.find(run_id).is_held


def test_a_process_that_lost_its_run_can_change_nothing(store: RunStore, path: Path) -> None:
    silent = begin(store)
    change(path, silent.run.id, updated=datetime.now(UTC) - 2 * LEASE)
    with store.resume(silent.run.id, kind="dice roll") as recording:
        with pytest.raises(StoreError, match="another process has resumed it"):
            silent.finish(Prefix(fraction(0), 1, 0.1), {"value": 13})
        recording.finish(Prefix(fraction(0), 1, 0.1), {"value": 7})
    assert store.find(silent.run.id).result == {"value": 7}


def test_of_two_that_take_up_a_run_one_is_refused(store: RunStore) -> None:
    with begin(store) as recording:
        pass
    seen = store.find(recording.run.id)
    with (
        store.resume(seen.id, kind="dice roll"),
        pytest.raises(StoreError, match="another process has resumed it"),
    ):
        store.update(seen, {"lease": "another"})


def test_a_run_that_cannot_go_on_is_refused(store: RunStore, path: Path) -> None:
    finished = finish(store)
    with begin(store) as interrupted:
        pass
    other, newest = interrupted.run.id, interrupted.run.id + 5
    for run_id, kind, complaint in [
        (finished, "dice roll", f"run {finished} is finished"),
        (other, "dice throw", f"run {other} is a run of `dice roll`, not of `dice throw`"),
        (newest, "dice roll", f"run {newest}: there is none in store '{path}'; the nearest are 1, 2"),
    ]:
        with pytest.raises(StoreError, match=re.escape(complaint)):
            store.verify_resume(run_id, kind=kind)
    change(path, other, version="0.0.1")
    with pytest.raises(
        StoreError, match=rf"started by Croupier 0\.0\.1 and cannot be resumed by {re.escape(__version__)}"
    ):
        store.resume(other, kind="dice roll")


def test_a_removed_run_is_gone_and_its_number_is_not_given_again(store: RunStore) -> None:
    first, second = finish(store), finish(store)
    store.remove(second)
    assert [run.id for run in store.runs()] == [first]
    assert finish(store) == second + 1
    with pytest.raises(StoreError, match="the nearest are 1, 3"):
        store.find(second)


def test_an_empty_store_says_so(store: RunStore) -> None:
    with pytest.raises(StoreError, match=r"run 1: there is none in .*; the store is empty"):
        store.find(1)


def test_runs_are_listed_by_kind(store: RunStore) -> None:
    finish(store)
    with store.begin("coin toss", rules={}, parameters={}, seed=1):
        pass
    assert [run.kind for run in store.runs()] == ["dice roll", "coin toss"]
    assert [run.kind for run in store.runs("coin toss")] == ["coin toss"]


#: Saves many runs in the store named first.
SAVE_MANY = """
import sys
from croupier.runs import store as stores
from croupier.runs.blocks import run_blocks
from croupier.runs.executors import InProcessExecutor
from tests.runs.block_work import fraction
stores.SECONDS_BETWEEN_SAVES = 0
with stores.open_store(sys.argv[1], create=True) as store:
    for seed in range(10):
        with store.begin("dice roll", rules={}, parameters={}, seed=seed) as recording:
            recording.finish(run_blocks(fraction, InProcessExecutor(), blocks=10, on_merge=recording.keep), {})
"""


def test_processes_that_make_and_write_a_store_at_the_same_time_lose_nothing(path: Path) -> None:
    texts = [sys.executable, "-c", SAVE_MANY, str(path)]
    writers = [subprocess.Popen(texts, env=os.environ | {"PYTHONPATH": str(ROOT)}) for _ in range(3)]
    assert [writer.wait(timeout=60) for writer in writers] == [0, 0, 0]
    with open_store(str(path)) as store:
        runs = store.runs()
    assert sorted(run.seed for run in runs) == sorted(3 * list(range(10)))
    assert {(run.status, run.blocks) for run in runs} == {(RunStatus.FINISHED, 10)}


@pytest.mark.parametrize("create", [True, False])
def test_a_file_that_is_no_database_is_refused_and_kept(path: Path, create: bool) -> None:
    path.write_text("not a database, " * 100)
    verify_refused(path, "not a database; it is left as it is", create=create)
    assert path.read_text() == "not a database, " * 100


@pytest.mark.parametrize("create", [True, False])
def test_a_database_of_something_else_is_refused_and_kept(path: Path, create: bool) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.close()
    before = path.read_bytes()
    verify_refused(path, "a database of something else", create=create)
    assert path.read_bytes() == before


def test_a_store_of_a_newer_croupier_is_refused(store: RunStore, path: Path) -> None:
    with open_database(str(path)) as engine, engine.begin() as connection:
        connection.execute(sql.insert(database.schema_table).values(version=database.SCHEMA_VERSION + 1))
    verify_refused(path, "written by a newer Croupier (schema 4, this one knows 3)", create=True)


def test_a_store_of_an_older_croupier_is_taken_over_with_its_runs(store: RunStore, path: Path) -> None:
    finish(store)
    with open_database(str(path)) as engine, engine.begin() as connection:
        database.sessions_table.drop(connection)
        connection.execute(sql.update(database.schema_table).values(version=1))
    with open_database(str(path)) as engine:
        assert not sql.inspect(engine).has_table("rooms"), "who only reads changes nothing"
    with open_database(str(path), create=True) as engine:
        assert sql.inspect(engine).has_table("rooms")
    with open_store(str(path)) as opened:
        assert [run.kind for run in opened.runs()] == ["dice roll"]


def test_a_damaged_store_is_refused(path: Path) -> None:
    with open_store(str(path), create=True) as store:
        for seed in range(50):
            finish(store, seed)
    content = path.read_bytes()
    path.write_bytes(content[:4096] + bytes(len(content) - 4096))
    with pytest.raises(StoreError, match="the database is damaged"), open_store(str(path)) as store:
        store.runs()


def test_a_locked_store_says_so(store: RunStore, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with (
        pytest.raises(StoreError, match="another process has held it locked"),
        open_store(str(path)) as opened,
    ):
        begin(opened)
    other.close()


def test_paths_that_cannot_be_are_refused(tmp_path: Path) -> None:
    verify_refused(tmp_path, "it is a directory; name a file")
    verify_refused(tmp_path / "runs.sqlite", "there is no such store; a command with --save makes one")
    verify_refused(tmp_path / "no" / "runs.sqlite", "there is no such folder", create=True)
    verify_refused("sqlite://", "a store in memory is gone at once", create=True)
    empty = tmp_path / "empty.sqlite"
    empty.touch()
    verify_refused(empty, "no run was ever saved there")


def test_urls_that_cannot_be_are_refused_without_telling_the_password() -> None:
    verify_refused("cuneiform://clay/tablet", "cuneiform")
    with (
        pytest.raises(StoreError, match=r"postgresql\+nodriver") as caught,
        open_store("postgresql+nodriver://a:secret@b/c"),
    ):
        pass
    assert "secret" not in str(caught.value)
    with pytest.raises(StoreError, match="not a URL"), open_store("://"):
        pass


def test_a_url_of_sqlite_is_the_same_file(store: RunStore, path: Path) -> None:
    run_id = finish(store)
    with open_store(f"sqlite:///{path}") as same:
        assert same.find(run_id).kind == "dice roll"


def test_the_tables_can_be_made_in_postgresql() -> None:
    statements: list[str] = []
    engine: MockConnection = sql.create_mock_engine(
        "postgresql+psycopg://",
        lambda statement, *_: statements.append(str(statement.compile(dialect=engine.dialect))),
    )
    database.tables.create_all(engine, checkfirst=False)
    made = "".join(statements)
    for column in ("id SERIAL", "rules JSON", "seconds FLOAT(53)", "blocks BIGINT", "created TIMESTAMP"):
        assert column in made


def test_the_store_is_where_the_environment_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("CROUPIER_STORE", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", "relative/paths/are/ignored")
    assert default_location() == str(tmp_path / ".local/share/croupier/runs.sqlite")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    with open_store(create=True) as store:
        finish(store)
    assert (tmp_path / "data" / "croupier" / "runs.sqlite").exists()
    monkeypatch.setenv("CROUPIER_STORE", str(tmp_path / "elsewhere.sqlite"))
    assert default_location() == str(tmp_path / "elsewhere.sqlite")


def test_a_comparison_shows_what_differs_and_by_how_many_errors(store: RunStore) -> None:
    ids = [
        finish(store, 1, {"value": 0.10, "stderr": 0.03}, rounds=100, bet=1),
        finish(store, 2, {"value": 0.20, "stderr": 0.04}, rounds=200, bet=1),
        finish(store, 2, {"verdict": "unclear"}, bet=1, lucky=True),
    ]
    comparison = compare_runs([store.find(run_id) for run_id in ids])
    assert comparison.settings == {"seed": (1, 2, 2), "rounds": (100, 200, None), "lucky": (None, None, True)}
    (difference,) = comparison.differences
    assert (difference.first, difference.second, difference.same_seed) == (1, 2, False)
    assert difference.difference == pytest.approx(0.1)
    assert difference.stderr == pytest.approx(0.05)
    assert difference.in_standard_errors == pytest.approx(2)
    assert comparison.to_dict()["differences"] == [difference.to_dict()]


def test_exact_values_differ_by_no_number_of_errors(store: RunStore) -> None:
    ids = [finish(store, 1, {"value": value, "stderr": 0.0}) for value in (0.1, 0.2)]
    (difference,) = compare_runs([store.find(run_id) for run_id in ids]).differences
    assert difference.in_standard_errors is None
    assert difference.same_seed
