"""What the two durak tables do alike: cards are chosen, several at once to throw in, and then the others move."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from nicegui import background_tasks

from croupier.choices import Choice
from croupier.durak.engine.phases import Phase
from croupier.durak.play.view import HandCard
from croupier.web.pages.table_page import TablePage
from croupier.web.parts.cards import card_button
from croupier.web.parts.drawing import draw
from croupier.web.parts.facts import fact
from croupier.web.sessions import Model, TableSession
from croupier.web.shell import Visit

ModelT = TypeVar("ModelT", bound=Model)


@dataclass(frozen=True, slots=True)
class Turn:
    """What the person may do: the phase (None while others move), the hand, and how much can be thrown in or passed."""

    phase: Phase | None
    hand: tuple[HandCard, ...]
    throw_in_limit: int
    can_pass: bool

    @property
    def playable(self) -> set[int]:
        """The cards that can be played."""
        return {held.card for held in self.hand if held.is_playable}


class DurakPage(TablePage[ModelT], Generic[ModelT]):
    """One open page of a durak table."""

    def __init__(self, visit: Visit, session: TableSession[ModelT]) -> None:
        super().__init__(visit, session)
        self._selected: set[int] = set()

    @property
    @abstractmethod
    def turn(self) -> Turn:
        """What the person may do now."""

    @abstractmethod
    async def play(self, cards: tuple[int, ...]) -> None:
        """Play cards, or none: done, take, nothing more."""

    @abstractmethod
    async def let_others_move(self) -> None:
        """Let the others move until it is the person's turn."""

    def begin(self) -> None:
        """Follow the session, and let the others move if it is their turn."""
        self.follow()
        background_tasks.create(self.let_others_move(), name="durak opponents")

    async def change(self, action: Callable[[ModelT], object]) -> bool:
        """Do something at the table and let the others answer."""
        is_done = await super().change(action)
        if is_done:
            await self.let_others_move()
        return is_done

    def refresh(self) -> None:
        """Show the table as it is now; only a throw-in takes several cards."""
        turn = self.turn
        self._selected &= turn.playable if turn.phase is Phase.THROW_IN else set()
        super().refresh()

    async def press(self, key: str) -> None:
        """Play a card or choose by key."""
        for held in self.turn.hand:
            if held.key == key and held.is_playable:
                await self.choose_card(held.card)
                return
        await super().press(key)

    async def choose_card(self, card: int) -> None:
        """Play a card, or take it among those to throw in."""
        turn = self.turn
        if turn.phase is not Phase.THROW_IN:
            await self.play((card,))
            return
        if card in self._selected:
            self._selected.remove(card)
        elif len(self._selected) < turn.throw_in_limit:
            self._selected.add(card)
        self.refresh()

    async def play_selected(self) -> None:
        """Play what is selected, or nothing."""
        await self.play(tuple(sorted(self._selected)))

    def passing_choices(self, *, worth: str = "", is_best: bool = False) -> list[Choice]:
        """Return the choice that plays no card, or throws in what is selected."""
        turn, texts = self.turn, self._texts
        if turn.phase is Phase.THROW_IN:
            count = len(self._selected)
            label = texts("durak.do.throw_in", count=count) if count else texts("durak.do.nothing")
            return [
                Choice(
                    "throw-in", label, "Enter", worth="" if count else worth, is_best=is_best and not count
                )
            ]
        if turn.can_pass:
            name = "take" if turn.phase is Phase.DEFEND else "done"
            return [Choice(name, texts(f"durak.do.{name}"), "Enter", worth=worth, is_best=is_best)]
        return []

    def draw_hand(self) -> None:
        """Draw the person's cards."""
        texts = self._texts
        with draw(
            "div", classes="durak-hand", role="group", aria_label=texts("durak.hand"), data_testid="hand"
        ):
            for held in self.turn.hand:
                worth = "" if held.worth is None else self._texts.number(held.worth, ".2f")
                card_button(
                    held.card,
                    texts,
                    partial(self.choose_card, held.card),
                    enabled=held.is_playable,
                    selected=held.card in self._selected,
                    is_best=held.is_best,
                    key=held.key.upper() if held.is_playable else "",
                    hint=worth,
                )

    def draw_score(self, score: tuple[int, int, int]) -> None:
        """Draw the games won, drawn and lost."""
        texts = self._texts
        draw("h2", texts("durak.score.title"))
        with draw("div", classes="facts", data_testid="score"):
            for name, count in zip(("won", "drawn", "lost"), score, strict=True):
                fact(texts(f"durak.score.{name}"), str(count), f"score-{name}")
