"""The durak table: play against an engine, with hints, a coach and a review."""

import asyncio
import secrets
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import Any

from nicegui import app, background_tasks, ui

from croupier.choices import Choice
from croupier.durak.arena.roster import RosterClosedError
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.record import format_record
from croupier.durak.engine.rules import DURAK, DurakRules
from croupier.durak.play.facts import TableSetting
from croupier.durak.play.phrases import (
    answer_phrase,
    cost_phrase,
    engine_title,
    move_phrase,
    prompt,
    short_names,
    verdict_phrase,
)
from croupier.durak.play.seats import EngineSeats
from croupier.durak.play.table import DurakTable
from croupier.durak.play.view import DurakView, TableMove
from croupier.web.models.durak_engines import EngineList
from croupier.web.models.durak_logs import LogFolder, Place
from croupier.web.pages.durak_parts import (
    EnginePanel,
    attempt_in,
    engine_list,
    engine_options,
    log_folder,
    show_discard,
    show_pairs,
    show_stock,
)
from croupier.web.pages.durak_review import draw_review
from croupier.web.parts.actions import action_bar, shortcuts
from croupier.web.parts.cards import card_button, fan
from croupier.web.parts.drawing import Drawing, draw
from croupier.web.parts.elements import button, tag
from croupier.web.parts.facts import fact
from croupier.web.services import Services
from croupier.web.sessions import TableSession
from croupier.web.shell import Visit, frame, page

#: Whom a new visitor meets, and by which rules.
FIRST_SETTING = TableSetting("durak-master 2", DURAK.preset("table").rules)

#: How many moves of the game and games of the past are listed, and how many moves a hint names.
LISTED_MOVES, LISTED_GAMES, LISTED_ADVICE = 12, 8, 5


def register(services: Services) -> None:
    """Put the page on its address."""
    seats = EngineSeats()
    app.on_shutdown(seats.close)

    @page("/durak/table")
    async def durak_table() -> None:
        async with frame(services, "nav.durak_table", styles=("durak",)) as visit:
            engines = engine_list(services.settings)

            def fresh() -> DurakTable:
                return DurakTable.opened(FIRST_SETTING, engines, seats, seed=secrets.randbits(64))

            def restored(state: Mapping[str, Any]) -> DurakTable:
                return DurakTable.from_state(state, engines, seats)

            session = await services.sessions.open(visit.visitor, "durak", fresh=fresh, restore=restored)
            _TablePage(visit, session, engines, log_folder(services.settings)).build()


class _TablePage:
    """One open page of a table."""

    def __init__(
        self, visit: Visit, session: TableSession[DurakTable], engines: EngineList, logs: LogFolder
    ) -> None:
        self._texts, self._visitor = visit.texts, visit.visitor
        self._session, self._engines, self._logs = session, engines, logs
        self._selected: set[int] = set()
        self._is_acting = False

    def build(self) -> None:
        """Lay the page out, and let the opponent move if it is its turn."""
        tag("h1", self._texts("nav.durak_table"), "durak-hidden")
        with tag("div", classes="durak-columns"):
            with tag("div", classes="stack"):
                self._felt = Drawing(self._draw_felt)
                review = Drawing(lambda: draw_review(self._view, self._texts))
            with tag("aside", classes="stack"):
                with tag("section", classes="sheet stack"):
                    score = Drawing(self._draw_score)
                    self._coach_switch()
                    moves = Drawing(self._draw_moves)
                self._setting_panel()
                EnginePanel(self._engines, self._texts, self._refresh_engines)
                self._keys_panel()
        self._drawings = (self._felt, review, score, moves)
        self._session.watch(self._refresh)
        shortcuts(self._press)
        background_tasks.create(self._let_opponent_move(), name="durak opponent")

    @property
    def _view(self) -> DurakView:
        return self._session.model.view()

    def _refresh(self) -> None:
        view = self._view
        self._selected &= {card.card for card in view.hand if card.is_playable}
        if view.phase is not Phase.THROW_IN:
            self._selected.clear()
        self._coach.set_value(view.has_coach)
        for drawing in self._drawings:
            drawing.refresh()

    # What happens

    async def _change(self, action: Any) -> None:
        """Do something at the table and let the opponent answer; a second click before the first is done counts for nothing."""
        if self._is_acting:
            return
        self._is_acting = True
        try:
            is_done = await attempt_in(self._texts, self._session.change(action))
        finally:
            self._is_acting = False
        if is_done:
            await self._let_opponent_move()

    async def _let_opponent_move(self) -> None:
        with suppress(RosterClosedError):
            while self._view.is_opponents:
                await self._session.change(lambda table: table.let_opponent_move())

    async def _choose_card(self, card: int) -> None:
        view = self._view
        if view.phase is not Phase.THROW_IN:
            await self._change(lambda table: table.play([card]))
            return
        if card in self._selected:
            self._selected.remove(card)
        elif len(self._selected) < view.throw_in_limit:
            self._selected.add(card)
        self._felt.refresh()

    async def _choose(self, name: str) -> None:
        match name:
            case "hint":
                await self._change(lambda table: table.ask_hint())
            case "next":
                await self._change(lambda table: table.deal_next())
            case "review":
                await self._change(lambda table: table.judge())
            case "replay":
                await attempt_in(self._texts, self._open_replay())
            case "throw-in":
                chosen = sorted(self._selected)
                await self._change(lambda table: table.play(chosen))
            case _:
                await self._change(lambda table: table.play([]))

    async def _open_replay(self) -> None:
        """Put the game that is over into the visitor's logs, and open it there."""
        view = self._view
        now = datetime.now().astimezone()
        record = self._session.model.record(self._texts("durak.person"), now, now)
        data = format_record(record).encode()
        title = f"game-{view.number}-{view.setting.opponent}"
        name = await asyncio.to_thread(self._logs.upload, self._visitor, title, data)
        ui.navigate.to(f"/durak/replay?{Place(name, 1).to_query()}")

    async def _press(self, key: str) -> None:
        view = self._view
        for card in view.hand:
            if card.key == key and card.is_playable:
                await self._choose_card(card.card)
                return
        wanted = "Enter" if key == " " else key
        for choice in self._choices(view):
            if choice.key == wanted and choice.enabled:
                await self._choose(choice.name)
                return

    def _choices(self, view: DurakView) -> list[Choice]:
        texts = self._texts
        if view.ending is not None:
            can_review = view.review is None and view.ending.outcome != "called_off"
            return [
                Choice("next", texts("durak.do.next"), "Enter"),
                Choice("review", texts("durak.do.review"), "r", enabled=can_review),
                Choice("replay", texts("durak.do.replay"), "v", enabled=view.ending.outcome != "called_off"),
            ]
        if not view.is_yours:
            return []
        choices = []
        passing = next((value for value in view.advice if not value.cards), None)
        worth = "" if passing is None else f"{passing.expected_score:.2f}"
        is_best = bool(view.advice) and not view.advice[0].cards
        if view.phase is Phase.THROW_IN:
            count = len(self._selected)
            label = texts("durak.do.throw_in", count=count) if count else texts("durak.do.nothing")
            choices.append(
                Choice(
                    "throw-in", label, "Enter", worth="" if count else worth, is_best=is_best and not count
                )
            )
        elif view.can_pass:
            name = "take" if view.phase is Phase.DEFEND else "done"
            choices.append(Choice(name, texts(f"durak.do.{name}"), "Enter", worth=worth, is_best=is_best))
        return [
            *choices,
            Choice("hint", texts("durak.do.hint"), "h", enabled=view.has_choice and not view.advice),
        ]

    # What is shown

    def _draw_felt(self) -> None:
        view, texts = self._view, self._texts
        with draw("section", classes="felt durak-felt", aria_label=texts("nav.durak_table")):
            self._draw_opponent(view)
            with draw("div", classes="durak-middle"):
                show_stock(view.trump, view.deck_count, texts)
                show_pairs(view.table, texts)
                show_discard(view.discard_count, texts)
            with draw("div", classes="durak-said", role="status", aria_live="polite"):
                draw("p", self._news(view), "quiet durak-news", data_testid="news")
                draw("p", prompt(view, texts), "prompt", data_testid="prompt")
                if view.ending is not None and view.ending.verdict:
                    reason = f"{verdict_phrase(view.ending.verdict, texts)}. {view.ending.reason}"
                    draw("p", reason, "durak-fault", data_testid="verdict")
            action_bar(self._choices(view), self._choose, moment=f"{view.number}/{len(view.moves)}")
            self._draw_hand(view)
            self._draw_advice(view)

    def _draw_opponent(self, view: DurakView) -> None:
        texts = self._texts
        with draw("div", classes="durak-opponent"):
            with draw("div", classes="durak-name"):
                draw("strong", engine_title(view.setting.opponent, texts), data_testid="opponent")
                count = texts("durak.cards_left", count=view.enemy_count)
                draw("span", count, "quiet", data_testid="enemy-count")
                if view.known_enemy and view.ending is None:
                    known = texts("durak.opponents_known", cards=short_names(view.known_enemy))
                    draw("span", known, "quiet", data_testid="known-enemy")
            closed: list[int | None] = [None] * (view.enemy_count - len(view.known_enemy))
            shown: tuple[int | None, ...] = () if view.ending is None else view.ending.opponents_hand
            cards = shown or (*closed, *view.known_enemy)
            label = texts("durak.opponents_cards", count=view.enemy_count)
            fan(cards, texts, label=label, classes="durak-small")

    def _news(self, view: DurakView) -> str:
        """Say what has happened since the person's last move."""
        since: list[TableMove] = []
        for move in reversed(view.moves):
            if move.is_yours and since:
                break
            since.append(move)
            if move.is_yours:
                break
        return " · ".join(move_phrase(move, self._texts) for move in reversed(since))

    def _draw_hand(self, view: DurakView) -> None:
        texts = self._texts
        with draw(
            "div", classes="durak-hand", role="group", aria_label=texts("durak.hand"), data_testid="hand"
        ):
            for held in view.hand:
                worth = "" if held.worth is None else f"{held.worth:.2f}"
                hint = " · ".join(filter(None, (held.key.upper() if held.is_playable else "", worth)))
                card_button(
                    held.card,
                    texts,
                    partial(self._choose_card, held.card),
                    enabled=held.is_playable,
                    selected=held.card in self._selected,
                    is_best=held.is_best,
                    hint=hint or "\u00a0",
                )

    def _draw_advice(self, view: DurakView) -> None:
        texts = self._texts
        if view.last_move is not None:
            said = cost_phrase(view.last_move, texts)
            draw("p", said, f"durak-coach {view.last_move.move_class.value}", data_testid="cost")
        if not view.advice:
            return
        with draw("div", classes="durak-advice", data_testid="advice"):
            draw("strong", texts("durak.coach.advice"), title=texts("durak.coach.advice_help"))
            for value in view.advice[:LISTED_ADVICE]:
                figure = f"{value.expected_score:.3f}"
                exact = f" {texts('durak.coach.exact')}" if value.is_exact else ""
                name = answer_phrase(view.phase, value.cards, texts)
                draw("span", f"{name} {figure}{exact}", "number", data_testid="advised")

    def _draw_score(self) -> None:
        view, texts = self._view, self._texts
        draw("h2", texts("durak.score.title"))
        with draw("div", classes="facts", data_testid="score"):
            for name, count in zip(("won", "drawn", "lost"), view.score, strict=True):
                fact(texts(f"durak.score.{name}"), str(count), f"score-{name}")

    def _draw_moves(self) -> None:
        view, texts = self._view, self._texts
        draw("h3", f"{texts('durak.game', number=view.number)}: {texts('durak.score.moves').lower()}")
        with draw("ol", classes="durak-moves", data_testid="moves"):
            for move in view.moves[-LISTED_MOVES:][::-1]:
                draw("li", move_phrase(move, texts))
        if not view.past:
            return
        draw("h3", texts("durak.score.past"))
        with draw("ul", classes="durak-moves", data_testid="past"):
            for game in view.past[-LISTED_GAMES:][::-1]:
                line = texts(
                    f"durak.score.line_{game.ending}",
                    number=game.number,
                    opponent=engine_title(game.opponent, texts),
                )
                fault = f" ({verdict_phrase(game.verdict, texts)})" if game.verdict else ""
                draw("li", f"{line}{fault}")

    def _coach_switch(self) -> None:
        texts = self._texts
        self._coach = ui.switch(
            texts("durak.coach.switch"), value=self._view.has_coach, on_change=self._switch_coach
        ).props('data-testid="coach"')
        with self._coach:
            ui.tooltip(texts("durak.coach.help"))

    async def _switch_coach(self, event: Any) -> None:
        is_on = bool(event.value)
        if is_on != self._view.has_coach:
            await self._change(lambda table: table.set_coach(is_on=is_on))

    def _setting_panel(self) -> None:
        texts, setting = self._texts, self._view.setting
        with (
            ui.expansion(texts("durak.setting.title"), value=True)
            .classes("durak-panel")
            .props('data-testid="setting"')
        ):
            options = engine_options(self._engines, texts)
            chosen = setting.opponent if setting.opponent in options else next(iter(options))
            self._opponent_field = ui.select(
                options, value=chosen, label=texts("durak.setting.opponent")
            ).props('outlined dense data-testid="opponent-field"')
            switches = {
                name: ui.switch(texts(f"durak.setting.{name}"), value=value).props(f'data-testid="{name}"')
                for name, value in (
                    ("winner_leads", setting.winner_leads),
                    ("six_card_cap", setting.rules.six_card_cap),
                    ("five_card_first_bout", setting.rules.five_card_first_bout),
                )
            }
            tag("p", texts("durak.setting.help"), "quiet")

            async def deal() -> None:
                rules = DurakRules(
                    six_card_cap=bool(switches["six_card_cap"].value),
                    five_card_first_bout=bool(switches["five_card_first_bout"].value),
                )
                wanted = TableSetting(
                    str(self._opponent_field.value), rules, bool(switches["winner_leads"].value)
                )
                await self._change(lambda table: table.deal_next(wanted))

            button(texts("durak.do.deal"), "deal", deal, is_main=True)

    def _refresh_engines(self) -> None:
        options = engine_options(self._engines, self._texts)
        value = self._opponent_field.value
        self._opponent_field.set_options(options, value=value if value in options else next(iter(options)))

    def _keys_panel(self) -> None:
        texts = self._texts
        with ui.expansion(texts("durak.keys.title")).classes("durak-panel wide-only"):
            for name in ("cards", "go", "others"):
                tag("p", texts(f"durak.keys.{name}"), "quiet")
