"""An action at a table with seats, as Banluck and blackjack have it: what, by whom, with which cards."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, Self, TypeVar

from croupier.cards.card import format_cards, parse_card
from croupier.errors import InputError

Kind = TypeVar("Kind", bound=StrEnum)


class IllegalAction(InputError):  # noqa: N818 - the table's word for it
    """An action that the rules do not allow now; the message says why and what they do allow."""


@dataclass(frozen=True, slots=True)
class SeatAction(Generic[Kind]):
    """One thing that is done: by whom or to whom (a seat, from 0), and with which cards."""

    kind: Kind
    seat: int | None = None
    cards: tuple[int, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the action as plain JSON data."""
        data: dict[str, Any] = {"action": self.kind.value}
        if self.seat is not None:
            data["seat"] = self.seat
        if self.cards:
            data["cards"] = format_cards(self.cards)
        return data

    @classmethod
    def from_dict(cls, entry: object, kinds: type[Kind]) -> Self:
        """Read what :meth:`to_dict` gave.

        Examples
        --------
        >>> class Move(StrEnum):
        ...     HIT = "hit"
        >>> SeatAction.from_dict({"action": "hit", "seat": 0, "cards": "AS"}, Move).cards
        (51,)
        >>> SeatAction.from_dict({"action": "jump"}, Move)
        Traceback (most recent call last):
        croupier.errors.InputError: no action 'jump'; actions are hit
        """
        if not isinstance(entry, dict):
            raise InputError(
                f"{entry!r} is not an action; write an object such as {{'action': 'stand', 'seat': 0}}"
            )
        kind, seat, cards = entry.get("action"), entry.get("seat"), entry.get("cards", "")
        names = [kind.value for kind in kinds]
        if kind not in names:
            raise InputError(f"no action {kind!r}; actions are {', '.join(names)}")
        if not isinstance(seat, int | None) or not isinstance(cards, str):
            raise InputError(f"{entry!r}: a seat is a number, cards are a text such as 'AS 10H'")
        return cls(kinds(kind), seat, tuple(map(parse_card, cards.replace(",", " ").split())))
