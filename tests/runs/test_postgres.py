"""The store on a real PostgreSQL server."""

from collections.abc import Iterator

import pytest

from croupier.runs.blocks import run_blocks
from croupier.runs.database import StoreError, open_database
from croupier.runs.executors import open_executor
from croupier.runs.run import RunStatus
from croupier.runs.sessions import SessionStore
from croupier.runs.store import open_store
from tests.runs.block_work import Trail, fraction
from tests.runs.postgres_server import needs_postgres, postgres

pytestmark = needs_postgres


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with postgres() as url:
        yield url


def test_a_store_must_be_made_before_it_is_read(server: str) -> None:
    with pytest.raises(StoreError, match="no run was ever saved there"), open_store(server):
        pytest.fail("it was opened")


def test_a_run_is_interrupted_resumed_and_finished(server: str) -> None:
    with open_store(server, create=True) as store, open_executor(1) as executor:
        with store.begin("trail", rules={"sides": 6}, parameters={"of": 3}, seed=10**30) as recording:
            recording.keep(run_blocks(fraction, executor, blocks=3))
        run_id = recording.run.id
        assert store.find(run_id).status is RunStatus.INTERRUPTED
        with store.resume(run_id, kind="trail") as recording:
            whole = run_blocks(fraction, executor, blocks=7, start=recording.prefix(Trail))
            recording.finish(whole, {"value": 1.5})
        kept = store.find(run_id)
        uninterrupted = run_blocks(fraction, executor, blocks=7)
    assert (kept.status, kept.seed, kept.result) == (RunStatus.FINISHED, 10**30, {"value": 1.5})
    assert kept.state == uninterrupted.summary.to_state()


def test_rooms_are_kept_by_visitor(server: str) -> None:
    with open_database(server, create=True) as database:
        sessions = SessionStore(database)
        sessions.save("ann", "banluck", {"hand": [1, 2], "text": "туз"})
        sessions.save("ann", "banluck", {"hand": [3]})
    with open_database(server) as database:
        assert SessionStore(database).load("ann", "banluck") == {"hand": [3]}
        assert SessionStore(database).load("bob", "banluck") is None


def test_a_server_that_is_not_there_is_said_in_one_line() -> None:
    with (
        pytest.raises(StoreError, match=r"127.0.0.1:1/postgres': .* Connection refused"),
        open_store("postgresql://lab@127.0.0.1:1/postgres", create=True),
    ):
        pytest.fail("it was opened")
