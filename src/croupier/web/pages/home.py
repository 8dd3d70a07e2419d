"""The home page: links to all pages."""

from functools import partial

from croupier.cards import parse_cards
from croupier.texts import Texts
from croupier.web.parts.cards import show_card
from croupier.web.parts.drawing import Drawing, draw
from croupier.web.parts.elements import tag
from croupier.web.services import Services
from croupier.web.shell import PAGES, frame, page

_HERO = parse_cards("AS JH 6C QD")


def register(services: Services) -> None:
    """Register the page."""

    @page("/")
    async def home() -> None:
        async with frame(services, "nav.home", is_translated=True) as visit:
            with tag("section", classes="felt hero"):
                with tag("div", classes="stack"):
                    tag("h1", visit.texts("home.headline"))
                    tag("p", visit.texts("home.subtitle"), "quiet")
                Drawing(partial(_draw_hero, visit.texts))
            for game, pages in PAGES.items():
                tag("h2", visit.texts(game))
                with tag("div", classes="tiles"):
                    for address, name, short in pages:
                        with tag("a", classes="sheet tile", href=address, data_testid=f"tile-{name}"):
                            tag("h3", visit.texts(short))
                            tag("p", visit.texts(f"home.{name}"), "quiet")


def _draw_hero(texts: Texts) -> None:
    with draw("div", classes="hero-cards", aria_hidden="true"):
        for card in _HERO:
            show_card(card, texts)
