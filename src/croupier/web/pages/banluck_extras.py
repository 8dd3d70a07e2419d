"""What the explorer does on demand: the price of every rule, and files to take home."""

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from croupier.banluck.analysis.decision_tables import Side, decisions_csv
from croupier.banluck.analysis.solution import Solution
from croupier.errors import InputError
from croupier.texts import say
from croupier.web.jobs import Job, Lane, Report, Status
from croupier.web.models.banluck_research import Progress, prices_figure, report_file
from croupier.web.parts.elements import button, tag
from croupier.web.parts.figures import figure
from croupier.web.parts.notices import refused
from croupier.web.parts.waiting import waiting_text
from croupier.web.services import Services
from croupier.web.shell import Visit

_POLL_SECONDS = 0.3


class Extras:
    """The lower end of the explorer."""

    def __init__(self, services: Services, visit: Visit) -> None:
        self._services = services
        self._visitor, self._texts = visit.visitor, visit.texts
        self._game: Solution | None = None
        self._prices: dict[str, Any] | None = None
        self._report: Path | None = None
        self._jobs: dict[str, Job[Any]] = {}
        self._bars: dict[str, tuple[ui.linear_progress, TextElement]] = {}
        self._shown = ui.refreshable(self._build)
        self._shown()
        self._timer = ui.timer(_POLL_SECONDS, self._poll, active=False)
        ui.context.client.on_delete(self._stop_all)

    def show(self, game: Solution) -> None:
        """Turn to another game."""
        self._stop_all()
        self._game, self._prices, self._report, self._jobs = game, None, None, {}
        self._shown.refresh()

    def _stop_all(self) -> None:
        for job in self._jobs.values():
            job.stop()

    def _build(self) -> None:
        if self._game is None:
            return
        with tag("section", classes="sheet stack", aria_label=say("explorer.prices.title")):
            tag("h2", say("explorer.prices.title"))
            tag("p", say("explorer.prices.help"), "quiet")
            if self._prices is None:
                with tag("div", classes="line"):
                    self._job_row("prices", say("explorer.prices.start"))
            else:
                label = say("explorer.prices.label")
                height = 140 + 24 * len(self._prices["data"][0]["y"])
                figure(self._prices, label).style(f"height: {height}px").props('data-testid="prices-figure"')
        with tag("section", classes="sheet stack", aria_label=say("explorer.downloads.label")):
            tag("h2", say("explorer.downloads.title"))
            with tag("div", classes="line"):
                self._download("player", say("explorer.downloads.player"))
                self._download("dealer", say("explorer.downloads.dealer"))
                if self._report is None:
                    self._job_row("report", say("explorer.downloads.make"))
                else:
                    button(
                        say("explorer.downloads.report"), "download-report", self._send_report, is_main=True
                    )
            tag("p", say("explorer.downloads.help"), "quiet")

    def _download(self, side: Side, texts: str) -> None:
        button(texts, f"download-{side}", partial(self._send_table, side))

    async def _send_table(self, side: Side) -> None:
        assert self._game is not None, "the button is there once a game is solved"
        text = await asyncio.to_thread(decisions_csv, self._game.book, side)
        ui.download.content(text, f"banluck-{side}.csv", "text/csv")

    def _send_report(self) -> None:
        assert self._report is not None, "the button is there once a report is made"
        if self._report.exists():
            ui.download.file(self._report, "banluck-report.html")
            return
        refused(InputError(say("explorer.downloads.gone")))
        self._report = None
        self._shown.refresh()

    def _job_row(self, name: str, texts: str) -> None:
        job = self._jobs.get(name)
        if job is None:
            button(texts, f"start-{name}", partial(self._start, name))
            return
        with tag("div", classes="line"):
            bar = ui.linear_progress(0.0, show_value=False).classes("progress").props('aria-hidden="true"')
            self._bars[name] = bar, tag("span", "", "quiet number", role="status")
            button(say("explorer.stop"), f"stop-{name}", job.stop)

    def _start(self, name: str) -> None:
        game = self._game
        assert game is not None, "the button is there once a game is solved"
        work: Callable[[Report], Any]
        if name == "prices":
            work = partial(prices_figure, game.rules)
        else:
            work = partial(report_file, game, self._services.settings.folder / "reports")
        self._jobs[name] = self._services.jobs.start(
            self._visitor, f"banluck-{name}", work, kind=f"banluck_{name}", lane=Lane.LONG
        )
        self._timer.activate()
        self._shown.refresh()

    def _poll(self) -> None:
        """Show how far the jobs are; the page is built anew only when one is over, so that a button is not lost to a click."""
        states = {name: job.state for name, job in self._jobs.items()}
        for name, state in states.items():
            bar, texts = self._bars[name]
            if state.status is Status.WAITING:
                texts.set_text(waiting_text(self._services.jobs, self._jobs[name], self._texts))
                continue
            progress = (
                state.latest
                if isinstance(state.latest, Progress)
                else Progress(say("explorer.stage.starting"), 0, 1)
            )
            bar.set_value(progress.share)
            done = say("explorer.stage.done", stage=progress.stage, done=progress.done, total=progress.total)
            texts.set_text(self._texts.shown(done))
        ended = {name: state for name, state in states.items() if state.is_over}
        for name, state in ended.items():
            del self._jobs[name]
            if state.status is Status.FAILED:
                refused(InputError(state.error))
            elif state.status is Status.DONE and name == "prices":
                self._prices = state.result
            elif state.status is Status.DONE:
                self._report = state.result
        if not self._jobs:
            self._timer.deactivate()
        if ended:
            self._shown.refresh()
