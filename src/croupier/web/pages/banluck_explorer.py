"""The Banluck explorer: rules in; value, certificate, charts of both sides and the why of every hand out."""

import asyncio
from functools import partial
from typing import Annotated

from fastapi import Query
from nicegui import ui

from croupier.banluck.analysis.solution import Solution
from croupier.banluck.engine import BANLUCK, BanluckRules
from croupier.banluck.engine.multisets import format_multiset
from croupier.banluck.engine.rules import REFERENCE
from croupier.banluck.play.solutions import SOLUTIONS, TOLERANCES, Method
from croupier.banluck.solvers.algorithm import Algorithm
from croupier.banluck.solvers.equilibrium import CurvePoint
from croupier.banluck.solvers.opponent import Role
from croupier.errors import InputError
from croupier.texts import say
from croupier.web.jobs import Job, Status
from croupier.web.models.banluck_question import Address, Question, asked
from croupier.web.models.banluck_research import convergence_plot
from croupier.web.models.banluck_solving import solve_live, summarized
from croupier.web.models.banluck_study import Study, edge_sentence, study
from croupier.web.pages.banluck_extras import Extras
from croupier.web.pages.banluck_figures import Charts, show_study
from croupier.web.pages.banluck_several import SeveralSection
from croupier.web.pages.rules_comparison import ComparisonPanel
from croupier.web.parts.copying import copy_button
from croupier.web.parts.drawing import Drawing, draw
from croupier.web.parts.elements import button, tag
from croupier.web.parts.figures import as_dictionary, figure
from croupier.web.parts.notices import refusal, refused
from croupier.web.parts.rules_panel import RulesPanel
from croupier.web.parts.waiting import waiting_text
from croupier.web.services import Services
from croupier.web.shell import Visit, frame, page

_POLL_SECONDS = 0.2

#: On a phone, scrolls the chosen cell above the panel that rises.
_SHOW_CELL = """
if (innerWidth <= 1000) document.querySelector(".heat[aria-pressed=true]")?.scrollIntoView({behavior: "smooth", block: "start"});
"""

_METHODS = (Algorithm.PCFR_PLUS, Algorithm.CFR_PLUS, Algorithm.DCFR, Algorithm.CFR, Algorithm.LP)


def register(services: Services) -> None:
    """Put the page on its address."""

    @page("/banluck")
    async def banluck_explorer(
        preset: str = "",
        settings: Annotated[list[str] | None, Query(alias="set")] = None,
        hand: str = "",
        side: str = "player",
        cards: str = "2",
    ) -> None:
        async with frame(services, "nav.banluck_explorer", styles=("banluck",), is_translated=True) as visit:
            try:
                address, complaint = Address.read(preset, settings or (), hand, side, cards), None
            except InputError as error:
                address, complaint = Address(REFERENCE), error
            explorer = _Explorer(services, visit, address)
            explorer.build()
            if complaint is not None:
                refused(complaint)
            explorer.solve()


class _Explorer:
    """One visitor's explorer: the rules, the game once it is solved, and the hand that is looked into."""

    def __init__(self, services: Services, visit: Visit, address: Address) -> None:
        self._services = services
        self._visit = visit
        self._client = ui.context.client
        self._rules = address.rules
        self._question = address.question
        self._game: Solution | None = None
        self._study: Study | None = None
        self._method = Method()
        self._job: Job[Solution] | None = None
        self._complaint = ""
        self._drawn: tuple[CurvePoint, ...] = ()

    def build(self) -> None:
        """Put the page together; what is known later is filled in when it is."""
        texts = self._visit.texts
        tag("h1", texts("nav.banluck_explorer"))
        with tag("div", classes="line"):
            self._answer_line = Drawing(self._draw_answer)
            self._spinner = ui.spinner(size="sm").props('aria-hidden="true"')
            self._status = tag("span", "", "quiet number", role="status", data_testid="status")
            self._stopper = button(texts("explorer.stop"), "stop", self._stop)
        RulesPanel(BANLUCK, self._rules, self._take_rules, BANLUCK.describe)
        with tag("div", classes="explorer-columns"):
            with tag("div", classes="stack"):
                self._charts = Charts(self._choose_cell)
            self._panel = tag(
                "section", classes="sheet stack hand-panel", aria_label=texts("explorer.hand"), id="hand"
            )
            with self._panel:
                with tag("div", classes="line"):
                    tag("h2", texts("explorer.hand_title"))
                    tag("span", classes="spring")
                    button(texts("explorer.close"), "close-hand", self._lower_panel).classes("hand-close")
                self._answer = ui.refreshable(self._show_answer)
                self._answer()
                self._form()
        solved = ui.expansion(texts("explorer.solution")).classes("sheet rules-sheet")
        with solved.props('data-testid="solution"'):
            self._show_controls()
            self._headline = Drawing(self._draw_headline)
            plot = convergence_plot((), self._method.tolerance)
            self._curve = figure(plot, texts("explorer.curve")).classes("curve")
        self._show_status()
        self._comparison = ComparisonPanel(self._services, self._visit, BANLUCK, summarized, self._rules)
        self._several = SeveralSection(self._services, self._visit)
        self._extras = Extras(self._services, self._visit)
        self._timer = ui.timer(_POLL_SECONDS, self._poll, active=False)
        self._client.on_delete(self._stop)

    def solve(self) -> None:
        """Take the solved game from the cache, or start to solve it."""
        found = SOLUTIONS.find(self._rules, self._method)
        if found is not None:
            self._job = None
            self._timer.deactivate()
            ui.timer(0, partial(self._take_game, found), once=True)
            return
        # Pages side by side compare rules: each solves its own.
        name = f"banluck-solve-{self._client.id}"
        work = partial(solve_live, self._rules, self._method)
        self._job = self._services.jobs.start(self._visit.visitor, name, work, kind="banluck_solve")
        self._timer.activate()
        self._show_status()

    # What the visitor does

    async def _take_rules(self, rules: BanluckRules) -> None:
        self._rules = self._comparison.rules = rules
        self._remember()
        self.solve()

    def _take_method(self, algorithm: str, tolerance: str) -> None:
        self._method = Method.parsed(algorithm, tolerance)
        self.solve()

    async def _ask(self) -> None:
        try:
            question = asked(self._hand.value or "", self._side.value, str(self._cards.value))
        except InputError as error:
            self._complain(error)
            return
        await self._look_into(question)

    async def _look_into(self, question: Question) -> None:
        if self._game is None:
            return
        try:
            self._study = await asyncio.to_thread(study, self._game, question)
        except InputError as error:
            self._complain(error)
            return
        self._question, self._complaint = question, ""
        self._hand.value = format_multiset(question.hand)
        self._side.value = question.side.value
        self._cards.value = question.player_cards
        self._remember()
        self._answer.refresh()
        self._charts.mark(question)

    async def _choose_cell(self, question: Question) -> None:
        await self._look_into(question)
        # On a phone the panel rises over the chart, so that the answer is where the finger is.
        self._panel.classes(add="raised")
        ui.run_javascript(_SHOW_CELL)

    def _lower_panel(self) -> None:
        self._panel.classes(remove="raised")

    def _stop(self) -> None:
        if self._job is not None:
            self._job.stop()

    # What comes of it

    async def _poll(self) -> None:
        job = self._job
        if job is None:
            return
        state = job.state
        if state.latest:
            self._draw_curve(state.latest)
        self._show_status()
        if not state.is_over:
            return
        self._timer.deactivate()
        self._job = None
        if state.status is Status.DONE and state.result is not None:
            await self._take_game(state.result)
        elif state.status is Status.FAILED:
            refused(InputError(state.error))
        self._show_status()

    async def _take_game(self, game: Solution) -> None:
        self._game = game
        self._draw_curve(game.curve)
        self._show_status()
        self._answer_line.refresh()
        self._headline.refresh()
        self._several.show(game)
        self._extras.show(game)
        question, self._study = self._question, None
        self._charts.show(game)
        if question is not None:
            await self._look_into(question)
        self._answer.refresh()

    def _draw_curve(self, curve: tuple[CurvePoint, ...]) -> None:
        if curve == self._drawn:
            return
        self._drawn = curve
        plot = convergence_plot(curve, self._method.tolerance)
        self._curve.update_figure(as_dictionary(plot, self._visit.texts))

    def _complain(self, error: InputError) -> None:
        self._complaint = refusal(error)
        self._study = None
        self._answer.refresh()

    def _remember(self) -> None:
        """Keep the address true: whoever gets it sees the same rules and the same hand."""
        ui.navigate.history.replace(f"/banluck?{Address(self._rules, self._question).query}")

    # What is shown

    def _show_controls(self) -> None:
        texts = self._visit.texts
        with tag("div", classes="line"):
            algorithm = ui.select(
                {name.value: texts(f"explorer.method.{name.name.lower()}") for name in _METHODS},
                value=self._method.algorithm.value,
                label=texts("explorer.method.title"),
            ).props('outlined dense data-testid="method"')
            names = {width: name for name, width in TOLERANCES.items()}
            tolerance = ui.select(
                list(TOLERANCES), value=names[self._method.tolerance], label=texts("explorer.accuracy")
            )
            tolerance.props('outlined dense data-testid="accuracy"').classes("accuracy")
            for field in (algorithm, tolerance):
                field.on_value_change(lambda: self._take_method(algorithm.value, tolerance.value))

    def _show_status(self) -> None:
        job = self._job
        is_solving = job is not None and not job.state.is_over
        self._spinner.set_visibility(is_solving)
        self._stopper.set_visibility(is_solving)
        self._status.set_text(self._progress(job) if job is not None and is_solving else self._outcome())

    def _progress(self, job: Job[Solution]) -> str:
        state = job.state
        if state.status is Status.WAITING:
            return waiting_text(self._services.jobs, job, self._visit.texts)
        if not state.latest:
            return self._visit.texts("explorer.setting_up")
        point: CurvePoint = state.latest[-1]
        width = f"{point.width:.1e}"
        return self._visit.texts("explorer.progress", iteration=point.iteration, width=width)

    def _outcome(self) -> str:
        if self._game is None:
            return ""
        solution = self._game
        key = "explorer.solved" if solution.converged else "explorer.stopped"
        return self._visit.texts(key, seconds=solution.seconds, iterations=solution.iterations)

    def _draw_answer(self) -> None:
        if self._game is None:
            draw("p", say("explorer.working"), "answer")
        else:
            draw("p", edge_sentence(self._game.value), "answer", data_testid="answer")

    def _draw_headline(self) -> None:
        if self._game is None:
            return
        with draw("div", classes="facts", data_testid="headline"):
            for name, shown, note in self._game.headline:
                with draw("div", classes="fact"):
                    draw("span", name)
                    draw("span", note, "fact-note")
                    draw("span", shown)

    def _form(self) -> None:
        question, texts = self._question, self._visit.texts
        with tag("div", classes="line hand-form"):
            self._hand = ui.input(
                texts("explorer.field.hand"),
                value=format_multiset(question.hand) if question else "",
                placeholder="T-6, A 5, KS 7H",
            ).props('outlined dense data-testid="hand"')
            self._side = ui.select(
                {role.value: texts(f"explorer.field.{role.value}") for role in Role},
                value=question.side.value if question else Role.PLAYER.value,
                label=texts("explorer.field.whose"),
            ).props('outlined dense data-testid="side"')
            self._cards = ui.select(
                [2, 3, 4, 5],
                value=question.player_cards if question else 2,
                label=texts("explorer.field.cards"),
            ).props('outlined dense data-testid="cards"')
            self._cards.bind_visibility_from(self._side, "value", value=Role.DEALER.value)
            button(texts("explorer.explain"), "explain", self._ask, is_main=True)
            copy_button()
            self._hand.on("keydown.enter", self._ask, args=[])

    def _show_answer(self) -> None:
        if self._complaint:
            tag("p", self._complaint, "rules-error", role="alert", data_testid="hand-error")
        elif self._study is not None:
            show_study(self._study, self._look_into)
        else:
            tag("p", say("explorer.choose"), "quiet")
