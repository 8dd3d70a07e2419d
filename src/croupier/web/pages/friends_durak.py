"""Durak among friends on the page of a shared table."""

from functools import partial
from typing import TYPE_CHECKING

from croupier.choices import Choice
from croupier.durak.engine.pack import card_text
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.state import ActionKind
from croupier.durak.play.phrases import short_names
from croupier.durak.play.view import PASSING_KEYS
from croupier.texts import in_row, say
from croupier.web.friends.durak import Played
from croupier.web.friends.durak_view import DurakEveningView, DurakSeat
from croupier.web.pages.durak_parts import show_discard, show_pairs, show_stock
from croupier.web.parts.cards import card_button, fan
from croupier.web.parts.drawing import draw
from croupier.web.services import Services

if TYPE_CHECKING:
    from croupier.web.pages.friends_table import FriendsPage

#: How many moves are told on the felt, and how many closed cards a hand shows at most.
_TOLD_MOVES, _SHOWN_CARDS = 3, 6


class DurakPart:
    """The felt, the hand and the moves of durak."""

    def __init__(self, services: Services, page: "FriendsPage") -> None:
        del services
        self._page, self._texts = page, page.visit.texts
        self._selected: set[int] = set()

    @property
    def _view(self) -> DurakEveningView:
        view = self._page.view.game
        assert isinstance(view, DurakEveningView), "the page shows an evening of durak"
        return view

    @property
    def has_begun(self) -> bool:
        """Whether a game was dealt."""
        return self._view.number > 0

    @property
    def prompt(self) -> str:
        """What the visitor is asked."""
        return self._view.asked.prompt

    @property
    def offered_bet(self) -> int | None:
        """Nobody bets in durak."""
        return None

    def look(self) -> None:
        """Forget the selection if it is no longer asked for."""
        view = self._view
        playable = {held.card for held in view.hand if held.is_playable}
        self._selected &= playable if view.phase is Phase.THROW_IN else set()

    def choices(self) -> tuple[Choice, ...]:
        """Return what can be chosen now, apart from the cards."""
        view = self._view
        if self._selected:
            return (Choice("throw-in", say("durak.do.throw_in", count=len(self._selected)), "Enter"),)
        passing = [("transfer", card) for card in view.transfers]
        passing += [("show", card) for card in view.shows]
        return (
            *view.asked.choices,
            *(
                Choice(
                    f"{word} {card_text(card)}",
                    say(f"durak.party.do_{word}", card=short_names([card])),
                    key,
                )
                for key, (word, card) in zip(PASSING_KEYS, passing, strict=False)
            ),
        )

    async def choose(self, name: str) -> None:
        """Do what was chosen."""
        if name == "throw-in":
            name = " ".join(["play", *(card_text(card) for card in sorted(self._selected))])
        await self._page.act(name)

    async def press(self, key: str) -> bool:
        """Play a card by its key."""
        for held in self._view.hand:
            if held.key == key and held.is_playable:
                await self._choose_card(held.card)
                return True
        return False

    async def _choose_card(self, card: int) -> None:
        """Play a card, or take it among those to throw in."""
        view = self._view
        if view.phase is not Phase.THROW_IN:
            await self._page.act(f"play {card_text(card)}")
            return
        if card in self._selected:
            self._selected.remove(card)
        elif len(self._selected) < view.throw_in_limit:
            self._selected.add(card)
        self._page.refresh()

    def draw_felt(self) -> None:
        """Draw the others, the stock and what lies on the table."""
        view, texts = self._view, self._texts
        with draw("div", classes="durak-seats"):
            for player in view.seats:
                if not player.is_mine:
                    self._draw_player(player)
        if view.trump is None:
            return
        with draw("div", classes="durak-middle"):
            show_stock(view.trump, view.stock, texts)
            show_pairs(view.pairs, texts)
            show_discard(view.discard, texts)
        told = " · ".join(self._told(name, move) for name, move in view.moves[-_TOLD_MOVES:])
        draw("p", told, "quiet durak-news", data_testid="news")

    def _draw_player(self, player: DurakSeat) -> None:
        turn = " durak-turn" if player.is_turn else ""
        with draw("div", classes=f"durak-seat{turn}", data_testid=f"place-{player.seat + 1}"):
            with draw("div", classes="durak-name"):
                draw("strong", player.name)
                count = say("friends.people.cards", count=player.count)
                draw("span", count if self.has_begun else "", "quiet", data_testid="count")
                for role in player.roles:
                    draw("span", role, "durak-role")
            closed: list[int | None] = [None] * min(player.count - len(player.known), _SHOWN_CARDS)
            fan(
                (*closed, *player.known),
                self._texts,
                label=self._texts("friends.people.cards_of", name=player.name),
                classes="durak-tiny-fan",
            )

    def draw_hand(self) -> None:
        """Draw the visitor's cards."""
        view = self._view
        if not view.hand or self._page.view.is_ended:
            return
        mine = next((player for player in view.seats if player.is_mine), None)
        if mine is not None and mine.roles:
            draw(
                "p", say("friends.people.roles", roles=in_row(mine.roles)), "quiet small", data_testid="roles"
            )
        can_play = not self._page.view.is_paused
        with draw(
            "div", classes="durak-hand", role="group", aria_label=say("durak.hand"), data_testid="hand"
        ):
            for held in view.hand:
                card_button(
                    held.card,
                    self._texts,
                    partial(self._choose_card, held.card),
                    enabled=held.is_playable and can_play,
                    selected=held.card in self._selected,
                    key=held.key.upper() if held.is_playable else "",
                )

    def draw_side(self) -> None:
        """Draw the moves of this game."""
        view = self._view
        if not view.moves:
            return
        with draw("section", classes="sheet stack", aria_label=say("durak.game", number=view.number)):
            draw("h2", say("durak.game", number=view.number))
            with draw("ol", classes="durak-moves", data_testid="moves"):
                for name, move in view.moves[::-1]:
                    draw("li", self._told(name, move))

    def _told(self, name: str, move: Played) -> str:
        is_nothing = move.action.kind is ActionKind.THROW_IN and not move.action.cards
        kind = "nothing" if is_nothing else move.action.kind.value
        cards = short_names(move.action.cards)
        return self._texts(f"durak.party.{kind}_move", player=name, cards=cards)

    def show_review(self) -> None:
        """Show nothing: games of several are not reviewed."""
