"""The frame around every page: navigation, language, dark and light."""

import json
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import cache, partial
from html import escape
from typing import Literal

from fastapi import Response
from nicegui import app, context, ui
from pydantic import BaseModel, ConfigDict

from croupier.texts import DEFAULT_LANGUAGE, HTML_LANGUAGES, LANGUAGES, Texts
from croupier.web.parts.drawing import draw, written
from croupier.web.parts.elements import tag
from croupier.web.parts.language import set_page_texts
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
        ("/blackjack/counter", "blackjack_counter", "short.counter"),
        ("/blackjack/simulator", "blackjack_simulator", "short.simulator"),
    ),
    "nav.durak": (
        ("/durak/table", "durak_table", "short.table"),
        ("/durak/party", "durak_party", "short.party"),
        ("/durak/exercise", "durak_exercise", "short.exercise"),
        ("/durak/arena", "durak_arena", "short.arena"),
        ("/durak/replay", "durak_replay", "short.replay"),
    ),
    "nav.my_game": (("/my-game", "my_game", "nav.my_game"),),
    "nav.friends": (("/friends", "friends", "nav.friends"),),
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
        The texts of the page's content: in the visitor's language, or in English where the page is not translated.
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
    body = texts if is_translated else Texts(DEFAULT_LANGUAGE)
    set_page_texts(body)
    ui.page_title(f"{texts(title)} – Croupier")
    for style in ("croupier", *styles):
        ui.add_head_html(f'<link rel="stylesheet" href="/static/{style}.css">')
    ui.add_head_html('<script defer src="/static/shell.js"></script>')
    ui.add_head_html(_head_html(f"{texts(title)} – Croupier", texts("home.subtitle"), own_address()))
    ui.add_head_html(_language_script(texts.language))
    _header(session, texts)
    # NiceGUI's layout is the page's main element; this is where the link at the top leads.
    language = None if is_translated else DEFAULT_LANGUAGE
    with tag("div", classes="page table-page" if is_table else "page", id="content", lang=language):
        yield Visit(visitor, body)


@cache
def _language_script(language: str) -> str:
    """Return what tells the browser the language, and what the page says when it loses its connection."""
    texts = Texts(language)
    said = [texts(f"shell.{name}") for name in ("lost", "reconnecting", "too_long", "too_long_help")]
    written = json.dumps(said).replace("<", "\\u003c")
    return f'<script>document.documentElement.lang = "{HTML_LANGUAGES[language]}"; const popupTexts = {written}</script>'


def own_address() -> str:
    """Return the address of this server as the visitor knows it; shared links name the picture by it."""
    request = context.client.request
    return f"{request.url.scheme}://{request.headers.get('host', '')}"


def _head_html(title: str, description: str, address: str) -> str:
    """Return what makes the page an app that can be installed, and a link to it a card with a picture.

    >>> 'content="http://localhost:8080/static/share.png"' in _head_html("Croupier", "Cards", "http://localhost:8080")
    True
    """
    properties = {
        "og:title": title,
        "og:description": description,
        "og:type": "website",
        "og:image": f"{address}/static/share.png",
    }
    return (
        '<link rel="manifest" href="/static/manifest.webmanifest"><meta name="theme-color" content="#1b6b4a">'
        '<link rel="apple-touch-icon" href="/static/icon-180.png"><meta name="twitter:card" content="summary_large_image">'
        f'<meta name="description" content="{escape(description)}">'
        + "".join(f'<meta property="{name}" content="{escape(text)}">' for name, text in properties.items())
    )


def register(services: Services) -> None:
    """Put the address on which the header saves preferences."""

    @app.post("/preferences", include_in_schema=False)
    async def save_preferences(wishes: Wishes) -> Response:
        visitor = str(app.storage.browser["id"])
        session = await services.sessions.open(visitor, "preferences", Preferences, Preferences.from_state)
        changes = wishes.model_dump(exclude_none=True)

        def change(preferences: Preferences) -> None:
            for name, value in changes.items():
                setattr(preferences, name, value)

        await session.change(change)
        return Response(status_code=204)


class Wishes(BaseModel):
    """What a visitor has chosen in the header."""

    model_config = ConfigDict(extra="forbid")

    language: Literal[tuple(LANGUAGES)] | None = None  # type: ignore[valid-type]
    dark: bool | None = None


def _header(session: TableSession[Preferences], texts: Texts) -> None:
    """Build the header as one element: every page has it, and menus of a hundred elements would take most of a page's time."""
    ui.colors(primary="#1b6b4a", secondary="#5b6673", accent="#b8860b")
    ui.dark_mode(session.model.dark)
    ui.html(_header_html(texts.language), sanitize=False, tag="header").classes("top")


@cache
def _header_html(language: str) -> str:
    texts = Texts(language)

    def paint() -> None:
        draw("a", texts("shell.to_content"), "skip-link", href="#content")
        draw("a", "Croupier", "brand", href="/")
        with draw("nav", classes="wide-only", aria_label=texts("shell.menu")):
            for game, pages in PAGES.items():
                _draw_game_menu(texts, game, pages)
        draw("div", classes="spring")
        with _menu("language", texts("shell.language")):
            for code, name in LANGUAGES.items():
                draw(
                    "button", name, "menu-item", type="button", lang=HTML_LANGUAGES[code], data_language=code
                )
        draw(
            "button",
            "",
            "icon-button sign-theme",
            type="button",
            data_theme=True,
            aria_label=texts("shell.theme"),
            title=texts("shell.theme"),
            data_testid="theme",
        )
        with _menu("menu", texts("shell.menu"), classes="narrow-only"):
            for pages in PAGES.values():
                for address, name, _ in pages:
                    draw("a", texts(f"nav.{name}"), "menu-item", href=address)

    return written(paint)[0]


def _draw_game_menu(texts: Texts, game: str, pages: Sequence[tuple[str, str, str]]) -> None:
    if len(pages) == 1:
        draw("a", texts(game), "nav-link", href=pages[0][0])
        return
    with draw("details", classes="menu"):
        draw("summary", texts(game), "nav-link")
        with draw("div", classes="menu-sheet"):
            for address, _, short in pages:
                draw("a", texts(short), "menu-item", href=address)


@contextmanager
def _menu(mark: str, label: str, *, classes: str = "") -> Iterator[None]:
    """Draw a sign that opens a menu."""
    with draw("details", classes=f"menu {classes}"):
        sign = f"icon-button sign-{mark}"
        draw("summary", "", sign, aria_label=label, title=label, data_testid=mark)
        with draw("div", classes="menu-sheet right"):
            yield
