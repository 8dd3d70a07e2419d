"""Shared tables over real sockets: nobody is told of a closed card, and nobody can play for somebody else."""

import asyncio
import base64
import html
import json
import random
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import httpx
import pytest

from benchmarks.web_tab import Tab
from croupier.banluck import rules as banluck_rules
from croupier.blackjack import rules as blackjack_rules
from croupier.blackjack.engine import Session
from croupier.cards import parse_card
from croupier.durak.engine.observation import known_cards
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.rules import DURAK
from croupier.runs.database import open_database
from croupier.runs.sessions import SessionStore
from croupier.web.friends.banluck import BanluckEvening
from croupier.web.friends.blackjack import BlackjackEvening
from croupier.web.friends.durak import DurakEvening
from croupier.web.friends.game import Game
from croupier.web.friends.seats import Holder, Seat
from croupier.web.friends.table import Evening, SharedTable
from croupier.web.friends.tables import OWNER
from tests.web.friends.open_cards import own_cards, public_cards
from tests.web.serving import WebServer

NAMES = ("Ann", "<b>Ben</b>", "Cem")

#: A game of durak is looked at for so many clicks; the others until their hand is over.
MOST_CLICKS = 30

#: How often the store is looked at before a click counts as lost.
PATIENCE = 3000

_DRAWN = re.compile(r"cards/([2-9TJQKA][CDHS])\.svg|card-([2-9TJQKA][CDHS])\b")
_WRITTEN = re.compile(r"\b(10|[2-9TJQKA])([♣♦♥♠])")
_SPOKEN = re.compile(r"\b(ace|king|queen|jack|10|[2-9]) of (clubs|diamonds|hearts|spades)\b")
_DICE = random.Random(18)
_SUITS = {"♣": "C", "♦": "D", "♥": "H", "♠": "S"}


def cards_told(heard: list[str]) -> set[int]:
    """Return every card that stands anywhere in what a browser was sent: as a picture, a sign, a sentence or a spoken name."""
    text = html.unescape("\n".join(heard))
    found = {first or second for first, second in _DRAWN.findall(text)}
    found |= {("T" if rank == "10" else rank) + _SUITS[suit] for rank, suit in _WRITTEN.findall(text)}
    found |= {
        {"10": "T"}.get(rank, rank[0].upper()) + suit[0].upper() for rank, suit in _SPOKEN.findall(text)
    }
    return {parse_card(code) for code in found}


def test_cards_are_found_in_whatever_way_they_are_told() -> None:
    told = ['src="/cards/9H.svg"', "data-testid=card-TD", "Ann: 10♠ A♣", "alt=&quot;jack of clubs&quot;"]
    assert cards_told(told) == {parse_card(code) for code in ("9H", "TD", "TS", "AC", "JC")}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebServer]:
    server = WebServer(tmp_path_factory.mktemp("friends"))
    server.start()
    yield server
    assert server.stop() == 0


def new_visitor(server: WebServer) -> tuple[str, dict[str, str]]:
    """Return the id and the cookie of a visitor who has just come."""
    cookies = dict(httpx.get(f"{server.url}/friends", timeout=60).cookies)
    signed = cookies["session"].split(".")[0]
    payload = json.loads(base64.b64decode(signed + "=" * (-len(signed) % 4)))
    return payload["id"], cookies


class Table:
    """A shared table in the store, with a page open for everybody who sits there and one for somebody who watches."""

    def __init__(self, server: WebServer, code: str, tabs: list[Tab]) -> None:
        self.server, self.code, self.tabs = server, code, tabs

    def saved(self) -> dict[str, Any]:
        with open_database(self.server.store) as database:
            state = SessionStore(database).load(OWNER, self.code)
        assert state is not None
        return state

    @property
    def now(self) -> Evening:
        return SharedTable.from_state(self.saved()).now

    async def click(self, seat: int, name: str = "") -> None:
        """Let a seat click, once its page shows the table as it is, and wait until the server has done it."""
        tab, before = self.tabs[seat], self.saved()
        moment = SharedTable.from_state(before).now.game.moment(seat)
        await tab.until(lambda: f'data-moment="{moment}"' in tab.shown and bool(_offered(tab, name)))
        await tab.send(tab.click_message(_DICE.choice(_offered(tab, name))))
        for _ in range(PATIENCE):
            if self.saved() != before:
                return
            await asyncio.sleep(0.02)
        raise AssertionError("nothing has happened")

    async def shown_to_all(self) -> None:
        """Wait until every page of a seat shows the table as it is."""
        game = self.now.game
        for seat, tab in enumerate(self.tabs[: len(NAMES)]):
            mark = f'data-moment="{game.moment(seat)}"'
            await tab.until(lambda tab=tab, mark=mark: mark in tab.shown)  # type: ignore[misc]


def _offered(tab: Tab, name: str) -> list[str]:
    return [choice for choice in tab.choices() if name in ("", choice)]


@asynccontextmanager
async def open_table(server: WebServer, code: str, game: Game) -> AsyncIterator[Table]:
    visitors = [new_visitor(server) for _ in range(len(NAMES) + 1)]
    seats = tuple(
        Seat(name, Holder.PERSON, visitor) for name, (visitor, _) in zip(NAMES, visitors, strict=False)
    )
    with open_database(server.store) as database:
        SessionStore(database).save(
            OWNER, code, SharedTable(Evening(code, visitors[0][0], seats, game)).to_state()
        )
    async with AsyncExitStack() as stack:
        tabs = []
        for _, cookies in visitors:
            tab = Tab(server.url, f"/friends/{code}", cookies)
            tab.heard = []
            tabs.append(await stack.enter_async_context(tab))
        yield Table(server, code, tabs)


def allowed(game: Game, seat: int | None) -> set[int]:
    """Return the cards that a seat, or somebody who watches, may know."""
    if isinstance(game, BanluckEvening) and game.state is not None:
        mine = set() if seat is None else own_cards(game, game.state, seat)
        return public_cards(game, game.state) | mine
    if isinstance(game, DurakEvening) and game.state is not None:
        state = game.state
        public = {state.trump, *state.table, *state.thrown_in, *state.waiting, *state.discarded}
        public |= {card for place in range(len(state.hands)) for card in known_cards(state, place)}
        public |= {card for action in state.history for card in action.cards}
        return public | (set() if seat is None else set(state.hands[seat]))
    if isinstance(game, BlackjackEvening) and game.state is not None:
        hands = [card for place in game.state.seats for hand in place.hands for card in hand.cards]
        return {*hands, *game.state.visible_dealer_cards}
    return set()


def verify_nothing_leaks(table: Table, known: list[set[int]]) -> int:
    """Compare what each page was sent since the last look with what its seat has been able to know in this hand.

    Returns
    -------
    int
        How many cards the pages were told of.
    """
    game, count = table.now.game, 0
    for number, tab in enumerate(table.tabs):
        known[number] |= allowed(game, number if number < len(NAMES) else None)
        assert tab.heard is not None
        told = cards_told(tab.heard)
        tab.heard.clear()
        assert told <= known[number], f"page {number} was told of {told - known[number]} at {game.moment(0)}"
        count += len(told)
    return count


async def take_turn(table: Table) -> None:
    """Let whoever is asked bet, deal or play."""
    now = table.now
    game, seats = now.game, now.seats
    turn = game.turn(seats)
    if game.is_playing:
        assert turn is not None
        # Cards that are thrown in are chosen first and sent together; that is left to the browser tests.
        is_throwing_in = (
            isinstance(game, DurakEvening) and game.state is not None and game.state.phase is Phase.THROW_IN
        )
        await table.click(turn, "choice-pass" if is_throwing_in else "")
    elif isinstance(game, DurakEvening):
        await table.click(0, "choice-deal")
    else:
        assert isinstance(game, BanluckEvening | BlackjackEvening)
        dealer = game.dealer_now(seats) if isinstance(game, BanluckEvening) else None
        awaited = game.bets.awaited(seats, besides=dealer)
        if awaited:
            await table.click(awaited[0], "choice-bet")
        else:
            await table.click(dealer or 0, "choice-deal")


#: By the codes of their tables, which have no i, l or o. In one pack every card is another.
GAMES: dict[str, Game] = {
    "bandeckx": BanluckEvening(banluck_rules(), seed=11),
    "specxaas": BanluckEvening(banluck_rules(surrender="after_specials"), seed=12),
    "sngapurx": BanluckEvening(banluck_rules("singapore"), seed=15),
    "durakpas": DurakEvening(DURAK.rules("perevodnoy", players=3), "durak-dummy", seed=12),
    "durakjkr": DurakEvening(DURAK.rules("jokers", players=3), "durak-dummy", seed=13),
    "vegasbkj": BlackjackEvening(Session.opened(blackjack_rules("vegas-strip", decks=1), seed=13)),
    "eurapabk": BlackjackEvening(Session.opened(blackjack_rules("european", decks=1), seed=14)),
}


@pytest.mark.parametrize("code", GAMES)
def test_no_page_is_sent_a_closed_card(server: WebServer, code: str) -> None:
    async def play() -> int:
        async with open_table(server, code, GAMES[code]) as table:
            known: list[set[int]] = [set() for _ in table.tabs]
            told = 0
            for _ in range(MOST_CLICKS):
                await take_turn(table)
                await table.shown_to_all()  # a closed card that is told later may be open by then
                told += verify_nothing_leaks(table, known)
                game = table.now.game
                if game.moment(0).startswith("1/") and not game.is_playing:
                    break
            assert "<b>Ben" not in "".join(tab.shown for tab in table.tabs), "names are text, not HTML"
            return told

    assert asyncio.run(play()) > 0, "cards were dealt"


def test_nobody_can_act_for_another_seat(server: WebServer) -> None:
    """Not another guest, and not somebody who watches, even if they know the ids of the page."""

    async def attack() -> None:
        async with open_table(server, "attacked", BanluckEvening(banluck_rules(), seed=3)) as table:
            ann, ben, _, watcher = table.tabs
            await take_turn(table)
            await take_turn(table)
            await ann.until(lambda: "choice-deal" in ann.choices())
            forged = ann.click_message("choice-deal")
            for thief in (ben, watcher):
                await thief.send(forged)
            await table.click(
                1, "choice-sit-out"
            )  # Ben's own page answers, so his forged frame has been read
            async with Tab(server.url, "/blackjack/table", watcher.cookies) as other:
                await other.send(forged)
                await other.click((await other.until_choices())[0])
            assert table.now.game.moment(0) == "0/bets"
            await table.click(0, "choice-deal")
            assert table.now.game.moment(0).startswith("1/")

    asyncio.run(attack())


@pytest.mark.parametrize(
    "code", ["zzzzzzzz", "ZZZZZZZZ", "a", "a" * 4000, "%00", "%F0%9F%82%A1", "..%2F..%2Fetc", "<b>x</b>"]
)
def test_a_guessed_code_finds_nothing(server: WebServer, code: str) -> None:
    answer = httpx.get(f"{server.url}/friends/{code}", timeout=60)
    assert answer.status_code in (200, 404)
    assert "<b>x</b>" not in answer.text
    if answer.status_code == 200:
        assert "There is no such table" in answer.text
