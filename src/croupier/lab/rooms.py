"""The tables that visitors of the web lab have left, as plain JSON in the database of the store."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sql

from croupier.lab.database import database_errors, rooms_table


class RoomStore:
    """What every visitor left in every room: one row each, written as a whole or not at all.

    Examples
    --------
    >>> import tempfile
    >>> from croupier.lab.database import open_database
    >>> with tempfile.TemporaryDirectory() as folder, open_database(f"{folder}/a.sqlite", create=True) as engine:
    ...     rooms = RoomStore(engine)
    ...     rooms.save("ann", "banluck", {"hand": 1})
    ...     rooms.save("ann", "banluck", {"hand": 2})
    ...     rooms.load("ann", "banluck"), rooms.load("bob", "banluck")
    ({'hand': 2}, None)
    """

    def __init__(self, engine: sql.Engine) -> None:
        self._engine = engine
        self._name = engine.url.database or str(engine.url)

    def load(self, visitor: str, room: str) -> dict[str, Any] | None:
        """Return what a visitor left in a room."""
        with database_errors(self._name), self._engine.connect() as connection:
            statement = sql.select(rooms_table.c.state).where(_place(visitor, room))
            state: dict[str, Any] | None = connection.execute(statement).scalar_one_or_none()
        return state

    def save(self, visitor: str, room: str, state: Mapping[str, Any]) -> None:
        """Write down how a visitor leaves a room."""
        values = {"state": dict(state), "updated": datetime.now(UTC)}
        with database_errors(self._name), self._engine.begin() as connection:
            changed = connection.execute(
                sql.update(rooms_table).where(_place(visitor, room)).values(values)
            ).rowcount
            if not changed:
                connection.execute(sql.insert(rooms_table).values(visitor=visitor, room=room, **values))


def _place(visitor: str, room: str) -> sql.ColumnElement[bool]:
    return (rooms_table.c.visitor == visitor) & (rooms_table.c.room == room)
