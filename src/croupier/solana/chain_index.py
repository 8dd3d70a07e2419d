"""The index of a house's chains: from a chain's tip to its number, in a file beside the house's secret.

It holds nothing that the secret does not give, so it can be removed at any time and is made again. It names no secret:
only the beginning of each tip, which is public, and a fingerprint of the secret, so that an index of another house is
noticed.
"""

import hashlib
import os
import sqlite3
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from croupier.errors import InputError

_TABLES = """
CREATE TABLE covered (house BLOB NOT NULL, chains INTEGER NOT NULL);
CREATE TABLE tips (prefix INTEGER PRIMARY KEY, chain INTEGER NOT NULL) WITHOUT ROWID;
"""
#: How many tips are written at once, which bounds the memory.
_BATCH = 10_000
_PATIENCE_SECONDS = 60.0


class ChainIndexError(InputError):
    """The index cannot be read or written; the message says what to do."""


class ChainIndex:
    """The index of the chains that belong to one secret.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     index = ChainIndex(Path(folder) / "house.index", secret=bytes(32))
    ...     index.extend(0, [bytes([7] * 32), bytes([8] * 32)])
    ...     index.covered, index.candidates([bytes([8] * 32), bytes([9] * 32)])
    (2, {0: 1})
    """

    def __init__(self, path: Path, secret: bytes) -> None:
        self._path = path
        self._house = hashlib.sha256(b"index of " + secret).digest()[:16]
        self._connection: sqlite3.Connection | None = None
        self._identity = (0, 0)

    @property
    def covered(self) -> int:
        """How many chains, from the first on, are in the index."""
        with self._database() as database:
            return _covered(database)

    def extend(self, first: int, tips: Iterable[bytes]) -> None:
        """Add the tips of the chains from ``first`` on; chains that are in the index already are skipped."""
        numbered = enumerate(tips, start=first)
        while batch := list(islice(numbered, _BATCH)):
            with self._database() as database:
                # Of two tips with the same beginning the first stays; the house does not use the second.
                rows = [(_prefix(tip), number) for number, tip in batch]
                database.executemany("INSERT OR IGNORE INTO tips VALUES (?, ?)", rows)
                database.execute("UPDATE covered SET chains = max(chains, ?)", (batch[-1][0] + 1,))

    def candidates(self, tips: Sequence[bytes]) -> dict[int, int]:
        """Return the chains whose tips begin like these: from the place in the list to the chain's number."""
        places = {_prefix(tip): place for place, tip in enumerate(tips)}
        marks = ",".join("?" * len(places))
        with self._database() as database:
            rows = database.execute(
                f"SELECT prefix, chain FROM tips WHERE prefix IN ({marks})",
                list(places),
            )
            return {places[prefix]: chain for prefix, chain in rows}

    @contextmanager
    def _database(self) -> Iterator[sqlite3.Connection]:
        """Run one transaction; a file that was removed or exchanged since the last one is opened again."""
        try:
            database = self._connected()
            with database:
                yield database
        except OSError as error:
            raise ChainIndexError(f"index '{self._path}': {error.strerror or error}") from None
        except sqlite3.DatabaseError as error:
            raise ChainIndexError(
                f"index '{self._path}': {error}; remove it, and the next command makes it again"
            ) from None

    def _connected(self) -> sqlite3.Connection:
        """Return the open index; an index of another secret is emptied first."""
        file = self._path.stat() if self._path.exists() else None
        if self._connection is None or file is None or (file.st_dev, file.st_ino) != self._identity:
            if self._connection is not None:
                self._connection.close()
            os.close(os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600))
            file = self._path.stat()
            self._identity = (file.st_dev, file.st_ino)
            self._connection = sqlite3.connect(self._path, timeout=_PATIENCE_SECONDS, check_same_thread=False)
            weakref.finalize(self, self._connection.close)
            with self._connection:
                self._prepare(self._connection)
        return self._connection

    def _prepare(self, database: sqlite3.Connection) -> None:
        (tables,) = database.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if tables == 0:
            database.execute("BEGIN IMMEDIATE")
            for statement in _TABLES.replace("CREATE TABLE", "CREATE TABLE IF NOT EXISTS").split(";"):
                database.execute(statement)
        row = database.execute("SELECT house FROM covered").fetchone()
        if row is None or row[0] != self._house:
            database.execute("DELETE FROM tips")
            database.execute("DELETE FROM covered")
            database.execute("INSERT INTO covered VALUES (?, 0)", (self._house,))


def _covered(database: sqlite3.Connection) -> int:
    (chains,) = database.execute("SELECT chains FROM covered").fetchone()
    return int(chains)


def _prefix(tip: bytes) -> int:
    return int.from_bytes(tip[:8], "little", signed=True)
