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

_STATUSES = {
    Status.CREATED: "created, nothing dealt",
    Status.DEAL_REQUESTED: "the player requested the first cards",
    Status.PLAYER_TURN: "the player's turn",
    Status.HIT_REQUESTED: "the player requested a card",
    Status.STAND_REQUESTED: "the player stands and requested the dealer's play",
    Status.FINISHED: "finished",
}
_KEYS = {"player": "pays the rent and gets it back", "house": "reveals"}
_PLAIN = {
    "version": "version {} of this layout",
    "type": "{}: a game",
    "decks": "the shoe has {} × 52 cards",
    "player_count": "number of the player's cards: {}",
    "dealer_count": "number of the dealer's cards: {}",
    "cards_left": "{}, the sum of the counts",
    "chain_tip": "the house's commitment: SHA-256 of its next pre-image",
    "player_seed": "the player's part of the randomness",
    "number": "game {} of this player",
}
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
            return f"{value}: {_STATUSES[Status(value)]}"
        case "result":
            return f"{value}: {Result(value).name.lower().replace('_', ' ')}"
        case "player" | "house":
            return f"the {name}'s key {Pubkey(value)}: {_KEYS[name]}"
        case "counts":
            gone = Counter({code: decks - left for code, left in enumerate(value)})
            cards = format_codes(gone.elements(), symbols=True)
            return f"{sum(value)} of {decks * DECK_SIZE} cards left; gone: {cards or 'none'}"
        case "player_cards" | "dealer_cards":
            return format_codes(value[: values[_HANDS[name]]], symbols=True) or "no card yet"
        case "slot":
            waits = Status(values["status"]).waits_for_house
            return f"slot {value}: {'its hash decides the cards' if waits else 'the last change'}"
        case _ if name.startswith("reserved"):
            return "reserved, always zero"
        case _:
            return _PLAIN[name].format(value)


def _byte_meaning(field: Field, position: int, values: Mapping[str, Any], meaning: str) -> str:
    """Return the meaning of one byte."""
    if field.size == 1 or field.name.startswith("reserved"):
        return meaning
    if field.name == "counts":
        left = values["counts"][position]
        return f"{format_codes([position], symbols=True)}: {left} left"
    if field.name in _HANDS:
        if position >= values[_HANDS[field.name]]:
            return "after the last card, not used"
        code = values[field.name][position]
        return f"{format_codes([code], symbols=True)}, code {code}"
    if field.kind == "key":
        return f"byte {position + 1} of 32"
    return f"times {256**position:,}"
