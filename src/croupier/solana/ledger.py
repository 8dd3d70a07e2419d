"""What a localnet remembers: its seed and slot, every account, every transaction; in a file or in memory.

The file is an SQLite database. A transaction and the accounts that it changed are written together or not at all, so
whatever happens to the process, the file holds the chain as it was after some transaction.
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from solders.account import Account
from solders.pubkey import Pubkey
from solders.signature import Signature

from croupier.errors import InputError

#: Marks the file as one of ours, in the place that SQLite has for that: "Crou".
_APPLICATION, _VERSION = 0x43726F75, 1
#: Every account can stay for good, so the epoch of its next rent is the last there is.
NO_RENT_EPOCH = 2**64 - 1
_TABLES = """
CREATE TABLE chain (seed TEXT NOT NULL, slot INTEGER NOT NULL);
CREATE TABLE accounts (
    address BLOB PRIMARY KEY, lamports INTEGER NOT NULL, owner BLOB NOT NULL, executable INTEGER NOT NULL,
    data BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE transactions (
    position INTEGER PRIMARY KEY, signature BLOB NOT NULL UNIQUE, slot INTEGER NOT NULL, wire BLOB NOT NULL,
    meta TEXT NOT NULL
);
CREATE TABLE mentions (
    address BLOB NOT NULL, position INTEGER NOT NULL, PRIMARY KEY (address, position)
) WITHOUT ROWID;
"""


class LedgerError(InputError):
    """A state file that cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """An executed transaction: its bytes, and its outcome in the words of JSON-RPC."""

    signature: Signature
    slot: int
    wire: bytes
    meta: dict[str, Any]


class Ledger:
    """The memory of a localnet.

    Parameters
    ----------
    path
        The state file; it is made where it is missing. In memory without one.
    seed
        The seed of a chain that begins here; one that is there already keeps its own.

    Examples
    --------
    >>> with Ledger(None, seed=3) as ledger:
    ...     ledger.save_slot(9)
    ...     ledger.seed, ledger.slot, ledger.transaction_count
    (3, 9, 0)
    """

    def __init__(self, path: Path | None, *, seed: int) -> None:
        self._path = path
        with self._readable():
            # The requests of a localnet come from many threads, one at a time; the localnet sees to that.
            self._database = sqlite3.connect(
                ":memory:" if path is None else path, isolation_level=None, check_same_thread=False, timeout=0
            )
        try:
            with self._readable():
                self._open(seed)
        except LedgerError:
            self._database.close()
            raise

    def __enter__(self) -> "Ledger":
        return self

    def __exit__(self, *_exception: object) -> None:
        self._database.close()

    def _open(self, seed: int) -> None:
        self._database.execute("PRAGMA locking_mode = EXCLUSIVE")
        with self._together():
            (application,) = self._database.execute("PRAGMA application_id").fetchone()
            (version,) = self._database.execute("PRAGMA user_version").fetchone()
            (tables,) = self._database.execute("SELECT count(*) FROM sqlite_master").fetchone()
            if tables == 0:
                for statement in _TABLES.split(";"):
                    self._database.execute(statement)
                self._database.execute("INSERT INTO chain VALUES (?, 1)", (str(seed),))
                self._database.execute(f"PRAGMA application_id = {_APPLICATION}")
                self._database.execute(f"PRAGMA user_version = {_VERSION}")
            elif (application, version) != (_APPLICATION, _VERSION):
                raise LedgerError(
                    f"state file '{self._path}': it is not the state of a localnet of this version"
                )
        text, self.slot = self._database.execute("SELECT seed, slot FROM chain").fetchone()
        self.seed = int(text)

    @contextmanager
    def _readable(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            reason = "another localnet is using it" if "locked" in str(error) else str(error)
            raise LedgerError(f"state file '{self._path}': {reason}") from None

    @contextmanager
    def _together(self) -> Iterator[None]:
        """Write everything or nothing."""
        self._database.execute("BEGIN EXCLUSIVE")
        try:
            yield
        except BaseException:
            self._database.execute("ROLLBACK")
            raise
        self._database.execute("COMMIT")

    def save_slot(self, slot: int) -> None:
        """Remember how far the chain has come."""
        with self._readable():
            self._database.execute("UPDATE chain SET slot = ?", (slot,))
        self.slot = slot

    def save_accounts(self, accounts: Mapping[Pubkey, Account | None]) -> None:
        """Remember accounts as they are now; those that are gone are forgotten."""
        with self._readable(), self._together():
            self._write_accounts(accounts)

    def save_transaction(
        self, entry: LedgerEntry, keys: Sequence[Pubkey], accounts: Mapping[Pubkey, Account | None]
    ) -> None:
        """Remember a transaction, whom it names, and the accounts as it has left them."""
        with self._readable(), self._together():
            position = self._database.execute(
                "INSERT INTO transactions (signature, slot, wire, meta) VALUES (?, ?, ?, ?)",
                (bytes(entry.signature), entry.slot, entry.wire, json.dumps(entry.meta)),
            ).lastrowid
            self._database.executemany(
                "INSERT INTO mentions VALUES (?, ?)", [(bytes(key), position) for key in keys]
            )
            self._write_accounts(accounts)
            self._database.execute("UPDATE chain SET slot = ?", (entry.slot,))
        self.slot = entry.slot

    def _write_accounts(self, accounts: Mapping[Pubkey, Account | None]) -> None:
        for address, account in accounts.items():
            if account is None:
                self._database.execute("DELETE FROM accounts WHERE address = ?", (bytes(address),))
            else:
                self._database.execute(
                    "INSERT OR REPLACE INTO accounts VALUES (?, ?, ?, ?, ?)",
                    (
                        bytes(address),
                        account.lamports,
                        bytes(account.owner),
                        account.executable,
                        bytes(account.data),
                    ),
                )

    def accounts(self) -> Iterator[tuple[Pubkey, Account]]:
        """Give every account, executable ones last: the runtime looks for their programs when it gets them."""
        with self._readable():
            rows = self._database.execute("SELECT * FROM accounts ORDER BY executable, address").fetchall()
        for address, lamports, owner, executable, data in rows:
            yield Pubkey(address), Account(lamports, data, Pubkey(owner), bool(executable), NO_RENT_EPOCH)

    @property
    def transaction_count(self) -> int:
        """How many transactions were executed."""
        count: int
        with self._readable():
            (count,) = self._database.execute("SELECT count(*) FROM transactions").fetchone()
        return count

    def transaction(self, signature: Signature) -> LedgerEntry | None:
        """Find a transaction."""
        with self._readable():
            row = self._database.execute(
                "SELECT signature, slot, wire, meta FROM transactions WHERE signature = ?",
                (bytes(signature),),
            ).fetchone()
        return None if row is None else _entry(row)

    def history(
        self, address: Pubkey, *, before: Signature | None, until: Signature | None, limit: int
    ) -> list[LedgerEntry]:
        """Return the transactions that name an address, the newest first, between two of them where they are named.

        A transaction that is not known bounds nothing: before it there is nothing, and nothing comes before it.
        """
        first = 0 if until is None else self._position(until) or 0
        last = 2**62 if before is None else self._position(before) or 0
        with self._readable():
            rows = self._database.execute(
                "SELECT signature, slot, wire, meta FROM transactions JOIN mentions USING (position) "
                "WHERE address = ? AND position > ? AND position < ? ORDER BY position DESC LIMIT ?",
                (bytes(address), first, last, limit),
            ).fetchall()
        return [_entry(row) for row in rows]

    def _position(self, signature: Signature) -> int | None:
        with self._readable():
            row = self._database.execute(
                "SELECT position FROM transactions WHERE signature = ?", (bytes(signature),)
            ).fetchone()
        return None if row is None else row[0]


def _entry(row: tuple[bytes, int, bytes, str]) -> LedgerEntry:
    signature, slot, wire, meta = row
    return LedgerEntry(Signature(signature), slot, wire, json.loads(meta))
