"""Blackjack among friends on the page of a shared table."""

from typing import TYPE_CHECKING

from croupier.blackjack.play.view import HandView
from croupier.choices import Choice
from croupier.texts import figure, say
from croupier.web.friends.blackjack_view import BlackjackEveningView, BlackjackPlace
from croupier.web.parts.cards import fan
from croupier.web.parts.drawing import draw
from croupier.web.parts.facts import fact
from croupier.web.parts.table_shell import hands_style
from croupier.web.services import Services

if TYPE_CHECKING:
    from croupier.web.pages.friends_table import FriendsPage


class BlackjackPart:
    """The felt and the shoe of blackjack."""

    def __init__(self, services: Services, page: "FriendsPage") -> None:
        del services
        self._page, self._texts = page, page.visit.texts

    @property
    def _view(self) -> BlackjackEveningView:
        view = self._page.view.game
        assert isinstance(view, BlackjackEveningView), "the page shows an evening of blackjack"
        return view

    @property
    def has_begun(self) -> bool:
        """Whether a round was dealt."""
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
        """Draw the dealer, then everybody."""
        view = self._view
        hands = sum(max(1, len(place.hands)) for place in view.places)
        with draw("div", classes="felt-places", style=hands_style(max(1, hands))):
            if view.dealer is not None:
                with (
                    draw("div", classes="places dealers-place"),
                    draw("div", classes="place", data_testid="dealer"),
                ):
                    draw("div", say("blackjack.page.dealer"), "place-name")
                    fan(view.dealer.cards, self._texts, label=self._texts("blackjack.page.dealers_cards"))
                    draw("div", view.dealer.value, "place-value", data_testid="value")
            draw("div", view.outcome, f"outcome {view.tone}", role="status", data_testid="outcome")
            with draw("div", classes="places seats"):
                for place in view.places:
                    self._draw_place(place)

    def _draw_place(self, place: BlackjackPlace) -> None:
        marks = " ".join(
            name
            for name, is_so in (("place", True), ("mine", place.is_mine), ("turn", place.is_turn))
            if is_so
        )
        name = say("friends.me", name=place.name) if place.is_mine else place.name
        with draw("div", classes=marks, data_testid=f"place-{place.seat + 1}"):
            draw("div", name, "place-name")
            with draw("div", classes="friends-hands"):
                for hand in place.hands:
                    self._draw_hand_of(hand, name)
                if not place.hands:
                    fan((), self._texts, label=name)
            for note in (*place.notes, place.note):
                if note and not self._page.view.is_ended:
                    draw("div", note, "place-result", data_testid="note")

    def _draw_hand_of(self, hand: HandView, name: str) -> None:
        active = "friends-hand active" if hand.is_active else "friends-hand"
        with draw("div", classes=active):
            fan(hand.cards, self._texts, label=name)
            draw("div", hand.value, "place-value", data_testid="value")
            key = "friends.note.bet_doubled" if hand.is_doubled else "friends.note.bet"
            bet = say(key, bet=figure(hand.stake, ",.10g"))
            draw("div", hand.outcome or bet, "place-result", data_testid="result")

    def draw_hand(self) -> None:
        """Cards are not chosen in blackjack."""

    def draw_side(self) -> None:
        """Draw the shoe from outside."""
        shoe = self._view.shoe
        if shoe.cards_left is None:
            return
        with (
            draw("section", classes="sheet stack", aria_label=say("friends.shoe.title")),
            draw("div", classes="facts"),
        ):
            fact(say("friends.shoe.round"), str(self._view.number))
            left = say("friends.shoe.of", left=shoe.cards_left, cards=shoe.cards)
            fact(say("friends.shoe.cards"), left)
            if shoe.until_cut is not None:
                fact(say("friends.shoe.until_cut"), str(shoe.until_cut))

    def show_review(self) -> None:
        """Show nothing: the table of one person has a coach, this one has none."""
