"""The dialog in which a person chooses a table: rules, side, players, opponents, bankroll."""

from collections.abc import Awaitable, Callable

from nicegui import ui

from croupier.banluck.engine import BANLUCK, BanluckRules
from croupier.banluck.engine.rules import REFERENCE
from croupier.banluck.engine.state import MAX_SEATS
from croupier.banluck.play.session import Seating
from croupier.banluck.solvers.opponent import OpponentName, Role
from croupier.errors import InputError
from croupier.texts import Texts
from croupier.web.parts.elements import button, tag
from croupier.web.parts.notices import refused
from croupier.web.parts.rules_form import RulesForm


class SeatingDialog:
    """Asks how the next table is to be set.

    Parameters
    ----------
    texts
        The visitor's texts.
    on_seated
        Called with what the person has chosen.
    """

    def __init__(self, texts: Texts, on_seated: Callable[[Seating], Awaitable[object]]) -> None:
        self._texts, self._on_seated = texts, on_seated
        self._rules = REFERENCE
        # The button that opened it does not get the focus back: Enter deals, and must not open the dialog again.
        self._dialog = ui.dialog().props("no-refocus")

    def open(self, seating: Seating) -> None:
        """Show it, with a seating to start from."""
        self._rules = seating.rules
        self._dialog.clear()
        texts = self._texts
        with self._dialog, tag("div", classes="sheet settings-form", aria_label=texts("table.settings")):
            tag("h2", texts("table.settings"))
            tag("p", texts("table.new_session"), "quiet")
            self._show_fields(seating)
            with ui.expansion(texts("rules_form.rules")).props('dense data-testid="table-rules"'):
                RulesForm(BANLUCK, self._rules, self._take_rules)
            with tag("div", classes="line"):
                tag("span", classes="spring")
                button(texts("table.cancel"), None, self._dialog.close)
                button(texts("table.sit_down"), "sit-down", self._sit, is_main=True)
        self._dialog.open()

    def _show_fields(self, seating: Seating) -> None:
        texts = self._texts
        with tag("div", classes="rules-form"):
            self._role = ui.select(
                {role.value: texts(f"banluck.seating.{role.value}") for role in Role},
                value=seating.role.value,
                label=texts("banluck.seating.role"),
            ).props('outlined dense data-testid="role"')
            self._players = ui.select(
                list(range(1, MAX_SEATS + 1)), value=seating.players, label=texts("banluck.seating.players")
            ).props('outlined dense data-testid="players"')
            self._opponent = ui.select(
                {name.value: texts(f"banluck.seating.{name.value}") for name in reversed(OpponentName)},
                value=seating.opponent.value,
                label=texts("banluck.seating.opponent"),
            ).props('outlined dense data-testid="opponent"')
            self._bankroll = ui.number(texts("table.bankroll"), value=seating.bankroll, min=1).props(
                'outlined dense data-testid="start-bankroll"'
            )

    async def _take_rules(self, rules: BanluckRules) -> None:
        self._rules = rules

    async def _sit(self) -> None:
        try:
            seating = Seating(
                self._rules,
                Role(self._role.value),
                int(self._players.value),
                OpponentName(self._opponent.value),
                float(self._bankroll.value or 0),
            )
        except InputError as error:
            refused(error)
            return
        self._dialog.close()
        await self._on_seated(seating)
