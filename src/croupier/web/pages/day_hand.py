"""The hand of the day as the home page shows it."""

from datetime import UTC, date, datetime

from nicegui import ui

from croupier.choices import reason
from croupier.durak.engine.pack import read_cards
from croupier.durak.engine.phases import Phase
from croupier.durak.play.phrases import answer_phrase
from croupier.errors import InputError
from croupier.web.jobs import Job, Status
from croupier.web.models.hand_of_the_day import PASS, DayAnswers, DayQuestion, question_of
from croupier.web.parts.cards import show_card
from croupier.web.parts.drawing import Drawing, draw
from croupier.web.parts.notices import refused
from croupier.web.parts.why import bars, draw_why
from croupier.web.services import Services
from croupier.web.sessions import TableSession
from croupier.web.shell import Visit

_POLL_SECONDS = 0.3


class DayHand:
    """The hand of the day on one open page; the first visitor of a day waits until it is dealt."""

    def __init__(self, services: Services, visit: Visit, session: TableSession[DayAnswers]) -> None:
        self._texts, self._session = visit.texts, session
        self._day = datetime.now(UTC).date()
        self._job = _dealt(services, self._day)
        self._drawing = Drawing(self._draw)
        session.watch(self._drawing.refresh)
        self._timer = ui.timer(_POLL_SECONDS, self._poll, active=not self._job.state.is_over)

    def _poll(self) -> None:
        if self._job.state.is_over:
            self._timer.deactivate()
            self._drawing.refresh()

    async def _answer(self, question: DayQuestion, choice: str) -> None:
        try:
            await self._session.change(lambda answers: answers.answer(question, choice))
        except InputError as error:
            refused(error)

    def _draw(self) -> None:
        texts, state = self._texts, self._job.state
        with draw("section", classes="felt day-hand", aria_label=texts("day.title"), data_testid="day-hand"):
            draw("h2", texts("day.title"))
            question = state.result
            if question is None:
                text = "day.failed" if state.status is Status.FAILED else "day.dealing"
                draw("p", texts(text), "quiet", role="status")
                return
            game = texts(f"nav.{question.game}")
            draw("p", texts("day.subtitle", game=game, day=texts.day(question.day)), "quiet")
            self._draw_cards(question)
            choice = self._session.model.choice_on(question.day)
            if choice is None:
                draw("p", self._prompt(question), "prompt", data_testid="day-prompt")
                self._draw_choices(question)
            else:
                self._draw_answer(question, choice)

    def _draw_cards(self, question: DayQuestion) -> None:
        texts = self._texts
        trump = () if question.trump is None else (question.trump,)
        rows = (
            ("dealer", question.other),
            ("table", question.table),
            ("own", question.own),
            ("trump", trump),
        )
        with draw("div", classes="day-cards"):
            for name, cards in rows:
                if not cards:
                    continue
                with draw("div"):
                    draw("span", texts(f"day.{name}"), "quiet small")
                    with draw("div", classes="fan"):
                        for card in cards:
                            show_card(card, texts)

    def _prompt(self, question: DayQuestion) -> str:
        if question.phase is not None:
            key = "durak_defend" if question.phase is Phase.DEFEND else "durak_attack"
            return self._texts(f"day.{key}", stock=question.stock)
        return self._texts(f"day.{question.game}", held=question.held)

    def _draw_choices(self, question: DayQuestion) -> None:
        names = sorted(question.worths)  # the order must not tell which is best
        with draw("div", classes="action-bar", role="group"):
            for name in names:
                with draw(
                    "button",
                    classes="action",
                    on_click=lambda name=name: self._answer(question, name),  # type: ignore[misc]
                    type="button",
                    data_testid=f"day-{name}",
                ):
                    draw("span", self._name(question, name), "action-label")

    def _name(self, question: DayQuestion, choice: str) -> str:
        if question.phase is None:
            name = self._texts(f"mygame.action.{choice}")
            return name[0].upper() + name[1:]
        cards = () if choice == PASS else read_cards(choice)
        return answer_phrase(question.phase, cards, self._texts)

    def _draw_answer(self, question: DayQuestion, choice: str) -> None:
        texts, answers = self._texts, self._session.model
        named = {self._name(question, name): worth for name, worth in question.worths.items()}
        chosen, best = self._name(question, choice), self._name(question, question.best)
        is_right = choice == question.best
        said = (
            texts("day.right", choice=chosen)
            if is_right
            else texts("day.wrong", choice=chosen, cost=question.cost(choice), best=best)
        )
        if question.phase is None:
            why = reason(question.worths, unit="bets", hand=question.held, bust=question.bust)
        else:
            score, most = (100 * question.worths[name] for name in (choice, question.best))
            why = texts("day.durak_why", score=score, best=most)
        draw_why(said, why, "right" if is_right else "wrong", bars(named, chosen), "day-answer")
        record = texts("day.record", right=answers.right, answered=answers.answered, streak=answers.streak)
        draw("p", f"{record} {texts('day.tomorrow')}", "quiet", data_testid="day-record")


async def open_day_hand(services: Services, visit: Visit) -> DayHand:
    """Put the hand of the day on the page."""
    session = await services.sessions.open(
        visit.visitor, "hand-of-the-day", DayAnswers, DayAnswers.from_state
    )
    return DayHand(services, visit, session)


def _dealt(services: Services, day: date) -> Job[DayQuestion]:
    """Return the job that deals the hand of a day for everybody."""
    name = f"day-hand-{day.isoformat()}"
    job = services.jobs.find("", name)
    if job is None or job.state.status in (Status.FAILED, Status.STOPPED):
        job = services.jobs.start("", name, lambda _: question_of(day), kind="day_hand")
    return job
