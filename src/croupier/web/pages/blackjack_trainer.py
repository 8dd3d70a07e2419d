"""The blackjack trainer: one hand after another until basic strategy sits."""

import asyncio
import secrets
from collections.abc import Sequence

from nicegui import ui

from croupier.blackjack.engine import BLACKJACK, BlackjackRules
from croupier.blackjack.play.drill import FOCUSES
from croupier.blackjack.play.phrases import rules_summary
from croupier.blackjack.play.trainer import BlackjackTrainer, HeatCell, TrainerView, verdict_rows
from croupier.choices import Choice
from croupier.errors import InputError
from croupier.web.pages.blackjack_chart import ChartGrid
from croupier.web.pages.table_page import TablePage
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
                visit.visitor, "blackjack-trainer", fresh=_fresh, restore=BlackjackTrainer.from_state
            )
            waiting.delete()
            _TrainerPage(visit, session).build()


def _fresh(rules: BlackjackRules = BLACKJACK.presets[0].rules) -> BlackjackTrainer:
    return BlackjackTrainer.opened(rules, seed=secrets.randbits(64))


class _TrainerPage(TablePage[BlackjackTrainer]):
    """One open page before a visitor's trainer."""

    def build(self) -> None:
        """Put the page together."""
        view = self._session.model.view()
        shell = TableShell(
            self._texts("nav.blackjack_trainer"), choices="Your choices", aside="How you are doing"
        )
        with shell.head:
            self._summary = tag("p", rules_summary(view.rules), "quiet", data_testid="rules")
            tag("span", classes="spring")
            self._focus = ui.select(
                {name: _FOCUS_NAMES[name] for name in FOCUSES},
                value=view.focus,
                label="drill",
                on_change=lambda event: self._set_focus(event.value),
            ).props('outlined dense data-testid="focus"')
            button("Rules", "settings", self._ask_rules)
            button("Start again", "reset", self._reset)
        with shell.felt:
            self.drawing(self._draw_hand)
        with shell.side:
            self.drawing(self._draw_figures)
            with tag("section", classes="sheet stack", aria_label="Your chart"):
                tag("h2", "Your chart")
                tag(
                    "p",
                    "The redder a cell, the more often you got it wrong; green ones were always right. "
                    "Advice appears once you have been asked.",
                    "quiet small",
                )
                self._chart = ChartGrid("Your chart", "heat")
                self._show_heat(view)
        with shell.foot:
            self.drawing(self._draw_foot)
        self.follow()

    # What the visitor does

    @property
    def moment(self) -> int:
        """How many hands have been answered."""
        return self._session.model.view().score.answered

    def choices(self) -> Sequence[Choice]:
        """Return what can be chosen now."""
        return self._session.model.view().choices

    async def choose(self, name: str) -> None:
        """Answer, or ask for the next hand."""
        await self.change(lambda trainer: trainer.go_on() if name == "next" else trainer.answer(name))

    async def _set_focus(self, focus: str) -> None:
        if focus == self._session.model.view().focus:
            return
        if not await self.change(lambda trainer: trainer.set_focus(focus)):
            self._focus.set_value(self._session.model.view().focus)

    async def _reset(self) -> None:
        await self._begin(self._session.model.view().rules)

    async def _begin(self, rules: BlackjackRules) -> None:
        """Begin anew with some rules; their chart is computed outside of the event loop."""
        try:
            trainer = await asyncio.to_thread(_fresh, rules)
        except InputError as error:
            refused(error)
        else:
            await self._session.replace(trainer)

    def _ask_rules(self) -> None:
        chosen = [self._session.model.view().rules]

        async def take(rules: BlackjackRules) -> None:
            chosen[0] = rules

        async def begin() -> None:
            dialog.close()
            await self._begin(chosen[0])

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
        view = self._session.model.view()
        self._summary.set_text(rules_summary(view.rules))
        self._focus.set_value(view.focus)
        super().refresh()
        self._show_heat(view)

    def _draw_hand(self) -> None:
        view = self._session.model.view()
        with draw("div", classes="dealer-row"), draw("div", classes="hand"):
            draw("h2", "Dealer", "place-name")
            fan((view.dealer_card, None), self._texts, label="Dealer's cards")
        with draw("div", classes="seats"), draw("div", classes="hand active", data_testid="hand"):
            draw("h2", "Your hand", "place-name")
            fan(view.cards, self._texts, label="Your cards")
        if view.verdict is None:
            return
        tone = "right" if view.verdict.is_right else "wrong"
        with draw("div", classes=f"feedback {tone}", role="status"):
            draw("p", str(view.verdict), data_testid="verdict")
            with draw("table", classes="worth-table", data_testid="worths"):
                with draw("thead"), draw("tr"):
                    for heading in ("action", "worth", "costs"):
                        draw("th", heading, scope="col")
                with draw("tbody"):
                    for line in verdict_rows(view.verdict):
                        with draw("tr"):
                            for text in line:
                                draw("td", text)

    def _draw_foot(self) -> None:
        prompt = self._session.model.view().prompt
        draw("p", prompt, "prompt", role="status", aria_live="polite", data_testid="prompt")
        self.draw_choices()

    def _draw_figures(self) -> None:
        view = self._session.model.view()
        score = view.score
        with draw("section", classes="sheet facts", aria_label="Score"):
            fact("hands", f"{score.answered:,}", "answered")
            fact("right", "–" if score.accuracy is None else f"{score.accuracy:.1%}", "accuracy")
            fact("streak", f"{score.streak}", "streak")
            fact("best streak", f"{score.best_streak}", "best-streak")
            fact("given away, bets", f"{score.cost:.3f}", "cost")
        if view.weak:
            with draw("section", classes="sheet stack", aria_label="Weak spots"):
                draw("h2", "Weak spots")
                with draw("ul", classes="weak", data_testid="weak"):
                    for cell in view.weak:
                        up_card = "10" if cell.up_card == "T" else cell.up_card
                        draw("li", f"{cell.row} against {up_card}: wrong {cell.wrong} of {cell.asked}")

    def _show_heat(self, view: TrainerView) -> None:
        cells = [cell for rows in view.heat.values() for row in rows for cell in row]
        self._chart.show(
            {(cell.row, cell.up_card): cell.code for cell in cells},
            classes={(cell.row, cell.up_card): _heat_class(cell) for cell in cells},
            hints={(cell.row, cell.up_card): _heat_hint(cell) for cell in cells if cell.asked},
        )


def _heat_class(cell: HeatCell) -> str:
    if cell.heat is None:
        return "heat heat-unknown"
    return f"heat heat-{min(int(cell.heat * 4 + 0.999), 4)}"


def _heat_hint(cell: HeatCell) -> str:
    return f"wrong {cell.wrong} of {cell.asked}, cost {cell.cost:.3f} bets"
