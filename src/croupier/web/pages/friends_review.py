"""The visitor's own mistakes at a table for friends, priced in a job when asked for."""

from typing import TYPE_CHECKING

from nicegui import ui

from croupier.errors import InputError
from croupier.texts import figure, say
from croupier.web.friends.banluck import BanluckEvening
from croupier.web.friends.banluck_review import Review, review
from croupier.web.jobs import Job, Lane, Report, Status
from croupier.web.parts.drawing import draw
from croupier.web.parts.elements import button, tag
from croupier.web.parts.facts import fact
from croupier.web.parts.notices import refused
from croupier.web.parts.waiting import waiting_text
from croupier.web.services import Services

if TYPE_CHECKING:
    from croupier.web.pages.friends_table import FriendsPage

_POLL_SECONDS = 0.3
_SHOWN_MISTAKES = 12


class ReviewPanel:
    """A button, and then what the solver says of the visitor's decisions."""

    def __init__(self, services: Services, page: "FriendsPage") -> None:
        self._services, self._page = services, page
        self._job: Job[Review] | None = None
        with tag("details", classes="sheet stack", data_testid="review"):
            tag("summary", say("friends.review.title"))
            tag("p", say("friends.review.help"), "quiet small")
            button(say("friends.review.start"), "start-review", self._start)
            self._drawing = page.drawing(self._draw)
        self._timer = ui.timer(_POLL_SECONDS, self._poll, active=False)

    def _start(self) -> None:
        game, seat = self._page.live.model.now.game, self._page.view.seat
        if seat is None or not isinstance(game, BanluckEvening):
            refused(InputError(say("friends.refused.no_seat")))
            return

        def work(report: Report) -> Review:
            return review(game, seat, lambda done, total: report((done, total)))

        self._job = self._services.jobs.start(
            self._page.visit.visitor, "friends-review", work, kind="banluck_prices", lane=Lane.LONG
        )
        self._timer.activate()
        self._drawing.refresh()

    def _poll(self) -> None:
        if self._job is None or self._job.state.is_over:
            self._timer.deactivate()
        self._drawing.refresh()

    def _draw(self) -> None:
        job = self._job
        if job is None:
            return
        state = job.state
        match state.status:
            case Status.DONE:
                if isinstance(state.result, Review):
                    _draw_review(state.result)
            case Status.FAILED:
                draw("p", state.error, "bad", role="alert")
            case Status.WAITING:
                draw("p", waiting_text(self._services.jobs, job, self._page.visit.texts), "quiet")
            case _:
                done, total = state.latest if isinstance(state.latest, tuple) else (0, 1)
                text = say("friends.review.progress", done=done + 1, total=total)
                draw("p", text, "quiet", role="status")


def _draw_review(found: Review) -> None:
    totals = found.totals
    with draw("div", classes="facts", data_testid="review-totals"):
        fact(say("friends.review.decisions"), figure(totals.decisions, ",d"))
        accuracy = "–" if totals.accuracy is None else figure(totals.accuracy, ".0%")
        fact(say("friends.review.right"), accuracy)
        fact(say("friends.review.cost"), say("friends.review.units", cost=totals.cost))
    if not found.mistakes:
        draw("p", say("friends.review.none"), "quiet")
    for mistake in found.mistakes[:_SHOWN_MISTAKES]:
        with draw("div", classes="why-panel wrong"):
            draw("p", say("friends.review.mistake", number=mistake.number, held=mistake.held), "why-said")
            draw("p", mistake.said, "small")
