"""The blackjack table: bets, every action, several hands, with a coach and a count for those who want them."""

import secrets
from functools import partial

from nicegui import ui

from croupier.blackjack.counting.system import SINGLE_COUNTS
from croupier.blackjack.engine import BLACKJACK
from croupier.blackjack.play.phrases import money, rules_summary, signed_money, way_phrase
from croupier.blackjack.play.records import RoundRecord
from croupier.blackjack.play.table import BlackjackTable
from croupier.blackjack.play.view import HandView, SeatView, TableView
from croupier.choices import Choice
from croupier.numerics.numbers import signed
from croupier.texts import figure, in_row, say
from croupier.web.pages.blackjack_bets import BetForm
from croupier.web.pages.blackjack_settings import SettingsDialog
from croupier.web.pages.table_page import TablePage
from croupier.web.parts.cards import fan
from croupier.web.parts.drawing import draw
from croupier.web.parts.elements import button, tag
from croupier.web.parts.facts import fact
from croupier.web.parts.introduction import show_introduction
from croupier.web.parts.table_shell import TableShell, hands_style
from croupier.web.parts.why import bars, draw_why
from croupier.web.services import Services
from croupier.web.sessions import TableSession
from croupier.web.shell import Visit, frame, page

_SHOWN_ROUNDS = 12


def register(services: Services) -> None:
    """Put the page on its address."""

    @page("/blackjack/table")
    async def blackjack_table() -> None:
        async with frame(
            services, "nav.blackjack_table", styles=("blackjack",), is_table=True, is_translated=True
        ) as visit:
            session = await services.sessions.open(
                visit.visitor, "blackjack", fresh=_fresh, restore=BlackjackTable.from_state
            )
            _TablePage(visit, session).build()


def _fresh() -> BlackjackTable:
    return BlackjackTable.opened(BLACKJACK.presets[0].rules, seed=secrets.randbits(64))


class _TablePage(TablePage[BlackjackTable]):
    """One open page before a visitor's table."""

    def __init__(self, visit: Visit, session: TableSession[BlackjackTable]) -> None:
        super().__init__(visit, session)
        self._view = session.model.view

    def build(self) -> None:
        """Put the page together."""
        texts = self._texts
        shell = TableShell(
            texts("nav.blackjack_table"), choices=texts("table.choices"), aside=texts("table.session")
        )
        with shell.head:
            self._summary = tag("p", rules_summary(self._view.rules), "quiet", data_testid="rules")
            tag("span", classes="spring")
            button(
                texts("table.settings"),
                "settings",
                lambda: SettingsDialog(texts, self._session.model, self._sit_down).open(),
            )
        with shell.felt:
            self.drawing(self._draw_cards)
        with shell.side:
            self._show_switches()
            self.drawing(self._draw_figures, of=lambda: (self._view.count, self._view.statistics))
            self.drawing(lambda: _draw_history(self._view.history), of=lambda: self._view.history)
            show_introduction("blackjack", self._texts, is_new=not self._view.statistics.rounds)
        with shell.foot:
            self.drawing(self._draw_prompt)
            self._bets = BetForm(texts, self._view, partial(self.choose, "deal"))
            self.drawing(self.draw_choices)
        self.follow()

    # What the visitor does

    @property
    def moment(self) -> tuple[int, int]:
        """How far the session is."""
        return self._session.model.moment

    def choices(self) -> tuple[Choice, ...]:
        """Return what can be chosen now."""
        return self._view.choices

    async def choose(self, name: str) -> None:
        """Do what was chosen, unless another tab was faster."""
        bets, side_bets, moment = self._bets.bets, self._bets.side_bets, self.moment

        def act(table: BlackjackTable) -> None:
            if table.moment == moment:
                table.bet(*bets, side_bets=side_bets) if name == "deal" else table.act(name)

        await self.change(act)

    async def _sit_down(self, table: BlackjackTable) -> None:
        await self._session.replace(table)

    async def _switch_coach(self, on: bool) -> None:
        if on != self._session.model.view.coach and not await self.change(lambda table: table.set_coach(on)):
            self._coach.set_value(False)

    async def _switch_count(self, system: str) -> None:
        count = self._session.model.view.count
        if system == ("" if count is None else count.system):
            return
        if not await self.change(lambda table: table.set_count(system or None)):
            self._count.set_value("")

    # What is shown

    def refresh(self) -> None:
        """Show the table as it is now."""
        rules, view = self._view.rules, self._session.model.view
        self._view = view
        if view.rules is not rules:
            self._summary.set_text(self._texts.shown(rules_summary(view.rules)))
        self._coach.set_value(view.coach)
        self._count.set_value(view.count.system if view.count is not None else "")
        self._bets.show(view)
        super().refresh()

    def _draw_cards(self) -> None:
        view = self._view
        hands = sum(len(seat.hands) for seat in view.seats)
        with draw("div", classes="felt-places with-shoe", style=hands_style(max(1, hands))):
            with draw("div", classes="facts"):
                fact(say("blackjack.page.bankroll"), money(view.bankroll), "bankroll")
                fact(say("blackjack.page.on_table"), money(view.on_table), "on-table")
            with draw("div", classes="hand dealers-place", data_testid="dealer"):
                draw("h2", say("blackjack.page.dealer"), "place-name")
                fan(view.dealer.cards, self._texts, label=say("blackjack.page.dealers_cards"))
                draw("span", view.dealer.value, "value", data_testid="dealer-value")
            _draw_shoe(view)
            if not view.seats:
                draw("div", rules_summary(view.rules), "outcome quiet felt-note")
            with draw("div", classes="seats"):
                for seat in view.seats:
                    self._draw_seat(seat)
                if not view.seats:
                    with draw("div", classes="hand"):
                        draw("h2", say("blackjack.name.your"), "place-name")
                        fan((), self._texts, label=say("blackjack.page.your_cards"))
            if view.feedback is not None:
                feedback = view.feedback
                tone = "right" if feedback.is_right else "wrong"
                shown = bars(feedback.worths, feedback.action, digits=4, named=way_phrase)
                draw_why(feedback.verdict, feedback.why, tone, shown, "feedback")

    def _draw_prompt(self) -> None:
        view = self._view
        with draw("div", classes="said"):
            draw("p", view.prompt, "prompt", role="status", aria_live="polite", data_testid="prompt")
            if view.note:
                draw("p", view.note, "quiet", data_testid="note")

    def _draw_seat(self, seat: SeatView) -> None:
        with draw("div", classes="seat", data_testid=f"seat-{seat.number + 1}"):
            with draw("div", classes="seat-hands"):
                for place, hand in enumerate(seat.hands):
                    self._draw_hand(hand, f"hand-{seat.number + 1}-{place + 1}")
            for note in seat.side_notes:
                draw("p", note, "side-note")

    def _draw_hand(self, hand: HandView, mark: str) -> None:
        with draw(
            "div",
            classes="hand active" if hand.is_active else "hand",
            data_testid=mark,
            aria_current="true" if hand.is_active else None,
        ):
            draw("h2", hand.name, "place-name")
            fan(hand.cards, self._texts, label=hand.name)
            with draw("div", classes="hand-line"):
                draw("span", hand.value, "value", data_testid="value")
                tone = (
                    "" if hand.won is None else "won" if hand.won > 0 else "lost" if hand.won < 0 else "even"
                )
                doubled = "doubled" if hand.is_doubled else ""
                draw(
                    "span",
                    money(hand.stake),
                    f"chip {doubled} {tone}",
                    title=say("table.bet"),
                    data_testid=f"chip-{tone}",
                )
            if hand.won is not None:
                parts = [hand.outcome, *([signed_money(hand.won)] if hand.won else [])]
                draw("span", in_row(parts, "list.dots"), f"outcome {tone}", data_testid="outcome")

    def _show_switches(self) -> None:
        view, texts = self._view, self._texts
        with tag("section", classes="sheet stack", aria_label=texts("table.help")):
            self._coach = ui.switch(
                texts("table.coach"),
                value=view.coach,
                on_change=lambda event: self._switch_coach(event.value),
            ).props('data-testid="coach"')
            tag("p", texts("blackjack.page.coach"), "quiet small")
            systems = {"": texts("blackjack.page.no_count"), **{name: name for name in SINGLE_COUNTS}}
            self._count = ui.select(
                systems,
                value="" if view.count is None else view.count.system,
                label=texts("blackjack.page.count"),
                on_change=lambda event: self._switch_count(event.value),
            ).props('outlined dense data-testid="count-system"')

    def _draw_figures(self) -> None:
        view = self._view
        if view.count is not None:
            with draw("section", classes="sheet facts", aria_label=say("blackjack.page.count")):
                running = say("blackjack.page.running", system=view.count.system)
                fact(running, figure(view.count.running, "+d"), "running-count")
                if view.count.true is not None:
                    fact(say("blackjack.page.true"), signed(view.count.true, 2), "true-count")
                fact(say("blackjack.page.packs"), figure(view.count.packs_left, ".2f"), "packs-left")
        _draw_statistics(view)


def _draw_history(history: tuple[RoundRecord, ...]) -> None:
    if not history:
        return
    with draw("section", classes="sheet stack", aria_label=say("blackjack.page.history")):
        draw("h2", say("blackjack.page.rounds"))
        with (
            draw("div", classes="scroll", tabindex="0"),
            draw("table", classes="grid-table history-table", data_testid="history"),
        ):
            with draw("thead"), draw("tr"):
                for heading in ("number", "bet", "won", "mistakes"):
                    draw("th", say(f"blackjack.column.{heading}"), scope="col")
                for heading in ("hands", "dealer"):
                    draw("th", say(f"blackjack.column.{heading}"), "wordy", scope="col")
            with draw("tbody"):
                for record in reversed(history[-_SHOWN_ROUNDS:]):
                    _draw_record(record)


def _draw_shoe(view: TableView) -> None:
    shoe = view.shoe
    with draw("div", classes="shoe", data_testid="shoe"):
        draw("span", say("blackjack.shoe.number", number=shoe.number), "place-name")
        if shoe.cards is None or shoe.cards_left is None:
            draw("span", say("blackjack.shoe.infinite"))
            return
        used = 100 * (1 - shoe.cards_left / shoe.cards)
        with draw("div", classes="shoe-bar", aria_hidden="true"):
            draw("div", classes="shoe-used", style=f"width: {used:.1f}%")
            if shoe.until_cut is not None:
                at = 100 * (shoe.cards - shoe.cards_left + shoe.until_cut) / shoe.cards
                draw("div", classes="shoe-cut", style=f"left: {at:.1f}%")
        draw("span", say("blackjack.shoe.left", left=shoe.cards_left, cards=shoe.cards))
        if shoe.until_cut:
            draw("span", say("blackjack.shoe.until_cut", cards=shoe.until_cut), "quiet")
        elif shoe.is_last_round:
            draw("span", say("blackjack.shoe.last"), "quiet")


def _draw_statistics(view: TableView) -> None:
    statistics = view.statistics
    accuracy = statistics.accuracy
    with draw("section", classes="sheet stack", aria_label=say("blackjack.page.statistics")):
        draw("h2", say("blackjack.page.session"))
        with draw("div", classes="facts"):
            fact(say("blackjack.total.rounds"), figure(statistics.rounds, ","), "rounds")
            fact(say("blackjack.total.staked"), money(statistics.staked), "staked")
            fact(say("blackjack.total.won"), signed_money(statistics.won), "won")
            shown = "–" if accuracy is None else figure(accuracy, ".1%")
            fact(say("blackjack.total.right"), shown, "accuracy")
            fact(say("blackjack.total.cost"), figure(statistics.cost, ".2f"), "cost")
        draw("p", say("blackjack.total.priced", decisions=statistics.decisions), "quiet small")


def _draw_record(record: RoundRecord) -> None:
    with draw("tr"):
        draw("td", f"{record.number}")
        draw("td", money(record.bet))
        draw("td", signed_money(record.won), "good" if record.won > 0 else "bad" if record.won < 0 else "")
        draw("td", figure(record.cost, ".2f") if record.cost else "0")
        draw("td", record.hands, "wordy")
        draw("td", record.dealer, "wordy")
