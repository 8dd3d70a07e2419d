"""The blackjack trainer: six exercises, one question after another, every mistake priced."""

import asyncio
import secrets
from collections.abc import Sequence

from nicegui import ui

from croupier.blackjack.counting.system import SYSTEMS
from croupier.blackjack.engine import BLACKJACK, BlackjackRules
from croupier.blackjack.play.drill import FOCUSES
from croupier.blackjack.play.phrases import rules_summary
from croupier.blackjack.play.trainer import HeatCell, TrainerView, verdict_rows
from croupier.blackjack.play.training import EXERCISES, Training, TrainingView
from croupier.choices import Choice
from croupier.errors import InputError
from croupier.numerics.numbers import signed
from croupier.texts import say
from croupier.web.pages.blackjack_chart import ChartGrid
from croupier.web.pages.table_page import TablePage
from croupier.web.pages.training_parts import draw_count, draw_glances, draw_report, draw_tray
from croupier.web.parts.cards import fan
from croupier.web.parts.drawing import draw
from croupier.web.parts.elements import button, tag
from croupier.web.parts.facts import fact
from croupier.web.parts.notices import refused
from croupier.web.parts.rules_form import RulesForm
from croupier.web.parts.table_shell import TableShell
from croupier.web.services import Services
from croupier.web.shell import frame, page

_FOCUS_NAMES = {"all": "the whole chart", "hard": "hard totals", "soft": "soft totals", "pairs": "pairs"}


def register(services: Services) -> None:
    """Put the page on its address."""

    @page("/blackjack/trainer")
    async def blackjack_trainer() -> None:
        async with frame(services, "nav.blackjack_trainer", styles=("blackjack",), is_table=True) as visit:
            waiting = tag("div", classes="stack")
            with waiting:
                tag("h1", visit.texts("nav.blackjack_trainer"))
                tag("p", "Working out the chart …", "quiet", role="status")
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
        view = self._view
        shell = TableShell(
            self._texts("nav.blackjack_trainer"), choices="Your choices", aside="How you are doing"
        )
        with shell.head:
            self._summary = tag("p", rules_summary(view.rules), "quiet", data_testid="rules")
            tag("span", classes="spring")
            self._build_settings(view)
        with shell.felt:
            self.drawing(self._draw_felt)
        with shell.side:
            self.drawing(self._draw_figures)
            self._chart_sheet = tag("section", classes="sheet stack", aria_label="Your chart")
            with self._chart_sheet:
                tag("h2", "Your chart")
                tag(
                    "p",
                    "The redder a cell, the more often you got it wrong; green ones were always right. "
                    "Advice appears once you have been asked.",
                    "quiet small",
                )
                self._chart = ChartGrid("Your chart", "heat")
        with shell.foot:
            self.drawing(self._draw_foot)
            self._build_field()
        self.refresh()
        self.follow()

    def _build_settings(self, view: TrainingView) -> None:
        self._exercise = ui.select(
            {name: say(f"training.exercises.{name.replace('-', '_')}") for name in EXERCISES},
            value=view.exercise,
            label=say("training.exercise"),
            on_change=lambda event: self._set_exercise(event.value),
        ).props('outlined dense data-testid="exercise"')
        self._focus = ui.select(
            {name: _FOCUS_NAMES[name] for name in FOCUSES},
            value="all",
            label="drill",
            on_change=lambda event: self._set_focus(event.value),
        ).props('outlined dense data-testid="focus"')
        self._system = ui.select(
            list(SYSTEMS),
            value=view.system,
            label=say("training.system"),
            on_change=lambda event: self._set_system(event.value),
        ).props('outlined dense data-testid="system"')
        button("Rules", "settings", self._ask_rules)
        button("Start again", "reset", self._reset)

    def _build_field(self) -> None:
        """Put the field for numbers into the foot; Enter answers."""
        self._line = tag("div", classes="answer-line")
        with self._line:
            label = say("training.answer_label")
            self._field = ui.input(label).props(
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
        text = str(self._field.value or "").strip().replace("−", "-")
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
        chosen = [self._view.rules]

        async def take(rules: BlackjackRules) -> None:
            chosen[0] = rules

        async def begin() -> None:
            dialog.close()
            view = self._view
            await self._begin(chosen[0], view.exercise, view.system)

        with (
            ui.dialog() as dialog,
            tag("div", classes="sheet settings-sheet stack", role="dialog", aria_label="Rules of the drill"),
        ):
            dialog.on("hide", dialog.delete)
            tag("h2", "Rules of the drill")
            tag("p", "Other rules have another chart: what you have answered so far is forgotten.", "quiet")
            RulesForm(BLACKJACK, chosen[0], take)
            start = tag(
                "button", "Drill these rules", "plain-button main", type="button", data_testid="begin"
            )
            start.on("click", begin, args=[])
        dialog.open()

    # What is shown

    def refresh(self) -> None:
        """Show the trainer as it is now."""
        view = self._view
        self._summary.set_text(rules_summary(view.rules))
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
        view, setting = self._view, self._view.setting
        draw("p", view.introduction, "felt-note", data_testid="introduction")
        if view.strategy is not None:
            self._draw_hand(view.strategy.cards, view.strategy.dealer_card)
            self._draw_strategy_verdict(view.strategy)
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
        self._draw_verdict(view)

    def _draw_hand(self, cards: Sequence[int], dealer_card: int | None) -> None:
        self._draw_places(() if dealer_card is None else (dealer_card, None), [cards])

    def _draw_places(self, dealer: Sequence[int | None], hands: Sequence[Sequence[int | None]]) -> None:
        with draw("div", classes="dealer-row"), draw("div", classes="hand"):
            draw("h2", "Dealer", "place-name")
            fan(dealer, self._texts, label="Dealer's cards")
        with draw("div", classes="seats"):
            for cards in filter(None, hands):
                with draw("div", classes="hand active", data_testid="hand"):
                    draw("h2", "Your hand", "place-name")
                    fan(cards, self._texts, label="Your cards")

    def _draw_strategy_verdict(self, drill: TrainerView) -> None:
        if drill.verdict is not None:
            rows = verdict_rows(drill.verdict)
            _draw_feedback(str(drill.verdict), drill.verdict.is_right, rows, ("action", "worth", "costs"))

    def _draw_verdict(self, view: TrainingView) -> None:
        if view.verdict is not None:
            best = view.verdict.worths[0][1] if view.verdict.worths else 0.0
            rows = [
                (name, signed(worth, 4), f"{best - worth:.4f}" if best > worth else "0")
                for name, worth in view.verdict.worths
            ]
            _draw_feedback(view.verdict.text, view.verdict.is_right, rows, ("action", "worth", "costs"))

    def _draw_foot(self) -> None:
        view = self._view
        draw("p", view.prompt, "prompt", role="status", aria_live="polite", data_testid="prompt")
        if not view.asks_number:
            self.draw_choices()

    def _draw_figures(self) -> None:
        view = self._view
        score = view.score
        with draw("section", classes="sheet facts", aria_label="Score"):
            fact("answered", f"{score.answered:,}", "answered")
            fact("right", "–" if score.accuracy is None else f"{score.accuracy:.1%}", "accuracy")
            if view.exercise != "shoe":
                fact("streak", f"{score.streak}", "streak")
                fact("best streak", f"{score.best_streak}", "best-streak")
            fact("given away, units", f"{score.cost:.3f}", "cost")
        weak: list[str] = [
            say("training.weak_line", item=item, wrong=wrong, asked=asked) for item, wrong, asked in view.weak
        ]
        if view.strategy is not None:
            weak = [_weak_cell(cell) for cell in view.strategy.weak]
        if weak:
            with draw("section", classes="sheet stack", aria_label="Weak spots"):
                draw("h2", "Weak spots")
                with draw("ul", classes="weak", data_testid="weak"):
                    for line in weak:
                        draw("li", line)

    def _show_heat(self, view: TrainerView) -> None:
        cells = [cell for rows in view.heat.values() for row in rows for cell in row]
        self._chart.show(
            {(cell.row, cell.up_card): cell.code for cell in cells},
            classes={(cell.row, cell.up_card): _heat_class(cell) for cell in cells},
            hints={(cell.row, cell.up_card): _heat_hint(cell) for cell in cells if cell.asked},
        )


def _draw_feedback(
    text: str, is_right: bool, rows: Sequence[tuple[str, str, str]], headings: tuple[str, str, str]
) -> None:
    with draw("div", classes=f"feedback {'right' if is_right else 'wrong'}", role="status"):
        draw("p", text, data_testid="verdict")
        if not rows:
            return
        with draw("table", classes="worth-table", data_testid="worths"):
            with draw("thead"), draw("tr"):
                for heading in headings:
                    draw("th", heading, scope="col")
            with draw("tbody"):
                for line in rows:
                    with draw("tr"):
                        for cell in line:
                            draw("td", cell)


def _weak_cell(cell: HeatCell) -> str:
    up_card = "10" if cell.up_card == "T" else cell.up_card
    return f"{cell.row} against {up_card}: wrong {cell.wrong} of {cell.asked}"


def _heat_class(cell: HeatCell) -> str:
    if cell.heat is None:
        return "heat heat-unknown"
    return f"heat heat-{min(int(cell.heat * 4 + 0.999), 4)}"


def _heat_hint(cell: HeatCell) -> str:
    return f"wrong {cell.wrong} of {cell.asked}, cost {cell.cost:.3f} bets"
