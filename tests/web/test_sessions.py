"""Sessions: every visitor's table is saved, restored, and separate from all others."""

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Self

import pytest
import sqlalchemy as sql

from croupier.errors import InputError
from croupier.runs.database import open_database
from croupier.runs.sessions import SessionStore
from croupier.web import sessions as web_sessions
from croupier.web.sessions import TableSession, TableSessions


class Pot:
    """The simplest table: a pot that holds up to a hundred."""

    def __init__(self, money: int = 0) -> None:
        self.money = money

    def put(self, money: int) -> int:
        if self.money + money > 100:
            raise InputError("the pot is full")
        self.money += money
        return self.money

    def to_state(self) -> dict[str, Any]:
        return {"money": self.money}

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        if not isinstance(state.get("money"), int):
            raise InputError("no money")
        return cls(state["money"])


@pytest.fixture
def database(tmp_path: Path) -> Iterator[sql.Engine]:
    with open_database(str(tmp_path / "lab.sqlite"), create=True) as engine:
        yield engine


async def enter(sessions: TableSessions, visitor: str) -> TableSession[Pot]:
    return await sessions.open(visitor, "pot", Pot, Pot.from_state)


def test_a_table_is_found_again_after_a_restart(database: sql.Engine) -> None:
    async def play() -> int:
        session = await enter(TableSessions(SessionStore(database)), "ann")
        await session.change(lambda pot: pot.put(30))
        return (await enter(TableSessions(SessionStore(database)), "ann")).model.money

    assert asyncio.run(play()) == 30


def test_visitors_have_tables_of_their_own(database: sql.Engine) -> None:
    async def play() -> tuple[int, int]:
        sessions = TableSessions(SessionStore(database))
        hers, his = await enter(sessions, "ann"), await enter(sessions, "bob")
        await hers.change(lambda pot: pot.put(30))
        return hers.model.money, his.model.money

    assert asyncio.run(play()) == (30, 0)


def test_two_tabs_of_a_visitor_share_a_table(database: sql.Engine) -> None:
    async def play() -> bool:
        sessions = TableSessions(SessionStore(database))
        first, second = await asyncio.gather(enter(sessions, "ann"), enter(sessions, "ann"))
        return first is second

    assert asyncio.run(play())


def test_a_refused_action_changes_and_saves_nothing(database: sql.Engine) -> None:
    async def play() -> None:
        session = await enter(TableSessions(SessionStore(database)), "ann")
        await session.change(lambda pot: pot.put(90))
        with pytest.raises(InputError, match="the pot is full"):
            await session.change(lambda pot: pot.put(20))
        assert session.model.money == 90

    asyncio.run(play())
    assert SessionStore(database).load("ann", "pot") == {"money": 90}


def test_actions_of_one_session_come_one_after_another(database: sql.Engine) -> None:
    async def play() -> int:
        session = await enter(TableSessions(SessionStore(database)), "ann")
        await asyncio.gather(*(session.change(lambda pot: pot.put(1)) for _ in range(50)))
        return session.model.money

    assert asyncio.run(play()) == 50
    assert SessionStore(database).load("ann", "pot") == {"money": 50}


def test_a_saved_table_that_cannot_be_read_gives_way_to_a_fresh_one(database: sql.Engine) -> None:
    SessionStore(database).save("ann", "pot", {"coins": "of another version"})

    async def play() -> int:
        return (await enter(TableSessions(SessionStore(database)), "ann")).model.money

    assert asyncio.run(play()) == 0


def test_tables_that_nobody_looks_at_leave_the_memory_but_not_the_store(
    database: sql.Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_sessions, "LIVE_SESSIONS", 3)

    async def play() -> tuple[bool, int]:
        sessions = TableSessions(SessionStore(database))
        first = await enter(sessions, "visitor 0")
        await first.change(lambda pot: pot.put(7))
        for number in range(1, 6):
            await enter(sessions, f"visitor {number}")
        again = await enter(sessions, "visitor 0")
        return again is first, again.model.money

    assert asyncio.run(play()) == (False, 7)


def test_a_visitor_finds_a_table_where_all_others_are_in_use(
    database: sql.Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_sessions, "LIVE_SESSIONS", 3)
    monkeypatch.setattr(TableSession, "is_needed", property(lambda session: session.model.money > 0))

    async def play() -> bool:
        sessions = TableSessions(SessionStore(database))
        for number in range(5):
            await (await enter(sessions, f"visitor {number}")).change(lambda pot: pot.put(1))
        last = await enter(sessions, "visitor 5")
        return await enter(sessions, "visitor 5") is last

    assert asyncio.run(play())
