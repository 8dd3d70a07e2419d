"""Play with friends: a host chooses a game and opens a table."""

from nicegui import ui

from croupier.errors import InputError
from croupier.web.friends.seats import LONGEST_NAME
from croupier.web.friends.tables import SharedTables
from croupier.web.pages import friends_table
from croupier.web.pages.friends_settings import SETTINGS
from croupier.web.parts.elements import button, tag
from croupier.web.parts.notices import refused
from croupier.web.services import Services
from croupier.web.shell import Visit, frame, page


def register(services: Services) -> None:
    """Put the pages on their addresses."""
    tables = SharedTables(services.sessions.store)
    friends_table.register(services, tables)

    @page("/friends")
    async def friends(game: str = "banluck") -> None:
        async with frame(services, "nav.friends", styles=("banluck", "friends")) as visit:
            _Lobby(services, tables, visit).build(game if game in SETTINGS else "banluck")


class _Lobby:
    """The form in which a host opens a table."""

    def __init__(self, services: Services, tables: SharedTables, visit: Visit) -> None:
        self._services, self._tables, self._visit = services, tables, visit

    def build(self, game: str) -> None:
        """Put the page together."""
        tag("h1", self._visit.texts("nav.friends"))
        tag(
            "p",
            "Open a table, share its link or QR code, and everybody plays on their own phone or computer in this network.",
            "quiet",
        )
        if not self._services.settings.is_public:
            with tag("p", classes="sheet notice", role="note", data_testid="local-only"):
                tag("span", "Only this computer can open the table now. For phones, start Croupier with ")
                tag("code", "croupier serve --host 0.0.0.0")
                tag("span", ".")
        with tag("div", classes="sheet friends-form"):
            self._name = ui.input("your name").props(
                f'outlined dense maxlength={LONGEST_NAME} autocomplete="nickname" data-testid="name"'
            )
            names = {kind: setting.title for kind, setting in SETTINGS.items()}
            self._game = ui.select(names, value=game, label="game").props('outlined dense data-testid="game"')
            self._options = tag("div", classes="stack friends-options")
            self._show_options()
            self._game.on_value_change(lambda _: self._show_options())
            self._name.on("keydown.enter", self._open, args=[])
            with tag("div", classes="line"):
                button("Open the table", "open-table", self._open, is_main=True)

    def _show_options(self) -> None:
        self._options.clear()
        with self._options:
            self._setting = SETTINGS[str(self._game.value)]()
            tag("p", self._setting.help, "quiet")
            self._setting.show()

    async def _open(self) -> None:
        try:
            game = self._setting.game()
            live = await self._tables.open(self._visit.visitor, str(self._name.value or ""), game)
        except InputError as error:
            refused(error)
            return
        ui.navigate.to(f"/friends/{live.model.code}")
