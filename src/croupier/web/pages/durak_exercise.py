"""Durak positions: play a mistake again, or set a position up, and let the coach judge every move."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from nicegui import ui

from croupier.choices import Choice
from croupier.durak.engine.pack import PACK
from croupier.durak.engine.state import GameState
from croupier.durak.play.facts import OPPONENT, YOU, TableSetting
from croupier.durak.play.phrases import short_name
from croupier.durak.play.seats import EngineSeats
from croupier.durak.play.table import DurakTable
from croupier.errors import InputError
from croupier.web.models.durak_engines import EngineList
from croupier.web.models.durak_position import LARGEST_STOCK, PositionDraft
from croupier.web.pages.durak_parts import engine_list
from croupier.web.pages.durak_table import FIRST_SETTING, DurakTablePage
from croupier.web.parts.cards import card_button
from croupier.web.parts.drawing import Drawing, draw
from croupier.web.parts.elements import button, tag
from croupier.web.parts.introduction import show_introduction
from croupier.web.parts.table_shell import TableShell
from croupier.web.services import Services
from croupier.web.sessions import TableSession
from croupier.web.shell import Visit, frame, page

ADDRESS = "/durak/exercise"

#: Positions are never played against programs, so no process is ever started here.
_SEATS = EngineSeats()

#: What a new visitor meets: an end game in which one card wins and the other draws.
_FIRST_DRAFT = PositionDraft(own=(16, 50), other=(20, 17), trump=26)


def register(services: Services) -> None:
    """Put the page on its address."""

    @page(ADDRESS)
    async def durak_exercise() -> None:
        async with frame(
            services, "nav.durak_exercise", styles=("durak",), is_table=True, is_translated=True
        ) as visit:
            session = await _session(services, visit.visitor)
            _ExercisePage(services, visit, session, engine_list(services.settings)).build()


async def open_exercises(services: Services, visitor: str, positions: Sequence[GameState]) -> None:
    """Let a visitor play positions, one after another, and go to the page."""
    session = await _session(services, visitor)
    engines = engine_list(services.settings)
    table = _table(positions, engines, session.model.view().setting, hides_advice=True)
    await session.replace(table)
    ui.navigate.to(ADDRESS)


async def _session(services: Services, visitor: str) -> TableSession[DurakTable]:
    engines = engine_list(services.settings)

    def restored(state: Mapping[str, Any]) -> DurakTable:
        return DurakTable.from_state(state, engines, _SEATS)

    def fresh() -> DurakTable:
        return _table([_FIRST_DRAFT.position(seed=1)], engines, FIRST_SETTING, hides_advice=True)

    return await services.sessions.open(visitor, "durak-exercise", fresh=fresh, restore=restored)


def _table(
    positions: Sequence[GameState], engines: EngineList, setting: TableSetting, *, hides_advice: bool
) -> DurakTable:
    return DurakTable.exercises(
        setting, positions, engines, _SEATS, secrets.randbits(64), hides_advice=hides_advice
    )


class _ExercisePage(DurakTablePage):
    """One open page of a visitor's positions."""

    def __init__(
        self, services: Services, visit: Visit, session: TableSession[DurakTable], engines: EngineList
    ) -> None:
        super().__init__(services, visit, session, engines)
        self._draft = _FIRST_DRAFT

    def build(self) -> None:
        """Lay the page out, and let the opponent move if it is its turn."""
        texts = self._texts
        shell = TableShell(
            texts("nav.durak_exercise"), choices=texts("durak.hand"), aside=texts("durak.editor.title")
        )
        with shell.felt:
            self.drawing(self._draw_felt)
        with shell.side:
            with tag("section", classes="sheet stack"):
                tag("p", texts("durak.editor.intro"), "quiet")
                self._coach_switch()
                self.drawing(self._draw_advice)
            self._editor_panel()
            show_introduction("durak", texts, is_new=False)
        with shell.foot:
            self.drawing(self._draw_foot)
        self.begin()

    def choices(self) -> list[Choice]:
        """Return what can be chosen now, apart from the cards."""
        view, texts = self._view, self._texts
        again = Choice("again", texts("durak.do.again"), "a", enabled=bool(view.moves))
        more = Choice("more", texts("durak.do.more", count=view.exercises_left), "n")
        tail = [again, *([more] if view.exercises_left else [])]
        if view.ending is not None:
            return [replace(again, key="Enter"), *tail[1:]]
        own = [choice for choice in super().choices() if choice.name not in ("undo",)]
        return [*own, *tail]

    async def choose(self, name: str) -> None:
        """Do what was chosen."""
        match name:
            case "again":
                await self.change(lambda table: table.deal_next())
            case "more":
                await self.change(lambda table: table.next_exercise())
            case _:
                await super().choose(name)

    # The editor

    def _editor_panel(self) -> None:
        texts = self._texts
        with (
            ui.expansion(texts("durak.editor.title"), value=False)
            .classes("durak-panel")
            .props('data-testid="editor"')
        ):
            tag("p", texts("durak.editor.help"), "quiet small")
            self._cards = Drawing(self._draw_cards)
            self._trump = ui.select(
                {card: short_name(card) for card in PACK}, value=self._draft.trump, label=texts("durak.trump")
            ).props('outlined dense data-testid="editor-trump"')
            self._stock = ui.number(
                texts("durak.editor.stock"), value=0, min=0, max=LARGEST_STOCK, precision=0
            ).props('outlined dense data-testid="editor-stock"')
            self._leader = ui.select(
                {YOU: texts("durak.editor.you"), OPPONENT: texts("durak.editor.opponent")},
                value=YOU,
                label=texts("durak.editor.leader"),
            ).props('outlined dense data-testid="editor-leader"')
            with tag("div", classes="line"):
                button(texts("durak.editor.play"), "editor-play", partial(self._open, True), is_main=True)
                button(texts("durak.editor.analyse"), "editor-analyse", partial(self._open, False))
                button(texts("durak.editor.clear"), "editor-clear", self._clear)

    async def _open(self, hides_advice: bool) -> None:
        """Put the position that is set up on the table."""
        draft = replace(
            self._draft,
            trump=int(self._trump.value),
            stock=int(self._stock.value or 0),
            leader=int(self._leader.value),
        )
        try:
            position = draft.position(secrets.randbits(64))
        except InputError as error:
            self.refuse(error)
            return
        setting = self._view.setting
        await self._session.replace(_table([position], self._engines, setting, hides_advice=hides_advice))
        await self.let_others_move()

    def _clear(self) -> None:
        self._draft = PositionDraft()
        self._cards.refresh()

    async def _press_card(self, card: int) -> None:
        self._draft = self._draft.pressed(card)
        self._cards.refresh()

    def _draw_cards(self) -> None:
        texts, draft = self._texts, self._draft
        holders = dict.fromkeys(draft.own, "you") | dict.fromkeys(draft.other, "opponent")
        with draw("div", classes="durak-editor", role="group", aria_label=texts("durak.editor.cards")):
            for card in PACK:
                holder = holders.get(card, "")
                with draw("div", classes=f"durak-held {holder}"):
                    card_button(
                        card,
                        texts,
                        partial(self._press_card, card),
                        hint=texts(f"durak.editor.{holder}") if holder else "",
                    )
