"""The blackjack trainer: six exercises, one question after another, every mistake priced."""

import asyncio
import secrets
from collections.abc import Sequence

from nicegui import ui

from croupier.blackjack.counting.system import SINGLE_COUNTS, find_system
from croupier.blackjack.engine import BLACKJACK, BlackjackRules
from croupier.blackjack.play.drill import FOCUSES
from croupier.blackjack.play.phrases import row_phrase, rules_summary
from croupier.blackjack.play.trainer import HeatCell, TrainerView, verdict_rows, worth_rows
from croupier.blackjack.play.training import EXERCISES, Training, TrainingView
from croupier.choices import Choice
from croupier.errors import InputError
from croupier.texts import figure, say
from croupier.web.pages.blackjack_chart import ChartGrid
from croupier.web.pages.table_page import TablePage
from croupier.web.pages.training_parts import draw_count, draw_glances, draw_report, draw_tags, draw_tray
from croupier.web.parts.cards import fan
from croupier.web.parts.drawing import draw
from croupier.web.parts.elements import button, tag
from croupier.web.parts.facts import fact
from croupier.web.parts.notices import refused
from croupier.web.parts.rules_form import RulesForm
from croupier.web.parts.table_shell import TableShell
from croupier.web.services import Services
from croupier.web.shell import frame, page


def register(services: Services) -> None:
    """Put the page on its address."""

    @page("/blackjack/trainer")
    async def blackjack_trainer() -> None:
        async with frame(
            services, "nav.blackjack_trainer", styles=("blackjack",), is_table=True, is_translated=True
        ) as visit:
            waiting = tag("div", classes="stack")
            with waiting:
                tag("h1", visit.texts("nav.blackjack_trainer"))
                tag("p", say("training.page.loading"), "quiet", role="status")
            await ui.context.client.connected()
            session = await services.sessions.open(
                visit.visitor, "blackjack-trainer", fresh=_fresh, restore=Training.from_state
            )
            waiting.delete()
            _TrainerPage(visit, session).build()


def _fresh(
    rules: BlackjackRules = BLACKJACK.presets[0].rules, exercise: str = "strategy", system: str = "hi-lo"
) -> Training:
    return Training.opened(rules, seed=secrets.randbits(48), exercise=exercise, system=system)


class _TrainerPage(TablePage[Training]):
    """One open page before a visitor's trainer."""

    #: How often the cards to count have been shown again.
    _shown_again = 0

    def build(self) -> None:
        """Put the page together."""
        view, texts = self._view, self._texts
        shell = TableShell(
            texts("nav.blackjack_trainer"), choices=texts("table.choices"), aside=texts("training.page.aside")
        )
        with shell.head:
            self._build_settings(view)
            self._summary = tag("p", rules_summary(view.rules), "quiet", data_testid="rules")
        with shell.felt:
            self.drawing(self._draw_felt)
        with shell.side:
            self.drawing(self._draw_figures)
            self._chart_sheet = tag("section", classes="sheet stack", aria_label=texts("training.page.chart"))
            with self._chart_sheet:
                tag("h2", texts("training.page.chart"))
                tag("p", texts("training.page.chart_help"), "quiet small")
                self._chart = ChartGrid(texts("training.page.chart"), "heat")
        with shell.foot:
            self.drawing(self._draw_foot)
            self._build_field()
        self.refresh()
        self.follow()

    def _build_settings(self, view: TrainingView) -> None:
        texts = self._texts
        self._exercise = ui.select(
            {name: texts(f"training.exercises.{name.replace('-', '_')}") for name in EXERCISES},
            value=view.exercise,
            label=texts("training.exercise"),
            on_change=lambda event: self._set_exercise(event.value),
        ).props('outlined dense data-testid="exercise"')
        self._focus = ui.select(
            {name: texts(f"training.focus.{name}") for name in FOCUSES},
            value="all",
            label=texts("training.page.focus"),
            on_change=lambda event: self._set_focus(event.value),
        ).props('outlined dense data-testid="focus"')
        self._system = ui.select(
            list(SINGLE_COUNTS),
            value=view.system,
            label=texts("training.system"),
            on_change=lambda event: self._set_system(event.value),
        ).props('outlined dense data-testid="system"')
        button(texts("training.page.rules"), "settings", self._ask_rules)
        button(texts("training.page.reset"), "reset", self._reset)

    def _build_field(self) -> None:
        """Put the field for numbers into the foot; Enter answers."""
        self._line = tag("div", classes="answer-line")
        with self._line:
            self._field = ui.input(self._texts("training.answer_label")).props(
                'outlined dense inputmode="text" autocomplete="off" data-testid="answer"'
            )
            self._field.on("keydown.enter", self._send)
            button(self._texts("training.do.next"), "send", self._send, is_main=True)

    @property
    def _view(self) -> TrainingView:
        return self._session.model.view()

    # What the visitor does

    @property
    def moment(self) -> object:
        """How many questions have been answered."""
        view = self._view
        return (view.exercise, view.score.answered, view.prompt)

    def choices(self) -> Sequence[Choice]:
        """Return what can be chosen now."""
        return self._view.choices

    async def choose(self, name: str) -> None:
        """Answer, or ask for the next question."""
        await self.change(lambda training: training.go_on() if name == "next" else training.answer(name))

    async def _send(self) -> None:
        text = self._texts.locale.read(str(self._field.value or ""))
        if text and self._view.asks_number and await self.change(lambda training: training.answer(text)):
            self._field.set_value("")

    async def _set_exercise(self, name: str) -> None:
        if name != self._view.exercise:
            self._exercise.run_method("blur")  # the keys are for the answers again
            if name != "strategy":
                ui.notify(self._texts("training.working"), type="info", position="top", timeout=2500)
            if not await self.change(lambda training: training.set_exercise(name)):
                self._exercise.set_value(self._view.exercise)

    async def _set_focus(self, focus: str) -> None:
        drill = self._view.strategy
        if drill is None or focus == drill.focus:
            return
        self._focus.run_method("blur")
        if not await self.change(lambda training: training.set_focus(focus)):
            self._focus.set_value(drill.focus)

    async def _set_system(self, system: str) -> None:
        view = self._view
        self._system.run_method("blur")
        if system != view.system and not await self._begin(view.rules, view.exercise, system):
            self._system.set_value(self._view.system)

    async def _reset(self) -> None:
        view = self._view
        await self._begin(view.rules, view.exercise, view.system)

    async def _begin(self, rules: BlackjackRules, exercise: str, system: str) -> bool:
        """Begin anew with some rules; what they lead to is computed outside of the event loop."""
        try:
            training = await asyncio.to_thread(_fresh, rules, exercise, system)
        except InputError as error:
            refused(error)
            return False
        await self._session.replace(training)
        return True

    def _show_again(self) -> None:
        self._shown_again += 1
        self.refresh()

    def _ask_rules(self) -> None:
        chosen, texts = [self._view.rules], self._texts

        async def take(rules: BlackjackRules) -> None:
            chosen[0] = rules

        async def begin() -> None:
            dialog.close()
            view = self._view
            await self._begin(chosen[0], view.exercise, view.system)

        with (
            ui.dialog() as dialog,
            tag(
                "div",
                classes="sheet settings-sheet stack",
                role="dialog",
                aria_label=texts("training.page.rules_title"),
            ),
        ):
            dialog.on("hide", dialog.delete)
            tag("h2", texts("training.page.rules_title"))
            tag("p", texts("training.page.rules_help"), "quiet")
            RulesForm(BLACKJACK, chosen[0], take)
            button(texts("training.page.begin"), "begin", begin, is_main=True)
        dialog.open()

    # What is shown

    def refresh(self) -> None:
        """Show the trainer as it is now."""
        view = self._view
        summary = self._texts.shown(rules_summary(view.rules))
        self._summary.set_text(summary)
        self._summary.props["title"] = summary
        self._exercise.set_value(view.exercise)
        self._system.set_value(view.system)
        self._focus.set_visibility(view.strategy is not None)
        self._system.set_visibility(view.strategy is None)
        self._chart_sheet.set_visibility(view.strategy is not None)
        self._line.set_visibility(view.asks_number)
        super().refresh()
        if view.strategy is not None:
            self._focus.set_value(view.strategy.focus)
            self._show_heat(view.strategy)
        if view.asks_number:
            self._field.run_method("focus")

    def _draw_felt(self) -> None:
        """Draw the question, and beside it what the answer was worth; on a phone it lies below, in place of the introduction."""
        view = self._view
        is_judged = view.verdict is not None or (
            view.strategy is not None and view.strategy.verdict is not None
        )
        with draw("div", classes="trainer-felt judged" if is_judged else "trainer-felt"):
            # Who has answered is to know the ramp: it is shown before the first answer, and beside each verdict.
            ramp = view.ramp if is_judged or not view.score.answered else ""
            with draw("div", classes="felt-note"):
                draw("p", view.introduction, data_testid="introduction")
                if ramp:
                    draw("p", ramp, data_testid="ramp")
            with draw("div", classes="trainer-question"):
                self._draw_question(view)
            if view.strategy is not None:
                self._draw_strategy_verdict(view.strategy)
            else:
                self._draw_verdict(view)

    def _draw_question(self, view: TrainingView) -> None:
        setting = view.setting
        if view.strategy is not None:
            self._draw_hand(view.strategy.cards, view.strategy.dealer_card)
            return
        if setting is not None and setting.count is not None:
            draw_count(setting.count)
        if setting is not None and view.exercise == "count":
            moment = f"{view.score.answered}-{self._shown_again}"
            draw_glances(setting, self._texts, moment, self._show_again, is_open=view.verdict is not None)
        elif setting is not None and setting.dealer_card is not None:
            self._draw_hand(setting.cards, setting.dealer_card)
        if view.tray is not None and view.exercise != "count" and view.report is None:
            draw_tray(view.tray, is_small=view.exercise == "shoe")
        if view.report is not None:
            draw_report(view.report)
        elif view.table is not None:
            dealer, seat = view.table
            self._draw_places(dealer.cards, [hand.cards for hand in seat.hands])
        elif view.exercise == "shoe":
            self._draw_places((), [()])

    def _draw_hand(self, cards: Sequence[int], dealer_card: int | None) -> None:
        self._draw_places(() if dealer_card is None else (dealer_card, None), [cards] if cards else [])

    def _draw_places(self, dealer: Sequence[int | None], hands: Sequence[Sequence[int | None]]) -> None:
        with draw("div", classes="dealer-row"), draw("div", classes="hand"):
            draw("h2", say("blackjack.page.dealer"), "place-name")
            fan(dealer, self._texts, label=self._texts("blackjack.page.dealers_cards"))
        with draw("div", classes="seats"):
            for cards in hands:
                with draw("div", classes="hand active", data_testid="hand"):
                    draw("h2", say("blackjack.name.your"), "place-name")
                    fan(cards, self._texts, label=self._texts("blackjack.page.your_cards"))

    def _draw_strategy_verdict(self, drill: TrainerView) -> None:
        if drill.verdict is not None:
            _draw_feedback(str(drill.verdict), drill.verdict.is_right, verdict_rows(drill.verdict))

    def _draw_verdict(self, view: TrainingView) -> None:
        if view.verdict is not None:
            _draw_feedback(view.verdict.text, view.verdict.is_right, worth_rows(view.verdict.worths))

    def _draw_foot(self) -> None:
        view = self._view
        draw("p", view.prompt, "prompt", role="status", aria_live="polite", data_testid="prompt")
        if not view.asks_number:
            self.draw_choices()

    def _draw_figures(self) -> None:
        view = self._view
        score = view.score
        with draw("section", classes="sheet facts", aria_label=say("training.page.score")):
            fact(say("training.page.answered"), figure(score.answered, ",d"), "answered")
            accuracy = "–" if score.accuracy is None else figure(score.accuracy, ".1%")
            fact(say("training.page.right"), accuracy, "accuracy")
            if view.exercise != "shoe":
                fact(say("training.page.streak"), figure(score.streak, ",d"), "streak")
                fact(say("training.page.best_streak"), figure(score.best_streak, ",d"), "best-streak")
            fact(say("training.page.cost"), figure(score.cost, ".3f"), "cost")
        weak: list[str] = [
            say("training.weak_line", item=item, wrong=wrong, asked=asked) for item, wrong, asked in view.weak
        ]
        if view.strategy is not None:
            weak = [_weak_cell(cell) for cell in view.strategy.weak]
        if weak:
            with draw("section", classes="sheet stack", aria_label=say("training.page.weak")):
                draw("h2", say("training.page.weak"))
                with draw("ul", classes="weak", data_testid="weak"):
                    for line in weak:
                        draw("li", line)
        if view.strategy is None:
            draw_tags(find_system(view.system))

    def _show_heat(self, view: TrainerView) -> None:
        cells = [cell for rows in view.heat.values() for row in rows for cell in row]
        self._chart.show(
            {(cell.row, cell.up_card): cell.code for cell in cells},
            classes={(cell.row, cell.up_card): _heat_class(cell) for cell in cells},
            hints={(cell.row, cell.up_card): _heat_hint(cell) for cell in cells if cell.asked},
        )


def _draw_feedback(text: str, is_right: bool, rows: Sequence[tuple[str, str, str]]) -> None:
    with draw("div", classes=f"feedback {'right' if is_right else 'wrong'}", role="status"):
        draw("p", text, data_testid="verdict")
        if not rows:
            return
        with draw("table", classes="worth-table", data_testid="worths"):
            with draw("thead"), draw("tr"):
                for heading in ("action", "worth", "costs"):
                    draw("th", say(f"training.page.{heading}"), scope="col")
            with draw("tbody"):
                for line in rows:
                    with draw("tr"):
                        for cell in line:
                            draw("td", cell)


def _weak_cell(cell: HeatCell) -> str:
    place = say("training.strategy.cell", row=row_phrase(cell.row), up_card=row_phrase(cell.up_card))
    return say("training.weak_line", item=place, wrong=cell.wrong, asked=cell.asked)


def _heat_class(cell: HeatCell) -> str:
    if cell.heat is None:
        return "heat heat-unknown"
    return f"heat heat-{min(int(cell.heat * 4 + 0.999), 4)}"


def _heat_hint(cell: HeatCell) -> str:
    return say("training.strategy.hint", wrong=cell.wrong, asked=cell.asked, cost=cell.cost)
