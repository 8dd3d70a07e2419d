"""The blackjack simulator: rules in, exact edge and best chart out; simulations and evolutions as they run."""

from functools import partial
from typing import Annotated

from fastapi import Query, Request
from fastapi.responses import RedirectResponse
from nicegui import app, ui

from croupier.blackjack.engine import BLACKJACK, BlackjackRules
from croupier.blackjack.play.cells import Cell, ChartBook, chart_book
from croupier.blackjack.play.phrases import row_phrase, rules_summary, way_phrase
from croupier.blackjack.solvers.doubled_hands import plan_lines
from croupier.cards import POINT_CLASSES
from croupier.errors import InputError
from croupier.texts import figure, in_row, say
from croupier.web.jobs import Job, JobState, Status
from croupier.web.models.blackjack_simulator import cell_phrase, summarized
from croupier.web.models.rules_query import rules_from_query, rules_to_query
from croupier.web.pages.blackjack_chart import ChartGrid, Place, code_phrase, legend
from croupier.web.pages.blackjack_evolution import EvolutionPanel
from croupier.web.pages.blackjack_fields import percent, signed
from croupier.web.pages.blackjack_simulation import SimulationPanel
from croupier.web.pages.rules_comparison import ComparisonPanel
from croupier.web.parts.drawing import Drawing, draw
from croupier.web.parts.elements import button, tag
from croupier.web.parts.facts import fact
from croupier.web.parts.notices import refused
from croupier.web.parts.rules_panel import RulesPanel
from croupier.web.parts.waiting import waiting_text
from croupier.web.services import Services
from croupier.web.shell import Visit, frame, page

ADDRESS = "/blackjack/simulator"

_POLL_SECONDS = 0.25

#: Plots are drawn anew no more often than this: a browser has other things to do.
_RUN_POLL_SECONDS = 1.0


def register(services: Services) -> None:
    """Put the page on its address."""

    @app.get("/blackjack/lab")
    def old_address(request: Request) -> RedirectResponse:
        """Lead links of version 0.1 to the page."""
        return RedirectResponse(f"{ADDRESS}?{request.url.query}")

    @page(ADDRESS)
    async def blackjack_simulator(
        preset: str = "", settings: Annotated[list[str] | None, Query(alias="set")] = None
    ) -> None:
        async with frame(
            services, "nav.blackjack_simulator", styles=("blackjack",), is_translated=True
        ) as visit:
            try:
                rules, complaint = rules_from_query(BLACKJACK, preset, settings or ()), None
            except InputError as error:
                rules, complaint = BLACKJACK.presets[0].rules, error
            shown = _SimulatorPage(services, visit, rules)
            shown.build()
            if complaint is not None:
                refused(complaint)
            shown.solve()


#: The cell that is shown first, where both of the dealer's cards lie open too.
_FIRST_PICKED, _FIRST_PICKED_OPEN = ("16", "T"), ("16", "20")


class _SimulatorPage:
    """One visitor's simulator: rules, their exact solution, and what runs."""

    def __init__(self, services: Services, visit: Visit, rules: BlackjackRules) -> None:
        self._services, self._visit, self._rules = services, visit, rules
        self._client = ui.context.client
        self._job: Job[ChartBook] | None = None
        self._book: ChartBook | None = None
        self._picked: Place = _FIRST_PICKED

    def build(self) -> None:
        """Put the page together; what is known later is filled in when it is."""
        texts = self._visit.texts
        tag("h1", texts("nav.blackjack_simulator"))
        tag("p", texts("simulator.intro"), "quiet")
        RulesPanel(BLACKJACK, self._rules, self._take_rules, rules_summary)
        with tag("section", classes="sheet stack", aria_label=texts("simulator.solution")):
            with tag("div", classes="line"):
                tag("h2", texts("simulator.title"))
                tag("span", classes="spring")
                self._stop_button = button(texts("simulator.stop"), "solve-stop", self._stop)
            self._status = tag("p", classes="quiet", role="status", data_testid="solve-status")
            self._figures = Drawing(self._draw_figures)
            with tag("div", classes="lab-columns"):
                with tag("div", classes="stack"):
                    self._chart = ChartGrid(texts("simulator.chart"), "chart", self._pick)
                    legend()
                with tag("div", classes="cell-panel", aria_live="polite", data_testid="cell"):
                    self._cell = Drawing(self._draw_cell)
        self._comparison = ComparisonPanel(self._services, self._visit, BLACKJACK, summarized, self._rules)
        self._simulation = SimulationPanel(self._services, self._visit, self._rules)
        self._evolution = EvolutionPanel(self._services, self._visit, self._rules)
        self._client.on_delete(self._stop)
        ui.timer(_POLL_SECONDS, self._poll)
        ui.timer(_RUN_POLL_SECONDS, self._simulation.poll)
        ui.timer(_RUN_POLL_SECONDS, self._evolution.poll)

    def solve(self) -> None:
        """Start to solve the rules, in place of what was being solved."""
        self._book = None
        # Pages side by side compare rules: each solves its own.
        name = f"blackjack-solve-{self._client.id}"
        self._job = self._services.jobs.start(
            self._visit.visitor, name, partial(chart_book, self._rules), kind="blackjack_solve"
        )
        self._poll()

    async def _take_rules(self, rules: BlackjackRules) -> None:
        self._rules = self._comparison.rules = self._simulation.rules = rules
        self._evolution.take_rules(rules)
        query = rules_to_query(BLACKJACK, rules)
        ui.navigate.history.replace(f"{ADDRESS}?{query}")
        self.solve()

    def _stop(self) -> None:
        if self._job is not None:
            self._job.stop()

    def _pick(self, place: Place) -> None:
        self._picked = place
        self._cell.refresh()

    def _poll(self) -> None:
        if self._job is None:
            return
        state = self._job.state
        is_waiting = state.status is Status.WAITING
        waiting = waiting_text(self._services.jobs, self._job, self._visit.texts)
        self._status.set_text(waiting if is_waiting else self._visit.texts.shown(_status(state)))
        self._stop_button.set_visibility(not state.is_over)
        if state.is_over:
            self._job = None
        if state.result is not None:
            self._take_book(state.result)

    def _take_book(self, book: ChartBook) -> None:
        self._book = book
        if self._picked not in book.cells:
            self._picked = _FIRST_PICKED if _FIRST_PICKED in book.cells else _FIRST_PICKED_OPEN
        self._figures.refresh()
        self._chart.show(
            {place: cell.code for place, cell in book.cells.items()},
            hints={place: _hint(cell) for place, cell in book.cells.items()},
        )
        self._cell.refresh()

    def _draw_figures(self) -> None:
        if self._book is None:
            return
        analysis = self._book.analysis
        with draw("div", classes="facts"):
            fact(say("simulator.edge_chart"), percent(analysis.chart_edge, 6), "edge-chart")
            fact(say("simulator.edge_play"), percent(analysis.edge, 6), "edge-play")
            fact(
                say("simulator.std_chart"), figure(analysis.chart_standard_deviation, ".4f"), "edge-chart-std"
            )
            fact(say("simulator.std_play"), figure(analysis.standard_deviation, ".4f"), "edge-std")
        is_open = analysis.rules.hole_card == "open"
        draw("p", say("simulator.by_total" if is_open else "simulator.by_up_card"), "quiet")
        with (
            draw("div", classes="scroll", tabindex="0"),
            draw("table", classes="grid-table", data_testid="by-up-card"),
        ):
            with draw("thead"), draw("tr"):
                for letter in analysis.by_up_card:
                    draw("th", row_phrase(letter), scope="col")
            with draw("tbody"), draw("tr"):
                for value in analysis.by_up_card.values():
                    draw("td", signed(100 * value, 2), "number")
        if lines := plan_lines(analysis.rules):
            told = f"Doubled hands: {'; '.join(lines)}; else stand."
            draw("p", told, "quiet", lang="en", data_testid="doubled-hands")

    def _draw_cell(self) -> None:
        if self._book is None:
            return
        cell = self._book.cells[self._picked]
        draw("h3", cell_phrase(cell.row, cell.up_card), data_testid="cell-name")
        advice = self._visit.texts.shown(code_phrase(cell.code))
        draw("p", f"{cell.code}: {advice}", data_testid="cell-advice")
        if not cell.hands:
            draw("p", say("simulator.no_first"), "quiet")
            return
        draw("p", say("simulator.dealt", share=cell.probability), "quiet")
        actions = sorted(cell.worths, key=lambda action: -cell.worths[action])
        with (
            draw("div", classes="scroll", tabindex="0"),
            draw("table", classes="grid-table", data_testid="cell-worths"),
        ):
            with draw("thead"), draw("tr"):
                for heading in (say("simulator.cards"), *map(way_phrase, actions)):
                    draw("th", heading, scope="col")
            with draw("tbody"):
                for hand in cell.hands:
                    with draw("tr"):
                        draw(
                            "th", " ".join(_letter(POINT_CLASSES[point]) for point in hand.cards), scope="row"
                        )
                        for action in actions:
                            draw("td", signed(hand.worths[action], 5), "number")
                with draw("tr", classes="average"):
                    draw("th", say("simulator.average"), scope="row")
                    for action in actions:
                        draw("td", signed(cell.worths[action], 5), "number")


def _status(state: JobState[ChartBook]) -> str:
    match state.status:
        case Status.RUNNING | Status.WAITING:
            return say("simulator.working", part=state.latest or say("simulator.part.game"))
        case Status.FAILED:
            return state.error
        case Status.STOPPED:
            return say("simulator.stopped")
        case Status.DONE:
            return say("simulator.fresh")


def _hint(cell: Cell) -> str:
    ranked = sorted(cell.worths.items(), key=lambda entry: -entry[1])
    parts = [say("simulator.worth", action=way_phrase(action), worth=worth) for action, worth in ranked]
    return in_row(parts, "list.more")


def _letter(letter: str) -> str:
    return "10" if letter == "T" else letter
