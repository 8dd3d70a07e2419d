"""A game's public record: the transactions that name its address, in a file for later verification."""

import base64
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from solders.pubkey import Pubkey

from croupier.errors import InputError
from croupier.files import read_text, write_text
from croupier.solana.events import Event
from croupier.solana.history import ChainTransaction, InnerCall

RECORD_VERSION = 2


class RecordError(InputError):
    """The text or file is not the record of a game."""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """The program, the game's address and every successful transaction that names it, oldest first.

    Examples
    --------
    >>> key = Pubkey.default()
    >>> record = GameRecord(key, key, (ChainTransaction(17, b"..."),))
    >>> GameRecord.from_json(record.to_json()) == record
    True
    """

    program: Pubkey
    game: Pubkey
    transactions: tuple[ChainTransaction, ...]
    network: str | None = None

    @property
    def events(self) -> tuple[Event, ...]:
        """What the program logged about this game, as far as the logs go."""
        return tuple(
            event
            for transaction in self.transactions
            for event in transaction.events(self.program)
            if event.game == self.game
        )

    def to_json(self) -> str:
        """Return the record as JSON."""
        data = {
            "version": RECORD_VERSION,
            "network": self.network,
            "program": str(self.program),
            "game": str(self.game),
            "transactions": [_transaction_fields(transaction) for transaction in self.transactions],
        }
        return json.dumps(data, indent=2) + "\n"

    @classmethod
    def from_json(cls, text: str) -> "GameRecord":
        """Read a record from JSON.

        Raises
        ------
        RecordError
            If the text is not a record.
        """
        try:
            data = json.loads(text)
            _verify_version(data)
            program, game = Pubkey.from_string(data["program"]), Pubkey.from_string(data["game"])
            network = data["network"] if isinstance(data["network"], str) else None
            return cls(program, game, tuple(map(_read_transaction, data["transactions"])), network)
        except RecordError:
            raise
        except (ValueError, TypeError, KeyError, RecursionError):
            raise RecordError(
                "record of a game: not JSON with a 'program', a 'game' and its 'transactions'"
            ) from None

    def save(self, path: Path) -> None:
        """Write the record to a file."""
        write_text(path, self.to_json(), what="record")

    @classmethod
    def load(cls, path: Path) -> "GameRecord":
        """Read a record from a file.

        Raises
        ------
        FileError
            If the file cannot be read.
        RecordError
            If it is not a record.
        """
        text = read_text(path, what="record")
        try:
            return cls.from_json(text)
        except RecordError as error:
            raise RecordError(f"'{path}': {error}") from None


def _verify_version(data: Any) -> None:
    if isinstance(data, dict) and "transactions" not in data and "events" in data:
        raise RecordError(
            "record of a game: it holds events only, which nobody has signed; fetch it again with `verify --save`"
        )
    if data["version"] != RECORD_VERSION:
        raise RecordError(f"record of a game: version {data['version']}; expected {RECORD_VERSION}")


def _transaction_fields(transaction: ChainTransaction) -> dict[str, Any]:
    return {
        "slot": transaction.slot,
        "wire": base64.b64encode(transaction.wire).decode(),
        "logs": list(transaction.logs),
        "loaded": _written(transaction.loaded),
        "inner": [
            {
                "instruction": call.instruction,
                "program": str(call.program),
                "accounts": _written(call.accounts),
                "data": base64.b64encode(call.data).decode(),
            }
            for call in transaction.inner
        ],
    }


def _read_transaction(data: dict[str, Any]) -> ChainTransaction:
    slot = data["slot"]
    if not isinstance(slot, int) or isinstance(slot, bool) or not 0 <= slot < 2**64:
        raise ValueError(f"slot {slot!r}")
    return ChainTransaction(
        slot,
        base64.b64decode(data["wire"], validate=True),
        tuple(str(line) for line in data["logs"]),
        _read_keys(data["loaded"]),
        tuple(
            InnerCall(
                int(call["instruction"]),
                Pubkey.from_string(call["program"]),
                _read_keys(call["accounts"]),
                base64.b64decode(call["data"], validate=True),
            )
            for call in data["inner"]
        ),
    )


def _written(keys: Iterable[Pubkey]) -> list[str]:
    return [str(key) for key in keys]


def _read_keys(texts: Iterable[str]) -> tuple[Pubkey, ...]:
    return tuple(Pubkey.from_string(text) for text in texts)
