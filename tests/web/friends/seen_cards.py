"""Every card that stands anywhere in what a person is shown."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass

from croupier.cards import parse_card

_SUITS = {"♣": "C", "♦": "D", "♥": "H", "♠": "S"}
_TEXT = re.compile(r"(10|[2-9TJQKA])([♣♦♥♠])")
_CARD_FIELDS = ("card", "cards", "known", "pairs", "trump", "transfers", "shows")


def cards_in(shown: object, name: str = "") -> set[int]:
    """Return the cards in a view, whether as numbers in fields of cards or written in sentences."""
    return set(_cards(shown, name))


def _cards(shown: object, name: str) -> Iterator[int]:
    if isinstance(shown, str):
        yield from (parse_card(rank + _SUITS[suit]) for rank, suit in _TEXT.findall(shown))
    elif isinstance(shown, int) and not isinstance(shown, bool):
        if name in _CARD_FIELDS:
            yield shown
    elif is_dataclass(shown):
        for field in fields(shown):
            yield from _cards(getattr(shown, field.name), field.name)
    elif isinstance(shown, Mapping):
        for value in shown.values():
            yield from _cards(value, name)
    elif isinstance(shown, tuple | list):
        for value in shown:
            yield from _cards(value, name)
