"""The bets before a round: how many hands, how much on each, and the side bets."""

from collections.abc import Awaitable, Callable
from functools import partial

from nicegui import ui

from croupier.blackjack.engine import MAX_SEATS, NO_SIDE_BETS, SideBets
from croupier.blackjack.engine.side_bets import SIDE_BETS, SideBet
from croupier.blackjack.play.phrases import money
from croupier.blackjack.play.view import TableView
from croupier.texts import Texts
from croupier.web.parts.elements import tag

_CHIPS = (1, 5, 25, 100)


class BetForm:
    """Fields for the bets of the next round; they begin with those of the round before, and are there only while bets are taken.

    Parameters
    ----------
    texts
        The visitor's texts.
    view
        The table.
    on_deal
        Called when Enter is pressed in a field.
    """

    def __init__(self, texts: Texts, view: TableView, on_deal: Callable[[], Awaitable[object]]) -> None:
        self._texts, self._on_deal = texts, on_deal
        self._take(view)
        self._form = tag("div", classes="bet-form", role="group", aria_label=texts("blackjack.bets.title"))
        with self._form:
            self._fields = ui.refreshable(self._show_fields)
            self._fields()
        self.show(view)

    def show(self, view: TableView) -> None:
        """Follow the table; what has been typed stays until the table offers something else."""
        self._form.set_visibility(view.is_betting and not view.is_broke)
        if (view.rules, view.bets, view.side_bets, view.side_values) == self._offer:
            return
        shown = (self._rules, self._bets, self.side_bets, self._values)
        self._take(view)
        if shown != (self._rules, self._bets, self.side_bets, self._values):
            self._fields.refresh()

    def _take(self, view: TableView) -> None:
        self._offer = (view.rules, view.bets, view.side_bets, view.side_values)
        self._rules = view.rules
        self._bets = list(view.bets)
        self._sides = view.side_bets.amounts
        self._values = view.side_values

    @property
    def bets(self) -> list[float]:
        """A bet for every hand."""
        return list(self._bets)

    @property
    def side_bets(self) -> SideBets:
        """What goes on the side bets of every hand."""
        return SideBets(**self._sides)

    def _show_fields(self) -> None:
        texts = self._texts
        with tag("div", classes="bet-line"):
            for place in range(len(self._bets)):
                self._bet_field(place)
        with tag("div", classes="bet-line"):
            for chip in _CHIPS:
                if chip <= self._rules.maximum_bet:
                    more = texts("blackjack.bets.more", chip=chip)
                    self._button(f"+{chip}", more, f"chip-{chip}", partial(self._raise, chip))
            smallest = texts("blackjack.bets.smallest", bet=money(self._rules.minimum_bet))
            self._button(texts("blackjack.bets.min"), smallest, "chip-min", self._lower)
        with tag("div", classes="bet-line"):
            tag("span", texts("blackjack.bets.hands"))
            fewer, more = texts("blackjack.bets.one_less"), texts("blackjack.bets.one_more")
            self._button("−", fewer, "fewer-hands", self._remove, enabled=len(self._bets) > 1)
            tag("strong", f"{len(self._bets)}", data_testid="hand-count")
            self._button("+", more, "more-hands", self._add, enabled=len(self._bets) < MAX_SEATS)
        with tag("details", classes="side-bets", open=self.side_bets != NO_SIDE_BETS):
            tag("summary", texts("blackjack.bets.side"), data_testid="side-bets")
            with tag("div", classes="side-fields"):
                for side_bet in SIDE_BETS:
                    self._side_field(side_bet)

    def _button(
        self, text: str, label: str, mark: str, on_click: Callable[[], None], *, enabled: bool = True
    ) -> None:
        button = tag(
            "button",
            text,
            "chip-button",
            type="button",
            aria_label=f"{text}: {label}",
            data_testid=mark,
            disabled=not enabled,
        )
        if enabled:
            button.on("click", on_click, args=[])

    def _bet_field(self, place: int) -> None:
        key = "table.bet" if len(self._bets) == 1 else "blackjack.bets.numbered"
        label = self._texts(key, number=place + 1)
        field = ui.number(
            label, value=self._bets[place], on_change=lambda event: self._set_bet(place, event.value)
        )
        field.props(f'outlined dense dark data-testid="bet-{place + 1}"').classes("bet-field")
        field.on("keydown.enter", self._on_deal, args=[])

    def _side_field(self, side_bet: SideBet) -> None:
        label = self._texts(f"blackjack.side.{side_bet.key}")
        if side_bet.key in self._values:
            label = self._texts("blackjack.bets.valued", bet=label, value=self._values[side_bet.key])
        mark = side_bet.name.replace(" ", "-")
        field = ui.number(
            label,
            value=self._sides[side_bet.key],
            min=0,
            on_change=lambda event: self._set_side(side_bet.key, event.value),
        )
        field.props(f'outlined dense dark data-testid="{mark}"').classes("bet-field")
        field.on("keydown.enter", self._on_deal, args=[])

    def _set_bet(self, place: int, value: float | None) -> None:
        self._bets[place] = value or 0.0

    def _set_side(self, key: str, value: float | None) -> None:
        self._sides[key] = value or 0.0

    def _add(self) -> None:
        self._bets.append(self._bets[-1])
        self._fields.refresh()

    def _remove(self) -> None:
        self._bets.pop()
        self._fields.refresh()

    def _raise(self, chip: float) -> None:
        self._bets = [min(bet + chip, self._rules.maximum_bet) for bet in self._bets]
        self._fields.refresh()

    def _lower(self) -> None:
        self._bets = [self._rules.minimum_bet] * len(self._bets)
        self._fields.refresh()
