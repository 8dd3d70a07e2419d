"""The home page: the hand of the day, the visitor's own game in short, and pictures that lead to all pages."""

import asyncio
from functools import partial

from croupier.cards import parse_cards
from croupier.runs.played import StoredHand
from croupier.texts import Texts
from croupier.web.models.my_game import my_game
from croupier.web.pages import my_game as my_game_page
from croupier.web.pages.day_hand import open_day_hand
from croupier.web.parts.cards import show_card
from croupier.web.parts.drawing import Drawing, draw
from croupier.web.parts.elements import tag
from croupier.web.parts.thumbnails import draw_thumbnail
from croupier.web.services import Services
from croupier.web.shell import PAGES, frame, page

_HERO = parse_cards("AS JH 6C QD")

#: What a visitor most likely came for: the address, the key of the title, and the test id.
_WAYS_IN = (
    ("/banluck/table", "nav.banluck_table", "play-banluck"),
    ("/blackjack/table", "nav.blackjack_table", "play-blackjack"),
    ("/durak/table", "nav.durak_table", "play-durak"),
    ("/friends", "nav.friends", "play-with-friends"),
)


def register(services: Services) -> None:
    """Register the page."""

    @page("/")
    async def home() -> None:
        async with frame(services, "nav.home", styles=("home",), is_translated=True) as visit:
            texts = visit.texts
            stored = await asyncio.to_thread(services.played.store.hands, visit.visitor)
            updated = await asyncio.to_thread(services.sessions.store.names, visit.visitor)
            with tag("section", classes="felt hero"):
                with tag("div", classes="stack"):
                    tag("h1", texts("home.headline"))
                    tag("p", texts("home.subtitle"), "quiet")
                    with tag("div", classes="line"):
                        for address, key, mark in _WAYS_IN:
                            tag("a", texts(key), "action", href=address, data_testid=mark)
                Drawing(partial(_draw_hero, texts))
            with tag("div", classes="home-top"):
                await open_day_hand(services, visit)
                with tag("div", classes="stack"):
                    Drawing(lambda: my_game_page.draw_continue(updated, texts))
                    Drawing(lambda: _draw_my_game(stored, texts))
            Drawing(lambda: _draw_pages(texts))


def _draw_my_game(stored: list[StoredHand], texts: Texts) -> None:
    mine = my_game(stored)
    with draw("section", classes="sheet stack", aria_label=texts("nav.my_game"), data_testid="my-game"):
        draw("h2", texts("nav.my_game"))
        if not mine.total.hands:
            my_game_page.draw_first_steps(texts)
            draw("p", texts("mygame.intro"), "quiet small")
            return
        my_game_page.draw_curve(mine, texts, is_small=True)
        my_game_page.draw_split(mine.total, texts)
        draw("a", texts("mygame.more"), href=my_game_page.ADDRESS)


def _draw_pages(texts: Texts) -> None:
    """Draw the pages of each game below each other, and those that belong to none."""
    games = {game: pages for game, pages in PAGES.items() if len(pages) > 1}
    others = [page for pages in PAGES.values() if len(pages) == 1 for page in pages]
    named = (*((texts(game), pages) for game, pages in games.items()), (texts("home.more"), others))
    with draw("div", classes="home-games"):
        for title, pages in named:
            with draw("section", classes="home-game", aria_label=title):
                draw("h2", title)
                with draw("div", classes="home-tiles"):
                    for address, name, short in pages:
                        _draw_tile(address, name, texts(short), texts)


def _draw_tile(address: str, name: str, title: str, texts: Texts) -> None:
    with draw("a", classes="sheet home-tile", href=address, data_testid=f"tile-{name}"):
        draw_thumbnail(name, texts)
        with draw("div"):
            draw("h3", title)
            draw("p", texts(f"home.{name}"), "quiet")


def _draw_hero(texts: Texts) -> None:
    with draw("div", classes="hero-cards", aria_hidden="true"):
        for card in _HERO:
            show_card(card, texts)
