"""The byte layout of the game account, the instruction data and the events.

Numbers are little-endian and aligned. ``program/layout.h`` says the same in C; tests compare both.
:mod:`~croupier.solana.anchor` derives the IDL from here.
"""

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from croupier.cards import DECK_SIZE
from croupier.errors import InputError
from croupier.solana.codes import HAND_SIZE

_NUMBERS = {"u8": "B", "u16": "H", "u32": "I", "u64": "Q"}
KEY_SIZE = 32


class LayoutError(InputError):
    """Bytes do not fit their layout; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Field:
    """A part of a record: a number (``u8``, ``u16``, ``u32``, ``u64``), a ``key`` of 32 bytes, or ``bytes N``."""

    name: str
    kind: str
    offset: int

    @property
    def size(self) -> int:
        """The size in bytes."""
        return struct.calcsize(self.form)

    @property
    def form(self) -> str:
        """The format string of the struct module."""
        if self.kind in _NUMBERS:
            return "<" + _NUMBERS[self.kind]
        return f"<{KEY_SIZE}s" if self.kind == "key" else f"<{int(self.kind.removeprefix('bytes '))}s"


@dataclass(frozen=True, slots=True)
class Layout:
    """A record with fixed fields.

    Examples
    --------
    >>> pair = Layout.of("pair", "tag u8", "reserved bytes 7", "slot u64")
    >>> pair.pack({"tag": 3, "slot": 5}).hex()
    '03000000000000000500000000000000'
    >>> pair.unpack(pair.pack({"tag": 3, "slot": 5}))["slot"]
    5
    >>> pair.unpack(b"x")
    Traceback (most recent call last):
    croupier.solana.layout.LayoutError: pair: 1 bytes; expected 16
    """

    name: str
    fields: tuple[Field, ...]

    @classmethod
    def of(cls, name: str, *descriptions: str) -> "Layout":
        """Place fields one after the other; each description is a name and a kind."""
        fields: list[Field] = []
        for description in descriptions:
            field_name, _, kind = description.partition(" ")
            fields.append(Field(field_name, kind, fields[-1].offset + fields[-1].size if fields else 0))
        return cls(name, tuple(fields))

    def followed_by(self, name: str, *descriptions: str) -> "Layout":
        """Return a layout that begins like this one and has more fields.

        >>> Layout.of("pair", "tag u8", "count u8").followed_by("triple", "slot u16").size
        4
        """
        return Layout.of(name, *(f"{part.name} {part.kind}" for part in self.fields), *descriptions)

    @property
    def size(self) -> int:
        """The size of the record in bytes."""
        return self.fields[-1].offset + self.fields[-1].size

    def pack(self, values: Mapping[str, Any]) -> bytes:
        """Encode a record; missing fields become zero.

        Raises
        ------
        LayoutError
            If a value does not fit its field.
        """
        data = bytearray(self.size)
        for field in self.fields:
            if field.name in values:
                self._pack_field(field, values[field.name], data)
        return bytes(data)

    def _pack_field(self, field: Field, value: Any, data: bytearray) -> None:
        try:
            struct.pack_into(field.form, data, field.offset, value)
        except struct.error:
            raise LayoutError(
                f"{self.name}: {field.name} = {value!r} does not fit into {field.kind}"
            ) from None

    def unpack(self, data: bytes) -> dict[str, Any]:
        """Decode a record.

        Raises
        ------
        LayoutError
            If the size is wrong or a reserved byte is not zero.
        """
        if len(data) != self.size:
            raise LayoutError(f"{self.name}: {len(data)} bytes; expected {self.size}")
        values = {field.name: struct.unpack_from(field.form, data, field.offset)[0] for field in self.fields}
        for name, value in values.items():
            if name.startswith("reserved") and any(value):
                raise LayoutError(f"{self.name}: reserved bytes '{name}' are not zero")
        return values


GAME = Layout.of(
    "game",
    "version u8",
    "type u8",
    "decks u8",
    "status u8",
    "result u8",
    "reserved_a bytes 3",
    "player key",
    f"counts bytes {DECK_SIZE}",
    f"player_cards bytes {HAND_SIZE}",
    "player_count u8",
    f"dealer_cards bytes {HAND_SIZE}",
    "dealer_count u8",
    "cards_left u16",
    "reserved_b bytes 2",
    "house key",
    "chain_tip key",
    "player_seed key",
    "number u64",
    "slot u64",
)
#: What follows a game of version 2, and the event of its creation.
STAKE = Layout.of("stake", "bankroll key", "bet u64", "cover u64")
#: The fixed part; the places for commitments follow, one key each.
HOUSE = Layout.of(
    "house",
    "version u8",
    "type u8",
    "reserved_a bytes 6",
    "house key",
    "reserved_b bytes 4",
    "capacity u32",
)

BANKROLL = Layout.of(
    "bankroll",
    "version u8",
    "type u8",
    "reserved_a bytes 6",
    "house key",
    "least_bet u64",
    "most_bet u64",
    "bond u64",
    "reserve u64",
    "open_games u64",
)

CREATE_DATA = Layout.of(
    "create_data",
    "tag u8",
    "decks u8",
    "place u8",
    "reserved bytes 5",
    "number u64",
    "lamports u64",
    "player_seed key",
    "chain_tip key",
)
JOIN_STAKED_DATA = CREATE_DATA.followed_by("join_staked_data", "bet u64", "cover u64")
LIMITS_DATA = Layout.of(
    "limits_data",
    "tag u8",
    "reserved bytes 7",
    "least_bet u64",
    "most_bet u64",
    "bond u64",
    "reserve u64",
)
WITHDRAW_DATA = Layout.of("withdraw_data", "tag u8", "reserved bytes 7", "lamports u64")
REVEAL_DATA = Layout.of("reveal_data", "tag u8", "reserved bytes 7", "preimage key", "slot_hash key")
#: The fixed part; the tips follow, one key each.
COMMIT_DATA = Layout.of("commit_data", "tag u8", "reserved bytes 3", "count u32")
PLAIN_DATA = Layout.of("plain_data", "tag u8", "reserved bytes 7")

CREATED_EVENT = Layout.of(
    "created_event",
    "type u8",
    "version u8",
    "decks u8",
    "reserved bytes 5",
    "number u64",
    "game key",
    "player key",
    "house key",
    "player_seed key",
    "chain_tip key",
)
#: The fixed part; the drawn cards follow, one byte each.
REVEALED_EVENT = Layout.of(
    "revealed_event",
    "type u8",
    "version u8",
    "request u8",
    "status u8",
    "result u8",
    "reserved bytes 3",
    "slot u64",
    "game key",
    "preimage key",
    "slot_hash key",
    "drawn_count u32",
)
CLAIMED_EVENT = Layout.of(
    "claimed_event",
    "type u8",
    "version u8",
    "request u8",
    "result u8",
    "reserved bytes 4",
    "slot u64",
    "game key",
)
SETTLED_EVENT = Layout.of(
    "settled_event",
    "type u8",
    "version u8",
    "result u8",
    "reserved bytes 5",
    "player_lamports u64",
    "house_lamports u64",
    "game key",
)
