"""An evening of Banluck on the page of a shared table."""

from typing import TYPE_CHECKING

from croupier.choices import Choice
from croupier.texts import say
from croupier.web.friends.banluck_view import BanluckEveningView, HandPlace
from croupier.web.pages.friends_review import ReviewPanel
from croupier.web.parts.cards import fan
from croupier.web.parts.drawing import draw
from croupier.web.parts.table_shell import hands_style
from croupier.web.services import Services

if TYPE_CHECKING:
    from croupier.web.pages.friends_table import FriendsPage


class BanluckPart:
    """The felt, the story and the mistakes of an evening of Banluck."""

    def __init__(self, services: Services, page: "FriendsPage") -> None:
        self._services, self._page = services, page
        self._texts = page.visit.texts

    @property
    def _view(self) -> BanluckEveningView:
        view = self._page.view.game
        assert isinstance(view, BanluckEveningView), "the page shows an evening of Banluck"
        return view

    @property
    def has_begun(self) -> bool:
        """Whether a hand was dealt."""
        return self._view.number > 0

    @property
    def prompt(self) -> str:
        """What the visitor is asked."""
        return self._view.asked.prompt

    @property
    def offered_bet(self) -> int | None:
        """The bet that is offered, in cents."""
        return self._view.asked.bet

    def look(self) -> None:
        """Take note that the table has changed; everything is in the view."""

    def choices(self) -> tuple[Choice, ...]:
        """Return what can be chosen now."""
        return self._view.asked.choices

    async def choose(self, name: str) -> None:
        """Do what was chosen."""
        await self._page.act(name)

    async def press(self, key: str) -> bool:
        """No key has a meaning of its own."""
        del key
        return False

    def draw_felt(self) -> None:
        """Draw the hands: the dealer's on top, one's own marked."""
        view = self._view
        dealer = [place for place in view.places if place.is_dealer]
        others = [place for place in view.places if not place.is_dealer]
        with draw("div", classes="felt-places", style=hands_style(max(1, len(others)))):
            with draw("div", classes="places dealers-place"):
                for place in dealer:
                    self._draw_place(place)
            draw("div", view.outcome, f"outcome {view.tone}", role="status", data_testid="outcome")
            with draw("div", classes="places seats"):
                for place in others:
                    self._draw_place(place)

    def _draw_place(self, place: HandPlace) -> None:
        marks = " ".join(
            name
            for name, is_so in (("place", True), ("mine", place.is_mine), ("turn", place.is_turn))
            if is_so
        )
        with draw("div", classes=marks, data_testid=f"place-{place.seat + 1}"):
            name = say("friends.me", name=place.name) if place.is_mine else place.name
            draw("div", say("friends.dealer", name=name) if place.is_dealer else name, "place-name")
            fan(place.cards, self._texts, label=name)
            draw("div", place.value, "place-value", data_testid="value")
            draw("div", place.result, "place-result", data_testid="result")
            if not self._page.view.is_ended:
                draw("div", place.note, "place-result", data_testid="note")

    def draw_hand(self) -> None:
        """Cards are not chosen in Banluck."""

    def draw_side(self) -> None:
        """Draw what has happened in this hand, and the hands before."""
        view = self._view
        if view.told:
            with draw("section", classes="sheet stack", aria_label=say("banluck.page.this_hand")):
                draw("h2", say("banluck.page.hand", number=view.number))
                with draw("ol", classes="told", data_testid="told"):
                    for sentence in view.told:
                        draw("li", sentence)
        if view.past:
            with draw("details", classes="sheet", data_testid="past"):
                draw("summary", say("banluck.page.played"))
                for hand in view.past:
                    with draw("div", classes="past-hand"):
                        key = "past_hand_won" if hand.won else "past_hand"
                        title = say(
                            f"friends.told.{key}", number=hand.number, dealer=hand.dealer, won=hand.won
                        )
                        draw("strong", title)
                        for line in hand.hands:
                            draw("div", line, "small")

    def show_review(self) -> None:
        """Put the visitor's own mistakes on the page, when asked for."""
        ReviewPanel(self._services, self._page)
