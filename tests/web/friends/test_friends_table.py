"""A shared table: who may do what, who comes and goes, and what survives a restart."""

import asyncio
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from croupier.banluck import rules
from croupier.errors import InputError
from croupier.runs.database import open_database
from croupier.runs.sessions import SessionStore
from croupier.web.friends import tables as tables_module
from croupier.web.friends.banluck import BanluckEvening
from croupier.web.friends.seats import Holder
from croupier.web.friends.table import SharedTable
from croupier.web.friends.tables import OWNER, SharedTables

#: In its first hand nobody has a Ban hand.
SEED = 7


def evening() -> BanluckEvening:
    return BanluckEvening(rules(), seed=SEED)


def opened(*names: str) -> SharedTable:
    table = SharedTable.opened("code", "host", "Host", evening())
    for name in names:
        table.join(name.lower(), name)
    return table


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SessionStore]:
    with open_database(str(tmp_path / "store.sqlite"), create=True) as engine:
        yield SessionStore(engine)


REFUSALS: dict[str, tuple[Callable[[SharedTable], object], str]] = {
    "no name": (lambda table: table.join("x", "  "), "a name is missing"),
    "long name": (lambda table: table.join("x", "x" * 21), "too long"),
    "right to left": (lambda table: table.join("x", "Ann\u202eneB"), "letters, digits and signs only"),
    "control sign": (lambda table: table.join("x", "Ann\x1b[31m"), "letters, digits and signs only"),
    "no width": (lambda table: table.join("x", "Ben\u200b"), "letters, digits and signs only"),
    "no shape": (lambda table: table.join("x", "\u3164"), "a name is missing"),
    "signs alone": (lambda table: table.join("x", "..."), "a name is missing"),
    "huge name": (lambda table: table.join("x", "x" * 10**7), "too long"),
    "look-alike": (lambda table: table.join("x", "\uff22en"), "somebody is called Ben already"),
    "taken name": (lambda table: table.join("x", "ben"), "somebody is called Ben already"),
    "second seat": (lambda table: table.join("ben", "Other"), "you have a seat"),
    "no seat": (lambda table: table.act("stranger", "deal"), "you have no seat"),
    "out of turn": (lambda table: table.act("host", "deal"), "'deal' is not possible now"),
    "no bet": (lambda table: table.act("ben", "bet"), "a bet is missing"),
    "wrong bet": (lambda table: table.act("ben", "bet", amount=0.001), "a bet of 0.001 is not possible"),
    "stale": (lambda table: table.act("ben", "bet", moment="7/3", amount=1), "the table has moved on"),
    "not the host": (lambda table: table.end("ben"), "only the host"),
    "host is here": (lambda table: table.take_over("ben", {"host"}), "the host is here"),
    "no such seat": (lambda table: table.remove("host", 9), "no seat 10"),
    "oneself": (lambda table: table.remove("host", 0), "leave the table instead"),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_what_is_refused_is_said_in_a_line_and_changes_nothing(name: str) -> None:
    table = opened("Ben", "Cem")
    before = table.to_state()
    action, message = REFUSALS[name]
    with pytest.raises(InputError, match=message) as refusal:
        action(table)
    assert "\n" not in str(refusal.value)
    assert table.to_state() == before


def test_a_full_table_can_be_watched_and_an_ended_one_is_closed() -> None:
    table = opened(*(f"P{number}" for number in range(7)))
    with pytest.raises(InputError, match="all seats are taken; you can watch"):
        table.join("stranger", "Nine")
    assert table.view("stranger", {"stranger"}).seat is None
    assert table.view("stranger", {"stranger"}).watching == 1
    table.end("host")
    for refused in (
        partial(table.join, "x", "X"),
        partial(table.act, "host", "deal"),
        partial(table.leave, "p1"),
    ):
        with pytest.raises(InputError, match="has ended"):
            refused()


def test_an_engine_plays_for_somebody_who_is_away_until_the_person_is_back() -> None:
    table = opened("Ben")
    table.replace_by_engine("host", 1)
    with pytest.raises(InputError, match="an engine plays for you"):
        table.act("ben", "bet", amount=1)
    table.act("host", "deal")  # the engine bets at once
    assert table.now.game.plays(1)
    table.act("host", "play")
    assert table.engine_is_to_move
    table.pause("host", paused=True)
    assert not table.engine_is_to_move
    with pytest.raises(InputError, match="the table is paused"):
        table.act("host", "stand")
    table.pause("host", paused=False)
    table.come_back("ben")
    assert not table.engine_is_to_move
    assert table.now.seats[1].holder is Holder.PERSON


def test_somebody_who_leaves_plays_the_hand_out_keeps_the_total_and_can_return_by_name() -> None:
    table = opened("Ben", "Cem")
    for name in ("ben", "cem"):
        table.act(name, "bet", amount=2)
    table.act("host", "deal")
    table.leave("ben")
    assert [seat.holder for seat in table.now.seats] == [Holder.PERSON, Holder.LEAVING, Holder.PERSON]
    while table.now.game.is_playing:
        if table.engine_is_to_move:
            table.move_engine()
            continue
        seat = table.now.game.turn(table.now.seats)
        assert seat is not None
        person = table.now.seats[seat].visitor
        assert person is not None
        table.act(person, table.view(person).game.asked.choices[0].name)
    assert [seat.holder for seat in table.now.seats] == [Holder.PERSON, Holder.NOBODY, Holder.PERSON]
    total = table.now.game.totals[1]
    assert sum(table.now.game.totals.values()) == 0
    table.join("ben's other phone", "BEN")
    assert table.seat_of("ben's other phone") == 1
    assert table.view("cem").seats[1].total == total


def test_the_host_role_passes_on() -> None:
    table = opened("Ben")
    table.take_over("ben", present={"ben"})
    assert table.view("ben").is_host
    table.leave("ben")
    assert table.now.host == "host"
    table.leave("host")
    assert table.now.host is None
    table.join("late", "Late")
    assert table.view("late").is_host


def test_tables_survive_a_restart_and_unknown_links_are_refused(store: SessionStore) -> None:
    async def play() -> None:
        tables = SharedTables(store)
        live = await tables.open("host", "Host", evening())
        await live.change(lambda table: table.join("ben", "Ben"))
        await live.change(lambda table: table.act("ben", "bet", amount=3))
        await live.change(lambda table: table.act("host", "deal"))
        again = await SharedTables(store).find(live.model.code)
        assert again is not live
        assert again.model.to_state() == live.model.to_state()
        for visitor in ("host", "ben", "stranger"):
            assert again.model.view(visitor) == live.model.view(visitor)
        with pytest.raises(InputError, match="there is no such table; ask the host"):
            await tables.find("nothing")

    asyncio.run(play())


def test_engines_move_by_themselves_and_only_while_people_are_seated(store: SessionStore) -> None:
    async def play() -> None:
        live = await SharedTables(store).open("host", "Host", evening())
        for _ in range(2):
            await live.change(lambda table: table.add_engine("host"))
        await live.change(lambda table: table.act("host", "deal"))
        await live.change(lambda table: table.act("host", "play"))
        await live.engines_done()
        assert live.model.now.game.turn(live.model.now.seats) == 0
        await live.change(lambda table: table.leave("host"))
        await live.engines_done()
        assert not live.model.engine_is_to_move

    asyncio.run(play())


def test_the_number_of_tables_is_bounded(store: SessionStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables_module, "MOST_TABLES", 2)
    monkeypatch.setattr(tables_module, "LIVE_TABLES", 1)

    async def play() -> None:
        tables = SharedTables(store)
        first, second = [await tables.open(f"host {number}", "Host", evening()) for number in range(2)]
        assert len(tables._live) == 1
        with pytest.raises(InputError, match="there are 2 tables already"):
            await tables.open("somebody", "Host", evening())
        assert set(store.names(OWNER)) == {first.model.code, second.model.code}
        # Whoever opens table after table loses the own ones, not those of others.
        third = await tables.open("host 0", "Host", evening())
        assert set(store.names(OWNER)) == {second.model.code, third.model.code}
        # A table that has ended makes room at once.
        await second.change(lambda table: table.end("host 1"))
        fourth = await tables.open("somebody", "Host", evening())
        assert set(store.names(OWNER)) == {third.model.code, fourth.model.code}
        later = datetime.now(UTC) + timedelta(days=2)

        class Later(datetime):
            @classmethod
            def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
                return later

        monkeypatch.setattr(tables_module, "datetime", Later)
        fifth = await tables.open("somebody else", "Host", evening())
        assert set(store.names(OWNER)) == {fourth.model.code, fifth.model.code}

    asyncio.run(play())


def test_a_table_that_is_looked_at_never_makes_room(
    store: SessionStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables_module, "MOST_TABLES", 1)

    async def play() -> None:
        tables = SharedTables(store)
        live = await tables.open("host", "Host", evening())
        live._watchers.append(lambda: None)
        with pytest.raises(InputError, match="there are 1 tables already"):
            await tables.open("host", "Host", evening())
        assert await tables.find(live.model.code) is live

    asyncio.run(play())


def test_two_pages_of_one_person_count_once_and_until_the_last_is_closed(store: SessionStore) -> None:
    async def play() -> None:
        live = await SharedTables(store).open("host", "Host", evening())
        live.arrive("host")
        live.arrive("host")
        live.depart("host")
        assert live.present == {"host"}
        live.depart("host")
        assert live.present == frozenset()

    asyncio.run(play())
