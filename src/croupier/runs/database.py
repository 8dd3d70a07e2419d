"""The database that keeps runs: where it is, its tables, and what can be wrong with it, each in one clear line.

SQLite in a file by default; any other database is a SQLAlchemy URL away, because only portable types and
statements are used. The exceptions are what SQLite is told when a connection opens:

- WAL, so that readers never wait for a run that saves. It is set once, when the file is made, and stays.
- A busy timeout, so that writers wait for each other instead of failing.
- ``synchronous = FULL``: a commit is on the disk when it returns, and survives a power cut. It costs one
  ``fsync`` per commit, and a run commits about once a second.
"""

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from sqlalchemy.exc import ArgumentError, IntegrityError, NoSuchModuleError, SQLAlchemyError

from croupier.errors import InputError
from croupier.extras import needs
from croupier.files import FileError, make_folder
from croupier.folders import data_folder

#: Grows by one with every change of the tables; a store with a higher number is refused.
SCHEMA_VERSION = 3

#: How long a writer waits for another one.
BUSY_SECONDS = 30


class StoreError(InputError):
    """A store that cannot be opened, read or written; the message says which one and why."""


class UtcDateTime(sql.TypeDecorator[datetime]):
    """A moment in UTC. SQLite stores no time zones, so they are removed on writing and added on reading."""

    impl = sql.DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: sql.Dialect) -> datetime | None:  # noqa: ARG002
        """Convert a moment to UTC and remove the time zone."""
        return value.astimezone(UTC).replace(tzinfo=None) if value else None

    def process_result_value(self, value: datetime | None, dialect: sql.Dialect) -> datetime | None:  # noqa: ARG002
        """Add the time zone UTC."""
        return value.replace(tzinfo=UTC) if value else None


tables = sql.MetaData()

schema_table = sql.Table(
    "croupier_schema", tables, sql.Column("version", sql.Integer, primary_key=True, autoincrement=False)
)

runs_table = sql.Table(
    "runs",
    tables,
    sql.Column("id", sql.Integer, primary_key=True),
    sql.Column("kind", sql.String(80), nullable=False, index=True),
    sql.Column("rules", sql.JSON, nullable=False),
    sql.Column("parameters", sql.JSON, nullable=False),
    sql.Column("seed", sql.Text, nullable=False),  # a seed may have more digits than any integer column
    sql.Column("version", sql.String(40), nullable=False),
    sql.Column("created", UtcDateTime, nullable=False),
    sql.Column("updated", UtcDateTime, nullable=False),
    sql.Column("status", sql.String(20), nullable=False),
    sql.Column("blocks", sql.BigInteger, nullable=False),
    sql.Column("state", sql.JSON(none_as_null=True)),
    sql.Column("result", sql.JSON(none_as_null=True)),
    sql.Column("seconds", sql.Float(53), nullable=False),
    sql.Column("host", sql.Text),
    sql.Column("process", sql.Integer),
    sql.Column("lease", sql.String(40)),
    sqlite_autoincrement=True,  # the number of a removed run is not given to another one
)


sessions_table = sql.Table(  # since schema 2; stores of 0.1 call it and its column "rooms" and "room"
    "rooms",
    tables,
    sql.Column("visitor", sql.String(64), primary_key=True),
    sql.Column("room", sql.String(80), primary_key=True, key="session"),
    sql.Column("state", sql.JSON, nullable=False),
    sql.Column("updated", UtcDateTime, nullable=False),
)

played_table = sql.Table(  # since schema 3
    "played_hands",
    tables,
    sql.Column("visitor", sql.String(64), primary_key=True),
    sql.Column("game", sql.String(20), primary_key=True),
    sql.Column("key", sql.String(80), primary_key=True),
    sql.Column("finished", UtcDateTime, nullable=False),
    sql.Column("hands", sql.Integer, nullable=False),
    sql.Column("priced", sql.Integer, nullable=False),
    sql.Column("won", sql.Float(53), nullable=False),
    sql.Column("worth", sql.Float(53), nullable=False),
    sql.Column("luck", sql.Float(53), nullable=False),
    sql.Column("cost", sql.Float(53), nullable=False),
    sql.Column("decisions", sql.Integer, nullable=False),
    sql.Column("right", sql.Integer, nullable=False),
    sql.Column("hand", sql.JSON(none_as_null=True)),
)


def default_location() -> str:
    """Return the default store: ``$CROUPIER_STORE``, or a file in the user's data folder."""
    chosen = os.environ.get("CROUPIER_STORE")
    return chosen or str(data_folder() / "runs.sqlite")


def has_database() -> bool:
    """Say whether the default store exists; a database URL is assumed to."""
    location = default_location()
    return "://" in location or Path(location).exists()


@contextmanager
def open_database(location: str | None = None, *, create: bool = False) -> Iterator[sql.Engine]:
    """Open the database of a store.

    Parameters
    ----------
    location
        A file, or a SQLAlchemy URL; the default location if there is none.
    create
        Whether a missing or empty store is made; otherwise it is refused.

    Raises
    ------
    StoreError
        If it cannot be opened, is something else, or was written by a newer Croupier.

    Examples
    --------
    >>> with open_database("/no/such/runs.sqlite"):
    ...     pass
    Traceback (most recent call last):
    croupier.runs.database.StoreError: store '/no/such/runs.sqlite': there is no such store; a command with --save makes one
    """
    is_default = not location and not os.environ.get("CROUPIER_STORE")
    location = location or default_location()
    url = _url_of(location)
    name = url.render_as_string(hide_password=True) if "://" in location else location
    if url.get_backend_name() == "sqlite":
        _verify_file(url, name, create=create, is_default=is_default)
    with database_errors(name):
        engine = _engine(url)
        try:
            _open_schema(engine, name, create=create)
            yield engine
        finally:
            engine.dispose()


def _url_of(location: str) -> sql.URL:
    if "://" not in location:
        return sql.URL.create("sqlite", database=location)
    try:
        url = sql.make_url(location)
    except ArgumentError:
        raise StoreError("store: not a URL; write a file, or such as postgresql://user@host/name") from None
    return url.set(drivername="postgresql+psycopg") if url.drivername == "postgresql" else url


def _verify_file(url: sql.URL, name: str, *, create: bool, is_default: bool) -> None:
    """Refuse an impossible path and say why; SQLite would say "unable to open database file" for any reason."""
    if not url.database:
        raise StoreError(f"store '{name}': a store in memory is gone at once; name a file")
    path = Path(url.database)
    if path.is_dir():
        raise StoreError(f"store '{name}': it is a directory; name a file")
    if path.exists():
        return
    if not create:
        raise StoreError(f"store '{name}': there is no such store; a command with --save makes one")
    if is_default:
        _make_default_folder(path.parent)
    if not path.parent.is_dir():
        raise StoreError(f"store '{name}': there is no such folder")
    with suppress(OSError):  # if it cannot be made, SQLite says so; its other files get the same mode
        path.touch(mode=0o600)


def _make_default_folder(folder: Path) -> None:
    try:
        make_folder(folder, what="folder of the store")
    except FileError as error:
        raise StoreError(f"{error}; name another store with --store or CROUPIER_STORE") from None


def _engine(url: sql.URL) -> sql.Engine:
    if url.get_driver_name() == "psycopg":
        needs("postgres")
    strict_json = partial(json.dumps, allow_nan=False)  # NaN is no JSON, and not every database takes it
    engine = sql.create_engine(url, json_serializer=strict_json)
    if engine.dialect.name == "sqlite":
        sql.event.listen(engine, "connect", _set_up_sqlite)
    return engine


def _set_up_sqlite(connection: Any, _record: object) -> None:
    connection.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}")
    connection.execute("PRAGMA synchronous = FULL")


def _open_schema(engine: sql.Engine, name: str, *, create: bool) -> None:
    """Verify the schema, or make it."""
    present = set(sql.inspect(engine).get_table_names())
    if schema_table.name not in present:
        if present and engine.dialect.name == "sqlite":
            raise StoreError(f"store '{name}': a database of something else; it is left as it is")
        if not create:
            raise StoreError(f"store '{name}': no run was ever saved there; a command with --save does")
        _make_schema(engine)
    with engine.connect() as connection:
        version = connection.execute(sql.select(sql.func.max(schema_table.c.version))).scalar_one()
    if version > SCHEMA_VERSION:
        raise StoreError(
            f"store '{name}': written by a newer Croupier (schema {version}, this one knows {SCHEMA_VERSION}); "
            "update Croupier, or name another store"
        )
    if version < SCHEMA_VERSION and create:
        _make_schema(engine)


def _make_schema(engine: sql.Engine) -> None:
    """Create the missing tables, all or none. If another process does the same at the same time, its tables will do."""
    is_sqlite = engine.dialect.name == "sqlite"
    if is_sqlite:
        with engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA journal_mode = WAL")
    with suppress(IntegrityError), engine.begin() as connection:
        if is_sqlite:  # its driver would begin a transaction for rows only, not for tables
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        tables.create_all(connection)
        connection.execute(sql.insert(schema_table).values(version=SCHEMA_VERSION))


@contextmanager
def database_errors(name: str) -> Iterator[None]:
    """Turn database errors into one line that names the store."""
    try:
        yield
    except NoSuchModuleError as error:
        raise StoreError(f"store '{name}': {error}") from None
    except ModuleNotFoundError as error:
        raise StoreError(f"store '{name}': its driver {error.name} is not installed") from None
    except SQLAlchemyError as error:
        raise StoreError(f"store '{name}': {_reason(getattr(error, 'orig', None) or error)}") from error
    except sqlite3.Error as error:  # from the pragmas, which run before SQLAlchemy listens
        raise StoreError(f"store '{name}': {_reason(error)}") from error


def _reason(error: BaseException) -> str:
    text = str(error).splitlines()[0] if str(error) else type(error).__name__
    for sign, reason in {
        "not a database": "not a database; it is left as it is",
        "malformed": "the database is damaged",
        "locked": f"another process has held it locked for {BUSY_SECONDS} seconds; try again",
        "readonly": "no permission to write it",
        "unable to open": "no permission to open it",
    }.items():
        if sign in text:
            return reason
    return text
