"""The dialog in which a person chooses a blackjack table: rules and bankroll."""

import secrets
from collections.abc import Awaitable, Callable

from nicegui import ui

from croupier.blackjack.engine import BLACKJACK, BlackjackRules
from croupier.blackjack.play.table import USUAL_BANKROLL, BlackjackTable
from croupier.errors import InputError
from croupier.texts import Texts
from croupier.web.parts.elements import button, tag
from croupier.web.parts.notices import refused
from croupier.web.parts.rules_form import RulesForm


class SettingsDialog:
    """Asks how the next table is to be set.

    Parameters
    ----------
    texts
        The visitor's texts.
    table
        The table as it is; the dialog starts from its rules.
    on_seated
        Called with the new table.
    """

    def __init__(
        self,
        texts: Texts,
        table: BlackjackTable,
        on_seated: Callable[[BlackjackTable], Awaitable[object]],
    ) -> None:
        view = table.view
        self._rules, self._coach, self._on_seated = view.rules, view.coach, on_seated
        with (
            ui.dialog() as self._dialog,
            tag(
                "div", classes="sheet settings-sheet stack", role="dialog", aria_label=texts("table.settings")
            ),
        ):
            self._dialog.on("hide", self._dialog.delete)
            tag("h2", texts("table.settings"))
            tag("p", texts("table.new_session"), "quiet")
            self._bankroll = ui.number(texts("table.bankroll"), value=USUAL_BANKROLL).props(
                'outlined dense data-testid="start-bankroll"'
            )
            RulesForm(BLACKJACK, self._rules, self._take)
            with tag("div", classes="line"):
                button(texts("table.sit_down"), "sit-down", self._sit_down, is_main=True)
                button(texts("table.cancel"), None, self._dialog.close)

    def open(self) -> None:
        """Show the dialog."""
        self._dialog.open()

    async def _take(self, rules: BlackjackRules) -> None:
        self._rules = rules

    async def _sit_down(self) -> None:
        try:
            table = BlackjackTable.opened(
                self._rules,
                seed=secrets.randbits(64),
                bankroll=self._bankroll.value or 0.0,
                coach=self._coach,
            )
        except InputError as error:
            refused(error)
            return
        await self._on_seated(table)
        self._dialog.close()
