"""The durak table: play against an engine, with hints, a coach and a review."""

import asyncio
import secrets
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any

from nicegui import app, ui

from croupier.choices import Choice
from croupier.durak.arena.roster import RosterClosedError
from croupier.durak.engine.record import format_record
from croupier.durak.engine.rules import DURAK, DurakRules
from croupier.durak.play.exercises import mistakes_to_learn
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
from croupier.durak.play.view import DurakView, MoveCost, TableMove
from croupier.durak.players.review import FINE
from croupier.web.models.durak_engines import EngineList
from croupier.web.models.durak_logs import Place
from croupier.web.models.durak_prices import price_in_background
from croupier.web.pages.durak_evaluation import Evaluation
from croupier.web.pages.durak_game import DurakPage, Turn
from croupier.web.pages.durak_parts import (
    EnginePanel,
    engine_list,
    engine_options,
    log_folder,
    show_discard,
    show_pairs,
    show_stock,
)
from croupier.web.pages.durak_review import draw_review
from croupier.web.parts.cards import fan
from croupier.web.parts.drawing import draw
from croupier.web.parts.elements import button, tag
from croupier.web.parts.introduction import show_introduction
from croupier.web.parts.notices import attempt
from croupier.web.parts.table_shell import TableShell
from croupier.web.parts.why import bars, draw_why
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
        async with frame(
            services, "nav.durak_table", styles=("durak",), is_table=True, is_translated=True
        ) as visit:
            engines = engine_list(services.settings)

            def fresh() -> DurakTable:
                return DurakTable.opened(FIRST_SETTING, engines, seats, seed=secrets.randbits(64))

            def restored(state: Mapping[str, Any]) -> DurakTable:
                return DurakTable.from_state(state, engines, seats)

            session = await services.sessions.open(visit.visitor, "durak", fresh=fresh, restore=restored)
            DurakTablePage(services, visit, session, engines).build()


class DurakTablePage(DurakPage[DurakTable]):
    """One open page of a table."""

    def __init__(
        self, services: Services, visit: Visit, session: TableSession[DurakTable], engines: EngineList
    ) -> None:
        super().__init__(visit, session)
        self._services, self._engines, self._logs = services, engines, log_folder(services.settings)

    def build(self) -> None:
        """Lay the page out, and let the opponent move if it is its turn."""
        texts = self._texts
        shell = TableShell(
            texts("nav.durak_table"), choices=texts("durak.hand"), aside=texts("durak.score.title")
        )
        with shell.felt:
            self.drawing(self._draw_felt)
        with shell.side:
            with tag("section", classes="sheet stack"):
                self.drawing(lambda: self.draw_score(self._view.score))
                self._coach_switch()
                self.drawing(self._draw_advice)
                self.drawing(self._draw_moves)
            self._setting_panel()
            show_introduction("durak", texts, is_new=not any(self._view.score))
            EnginePanel(self._engines, texts, self._refresh_engines)
            self._keys_panel()
        with shell.below:
            self.drawing(self._draw_review)
        with shell.foot:
            self.drawing(self._draw_foot)
        self.begin()

    @property
    def _view(self) -> DurakView:
        return self._session.model.view()

    def refresh(self) -> None:
        """Show the table as it is now."""
        self._coach.set_value(self._view.has_coach)
        super().refresh()

    # What happens

    @property
    def turn(self) -> Turn:
        """What the person may do now."""
        view = self._view
        phase = view.phase if view.is_yours else None
        return Turn(phase, view.hand, view.throw_in_limit, view.can_pass)

    @property
    def moment(self) -> str:
        """The game, and how many moves have been made."""
        view = self._view
        return f"{view.number}/{len(view.moves)}"

    async def play(self, cards: tuple[int, ...]) -> None:
        """Play cards, or none."""
        if await self.change(lambda table: table.play(cards)):
            self._price_game()

    async def let_others_move(self) -> None:
        """Let the opponent move until it is the person's turn."""
        with suppress(RosterClosedError):
            while self._view.is_opponents:
                await self._session.change(lambda table: table.let_opponent_move())
                self._price_game()

    def _price_game(self) -> None:
        """Let the coach price the moves of a game that has just ended, for the visitor's own statistics."""
        table = self._session.model
        hand = table.played
        if hand is not None and not hand.is_priced:
            services = self._services
            price_in_background(services.jobs, services.played, self._visit.visitor, table)

    async def choose(self, name: str) -> None:
        """Do what was chosen."""
        match name:
            case "hint":
                await self.change(lambda table: table.ask_hint())
            case "next":
                await self.change(lambda table: table.deal_next())
            case "review":
                await self.change(lambda table: table.judge())
            case "undo":
                await self.change(lambda table: table.undo())
            case "replay":
                await attempt(self._open_replay())
            case _:
                await self.play_selected()

    async def _show_move(self, number: int) -> None:
        """Open the replay at the position before a move."""
        await attempt(self._open_replay(number + 1))

    async def _learn(self, seat: int) -> None:
        """Play the positions of the person's mistakes again."""
        from croupier.web.pages.durak_exercise import open_exercises  # noqa: PLC0415 - that page is built on this one

        table = self._session.model
        positions = mistakes_to_learn(table.game, table.judged, seat)
        await attempt(open_exercises(self._services, self._visit.visitor, positions))

    async def _open_replay(self, step: int = 1) -> None:
        """Put the game that is over into the visitor's logs, and open it there."""
        view = self._view
        now = datetime.now().astimezone()
        record = self._session.model.record(self._texts("durak.person"), now, now)
        data = format_record(record).encode()
        title = f"game-{view.number}-{view.setting.opponent}"
        name = await asyncio.to_thread(self._logs.upload, self._visit.visitor, title, data)
        ui.navigate.to(f"/durak/replay?{Place(name, 1, step).to_query()}")

    def choices(self) -> list[Choice]:
        """Return what can be chosen now, apart from the cards."""
        view, texts = self._view, self._texts
        if view.ending is not None:
            can_review = view.review is None and view.ending.outcome != "called_off"
            return [
                Choice("next", texts("durak.do.next"), "Enter"),
                Choice("review", texts("durak.do.review"), "r", enabled=can_review),
                Choice("replay", texts("durak.do.replay"), "v", enabled=view.ending.outcome != "called_off"),
            ]
        if not view.is_yours:
            return []
        passing = next((value for value in view.advice if not value.cards), None)
        worth = "" if passing is None else self._texts.number(passing.expected_score, ".2f")
        is_best = bool(view.advice) and not view.advice[0].cards
        hint = Choice("hint", texts("durak.do.hint"), "h", enabled=view.has_choice and not view.advice)
        undo = Choice("undo", texts("durak.do.undo"), "z", enabled=view.can_undo)
        return [*self.passing_choices(worth=worth, is_best=is_best), hint, undo]

    # What is shown

    def _draw_felt(self) -> None:
        view, texts = self._view, self._texts
        self._draw_opponent(view)
        with draw("div", classes="durak-middle"):
            show_stock(view.trump, view.deck_count, texts)
            show_pairs(view.table, texts)
            show_discard(view.discard_count, texts)

    def _draw_why(self, move: MoveCost) -> None:
        texts = self._texts
        played, best = (answer_phrase(move.phase, cards, texts) for cards in (move.played, move.best))
        scores = {best: move.best_score, played: move.score}
        tone = "right" if move.move_class in FINE else "wrong"
        why = texts("durak.coach.why", score=f"{100 * move.score:.0f}", best=f"{100 * move.best_score:.0f}")
        draw_why(cost_phrase(move, texts), why, tone, bars(scores, played, digits=2), "cost")

    def _draw_review(self) -> None:
        view, texts, table = self._view, self._texts, self._session.model
        if view.review is None:
            return
        evaluation = Evaluation(
            table.judged,
            [move.kind for move in view.moves],
            (texts("durak.party.you"), engine_title(view.setting.opponent, texts)),
            self._show_move,
        )
        draw_review(view, evaluation, texts, self._learn)

    def _draw_foot(self) -> None:
        view, texts = self._view, self._texts
        with draw("div", classes="said", role="status", aria_live="polite"):
            draw("p", self._news(view), "quiet durak-news", data_testid="news")
            draw("p", prompt(view, texts), "prompt", data_testid="prompt")
            if view.ending is not None and view.ending.verdict:
                reason = f"{verdict_phrase(view.ending.verdict, texts)}. {view.ending.reason}"
                draw("p", reason, "durak-fault", data_testid="verdict")
        self.draw_hand()
        self.draw_choices()

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

    def _draw_advice(self) -> None:
        view, texts = self._view, self._texts
        if view.last_move is not None:
            self._draw_why(view.last_move)
        if not view.advice:
            return
        with draw("div", classes="durak-advice", data_testid="advice"):
            draw("strong", texts("durak.coach.advice"), title=texts("durak.coach.advice_help"))
            for value in view.advice[:LISTED_ADVICE]:
                figure = texts.number(value.expected_score, ".3f")
                exact = f" {texts('durak.coach.exact')}" if value.is_exact else ""
                name = answer_phrase(view.phase, value.cards, texts)
                draw("span", f"{name} {figure}{exact}", "number", data_testid="advised")

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
        self._coach.props["title"] = texts("durak.coach.help")

    async def _switch_coach(self, event: Any) -> None:
        is_on = bool(event.value)
        if is_on != self._view.has_coach:
            await self.change(lambda table: table.set_coach(is_on=is_on))

    def _setting_panel(self) -> None:
        texts, setting = self._texts, self._view.setting
        with ui.expansion(texts("durak.setting.title")).classes("durak-panel").props('data-testid="setting"'):
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
                await self.change(lambda table: table.deal_next(wanted))

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
