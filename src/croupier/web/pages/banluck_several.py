"""Several players in the explorer: how many there are, the charts by seat, and the answers for such a table."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from nicegui import ui

from croupier.banluck.analysis.findings import Finding, figure_format
from croupier.banluck.analysis.phrases import row_phrase, side_phrase
from croupier.banluck.analysis.solution import Solution
from croupier.banluck.analysis.solving import TABLE_TOLERANCES
from croupier.errors import InputError
from croupier.texts import figure, say
from croupier.web.jobs import Job, Lane, Status
from croupier.web.models.banluck_research import Progress
from croupier.web.models.banluck_several import MarkedCell, MarkedChart, SeveralPlayers, several_players
from croupier.web.parts.drawing import Drawing, draw
from croupier.web.parts.elements import button, tag
from croupier.web.parts.notices import refused
from croupier.web.parts.waiting import waiting_text
from croupier.web.services import Services
from croupier.web.shell import Visit

_POLL_SECONDS = 0.3


class SeveralSection:
    """The part of the explorer that is about several players."""

    def __init__(self, services: Services, visit: Visit) -> None:
        self._services = services
        self._visitor, self._texts = visit.visitor, visit.texts
        self._game: Solution | None = None
        self._found: SeveralPlayers | None = None
        self._job: Job[SeveralPlayers] | None = None
        with tag("section", classes="sheet stack", aria_label=visit.texts("several.label")) as self._section:
            tag("h2", visit.texts("several.title"))
            tag("p", visit.texts("several.help"), "quiet")
            with tag("div", classes="line"):
                self._players = ui.select(
                    {number: visit.texts("several.count", players=number) for number in TABLE_TOLERANCES},
                    value=min(TABLE_TOLERANCES),
                    label=visit.texts("several.players"),
                ).props('outlined dense data-testid="several-players"')
                self._players.classes("accuracy")
                self._starter = button(
                    visit.texts("several.start"), "start-several", self._start, is_main=True
                )
                self._status = tag("span", "", "quiet number", role="status", data_testid="several-status")
                self._stopper = button(visit.texts("explorer.stop"), "stop-several", self._stop)
            self._drawing = Drawing(self._draw)
        self._players.on_value_change(self._clear)
        self._timer = ui.timer(_POLL_SECONDS, self._poll, active=False)
        ui.context.client.on_delete(self._stop)
        self._show_status()

    def show(self, game: Solution) -> None:
        """Turn to another game."""
        self._game = game
        self._clear()

    def _clear(self) -> None:
        self._stop()
        self._job, self._found = None, None
        self._drawing.refresh()
        self._show_status()

    def _start(self) -> None:
        game = self._game
        if game is None or self._job is not None:
            return
        work = partial(several_players, game, int(self._players.value))
        self._job = self._services.jobs.start(
            self._visitor, "banluck-several", work, kind="banluck_several", lane=Lane.LONG
        )
        self._timer.activate()
        self._show_status()

    def _stop(self) -> None:
        if self._job is not None:
            self._job.stop()

    def _poll(self) -> None:
        job = self._job
        if job is None:
            self._timer.deactivate()
            return
        state = job.state
        if state.is_over:
            self._timer.deactivate()
            self._job = None
            if state.status is Status.FAILED:
                refused(InputError(state.error))
            elif state.status is Status.DONE:
                self._found = state.result
                self._drawing.refresh()
        self._show_status()

    def _show_status(self) -> None:
        job = self._job
        state = None if job is None else job.state
        self._section.set_visibility(self._game is not None)
        self._starter.set_visibility(state is None and self._found is None)
        self._stopper.set_visibility(state is not None)
        text = ""
        if self._found is not None:
            text = self._texts("several.solved", seconds=self._found.solution.seconds)
        if job is not None and job.state.status is Status.WAITING:
            text = waiting_text(self._services.jobs, job, self._texts)
        elif state is not None:
            starting = Progress(say("explorer.stage.starting"), 0, 1)
            latest = state.latest if isinstance(state.latest, Progress) else starting
            key = "several.progress_of" if latest.total > 1 else "several.progress"
            text = self._texts(key, stage=latest.stage, done=latest.done, total=latest.total)
        self._status.set_text(text)

    def _draw(self) -> None:
        found = self._found
        if found is None:
            return
        _draw_values(found)
        draw("h3", say("several.charts"))
        draw("p", say("several.legend"), "quiet")
        with draw("div", classes="seat-charts", data_testid="seat-charts"):
            for chart in found.seats:
                _draw_chart(chart)
        if found.dealer:
            with draw("details", data_testid="dealer-by-counts"):
                draw("summary", say("several.dealer"))
                draw("p", say("several.dealer_legend"), "quiet")
                with draw("div", classes="dealer-grids"):
                    for chart in found.dealer:
                        _draw_chart(chart)
        for finding in found.findings:
            _draw_finding(finding)


def _draw_values(found: SeveralPlayers) -> None:
    solution = found.solution
    with draw("div", classes="facts", data_testid="several-values"):
        for row in solution.rows():
            with draw("div", classes="fact"):
                draw("span", side_phrase(str(row["side"])))
                draw("span", say("several.gain", gain=_figure(row["gain"])), "fact-note")
                draw("span", figure(row["value"], "+.6f"))


def _letter(letter: str) -> str:
    """Write the letter of a chart; a number opens that player."""
    action = {"H": "hit", "S": "stand", "D": "draw"}.get(letter)
    return letter if action is None else say(f"banluck.letter.{action}")


def _draw_chart(chart: MarkedChart) -> None:
    with draw("div", classes="scroll", tabindex="0"), draw("table", classes="heat-grid"):
        draw("caption", chart.title)
        with draw("thead"), draw("tr"):
            draw("th", say("banluck.chart.total"), scope="col")
            for total in chart.totals:
                draw("th", str(total), scope="col")
        with draw("tbody"):
            for name, cells in chart.rows:
                with draw("tr"):
                    draw("th", row_phrase(name, short=True), scope="row", title=row_phrase(name))
                    for cell in cells:
                        with draw("td"):
                            _draw_cell(cell)


def _draw_cell(cell: MarkedCell) -> None:
    if not cell.letter:
        return
    shade = "go-2" if cell.goes_on else "stop-2"
    mark = "*" if cell.alone else ""
    title = say("several.alone", letter=_letter(cell.alone)) if cell.alone else None
    draw(
        "div",
        say("several.cell", letter=_letter(cell.letter), mark=mark),
        f"heat still {shade}{' differs' if mark else ''}",
        title=title,
    )


def _draw_finding(finding: Finding) -> None:
    with draw("div", classes="stack finding", data_testid=f"finding-{finding.key}"):
        draw("h3", finding.question)
        draw("p", finding.answer)
        if finding.table:
            _draw_rows(finding.table)


def _draw_rows(rows: tuple[Mapping[str, Any], ...]) -> None:
    with draw("div", classes="scroll", tabindex="0"), draw("table", classes="grid-table"):
        with draw("thead"), draw("tr"):
            for name in rows[0]:
                draw("th", name, scope="col")
        with draw("tbody"):
            for row in rows:
                with draw("tr"):
                    for value in row.values():
                        is_number = isinstance(value, int | float)
                        shown = value if isinstance(value, str) else _figure(value)
                        draw("td", shown, "number" if is_number else "")


def _figure(value: object) -> str:
    """Write a value of a table for a person."""
    return figure(value, figure_format(value)) if isinstance(value, float) else str(value)
