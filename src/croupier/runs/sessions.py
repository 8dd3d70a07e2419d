"""The saved tables of the web app's visitors, as plain JSON in the database of the store."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sql

from croupier.runs.commits import commits_of
from croupier.runs.database import database_errors, sessions_table

_columns = sessions_table.c
_place = (_columns.visitor == sql.bindparam("of_visitor")) & (_columns.session == sql.bindparam("of_session"))

# A statement is put together once: that takes longer than running it.
_LOAD = sql.select(_columns.state).where(_place)
_REMOVE = sql.delete(sessions_table).where(_place)
_CHANGE = (
    sql.update(sessions_table)
    .where(_place)
    .values(state=sql.bindparam("new_state"), updated=sql.bindparam("now"))
)
_ADD = sql.insert(sessions_table)
_NAMES = (
    sql.select(_columns.session, _columns.updated)
    .where(_columns.visitor == sql.bindparam("of_visitor"))
    .order_by(_columns.updated.desc())
)


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
        self._engine, self._commits = engine, commits_of(engine)
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
            place = {"of_visitor": visitor, "of_session": session}
            state: dict[str, Any] | None = connection.execute(_LOAD, place).scalar_one_or_none()
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
        with database_errors(self._name), self._engine.connect() as connection:
            return {row.session: row.updated for row in connection.execute(_NAMES, {"of_visitor": visitor})}

    def remove(self, visitor: str, session: str) -> None:
        """Remove a visitor's session, if it is there."""
        place = {"of_visitor": visitor, "of_session": session}
        with database_errors(self._name):
            self._commits.write(lambda connection: connection.execute(_REMOVE, place))

    def save(
        self,
        visitor: str,
        session: str,
        state: Mapping[str, Any],
        *,
        also: Callable[[sql.Connection], object] | None = None,
    ) -> None:
        """Save the state of a visitor's session.

        Parameters
        ----------
        visitor, session
            Whose session it is, and its name.
        state
            Everything that is needed to resume.
        also
            Writes what belongs to it, in the same transaction.
        """
        now = datetime.now(UTC)

        def write(connection: sql.Connection) -> None:
            changed = connection.execute(
                _CHANGE,
                {"of_visitor": visitor, "of_session": session, "new_state": state, "now": now},
            ).rowcount
            if not changed:
                connection.execute(
                    _ADD, {"visitor": visitor, "session": session, "state": state, "updated": now}
                )
            if also is not None:
                also(connection)

        with database_errors(self._name):
            self._commits.write(write)
