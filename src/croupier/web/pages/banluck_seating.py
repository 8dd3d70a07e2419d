"""The dialog in which a person chooses a table: rules, side, players, opponents, bankroll."""

from collections.abc import Awaitable, Callable

from nicegui import ui

from croupier.banluck.engine import BANLUCK, BanluckRules
from croupier.banluck.engine.rules import REFERENCE
from croupier.banluck.engine.state import MAX_SEATS
from croupier.banluck.play.session import Seating
from croupier.banluck.solvers.opponent import OpponentName, Role
from croupier.errors import InputError
from croupier.web.parts.elements import button, tag
from croupier.web.parts.notices import refused
from croupier.web.parts.rules_form import RulesForm


class SeatingDialog:
    """Asks how the next table is to be set.

    Parameters
    ----------
    on_seated
        Called with what the person has chosen.
    """

    def __init__(self, on_seated: Callable[[Seating], Awaitable[object]]) -> None:
        self._on_seated = on_seated
        self._rules = REFERENCE
        # The button that opened it does not get the focus back: Enter deals, and must not open the dialog again.
        self._dialog = ui.dialog().props("no-refocus")

    def open(self, seating: Seating) -> None:
        """Show it, with a seating to start from."""
        self._rules = seating.rules
        self._dialog.clear()
        with self._dialog, tag("div", classes="sheet settings-form", aria_label="Table settings"):
            tag("h2", "Table settings")
            tag("p", "A new table starts a new session: bankroll and history begin again.", "quiet")
            self._show_fields(seating)
            with ui.expansion("Rules").props('dense data-testid="table-rules"'):
                RulesForm(BANLUCK, self._rules, self._take_rules)
            with tag("div", classes="line"):
                tag("span", classes="spring")
                button("Cancel", None, self._dialog.close)
                button("Sit down", "sit-down", self._sit, is_main=True)
        self._dialog.open()

    def _show_fields(self, seating: Seating) -> None:
        with tag("div", classes="rules-form"):
            self._role = ui.select(
                {Role.PLAYER.value: "player", Role.DEALER.value: "banker (dealer)"},
                value=seating.role.value,
                label="you are the",
            ).props('outlined dense data-testid="role"')
            self._players = ui.select(
                list(range(1, MAX_SEATS + 1)), value=seating.players, label="players at the table"
            ).props('outlined dense data-testid="players"')
            self._opponent = ui.select(
                {
                    OpponentName.EQUILIBRIUM.value: "the equilibrium",
                    OpponentName.SIMPLE.value: "rules of thumb",
                },
                value=seating.opponent.value,
                label="the others play by",
            ).props('outlined dense data-testid="opponent"')
            self._bankroll = ui.number("bankroll", value=seating.bankroll, min=1).props(
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
