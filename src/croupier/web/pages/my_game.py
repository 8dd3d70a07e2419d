"""My game: a visitor's profit curve, luck against skill, mistakes by kind, exports, and the way back to the tables."""

import asyncio
from collections.abc import Callable
from datetime import datetime

from fastapi import Response
from nicegui import app, ui

from croupier.runs.played import Figures, StoredHand
from croupier.texts import Texts, figure
from croupier.web.models.my_game import GAMES, FinishedHand, MistakeKind, MyGame, my_game, to_csv, to_json
from croupier.web.parts.chart import Line, draw_chart
from croupier.web.parts.drawing import Drawing, draw
from croupier.web.parts.elements import tag
from croupier.web.parts.facts import fact
from croupier.web.services import Services
from croupier.web.shell import Visit, frame, page

ADDRESS = "/my-game"

#: The tables that can be continued: the name of the session, the address, and the key of the title.
TABLES = (
    ("banluck", "/banluck/table", "nav.banluck_table"),
    ("blackjack", "/blackjack/table", "nav.blackjack_table"),
    ("blackjack-trainer", "/blackjack/trainer", "nav.blackjack_trainer"),
    ("durak", "/durak/table", "nav.durak_table"),
    ("durak party", "/durak/party", "nav.durak_party"),
)


def register(services: Services) -> None:
    """Put the page and the exports on their addresses."""

    @page(ADDRESS)
    async def my_game_page() -> None:
        async with frame(services, "nav.my_game", is_translated=True) as visit:
            await _MyGamePage(services, visit).build()

    @app.get(f"{ADDRESS}/hands.csv", include_in_schema=False)
    async def export_csv() -> Response:
        return await _export(services, to_csv, "text/csv", "croupier-hands.csv")

    @app.get(f"{ADDRESS}/hands.json", include_in_schema=False)
    async def export_json() -> Response:
        return await _export(services, to_json, "application/json", "croupier-hands.json")


async def _export(
    services: Services, write: Callable[[list[StoredHand]], str], kind: str, name: str
) -> Response:
    stored = await asyncio.to_thread(services.played.store.hands, str(app.storage.browser["id"]))
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(write(stored), media_type=f"{kind}; charset=utf-8", headers=headers)


class _MyGamePage:
    """One open page."""

    def __init__(self, services: Services, visit: Visit) -> None:
        self._services, self._visitor, self._texts = services, visit.visitor, visit.texts
        self._stored: list[StoredHand] = []
        self._game = ""
        self._is_sure = False

    async def build(self) -> None:
        """Lay the page out."""
        texts = self._texts
        updated = await asyncio.to_thread(self._services.sessions.store.names, self._visitor)
        await self._load()
        tag("h1", texts("nav.my_game"))
        tag("p", texts("mygame.intro"), "quiet")
        Drawing(lambda: draw_continue(updated, texts))
        if len(my_game(self._stored).by_game) > 1:
            options = {"": texts("mygame.all"), **{name: texts(f"nav.{name}") for name in GAMES}}
            ui.select(
                options,
                value="",
                label=texts("mygame.choose"),
                on_change=lambda event: self._choose(str(event.value or "")),
            ).props('outlined dense data-testid="game"').classes("narrow-field")
        self._content = Drawing(self._draw)

    async def _load(self) -> None:
        self._stored = await asyncio.to_thread(self._services.played.store.hands, self._visitor)

    def _choose(self, game: str) -> None:
        self._game = game
        self._content.refresh()

    async def _forget(self) -> None:
        """Forget all hands, if that is asked twice."""
        if not self._is_sure:
            self._is_sure = True
        else:
            await asyncio.to_thread(self._services.played.store.forget, self._visitor)
            await self._load()
            self._is_sure = False
            ui.notify(self._texts("mygame.forgotten"), position="top")
        self._content.refresh()

    def _draw(self) -> None:
        texts, mine = self._texts, my_game(self._stored, self._game)
        if not mine.total.hands:
            with draw("section", classes="sheet stack my-empty", data_testid="no-hands"):
                draw_first_steps(texts)
                with draw("div", classes="line"):
                    for name, address, title in TABLES:
                        if name in GAMES:
                            draw("a", texts(title), "plain-button", href=address)
            return
        with draw("section", classes="sheet stack", aria_label=texts("mygame.curve")):
            draw("h2", texts("mygame.curve"))
            draw_curve(mine, texts)
            draw_split(mine.total, texts)
            draw("p", texts("mygame.split"), "quiet small")
            if unpriced := mine.total.hands - mine.total.priced:
                draw("p", texts("mygame.unpriced", count=unpriced), "quiet small", data_testid="unpriced")
        with draw("div", classes="my-columns"):
            _draw_latest(mine.latest, texts)
            with draw("div", classes="stack"):
                _draw_mistakes(mine.mistakes, texts)
                self._draw_export(len(self._stored))

    def _draw_export(self, count: int) -> None:
        texts = self._texts
        with draw("section", classes="sheet stack", aria_label=texts("mygame.export")):
            draw("h2", texts("mygame.export"))
            draw("p", texts("mygame.export_help"), "quiet")
            with draw("div", classes="line"):
                for kind in ("csv", "json"):
                    draw(
                        "a",
                        texts(f"mygame.{kind}"),
                        "plain-button",
                        href=f"{ADDRESS}/hands.{kind}",
                        download=True,
                        data_testid=f"export-{kind}",
                    )
                draw(
                    "button",
                    texts("mygame.sure", count=count) if self._is_sure else texts("mygame.forget"),
                    "plain-button",
                    on_click=self._forget,
                    type="button",
                    data_testid="forget",
                )


def draw_first_steps(texts: Texts) -> None:
    """Draw what there will be once a hand is played: a curve that is only hinted at."""
    with draw(
        "svg", classes="ghost-curve", viewBox="0 0 100 40", preserveAspectRatio="none", aria_hidden="true"
    ):
        draw("line", x1="0", x2="100", y1="24", y2="24")
        draw("polyline", points="0,24 8,20 15,25 24,17 32,21 42,13 52,18 62,10 73,14 84,7 100,4")
    draw("p", texts("mygame.empty"))


def draw_continue(updated: dict[str, datetime], texts: Texts) -> None:
    """Draw links to the visitor's tables, the one used last first."""
    places = {name: (address, title) for name, address, title in TABLES}
    own = [(name, moment) for name, moment in updated.items() if name in places]
    if not own:
        return
    with draw("section", classes="sheet stack", aria_label=texts("mygame.continue")):
        draw("h2", texts("mygame.continue"))
        with draw("div", classes="line"):
            for name, moment in own:
                address, title = places[name]
                line = texts("mygame.continue_at", table=texts(title), time=texts.moment(moment))
                mark = f"continue-{name.replace(' ', '-')}"
                draw("a", line, "plain-button", href=address, data_testid=mark)


def draw_curve(mine: MyGame, texts: Texts, *, is_small: bool = False) -> None:
    """Draw the profit curve."""
    total = mine.total
    label = texts(
        "mygame.curve_label",
        hands=total.hands,
        won=total.won,
        luck=total.luck,
    )
    expected = Line(
        texts("mygame.line_expected"), [(point.hands, point.expected) for point in mine.curve], "soft"
    )
    won = Line(texts("mygame.line_won"), [(point.hands, point.won) for point in mine.curve])
    draw_chart((expected, won), label=label, across=texts("mygame.across"), is_small=is_small)


def draw_split(total: Figures, texts: Texts) -> None:
    """Draw what was won, and what it consists of."""
    accuracy = figure(total.right / total.decisions, ".1%") if total.decisions else "–"
    unpriced = total.won - (total.worth - total.cost + total.luck)
    with draw("div", classes="facts", data_testid="split"):
        fact(texts("mygame.hands"), figure(total.hands, ",d"), "my-hands")
        fact(texts("mygame.won"), signed_bets(total.won), "my-won", classes=_tone(total.won))
        fact(texts("mygame.worth"), signed_bets(total.worth + unpriced), "my-worth")
        fact(texts("mygame.mistakes"), signed_bets(-total.cost), "my-mistakes")
        fact(texts("mygame.luck"), signed_bets(total.luck), "my-luck")
        fact(texts("mygame.right"), accuracy, "my-right")


def signed_bets(amount: float) -> str:
    """Write an amount in bets.

    >>> signed_bets(1.5), signed_bets(-0.25), signed_bets(-0.001)
    ('+1.50', '−0.25', '0.00')
    """
    rounded = round(amount, 2) + 0.0
    return figure(rounded, "+.2f" if rounded else ".2f")


def mistake_text(kind: MistakeKind, texts: Texts) -> str:
    """Name a kind of mistake.

    >>> mistake_text(MistakeKind("banluck", "hit", "stand", 2, 0.1), Texts("en"))
    'Hit where “stand” was better'
    """
    chosen = texts(f"mygame.action.{kind.chosen}")
    chosen = chosen[0].upper() + chosen[1:]
    if kind.chosen == kind.best:
        return texts("mygame.kind_card", chosen=chosen)
    return texts("mygame.kind", chosen=chosen, best=texts(f"mygame.action.{kind.best}"))


def _draw_mistakes(mistakes: tuple[MistakeKind, ...], texts: Texts) -> None:
    with draw("section", classes="sheet stack", aria_label=texts("mygame.kinds")):
        draw("h2", texts("mygame.kinds"))
        if not mistakes:
            draw("p", texts("mygame.no_mistakes"), "good")
            return
        with (
            draw("div", classes="scroll", tabindex="0"),
            draw("table", classes="grid-table mistake-kinds", data_testid="kinds"),
        ):
            _draw_headings(("game", "mistake", "count", "cost"), texts)
            with draw("tbody"):
                for kind in mistakes:
                    with draw("tr"):
                        draw("td", texts(f"nav.{kind.game}"))
                        draw("td", mistake_text(kind, texts))
                        draw("td", str(kind.count), "number")
                        draw("td", figure(kind.cost, ".3f"), "number")


def _draw_latest(latest: tuple[FinishedHand, ...], texts: Texts) -> None:
    with draw("section", classes="sheet stack", aria_label=texts("mygame.latest")):
        draw("h2", texts("mygame.latest"))
        with (
            draw("div", classes="scroll", tabindex="0"),
            draw("table", classes="grid-table latest-hands", data_testid="latest"),
        ):
            _draw_headings(("time", "game", "won", "cost", "luck", "hand"), texts)
            with draw("tbody"):
                for entry in latest:
                    hand = entry.hand
                    with draw("tr"):
                        draw("td", texts.moment(entry.finished), "number moment")
                        draw("td", texts(f"nav.{hand.game}"))
                        draw("td", signed_bets(hand.won), f"number {_tone(hand.won)}")
                        draw("td", figure(hand.cost, ".3f") if hand.is_priced else "–", "number")
                        draw("td", signed_bets(hand.luck) if hand.is_priced else "–", "number")
                        draw("td", _story(hand.game, hand.story, texts), "small")


def _story(game: str, story: str, texts: Texts) -> str:
    return texts(f"durak.score.{story}") if game == "durak" else story


def _draw_headings(names: tuple[str, ...], texts: Texts) -> None:
    with draw("thead"), draw("tr"):
        for name in names:
            draw("th", texts(f"mygame.column_{name}"), scope="col")


def _tone(amount: float) -> str:
    return "good" if amount > 0 else "bad" if amount < 0 else ""
