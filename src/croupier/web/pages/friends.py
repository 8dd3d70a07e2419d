"""Play with friends: a host chooses a game and opens a table."""

from functools import partial

from nicegui import ui

from croupier.errors import InputError
from croupier.web.friends.seats import LONGEST_NAME
from croupier.web.friends.tables import SharedTables
from croupier.web.pages import friends_table
from croupier.web.pages.friends_settings import SETTINGS
from croupier.web.parts.drawing import Drawing, draw
from croupier.web.parts.elements import button, tag
from croupier.web.parts.notices import refused
from croupier.web.parts.thumbnails import draw_thumbnail
from croupier.web.services import Services
from croupier.web.shell import Visit, frame, page

#: The games to choose from, with the picture of each.
_PICTURES = {"banluck": "banluck_table", "durak": "durak_party", "blackjack": "blackjack_table"}


def register(services: Services) -> None:
    """Put the pages on their addresses."""
    tables = SharedTables(services.sessions.store)
    friends_table.register(services, tables)

    @page("/friends")
    async def friends(game: str = "banluck") -> None:
        async with frame(
            services, "nav.friends", styles=("banluck", "home", "friends"), is_translated=True
        ) as visit:
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
        with tag("div", classes="lobby"):
            with tag("div", classes="sheet friends-form"):
                self._game = game
                self._games = Drawing(self._draw_games)
                self._name = ui.input(texts("friends.lobby.name")).props(
                    f'outlined dense maxlength={LONGEST_NAME} autocomplete="nickname" data-testid="name"'
                )
                self._options = tag("div", classes="stack friends-options")
                self._show_options()
                self._name.on("keydown.enter", self._open, args=[])
                with tag("div", classes="line"):
                    button(texts("friends.lobby.open"), "open-table", self._open, is_main=True)
            Drawing(self._draw_how)

    def _draw_games(self) -> None:
        """Draw the games to choose from."""
        texts = self._visit.texts
        with draw("div", classes="game-tiles", role="group", aria_label=texts("friends.lobby.game")):
            for kind, picture in _PICTURES.items():
                with draw(
                    "button",
                    classes="game-tile",
                    type="button",
                    aria_pressed="true" if kind == self._game else "false",
                    data_testid=f"game-{kind}",
                    on_click=partial(self._choose, kind),
                ):
                    draw_thumbnail(picture, texts)
                    draw("strong", texts(f"nav.{kind}"))
                    draw("span", texts(f"friends.lobby.{kind}"), "quiet small")

    def _draw_how(self) -> None:
        """Draw what happens after the table is open."""
        texts = self._visit.texts
        with draw("section", classes="felt lobby-how", aria_label=texts("friends.lobby.how")):
            draw("h2", texts("friends.lobby.how"))
            with draw("ol", classes="lobby-steps"):
                for step in ("open", "join", "play"):
                    with draw("li"), draw("div"):
                        draw("strong", texts(f"friends.lobby.how_{step}"))
                        draw("span", texts(f"friends.lobby.how_{step}_more"), "quiet")
            draw_thumbnail("friends", texts)

    def _choose(self, game: str) -> None:
        self._game = game
        self._games.refresh()
        self._show_options()

    def _show_options(self) -> None:
        self._options.clear()
        with self._options:
            self._setting = SETTINGS[self._game]()
            self._setting.show()

    async def _open(self) -> None:
        try:
            game = self._setting.game()
            live = await self._tables.open(self._visit.visitor, str(self._name.value or ""), game)
        except InputError as error:
            refused(error)
            return
        ui.navigate.to(f"/friends/{live.model.code}")
