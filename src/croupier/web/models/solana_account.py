"""The account of a game byte by byte: the place, the meaning, and whether it just changed."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from solders.pubkey import Pubkey

from croupier.cards import DECK_SIZE
from croupier.solana.card_codes import format_codes
from croupier.solana.codes import Result, Status
from croupier.solana.layout import GAME, Field
from croupier.texts import say

_HANDS = {"player_cards": "player_count", "dealer_cards": "dealer_count"}


@dataclass(frozen=True, slots=True)
class ByteView:
    """One byte of an account."""

    offset: int
    hex: str
    meaning: str
    is_changed: bool


@dataclass(frozen=True, slots=True)
class FieldView:
    """One field of an account: its place, its meaning and its bytes."""

    name: str
    kind: str
    offset: int
    size: int
    meaning: str
    bytes: tuple[ByteView, ...]

    @property
    def is_changed(self) -> bool:
        """Whether any of its bytes changed."""
        return any(byte.is_changed for byte in self.bytes)

    @property
    def runs(self) -> tuple[tuple[str, bool], ...]:
        """The bytes in hex, in runs of changed and unchanged bytes."""
        grouped = groupby(self.bytes, key=lambda byte: byte.is_changed)
        return tuple((" ".join(byte.hex for byte in run), is_changed) for is_changed, run in grouped)


def decode_account(data: bytes, before: bytes) -> tuple[FieldView, ...]:
    """Decode an account.

    Parameters
    ----------
    data
        Its bytes; empty if it is closed.
    before
        Its bytes before the last instruction; a missing account counts as zeros, because the runtime fills a new one
        with zeros.

    Raises
    ------
    LayoutError
        If the bytes are not a game.

    Examples
    --------
    >>> from croupier.solana.layout import GAME
    >>> counts = bytes([0]) + bytes([1] * 51)
    >>> data = GAME.pack({"decks": 1, "status": 3, "counts": counts, "cards_left": 51, "slot": 258})
    >>> fields = {field.name: field for field in decode_account(data, b"")}
    >>> fields["status"].meaning, fields["counts"].meaning
    ("3: the player's turn", '51 of 52 cards left; gone: A♥')
    >>> fields["slot"].offset, fields["slot"].runs
    (248, (('02 01', True), ('00 00 00 00 00 00', False)))
    """
    if not data:
        return ()
    values = GAME.unpack(data)
    before = before or bytes(len(data))
    return tuple(_field_view(field, values, data, before) for field in GAME.fields)


def _field_view(field: Field, values: Mapping[str, Any], data: bytes, before: bytes) -> FieldView:
    meaning = _meaning(field.name, values)
    places = range(field.offset, field.offset + field.size)
    content = tuple(
        ByteView(
            place,
            f"{data[place]:02x}",
            _byte_meaning(field, place - field.offset, values, meaning),
            data[place] != before[place],
        )
        for place in places
    )
    return FieldView(field.name, field.kind, field.offset, field.size, meaning, content)


def _meaning(name: str, values: Mapping[str, Any]) -> str:
    """Return the meaning of a field."""
    value, decks = values[name], values["decks"]
    match name:
        case "status":
            return say(
                "solana.field.coded", value=value, words=say(f"solana.field.{Status(value).name.lower()}")
            )
        case "result":
            words = say(f"solana.ending.{Result(value).name.lower()}")
            return say("solana.field.coded", value=value, words=words)
        case "player" | "house":
            return say(f"solana.field.{name}", owner=str(Pubkey(value)))
        case "counts":
            gone = Counter({code: decks - left for code, left in enumerate(value)})
            cards = format_codes(gone.elements(), symbols=True)
            gone_cards = cards or say("solana.field.none")
            return say("solana.field.counts", left=sum(value), all=decks * DECK_SIZE, cards=gone_cards)
        case "player_cards" | "dealer_cards":
            return format_codes(value[: values[_HANDS[name]]], symbols=True) or say(
                "solana.field.no_card_yet"
            )
        case "slot":
            waits = Status(values["status"]).waits_for_house
            return say("solana.field.slot_decides" if waits else "solana.field.slot_last", value=value)
        case _ if name.startswith("reserved"):
            return say("solana.field.reserved")
        case _:
            return say(f"solana.field.{name}", value=str(value))


def _byte_meaning(field: Field, position: int, values: Mapping[str, Any], meaning: str) -> str:
    """Return the meaning of one byte."""
    if field.size == 1 or field.name.startswith("reserved"):
        return meaning
    if field.name == "counts":
        left = values["counts"][position]
        return say("solana.field.byte_left", card=format_codes([position], symbols=True), left=left)
    if field.name in _HANDS:
        if position >= values[_HANDS[field.name]]:
            return say("solana.field.byte_unused")
        code = values[field.name][position]
        return say("solana.field.byte_card", card=format_codes([code], symbols=True), code=code)
    if field.kind == "key":
        return say("solana.field.byte_of", place=position + 1)
    return say("solana.field.byte_times", factor=256**position)
