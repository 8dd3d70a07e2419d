"""The saved state of a localnet: its seed and slot, every account, every transaction; in a file or in memory.

The file is an SQLite database. A transaction and the accounts that it changed are written together or not at all. If
the process dies, the file holds the chain as it was after its last complete transaction.
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

#: SQLite's application id of our files: "Crou".
_APPLICATION, _VERSION = 0x43726F75, 1
#: Every account is exempt from rent; the largest epoch says so.
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
    """The state file cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """An executed transaction: its bytes, and its outcome in JSON-RPC's form."""

    signature: Signature
    slot: int
    wire: bytes
    meta: dict[str, Any]


class Ledger:
    """The saved state of a localnet.

    Parameters
    ----------
    path
        The state file, created if it is missing; ``None`` keeps the state in memory.
    seed
        The seed of a new chain; an existing chain keeps its own seed.

    Examples
    --------
    >>> with Ledger(None, seed=3) as ledger:
    ...     ledger.save_slot(9)
    ...     ledger.seed, ledger.slot, ledger.transaction_count
    (3, 9, 0)
    """

    def __init__(self, path: Path | None, *, seed: int) -> None:
        self._path = path
        with self._translated_errors():
            # Requests come from many threads, but the server passes on one at a time.
            self._database = sqlite3.connect(
                ":memory:" if path is None else path, isolation_level=None, check_same_thread=False, timeout=0
            )
        try:
            with self._translated_errors():
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
        with self._atomic_write():
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
                raise LedgerError(f"state file '{self._path}': not the state of a localnet of this version")
        text, self.slot = self._database.execute("SELECT seed, slot FROM chain").fetchone()
        self.seed = int(text)

    @contextmanager
    def _translated_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            reason = "another localnet is using it" if "locked" in str(error) else str(error)
            raise LedgerError(f"state file '{self._path}': {reason}") from None

    @contextmanager
    def _atomic_write(self) -> Iterator[None]:
        """Write everything inside the block, or nothing."""
        self._database.execute("BEGIN EXCLUSIVE")
        try:
            yield
        except BaseException:
            self._database.execute("ROLLBACK")
            raise
        self._database.execute("COMMIT")

    def save_slot(self, slot: int) -> None:
        """Save the current slot."""
        with self._translated_errors():
            self._database.execute("UPDATE chain SET slot = ?", (slot,))
        self.slot = slot

    def save_accounts(self, accounts: Mapping[Pubkey, Account | None]) -> None:
        """Save accounts; those that are ``None`` are deleted."""
        with self._translated_errors(), self._atomic_write():
            self._write_accounts(accounts)

    def save_transaction(
        self, entry: LedgerEntry, keys: Sequence[Pubkey], accounts: Mapping[Pubkey, Account | None]
    ) -> None:
        """Save a transaction, the addresses that it names, and the accounts after it."""
        with self._translated_errors(), self._atomic_write():
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
        """Yield every account, executable ones last: the runtime needs the data of a program before the program."""
        with self._translated_errors():
            rows = self._database.execute("SELECT * FROM accounts ORDER BY executable, address").fetchall()
        for address, lamports, owner, executable, data in rows:
            yield Pubkey(address), Account(lamports, data, Pubkey(owner), bool(executable), NO_RENT_EPOCH)

    @property
    def transaction_count(self) -> int:
        """How many transactions were executed."""
        count: int
        with self._translated_errors():
            (count,) = self._database.execute("SELECT count(*) FROM transactions").fetchone()
        return count

    def transaction(self, signature: Signature) -> LedgerEntry | None:
        """Return a transaction, or ``None`` if it is unknown."""
        with self._translated_errors():
            row = self._database.execute(
                "SELECT signature, slot, wire, meta FROM transactions WHERE signature = ?",
                (bytes(signature),),
            ).fetchone()
        return None if row is None else _entry(row)

    def block(self, slot: int) -> list[LedgerEntry]:
        """Return the transactions of a slot, in the order in which they were executed."""
        with self._translated_errors():
            rows = self._database.execute(
                "SELECT signature, slot, wire, meta FROM transactions WHERE slot = ? ORDER BY position",
                (slot,),
            ).fetchall()
        return [_entry(row) for row in rows]

    def history(
        self, address: Pubkey, *, before: Signature | None, until: Signature | None, limit: int
    ) -> list[LedgerEntry]:
        """Return the transactions that name an address, newest first, optionally between two transactions.

        With an unknown ``before`` there are none; an unknown ``until`` sets no limit.
        """
        first = 0 if until is None else self._position(until) or 0
        last = 2**62 if before is None else self._position(before) or 0
        with self._translated_errors():
            rows = self._database.execute(
                "SELECT signature, slot, wire, meta FROM transactions JOIN mentions USING (position) "
                "WHERE address = ? AND position > ? AND position < ? ORDER BY position DESC LIMIT ?",
                (bytes(address), first, last, limit),
            ).fetchall()
        return [_entry(row) for row in rows]

    def _position(self, signature: Signature) -> int | None:
        with self._translated_errors():
            row = self._database.execute(
                "SELECT position FROM transactions WHERE signature = ?", (bytes(signature),)
            ).fetchone()
        return None if row is None else row[0]


def _entry(row: tuple[bytes, int, bytes, str]) -> LedgerEntry:
    signature, slot, wire, meta = row
    return LedgerEntry(Signature(signature), slot, wire, json.loads(meta))
