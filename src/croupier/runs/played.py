"""The finished hands of the web app's visitors, for their own statistics, in the database of the store.

Each visitor keeps the newest hands one by one. Older ones are added up in one row per game, so that the totals stay complete.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sql

from croupier.runs.commits import commits_of
from croupier.runs.database import database_errors, played_table

#: How many hands a visitor keeps one by one, and how many are added up at a time beyond that.
KEPT_HANDS, ADDED_UP = 2000, 100

#: The row of a game into which old hands were added up has this key.
_SUM = ""

#: The columns that can be added up.
_FIGURES = ("hands", "priced", "won", "worth", "luck", "cost", "decisions", "right")

_columns = played_table.c

# A statement is put together once: that takes longer than running it.
_CHANGE = (
    sql.update(played_table)
    .where(
        (_columns.visitor == sql.bindparam("of_visitor"))
        & (_columns.game == sql.bindparam("of_game"))
        & (_columns.key == sql.bindparam("of_key"))
    )
    .values({name: sql.bindparam(f"new_{name}") for name in (*_FIGURES, "hand")})
)
_ADD = sql.insert(played_table)
_COUNT = sql.select(sql.func.count()).where(
    (_columns.visitor == sql.bindparam("of_visitor")) & (_columns.key != _SUM)
)


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one hand, or of many together.

    Attributes
    ----------
    hands, priced
        How many hands, and how many of them have prices.
    won, worth, luck, cost
        In bets; the last three of the priced hands only.
    decisions, right
        The priced decisions, and those that nothing would have bettered.

    Examples
    --------
    >>> Figures(hands=1, won=2.0) + Figures(hands=1, won=-1.0)
    Figures(hands=2, priced=0, won=1.0, worth=0.0, luck=0.0, cost=0.0, decisions=0, right=0)
    """

    hands: int = 0
    priced: int = 0
    won: float = 0.0
    worth: float = 0.0
    luck: float = 0.0
    cost: float = 0.0
    decisions: int = 0
    right: int = 0

    def __add__(self, other: "Figures") -> "Figures":
        return Figures(*(getattr(self, name) + getattr(other, name) for name in _FIGURES))


@dataclass(frozen=True, slots=True)
class StoredHand:
    """A stored hand: its game, when it ended, its figures, and all else; None of many that were added up."""

    game: str
    finished: datetime
    figures: Figures
    hand: dict[str, Any] | None


class PlayedStore:
    """The finished hands of every visitor.

    Examples
    --------
    >>> import tempfile
    >>> from croupier.runs.database import open_database
    >>> with tempfile.TemporaryDirectory() as folder, open_database(f"{folder}/a.sqlite", create=True) as engine:
    ...     played = PlayedStore(engine)
    ...     played.record("ann", "durak", "7/1", Figures(hands=1, won=0.5), {"story": "won"})
    ...     played.record("ann", "durak", "7/1", Figures(hands=1, won=0.5), {"story": "won"})
    ...     [(hand.game, hand.figures.won) for hand in played.hands("ann")], played.hands("bob")
    ([('durak', 0.5)], [])
    """

    def __init__(self, engine: sql.Engine) -> None:
        self._engine, self._commits = engine, commits_of(engine)
        self._name = engine.url.database or str(engine.url)

    def record(self, visitor: str, game: str, key: str, figures: Figures, hand: Mapping[str, Any]) -> None:
        """Store a hand; the same hand again, such as with prices, replaces the one before and keeps its time."""
        with database_errors(self._name):
            self._commits.write(self.recording(visitor, game, key, figures, hand))

    def recording(
        self, visitor: str, game: str, key: str, figures: Figures, hand: Mapping[str, Any]
    ) -> Callable[[sql.Connection], None]:
        """Return what :meth:`record` does in a transaction, for one that writes more than that."""
        values = {**_values(figures), "hand": dict(hand)}
        place = {"visitor": visitor, "game": game, "key": key, "finished": datetime.now(UTC)}

        def record(connection: sql.Connection) -> None:
            of = {"of_visitor": visitor, "of_game": game, "of_key": key}
            new = {f"new_{name}": value for name, value in values.items()}
            if not connection.execute(_CHANGE, {**of, **new}).rowcount:
                connection.execute(_ADD, {**place, **values})
                self._add_up_oldest(connection, visitor)

        return record

    def hands(self, visitor: str) -> list[StoredHand]:
        """Return a visitor's hands, the oldest first; those that were added up come before all others."""
        columns = played_table.c
        statement = (
            sql.select(played_table)
            .where(columns.visitor == visitor)
            .order_by(columns.key != _SUM, columns.finished, columns.key)
        )
        with database_errors(self._name), self._engine.connect() as connection:
            rows = connection.execute(statement).mappings().all()
        return [StoredHand(row["game"], row["finished"], _figures(row), row["hand"]) for row in rows]

    def forget(self, visitor: str) -> None:
        """Remove all hands of a visitor."""
        forgotten = sql.delete(played_table).where(played_table.c.visitor == visitor)
        with database_errors(self._name):
            self._commits.write(lambda connection: connection.execute(forgotten))

    def _add_up_oldest(self, connection: sql.Connection, visitor: str) -> None:
        """Replace the oldest hands by their sums, where a visitor has too many."""
        columns = played_table.c
        single = (columns.visitor == visitor) & (columns.key != _SUM)
        count = connection.execute(_COUNT, {"of_visitor": visitor}).scalar_one()
        if count < KEPT_HANDS + ADDED_UP:
            return
        oldest = sql.select(played_table).where(single).order_by(columns.finished).limit(count - KEPT_HANDS)
        for row in connection.execute(oldest).mappings().all():
            place = _of(visitor, row["game"], _SUM)
            before = connection.execute(sql.select(played_table).where(place)).mappings().one_or_none()
            total = _figures(row) if before is None else _figures(before) + _figures(row)
            connection.execute(sql.delete(played_table).where(place))
            connection.execute(sql.delete(played_table).where(_of(visitor, row["game"], row["key"])))
            where = {"visitor": visitor, "game": row["game"], "key": _SUM, "finished": row["finished"]}
            connection.execute(sql.insert(played_table).values({**where, **_values(total), "hand": None}))


def _of(visitor: str, game: str, key: str) -> sql.ColumnElement[bool]:
    columns = played_table.c
    return (columns.visitor == visitor) & (columns.game == game) & (columns.key == key)


def _figures(row: Mapping[Any, Any]) -> Figures:
    return Figures(*(row[name] for name in _FIGURES))


def _values(figures: Figures) -> dict[str, Any]:
    return {name: getattr(figures, name) for name in _FIGURES}
