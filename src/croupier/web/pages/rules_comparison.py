"""The panel that compares the rules of a page with another rule set."""

from collections.abc import Callable
from typing import Generic, TypeVar

from nicegui import ui

from croupier.errors import InputError
from croupier.rulebook import RuleBook, Rules
from croupier.texts import say
from croupier.web.jobs import Job, Report, Status
from croupier.web.models.comparison import Comparison, Summary, compared
from croupier.web.parts.drawing import Drawing, draw
from croupier.web.parts.elements import button, tag
from croupier.web.parts.notices import refused
from croupier.web.parts.waiting import waiting_text
from croupier.web.services import Services
from croupier.web.shell import Visit

RulesT = TypeVar("RulesT", bound=Rules)

_POLL_SECONDS = 0.3


class ComparisonPanel(Generic[RulesT]):
    """Compares the rules of a page with a preset.

    Parameters
    ----------
    services, visit
        What pages share, and the visitor.
    book
        The rules of the game.
    summarize
        Solves rules for the comparison; it may take some seconds.
    rules
        The rules of the page; set it when they change.
    """

    def __init__(
        self,
        services: Services,
        visit: Visit,
        book: RuleBook[RulesT],
        summarize: Callable[[RulesT, Report], Summary],
        rules: RulesT,
    ) -> None:
        self.rules = rules
        self._services, self._visit, self._book, self._summarize = services, visit, book, summarize
        self._job: Job[Comparison] | None = None
        self._found: Comparison | None = None
        panel = ui.expansion(visit.texts("comparison.title")).classes("sheet rules-sheet")
        with panel.props('data-testid="comparison"'):
            with tag("div", classes="line"):
                names = [preset.name for preset in book.presets]
                self._other = ui.select(names, value=names[1], label=visit.texts("comparison.other")).props(
                    'outlined dense data-testid="other-rules"'
                )
                button(visit.texts("comparison.compare"), "compare", self._start, is_main=True)
                self._status = tag("span", "", "quiet", role="status")
            self._drawing = Drawing(self._draw)
        self._timer = ui.timer(_POLL_SECONDS, self._poll, active=False)

    def _start(self) -> None:
        rules = self.rules, self._book.preset(str(self._other.value)).rules

        def work(report: Report) -> Comparison:
            found = self._summarize(rules[0], report), self._summarize(rules[1], report)
            return compared(self._book.game, rules, found)

        name = f"compare-{ui.context.client.id}"
        kind = f"{self._book.game}_solve"
        self._job = self._services.jobs.start(self._visit.visitor, name, work, kind=kind)
        self._timer.activate()
        self._poll()

    def _poll(self) -> None:
        job = self._job
        if job is None:
            return
        state = job.state
        is_waiting = state.status is Status.WAITING
        texts = self._visit.texts
        solving = waiting_text(self._services.jobs, job, texts) if is_waiting else texts("comparison.solving")
        self._status.set_text("" if state.is_over else solving)
        if not state.is_over:
            return
        self._timer.deactivate()
        self._job = None
        if state.status is Status.FAILED:
            refused(InputError(state.error))
        elif state.result is not None:
            self._found = state.result
            self._drawing.refresh()

    def _draw(self) -> None:
        found = self._found
        if found is None:
            return
        draw("p", found.sentence, "answer", data_testid="compared")
        if not found.options:
            draw("p", say("comparison.same"), "quiet")
            return
        _draw_table(say("comparison.options"), "option", found.options)
        if found.cells:
            _draw_table(say("comparison.cells", count=len(found.cells)), "hand", found.cells)
        else:
            draw("p", say("comparison.same_chart"), "quiet")


def _draw_table(title: str, name: str, rows: tuple[tuple[str, str, str], ...]) -> None:
    draw("h3", title)
    with draw("div", classes="scroll", tabindex="0"), draw("table", classes="grid-table"):
        with draw("thead"), draw("tr"):
            for heading in (name, "these", "other"):
                draw("th", say(f"comparison.{heading}"), scope="col")
        with draw("tbody"):
            for row in rows:
                with draw("tr"):
                    for text in row:
                        draw("td", text)
