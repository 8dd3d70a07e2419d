"""Replays: choose a log, choose a game, step through it with both hands open."""

import asyncio
from dataclasses import replace
from functools import partial
from typing import Any

from nicegui import context, events, ui

from croupier.durak.engine.record_steps import KINDS
from croupier.durak.engine.rules import DURAK
from croupier.durak.engine.state import GameState
from croupier.durak.play.coach import judged_game
from croupier.durak.play.exercises import mistakes_to_learn
from croupier.durak.play.facts import JudgedMove
from croupier.durak.play.phrases import (
    replay_result,
    result_score,
    seat_names,
    variant_result,
    verdict_phrase,
)
from croupier.durak.play.refusal import DurakRefusal
from croupier.durak.play.replay import Replay, ReplayGame, Row
from croupier.durak.players.review import review
from croupier.errors import InputError
from croupier.web.jobs import Job, Lane, Report
from croupier.web.models.durak_logs import LARGEST_MB, Place
from croupier.web.pages.durak_board import STEPS, draw_board, draw_moves
from croupier.web.pages.durak_evaluation import Evaluation, Judged, draw_evaluation, draw_mistakes
from croupier.web.pages.durak_exercise import open_exercises
from croupier.web.pages.durak_parts import log_folder
from croupier.web.pages.durak_replay_start import ADDRESS, show_start
from croupier.web.parts.actions import shortcuts
from croupier.web.parts.drawing import Drawing, draw
from croupier.web.parts.elements import tag
from croupier.web.parts.notices import attempt, refused
from croupier.web.parts.waiting import waiting_text
from croupier.web.services import Services
from croupier.web.shell import Visit, frame, page

#: How many games are listed at a time; the search finds the others.
LISTED_GAMES = 200

#: Scrolls the list of moves, and not the page.
_SCROLL = """
const list = document.querySelector(".durak-script");
const move = list && list.querySelector("[aria-current=step]");
if (move) list.scrollTop = move.offsetTop - list.offsetTop - list.clientHeight / 2;
"""

_POLL_SECONDS = 0.5


def register(services: Services) -> None:
    """Put the page on its address."""

    @page(ADDRESS)
    async def durak_replay() -> None:
        async with frame(services, "nav.durak_replay", styles=("home", "durak"), is_translated=True) as visit:
            page = _ReplayPage(services, visit)
            page.build()
            await page.open(Place.from_query(context.client.request.query_params))


def _reviewed(game: GameState, report: Report) -> tuple[Judged, ...]:
    """Judge every choice of a game: as the table's coach does where it knows the rules, otherwise by a search for any rules."""
    if game.rules.is_compiled:
        return judged_game(game, (0, 1), report)
    return review(game, progress=lambda done, size: report((done, size)))


class _ReplayPage:
    """One open page of replays."""

    def __init__(self, services: Services, visit: Visit) -> None:
        self._texts, self._visitor, self._logs = visit.texts, visit.visitor, log_folder(services.settings)
        self._place = Place()
        self._replay: Replay | None = None
        self._game: ReplayGame | None = None
        self._search, self._kind = "", ""
        self._services = services
        self._job: Job[tuple[Judged, ...]] | None = None

    def build(self) -> None:
        """Lay the page out."""
        texts = self._texts
        with tag("div", classes="line replay-head"):
            tag("h1", texts("durak.replay.title"))
            self._choice()
            upload = ui.upload(
                auto_upload=True,
                max_file_size=LARGEST_MB * 2**20,
                on_upload=self._upload,
                on_rejected=lambda: self._refuse(DurakRefusal("durak.refused.too_large", limit=LARGEST_MB)),
            ).classes("durak-upload")
            # A browser opens its file dialogue only for a click, so the click must not go through the server.
            tag(
                "button",
                texts("durak.replay.upload"),
                "plain-button durak-left",
                type="button",
                data_testid="upload",
            ).on("click", js_handler=f"() => getElement({upload.id}).$refs.qRef.pickFiles()")
        self._intro = tag("p", texts("durak.replay.intro"), "quiet")
        title = Drawing(self._draw_title)
        with tag("div", classes="durak-columns"):
            self._position = Drawing(self._draw_position)
            self._script = Drawing(self._draw_script)
        self._graph = Drawing(self._draw_graph)
        self._drawings = (title, self._position, self._script, self._graph)
        self._timer = ui.timer(_POLL_SECONDS, self._poll, active=False)
        self._list()
        shortcuts(self._press)

    async def open(self, place: Place) -> None:
        """Go to a place of a log; what is not there is said."""
        if place.log and (self._replay is None or self._replay.name != place.log):
            try:
                games = await asyncio.to_thread(self._logs.read, place.log)
            except InputError as error:
                self._refuse(error)
                return
            self._replay = Replay(place.log, games)
            self._search, self._kind = "", ""
        if self._replay is None:
            return
        game = await asyncio.to_thread(self._replay.game, place.game) if place.game else None
        if place.game and game is None:
            refused(InputError(self._texts("durak.replay.no_game", number=place.game)))
        if self._game is None or game is None or self._game.state != game.state:
            self._job = None
        self._game = game
        step = 1 if game is None else game.clamped(place.step)
        self._place = Place(self._replay.name, 0 if game is None else game.number, step)
        self._intro.set_visibility(game is None)
        self._choice.refresh()
        self._list.refresh()
        for drawing in self._drawings:
            drawing.refresh()
        ui.run_javascript(_SCROLL)

    def _refuse(self, error: InputError) -> None:
        refused(error)

    async def _upload(self, event: events.UploadEventArguments) -> None:
        data = await event.file.read()
        event.sender.run_method("reset")
        try:
            name = await asyncio.to_thread(self._logs.upload, self._visitor, event.file.name, data)
        except InputError as error:
            self._refuse(error)
            return
        await self._go(Place(name, 1))

    async def _go(self, place: Place) -> None:
        """Go to a place, and let the address of the page lead there."""
        await self.open(place)
        ui.navigate.history.replace(f"{ADDRESS}?{self._place.to_query()}")

    async def _step(self, name: str) -> None:
        if self._game is None or not self._game.positions:
            return
        step, size = self._place.step, len(self._game.positions)
        wanted = {"first": 1, "previous": step - 1, "next": step + 1, "last": size}[name]
        await self._show_step(wanted)

    async def _show_step(self, step: int) -> None:
        if self._game is None:
            return
        self._place = Place(self._place.log, self._place.game, self._game.clamped(step))
        self._position.refresh()
        self._script.refresh()
        self._graph.refresh()
        ui.run_javascript(_SCROLL)
        ui.navigate.history.replace(f"{ADDRESS}?{self._place.to_query()}")

    async def _review(self) -> None:
        """Let the coach judge every choice of the game."""
        game = None if self._game is None else self._game.state
        if game is None:
            return
        self._job = self._services.jobs.start(
            self._visitor,
            "durak-replay-review",
            lambda report: _reviewed(game, report),
            kind="durak_review",
            lane=Lane.LONG,
        )
        self._timer.activate()
        self._graph.refresh()

    def _poll(self) -> None:
        if self._job is None or self._job.state.is_over:
            self._timer.deactivate()
            self._position.refresh()
        self._graph.refresh()

    @property
    def _judged(self) -> tuple[Judged, ...]:
        """The choices of the game, if they were reviewed."""
        return () if self._job is None else self._job.state.result or ()

    async def _show_move(self, number: int) -> None:
        """Show the position before a move."""
        await self._show_step(number + 1)

    async def _learn(self, seat: int) -> None:
        """Play the positions of a player's mistakes again."""
        game = None if self._game is None else self._game.state
        if game is not None:
            judged = [move for move in self._judged if isinstance(move, JudgedMove)]
            positions = mistakes_to_learn(game, judged, seat)
            await attempt(open_exercises(self._services, self._visitor, positions))

    async def _press(self, key: str) -> None:
        if key == "r" and self._job is None:
            await self._review()
        for name, wanted in STEPS.items():
            if key == wanted:
                await self._step(name)

    # What is shown

    @ui.refreshable_method
    def _choice(self) -> None:
        texts = self._texts
        logs = self._logs.listed(self._visitor)
        options = {log.name: f"{log.title} ({texts.moment(log.changed)})" for log in logs}
        if self._replay is not None:
            options.setdefault(self._replay.name, self._replay.name.partition(".")[0])
        if not options:
            return

        async def choose(event: Any) -> None:
            if event.value and event.value != self._place.log:
                await self._go(Place(str(event.value)))

        ui.select(
            options, value=self._place.log or None, label=texts("durak.replay.choose"), on_change=choose
        ).props('outlined dense data-testid="log"')

    @ui.refreshable_method
    def _list(self) -> None:
        if self._replay is None:
            show_start(self._logs, self._visitor, self._texts)
            return
        texts = self._texts
        kinds = {"": texts("durak.replay.any")}
        for kind in KINDS:
            kinds[kind] = texts(f"durak.replay.{kind}") if kind.isalpha() else result_score(kind)
        with tag("section", classes="sheet stack"):
            with tag("div", classes="durak-form"):
                ui.input(
                    texts("durak.replay.search"),
                    value=self._search,
                    on_change=lambda event: self._filter(search=str(event.value or "")),
                ).props('outlined dense clearable debounce=200 data-testid="search"')
                ui.select(
                    kinds,
                    value=self._kind,
                    label=texts("durak.replay.kind"),
                    on_change=lambda event: self._filter(kind=str(event.value or "")),
                ).props('outlined dense data-testid="kind"')
            self._rows = Drawing(self._draw_rows)

    def _filter(self, *, search: str | None = None, kind: str | None = None) -> None:
        self._search = self._search if search is None else search[:100]
        self._kind = self._kind if kind is None else kind
        self._rows.refresh()

    def _draw_rows(self) -> None:
        if self._replay is None:
            return
        texts = self._texts
        rows = self._replay.rows(self._search, self._kind or None)
        found = texts("durak.replay.found", found=len(rows), size=self._replay.size)
        draw("p", found, "quiet", data_testid="found", role="status")
        if len(rows) > LISTED_GAMES:
            draw("p", texts("durak.replay.more", count=LISTED_GAMES), "quiet")
        with (
            draw("div", classes="durak-list scroll"),
            draw("table", classes="grid-table", data_testid="games"),
        ):
            with draw("thead"), draw("tr"):
                for name in ("number", "players", "result", "bouts", "time", "remark"):
                    draw("th", texts(f"durak.replay.column_{name}"), scope="col")
            with draw("tbody"):
                for row in rows[:LISTED_GAMES]:
                    self._draw_row(row)

    def _draw_row(self, row: Row) -> None:
        texts = self._texts
        is_chosen = row.number == self._place.game
        with draw(
            "tr",
            classes="chosen" if is_chosen else "",
            on_click=partial(self._go, Place(self._place.log, row.number)),
            data_testid=f"game-{row.number}",
        ):
            with draw("td"):
                draw(
                    "button",
                    str(row.number),
                    "plain-button",
                    type="button",
                    aria_current="true" if is_chosen else None,
                    data_testid=f"open-{row.number}",
                )
            players = row.players or ()
            draw("td", " – ".join(players))
            draw("td", variant_result(row.result, players, texts))
            draw("td", "" if row.bouts is None else texts.number(row.bouts, ",d"))
            draw("td", row.time)
            if row.problem:
                remark = texts("durak.replay.cannot_read", reason=row.problem)
            elif row.forfeit:
                remark = texts("durak.replay.forfeit", verdict=verdict_phrase(row.forfeit, texts))
            else:
                remark = ""
            draw("td", remark, "bad" if row.problem else "")

    def _draw_title(self) -> None:
        game, texts = self._game, self._texts
        if game is None:
            return
        result = replay_result(game, texts)
        if game.state is not None and not game.state.rules.is_compiled:
            rules = DURAK.describe(game.state.rules)
            title = texts("durak.replay.variant", number=game.number, rules=rules, result=result)
        else:
            first, second = (*game.players, "", "")[:2]
            title = texts("durak.replay.game", number=game.number, first=first, second=second, result=result)
        draw("h2", title, data_testid="game-title")
        if game.problem:
            problem = texts("durak.replay.problem", reason=game.problem)
            draw("p", problem, "bad", role="alert", data_testid="problem")

    def _draw_position(self) -> None:
        if self._game is not None and not self._game.problem:
            draw_board(self._game, self._place.step, self._judged, self._texts, self._step)

    def _draw_script(self) -> None:
        if self._game is not None and not self._game.problem:
            draw_moves(self._game, self._place.step, self._texts, self._show_step)

    def _draw_graph(self) -> None:
        game, texts = self._game, self._texts
        if game is None or game.state is None:
            return
        with draw(
            "section", classes="sheet stack", aria_label=texts("durak.review.title"), data_testid="graph"
        ):
            draw("h2", texts("durak.review.title"))
            if self._job is None:
                draw(
                    "button",
                    texts("durak.graph.review"),
                    "plain-button main durak-left",
                    on_click=self._review,
                    type="button",
                    data_testid="review",
                )
                return
            state = self._job.state
            if state.result is None:
                self._draw_progress(self._job)
                return
            evaluation = Evaluation(
                state.result,
                [action.kind for action in game.state.history],
                seat_names(game, texts),
                self._show_move,
                self._place.step - 1,
            )
            # One graph holds the chances of two; of more, it is the first player's.
            is_pair = len(game.players) == 2
            own = [move for move in state.result if is_pair or move.seat == 0]
            draw_evaluation(replace(evaluation, moves=own), texts)
            draw_mistakes(evaluation, texts, self._learn if game.state.rules.is_compiled else None)

    def _draw_progress(self, job: Job[tuple[Judged, ...]]) -> None:
        state, texts = job.state, self._texts
        if state.error:
            draw("p", state.error, "bad", role="alert")
        elif state.latest is None:
            draw("p", waiting_text(self._services.jobs, job, texts), "quiet", role="status")
        else:
            done, size = state.latest
            draw("p", texts("durak.graph.progress", done=done, size=size), "quiet", role="status")
