"""The frame around every page: navigation, language, dark and light."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial

from nicegui import app, context, ui

from croupier.texts import DEFAULT_LANGUAGE, LANGUAGES, Texts
from croupier.web.parts.elements import tag
from croupier.web.preferences import Preferences
from croupier.web.services import Services
from croupier.web.sessions import TableSession

#: Every page: its address, the key of its full title, and the key of its title in the menu.
PAGES: dict[str, tuple[tuple[str, str, str], ...]] = {
    "nav.banluck": (
        ("/banluck", "banluck_explorer", "short.explorer"),
        ("/banluck/table", "banluck_table", "short.table"),
    ),
    "nav.blackjack": (
        ("/blackjack/table", "blackjack_table", "short.table"),
        ("/blackjack/trainer", "blackjack_trainer", "short.trainer"),
        ("/blackjack/simulator", "blackjack_simulator", "short.simulator"),
    ),
    "nav.durak": (
        ("/durak/table", "durak_table", "short.table"),
        ("/durak/party", "durak_party", "short.party"),
        ("/durak/arena", "durak_arena", "short.arena"),
        ("/durak/replay", "durak_replay", "short.replay"),
    ),
    "nav.solana": (("/solana", "solana", "nav.solana"),),
}


#: Restoring a table on a busy machine may take longer than NiceGUI's default of three seconds.
PATIENCE_SECONDS = 60.0

page = partial(ui.page, response_timeout=PATIENCE_SECONDS)


@dataclass(frozen=True, slots=True)
class Visit:
    """One visitor on one page.

    Attributes
    ----------
    visitor
        The visitor's id in the signed cookie.
    texts
        The texts in the visitor's language.
    """

    visitor: str
    texts: Texts


@asynccontextmanager
async def frame(
    services: Services,
    title: str,
    *,
    styles: Sequence[str] = (),
    is_table: bool = False,
    is_translated: bool = False,
) -> AsyncIterator[Visit]:
    """Build the frame; elements built inside the block become the content of the page.

    Parameters
    ----------
    services
        What the pages share.
    title
        The key of the page's title.
    styles
        Further style sheets of ``static/`` for this page, without their suffix.
    is_table
        Whether the page is a table, which fills the window.
    is_translated
        Whether the content is in the visitor's language; otherwise it is in English, and the page says so.
    """
    visitor = str(app.storage.browser["id"])
    session = await services.sessions.open(visitor, "preferences", Preferences, Preferences.from_state)
    wishes = context.client.request.headers.get("accept-language", "")
    texts = Texts(session.model.best_language(wishes))
    ui.page_title(f"{texts(title)} – Croupier")
    for style in ("croupier", *styles):
        ui.add_head_html(f'<link rel="stylesheet" href="/static/{style}.css">')
    ui.add_head_html(f'<script>document.documentElement.lang = "{texts.language}"</script>')
    _header(session, texts)
    # NiceGUI's layout is the page's main element; this is where the link at the top leads.
    language = None if is_translated else DEFAULT_LANGUAGE
    with tag("div", classes="page table-page" if is_table else "page", id="content", lang=language):
        yield Visit(visitor, texts)


def _header(session: TableSession[Preferences], texts: Texts) -> None:
    ui.colors(primary="#1b6b4a", secondary="#5b6673", accent="#b8860b")
    dark = ui.dark_mode(session.model.dark)
    ui.link(texts("shell.to_content"), "#content").classes("skip-link")
    with tag("header", classes="top"):
        ui.link("Croupier", "/").classes("brand")
        with tag("nav", classes="wide-only", aria_label=texts("shell.menu")):
            for game, pages in PAGES.items():
                _game_menu(texts, game, pages)
        tag("div", classes="spring")
        with _icon_button("translate", texts("shell.language"), "language"), ui.menu():
            for language, name in LANGUAGES.items():
                _menu_item(name, partial(_set_language, session, language)).props["lang"] = language
        _icon_button("contrast", texts("shell.theme"), "theme").on(
            "click", partial(_toggle_dark, session, dark)
        )
        with _icon_button("menu", texts("shell.menu"), "menu").classes("narrow-only"), ui.menu():
            for pages in PAGES.values():
                for address, name, _ in pages:
                    _menu_item(texts(f"nav.{name}"), partial(ui.navigate.to, address))


def _game_menu(texts: Texts, game: str, pages: Sequence[tuple[str, str, str]]) -> None:
    if len(pages) == 1:
        ui.link(texts(game), pages[0][0]).classes("nav-link")
        return
    with (
        ui.button(texts(game), color=None)
        .props("flat no-caps dense icon-right=expand_more")
        .classes("nav-button"),
        ui.menu(),
    ):
        for address, _, short in pages:
            _menu_item(texts(short), partial(ui.navigate.to, address))


def _menu_item(text: str, on_click: Callable[[], object]) -> ui.menu_item:
    return ui.menu_item(text, on_click).props("role=menuitem")


def _icon_button(icon: str, label: str, name: str) -> ui.button:
    button = ui.button(icon=icon, color=None).props("flat round dense")
    # A title, because Quasar's tooltips stay over an open menu on phones.
    button.props["aria-label"], button.props["title"], button.props["data-testid"] = label, label, name
    return button


async def _set_language(session: TableSession[Preferences], language: str) -> None:
    await session.change(lambda preferences: setattr(preferences, "language", language))
    ui.navigate.reload()


async def _toggle_dark(session: TableSession[Preferences], dark: ui.dark_mode) -> None:
    """Switch between dark and light; if the system decides, ask the browser what is shown."""
    shown = dark.value
    if shown is None:
        shown = bool(await ui.run_javascript("window.matchMedia('(prefers-color-scheme: dark)').matches"))
    dark.set_value(not shown)
    await session.change(lambda preferences: setattr(preferences, "dark", not shown))
