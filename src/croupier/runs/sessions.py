"""The saved tables of the web app's visitors, as plain JSON in the database of the store."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sql

from croupier.runs.database import database_errors, sessions_table


class SessionStore:
    """The state of every session of every visitor: one row each, written completely or not at all.

    Examples
    --------
    >>> import tempfile
    >>> from croupier.runs.database import open_database
    >>> with tempfile.TemporaryDirectory() as folder, open_database(f"{folder}/a.sqlite", create=True) as engine:
    ...     sessions = SessionStore(engine)
    ...     sessions.save("ann", "banluck", {"hand": 1})
    ...     sessions.save("ann", "banluck", {"hand": 2})
    ...     sessions.load("ann", "banluck"), sessions.load("bob", "banluck")
    ({'hand': 2}, None)
    """

    def __init__(self, engine: sql.Engine) -> None:
        self._engine = engine
        self._name = engine.url.database or str(engine.url)

    def verify_readable(self) -> None:
        """Read the store, to find out whether that is possible.

        Raises
        ------
        StoreError
            If it is not.
        """
        with database_errors(self._name), self._engine.connect() as connection:
            connection.execute(sql.select(sessions_table.c.visitor).limit(1))

    def load(self, visitor: str, session: str) -> dict[str, Any] | None:
        """Return the saved state of a visitor's session."""
        with database_errors(self._name), self._engine.connect() as connection:
            statement = sql.select(sessions_table.c.state).where(_place(visitor, session))
            state: dict[str, Any] | None = connection.execute(statement).scalar_one_or_none()
        return state

    def names(self, visitor: str) -> dict[str, datetime]:
        """Return the names of a visitor's sessions, with when each was saved last, the newest first.

        >>> import tempfile
        >>> from croupier.runs.database import open_database
        >>> with tempfile.TemporaryDirectory() as folder, open_database(f"{folder}/a.sqlite", create=True) as engine:
        ...     sessions = SessionStore(engine)
        ...     sessions.save("ann", "banluck", {})
        ...     sessions.save("ann", "durak", {})
        ...     sessions.remove("ann", "durak")
        ...     list(sessions.names("ann"))
        ['banluck']
        """
        columns = sessions_table.c
        statement = (
            sql.select(columns.session, columns.updated)
            .where(columns.visitor == visitor)
            .order_by(columns.updated.desc())
        )
        with database_errors(self._name), self._engine.connect() as connection:
            return {row.session: row.updated for row in connection.execute(statement)}

    def remove(self, visitor: str, session: str) -> None:
        """Remove a visitor's session, if it is there."""
        with database_errors(self._name), self._engine.begin() as connection:
            connection.execute(sql.delete(sessions_table).where(_place(visitor, session)))

    def save(self, visitor: str, session: str, state: Mapping[str, Any]) -> None:
        """Save the state of a visitor's session."""
        values = {"state": dict(state), "updated": datetime.now(UTC)}
        with database_errors(self._name), self._engine.begin() as connection:
            changed = connection.execute(
                sql.update(sessions_table).where(_place(visitor, session)).values(values)
            ).rowcount
            if not changed:
                connection.execute(
                    sql.insert(sessions_table).values(visitor=visitor, session=session, **values)
                )


def _place(visitor: str, session: str) -> sql.ColumnElement[bool]:
    return (sessions_table.c.visitor == visitor) & (sessions_table.c.session == session)
