"""Rooms: every visitor's table is kept, found again, and nobody else's."""

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Self

import pytest
import sqlalchemy as sql

from croupier.errors import InputError
from croupier.lab.database import open_database
from croupier.lab.rooms import RoomStore
from croupier.web import rooms as web_rooms
from croupier.web.rooms import Room, Rooms


class Pot:
    """The simplest table: a pot that takes up to a hundred."""

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


async def enter(rooms: Rooms, visitor: str) -> Room[Pot]:
    return await rooms.enter(visitor, "pot", Pot, Pot.from_state)


def test_a_table_is_found_again_after_a_restart(database: sql.Engine) -> None:
    async def play() -> int:
        room = await enter(Rooms(RoomStore(database)), "ann")
        await room.change(lambda pot: pot.put(30))
        return (await enter(Rooms(RoomStore(database)), "ann")).model.money

    assert asyncio.run(play()) == 30


def test_visitors_have_tables_of_their_own(database: sql.Engine) -> None:
    async def play() -> tuple[int, int]:
        rooms = Rooms(RoomStore(database))
        hers, his = await enter(rooms, "ann"), await enter(rooms, "bob")
        await hers.change(lambda pot: pot.put(30))
        return hers.model.money, his.model.money

    assert asyncio.run(play()) == (30, 0)


def test_two_tabs_of_a_visitor_share_a_table(database: sql.Engine) -> None:
    async def play() -> bool:
        rooms = Rooms(RoomStore(database))
        first, second = await asyncio.gather(enter(rooms, "ann"), enter(rooms, "ann"))
        return first is second

    assert asyncio.run(play())


def test_a_refused_deed_changes_and_saves_nothing(database: sql.Engine) -> None:
    async def play() -> None:
        room = await enter(Rooms(RoomStore(database)), "ann")
        await room.change(lambda pot: pot.put(90))
        with pytest.raises(InputError, match="the pot is full"):
            await room.change(lambda pot: pot.put(20))
        assert room.model.money == 90

    asyncio.run(play())
    assert RoomStore(database).load("ann", "pot") == {"money": 90}


def test_deeds_of_one_room_come_one_after_another(database: sql.Engine) -> None:
    async def play() -> int:
        room = await enter(Rooms(RoomStore(database)), "ann")
        await asyncio.gather(*(room.change(lambda pot: pot.put(1)) for _ in range(50)))
        return room.model.money

    assert asyncio.run(play()) == 50
    assert RoomStore(database).load("ann", "pot") == {"money": 50}


def test_a_saved_table_that_cannot_be_read_gives_way_to_a_fresh_one(database: sql.Engine) -> None:
    RoomStore(database).save("ann", "pot", {"coins": "of another version"})

    async def play() -> int:
        return (await enter(Rooms(RoomStore(database)), "ann")).model.money

    assert asyncio.run(play()) == 0


def test_tables_that_nobody_looks_at_leave_the_memory_but_not_the_store(
    database: sql.Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_rooms, "LIVE_ROOMS", 3)

    async def play() -> tuple[bool, int]:
        rooms = Rooms(RoomStore(database))
        first = await enter(rooms, "visitor 0")
        await first.change(lambda pot: pot.put(7))
        for number in range(1, 6):
            await enter(rooms, f"visitor {number}")
        again = await enter(rooms, "visitor 0")
        return again is first, again.model.money

    assert asyncio.run(play()) == (False, 7)
