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
        async with frame(services, "nav.friends", styles=("banluck", "friends"), is_translated=True) as visit:
            _Lobby(services, tables, visit).build(game if game in SETTINGS else "banluck")


class _Lobby:
    """The form in which a host opens a table."""

    def __init__(self, services: Services, tables: SharedTables, visit: Visit) -> None:
        self._services, self._tables, self._visit = services, tables, visit

    def build(self, game: str) -> None:
        """Put the page together."""
        texts = self._visit.texts
        tag("h1", texts("nav.friends"))
        tag("p", texts("friends.lobby.intro"), "quiet")
        if not self._services.settings.is_public:
            with tag("p", classes="sheet notice", role="note", data_testid="local-only"):
                tag("span", f"{texts('friends.lobby.local_only')} ")
                tag("code", "croupier serve --host 0.0.0.0")
        with tag("div", classes="sheet friends-form"):
            self._name = ui.input(texts("friends.lobby.name")).props(
                f'outlined dense maxlength={LONGEST_NAME} autocomplete="nickname" data-testid="name"'
            )
            names = {kind: texts(f"nav.{kind}") for kind in SETTINGS}
            self._game = ui.select(names, value=game, label=texts("friends.lobby.game")).props(
                'outlined dense data-testid="game"'
            )
            self._options = tag("div", classes="stack friends-options")
            self._show_options()
            self._game.on_value_change(lambda _: self._show_options())
            self._name.on("keydown.enter", self._open, args=[])
            with tag("div", classes="line"):
                button(texts("friends.lobby.open"), "open-table", self._open, is_main=True)

    def _show_options(self) -> None:
        self._options.clear()
        with self._options:
            game = str(self._game.value)
            self._setting = SETTINGS[game]()
            tag("p", self._visit.texts(f"friends.lobby.{game}"), "quiet")
            self._setting.show()

    async def _open(self) -> None:
        try:
            game = self._setting.game()
            live = await self._tables.open(self._visit.visitor, str(self._name.value or ""), game)
        except InputError as error:
            refused(error)
            return
        ui.navigate.to(f"/friends/{live.model.code}")
