"""The Banluck table: play as a player or hold the bank, with a coach who knows the price of every choice."""

import secrets
from functools import partial

from nicegui import ui

from croupier.banluck.analysis.phrases import way_phrase
from croupier.banluck.engine import BanluckRules, evaluate
from croupier.banluck.engine.rules import MAX_CARDS
from croupier.banluck.play.session import SMALLEST_BET, HandRecord, Seating, Totals
from croupier.banluck.play.solutions import SOLUTIONS
from croupier.banluck.play.table import BanluckTable
from croupier.banluck.play.view import BanluckView, Place, Remark
from croupier.cards import DECK_SIZE
from croupier.choices import Choice, reason
from croupier.errors import InputError
from croupier.texts import figure, say
from croupier.web.jobs import Job, Status
from croupier.web.pages.banluck_seating import SeatingDialog
from croupier.web.pages.table_page import TablePage
from croupier.web.parts.cards import fan
from croupier.web.parts.drawing import draw
from croupier.web.parts.elements import button, tag
from croupier.web.parts.facts import fact
from croupier.web.parts.introduction import show_introduction
from croupier.web.parts.notices import refused
from croupier.web.parts.table_shell import TableShell, hands_style
from croupier.web.parts.waiting import waiting_text
from croupier.web.parts.why import bars, draw_why
from croupier.web.services import Services
from croupier.web.sessions import TableSession
from croupier.web.shell import Visit, frame, page

_POLL_SECONDS = 0.2
_LOOK_SECONDS = 2.0
_SHOWN_HANDS = 12


def register(services: Services) -> None:
    """Put the page on its address."""

    @page("/banluck/table")
    async def banluck_table() -> None:
        async with frame(
            services, "nav.banluck_table", styles=("banluck",), is_table=True, is_translated=True
        ) as visit:
            session = await services.sessions.open(
                visit.visitor, "banluck", fresh=partial(_fresh, Seating()), restore=BanluckTable.from_state
            )
            _TablePage(services, visit, session).build()


def _fresh(seating: Seating, *, coach: bool = False) -> BanluckTable:
    return BanluckTable.opened(seating, seed=secrets.randbits(64), coach=coach)


def _bet(table: BanluckTable, bet: float) -> None:
    table.prepare()
    table.bet(bet)


class _TablePage(TablePage[BanluckTable]):
    """One open page before a visitor's table."""

    def __init__(self, services: Services, visit: Visit, session: TableSession[BanluckTable]) -> None:
        super().__init__(visit, session)
        self._services = services
        self._view = session.model.view
        self._bet = self._view.offered_bet
        self._job: Job[object] | None = None
        self._held: tuple[str, float | None] = ("", None)

    def build(self) -> None:
        """Put the page together."""
        texts = self._texts
        shell = TableShell(
            texts("nav.banluck_table"), choices=texts("table.choices"), aside=texts("table.session")
        )
        with shell.head:
            self._name = tag("span", "", "quiet", data_testid="table-name")
            tag("span", classes="spring")
            dialog = SeatingDialog(texts, self._sit_down)
            button(texts("table.settings"), "settings", lambda: dialog.open(self._session.model.seating))
        with shell.felt:
            self.drawing(self._draw_places)
        with shell.side:
            self.drawing(lambda: _draw_bankroll(self._view))
            with tag("section", classes="sheet stack", aria_label=texts("table.coach")):
                self._coach = ui.switch(texts("table.coach")).props('data-testid="coach"')
                self._coach.on_value_change(lambda event: self._switch_coach(bool(event.value)))
                self.drawing(lambda: _draw_coach(self._view))
            self.drawing(lambda: _draw_story(self._view))
            self.drawing(lambda: _draw_history(self._view))
            show_introduction("banluck", self._texts, is_new=not self._view.number)
        with shell.foot:
            self.drawing(self._draw_prompt)
            self._show_bet()
            self.drawing(self.draw_choices)
        self._show_fields()
        self.follow()
        self._timer = ui.timer(_POLL_SECONDS, self._poll, active=False)
        ui.timer(_LOOK_SECONDS, self._look)

    # What the visitor does

    @property
    def moment(self) -> str:
        """The hand, and how much has happened in it."""
        return f"{self._view.number}/{len(self._view.told)}"

    def choices(self) -> tuple[Choice, ...]:
        """Return what can be chosen now."""
        return () if self._job is not None else self._view.choices

    async def choose(self, name: str) -> None:
        """Do what was chosen."""
        if name == "deal":
            await self._deal()
        else:
            self._held = _held(self._view, self._session.model.seating.rules)
            await self.change(lambda table: table.act(name))

    async def _deal(self) -> None:
        """Deal at once if the rules are solved; otherwise solve them first, and then deal."""
        if self._job is not None:
            return
        bet, rules = self._bet, self._session.model.seating.rules
        if SOLUTIONS.find_for_table(rules) is not None:
            await self.change(lambda table: _bet(table, bet))
            return
        try:
            self._session.model.verify_bet(bet)
        except InputError as error:
            refused(error)
            return
        self._job = self._services.jobs.start(
            self._visit.visitor,
            "banluck-opponents",
            lambda _: SOLUTIONS.solve_for_table(rules),
            kind="banluck_solve",
        )
        self._timer.activate()
        self.refresh()

    async def _poll(self) -> None:
        state = None if self._job is None else self._job.state
        if state is None or not state.is_over:
            self.refresh()
            return
        self._timer.deactivate()
        self._job = None
        if state.status is Status.FAILED:
            refused(InputError(state.error))
        elif state.status is Status.DONE:
            bet = self._bet
            if await self.change(lambda table: _bet(table, bet)):
                return
        self.refresh()

    def _look(self) -> None:
        """Show it when a table of several players has been solved in the background."""
        if self._view.players > 1 and self._session.model.view.strategies != self._view.strategies:
            self.refresh()

    async def press(self, key: str) -> None:
        """Choose by key, or switch the coach with C."""
        if key == "c":
            await self._switch_coach(not self._view.coach)
        else:
            await super().press(key)

    async def _switch_coach(self, speaks: bool) -> None:
        if speaks != self._session.model.coach:
            await self.change(lambda table: table.set_coach(speaks))

    async def _sit_down(self, seating: Seating) -> None:
        await self._session.replace(_fresh(seating, coach=self._session.model.coach))

    def _set_bet(self, bet: float | None) -> None:
        self._bet = round(bet, 2) if bet is not None else 0.0

    # What is shown

    def refresh(self) -> None:
        """Show the table as it is now."""
        self._view = self._session.model.view
        if not self._view.is_playing:
            self._bet = self._view.offered_bet
        self._show_fields()
        super().refresh()

    def _show_fields(self) -> None:
        """Set what is not drawn: the name of the table, the bet and the coach's switch."""
        view = self._view
        self._name.set_text(self._texts.shown(view.table))
        self._coach.set_value(view.coach)
        can_bet = self._job is None and not view.is_playing and view.bankroll >= SMALLEST_BET
        self._bet_row.set_visibility(can_bet)
        if can_bet:
            self._field.max = view.bankroll
            self._field.set_value(self._bet)

    def _draw_places(self) -> None:
        view = self._view
        with draw("div", classes="felt-places", style=hands_style(max(1, len(view.seats)))):
            if view.dealer is None:
                self._draw_empty_places()
                return
            with draw("div", classes="places dealers-place"):
                self._draw_place(view.dealer, "dealer")
            draw("div", view.outcome, f"outcome {view.outcome_tone}", role="status", data_testid="outcome")
            with draw("div", classes="places seats"):
                for seat, place in enumerate(view.seats, start=1):
                    self._draw_place(place, f"seat-{seat}")
            if view.remark is not None:
                self._draw_why(view.remark)

    def _draw_empty_places(self) -> None:
        is_dealer = self._view.role == "dealer"
        names = ("banker", "player") if is_dealer else ("dealer", "you")
        for name, classes in zip(names, ("places dealers-place", "places seats"), strict=True):
            with draw("div", classes=classes), draw("div", classes="place"):
                draw("div", say(f"banluck.place.{name}"), "place-name")
                fan((), self._texts, label=say(f"banluck.place.{name}"))
        draw("div", say("banluck.page.before_deal"), "outcome quiet felt-note")

    def _draw_why(self, remark: Remark) -> None:
        tone = "wrong" if remark.tone == "mistake" else "right"
        if len(remark.worths) < 2:
            draw_why(remark.text, "", tone, (), "remark")
            return
        hand, bust = self._held
        why = reason(remark.worths, unit="units", hand=hand, bust=bust)
        draw_why(remark.text, why, tone, bars(dict(remark.worths), remark.chosen, named=way_phrase), "remark")

    def _draw_place(self, place: Place, mark: str) -> None:
        with draw("div", classes="place mine" if place.is_mine else "place", data_testid=mark):
            draw("div", place.name, "place-name")
            fan(place.cards, self._texts, label=place.name)
            with draw("div", classes="hand-line"):
                draw("div", place.value, "place-value", data_testid="value")
                if mark != "dealer":
                    tone = {"win": "won", "loss": "lost"}.get(place.tone, "")
                    draw("span", _money(self._view.bet), f"chip {tone}", data_testid=f"chip-{tone}")
            if mark != "dealer":
                draw("div", place.result, "place-result", data_testid="result")

    def _draw_prompt(self) -> None:
        if self._job is None:
            draw("div", self._view.prompt, "prompt", data_testid="prompt")
            return
        is_waiting = self._job.state.status is Status.WAITING
        with draw("div", classes="line", role="status"):
            draw("span", classes="waiting", aria_hidden="true")
            waiting = waiting_text(self._services.jobs, self._job, self._texts)
            draw("span", waiting if is_waiting else say("banluck.page.solving"))

    def _show_bet(self) -> None:
        self._bet_row = tag("div", classes="bet-row")
        with self._bet_row:
            halve = tag("button", "½", "bet-button", type="button", aria_label=say("table.halve"))
            self._field = field = ui.number(
                self._texts("table.bet"), value=self._bet, min=SMALLEST_BET, format="%.6g"
            ).props('outlined dense data-testid="bet"')
            double = tag("button", "×2", "bet-button", type="button", aria_label=say("table.double"))
        field.on_value_change(lambda event: self._set_bet(event.value))
        field.on("keydown.enter", self._deal, args=[])
        halve.on("click", lambda: field.set_value(max(round(self._bet / 2, 2), SMALLEST_BET)), args=[])
        double.on("click", lambda: field.set_value(min(self._bet * 2, self._view.bankroll)), args=[])


def _held(view: BanluckView, rules: BanluckRules) -> tuple[str, float | None]:
    """Return the total that the visitor holds, and the chance that the next card busts it, by the cards that are seen."""
    mine = next((place for place in view.places if place.is_mine), None)
    if mine is None or mine.total is None:
        return "", None
    seen = [card for place in view.places for card in place.cards if card is not None]
    unseen = [card for card in range(DECK_SIZE) if card not in seen]
    held = [card for card in mine.cards if card is not None]
    if len(held) == MAX_CARDS:
        return str(mine.total), None
    busts = sum(evaluate((*held, card), rules).is_bust for card in unseen)
    return str(mine.total), busts / len(unseen)


def _draw_bankroll(view: BanluckView) -> None:
    with draw("section", classes="sheet stack", aria_label=say("table.bankroll")):
        with draw("div", classes="line"):
            fact(say("table.bankroll"), _money(view.bankroll), "bankroll", classes="money")
            if view.is_playing:
                key = "banluck.page.your_bet" if view.role == "player" else "banluck.page.each_bet"
                fact(say(key), _money(view.bet), "hand-bet")
        with draw("div", classes="facts", data_testid="totals"):
            for name, shown in _session(view.totals):
                fact(name, shown)


def _draw_coach(view: BanluckView) -> None:
    draw("p", view.coach_note, "quiet")
    if view.strategies:
        draw("p", view.strategies, "quiet", role="status", data_testid="strategies")


def _draw_story(view: BanluckView) -> None:
    if not view.told:
        return
    with draw("section", classes="sheet stack", aria_label=say("banluck.page.this_hand")):
        draw("h2", say("banluck.page.hand", number=view.number))
        with draw("ol", classes="told", data_testid="told"):
            for sentence in view.told:
                draw("li", sentence)


def _draw_history(view: BanluckView) -> None:
    if not view.history:
        return
    with draw("section", classes="sheet stack", aria_label=say("banluck.page.played")):
        draw("h2", say("banluck.page.played"))
        with (
            draw("div", classes="scroll", tabindex="0"),
            draw("table", classes="grid-table history-table", data_testid="history"),
        ):
            with draw("thead"), draw("tr"):
                for name in ("hand", "bet", "won", "mistakes"):
                    draw("th", say(f"banluck.column.{name}"), scope="col")
                for name in ("you" if view.role == "player" else "players", "dealer", "result"):
                    draw("th", say(f"banluck.column.{name}"), "wordy", scope="col")
            with draw("tbody"):
                for record in reversed(view.history[-_SHOWN_HANDS:]):
                    _draw_record(record, judged=view.totals.decisions > 0)


def _draw_record(record: HandRecord, *, judged: bool) -> None:
    with draw("tr"):
        draw("td", str(record.number), "number")
        draw("td", _money(record.bet), "number")
        draw(
            "td",
            _signed_money(record.won),
            "number good" if record.won > 0 else "number bad" if record.won < 0 else "number",
        )
        draw("td", figure(record.cost, ".3f") if judged else "–", "number")
        for shown in (record.cards, record.dealer_cards, record.story):
            draw("td", shown, "wordy")


def _session(totals: Totals) -> list[tuple[str, str]]:
    """Return the figures of the session, each with its name."""
    accuracy = "–" if totals.accuracy is None else figure(totals.accuracy, ".0%")
    return [
        (say("table.hands"), figure(totals.hands, ",")),
        (say("table.won"), _signed_money(totals.won)),
        (say("table.right"), accuracy),
        (say("table.mistakes_cost"), say("why.units", amount=totals.cost)),
    ]


def _money(amount: float) -> str:
    return figure(amount, ",.0f" if float(amount).is_integer() else ",.2f")


def _signed_money(amount: float) -> str:
    return figure(amount, "+,.0f" if float(amount).is_integer() else "+,.2f") if amount else "0"
