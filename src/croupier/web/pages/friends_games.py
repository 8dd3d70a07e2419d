"""The part of a shared table's page that each game draws."""

from typing import TYPE_CHECKING, Protocol

from croupier.choices import Choice
from croupier.web.pages.friends_banluck import BanluckPart
from croupier.web.pages.friends_blackjack import BlackjackPart
from croupier.web.pages.friends_durak import DurakPart
from croupier.web.services import Services

if TYPE_CHECKING:
    from croupier.web.pages.friends_table import FriendsPage


class GamePart(Protocol):
    """What the page of a shared table asks of a game."""

    def __init__(self, services: Services, page: "FriendsPage") -> None: ...

    @property
    def has_begun(self) -> bool:
        """Whether a hand was dealt."""

    @property
    def prompt(self) -> str:
        """What the visitor is asked."""

    @property
    def offered_bet(self) -> int | None:
        """The bet that is offered, in cents; None while no bet can be made."""

    def look(self) -> None:
        """Take note that the table has changed."""

    def choices(self) -> tuple[Choice, ...]:
        """Return what can be chosen now."""

    async def choose(self, name: str) -> None:
        """Do what was chosen."""

    async def press(self, key: str) -> bool:
        """Do what a key means in this game; say whether it means anything."""

    def draw_felt(self) -> None:
        """Draw what lies on the table."""

    def draw_hand(self) -> None:
        """Draw the cards that the visitor can play, above the choices."""

    def draw_side(self) -> None:
        """Draw what has happened."""

    def show_review(self) -> None:
        """Put on the page what shows the visitor's own mistakes."""


GAME_PARTS: dict[str, type[GamePart]] = {
    "banluck": BanluckPart,
    "blackjack": BlackjackPart,
    "durak": DurakPart,
}
