"""Tables for friends in two browsers: the bar is on screen, the keyboard is enough, and nothing closed is sent."""

import json
import os
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from croupier.durak.engine.pack import card_text
from croupier.web.friends.banluck import BanluckEvening
from croupier.web.friends.blackjack import BlackjackEvening
from croupier.web.friends.durak import DurakEvening
from croupier.web.friends.game import Game
from croupier.web.friends.seats import Seats
from croupier.web.friends.table import SharedTable
from croupier.web.friends.tables import OWNER
from tests.browser.listening import listened_to
from tests.browser.test_tables import verify_bar_on_screen
from tests.web.serving import WebServer

pytestmark = pytest.mark.verify

_CARD = re.compile(r"cards/(\w\w)\.svg")

#: Where axe-core lies, if somebody has it; tests/browser/test_accessibility.py gets it by npm for the pages without company.
AXE = os.environ.get("CROUPIER_AXE", "")

#: How many moves are made at each table.
MOVES = 12


class TwoPeople:
    """Ann, who has opened a table, and Ben, who has taken a seat there."""

    def __init__(self, server: WebServer, game: str, new_context: Callable[..., BrowserContext]) -> None:
        self.server = server
        contexts = [new_context(size=size, bypass_csp=bool(AXE)) for size in ("desktop", "phone")]
        self.pages = [context.new_page() for context in contexts]
        self.heard = [listened_to(page) for page in self.pages]
        ann, ben = self.pages
        ann.goto(f"{server.url}/friends?game={game}")
        ann.wait_for_function("window.did_handshake")
        verify_accessible(ann)
        ann.get_by_test_id("name").fill("Ann")
        self.heard[0].clear()  # the lobby shows pictures of cards, the same to everybody
        ann.keyboard.press("Enter")
        ann.wait_for_url(re.compile(r"/friends/[a-z0-9]{8}$"))
        ann.wait_for_function("window.did_handshake")
        self.code = ann.url.rpartition("/")[2]
        ben.goto(ann.url)
        ben.wait_for_function("window.did_handshake")
        verify_bar_on_screen(ben)
        ben.get_by_test_id("name").fill("Ben")
        ben.keyboard.press("Enter")
        expect(ann.get_by_test_id("person-2")).to_contain_text("Ben")
        expect(ben.get_by_test_id("person-2")).to_contain_text("you")
        for page in self.pages:
            page.locator("h1").click()  # the focus leaves the fields, so that keys choose

    def saved(self) -> SharedTable:
        with closing(sqlite3.connect(self.server.store)) as store:
            rows = store.execute(
                "select state from rooms where visitor = ? and room = ?", (OWNER, self.code)
            ).fetchall()
        return SharedTable.from_state(json.loads(rows[0][0]))

    def move(self) -> int:
        """Let whoever is asked press a key, and return who that was."""
        table = self.saved()
        now = table.now
        turn = now.game.turn(now.seats)
        seat = turn if turn is not None else self.awaited(now.game, now.seats)
        page = self.pages[seat]
        bar = self.bar(seat, now.game.moment(seat))
        bar.wait_for(state="attached")
        card = page.locator(".durak-hand .card-button:enabled .card-hint").first
        is_thrown_in = "Throw in" in (bar.text_content() or "")  # several cards are chosen, and then Enter
        if card.count() and not is_thrown_in and bar.get_by_test_id("choice-deal").count() == 0:
            key = str(card.text_content())[0]
        else:
            key = str(bar.locator("button:enabled kbd").first.text_content())
        page.keyboard.press({"⏎": "Enter"}.get(key, key.lower()))
        self.wait_for_change(table.to_state())
        return seat

    def awaited(self, game: Game, seats: Seats) -> int:
        """Return who has to bet, or who deals once all have."""
        if isinstance(game, DurakEvening):
            return 1
        assert isinstance(game, BanluckEvening | BlackjackEvening)
        dealer = game.dealer_now(seats) if isinstance(game, BanluckEvening) else None
        return next(iter(game.bets.awaited(seats, besides=dealer)), dealer or 0)

    def bar(self, seat: int, moment: str) -> Locator:
        return self.pages[seat].locator(f'.action-bar[data-moment="{moment}"]')

    def wait_for_change(self, before: object) -> None:
        for _ in range(600):
            if self.saved().to_state() != before:
                return
            self.pages[0].wait_for_timeout(50)
        raise AssertionError("nothing has happened")


def verify_accessible(page: Page) -> None:
    if AXE:
        page.wait_for_load_state("networkidle")
        page.add_script_tag(path=AXE)
        found = page.evaluate(
            "async () => (await axe.run()).violations.map(v => [v.id, v.nodes.map(n => n.html)])"
        )
        assert found == []


def verify_nothing_leaks(people: TwoPeople) -> None:
    """Compare what each browser was told with the cards that its seat has never been able to see."""
    game = people.saved().now.game
    for seat, heard in enumerate(people.heard):
        told = {code for text in heard for code in _CARD.findall(text)}
        if isinstance(game, DurakEvening) and game.state is not None:
            state = game.state
            played = {card for action in state.history for card in action.cards}
            hidden = (set(state.hands[1 - seat]) | set(state.stock)) - played - {state.trump}
            assert not told & {card_text(card) for card in hidden}
        if isinstance(game, BlackjackEvening) and game.state is not None and game.number == 1:
            round_ = game.state
            seen = [card for place in round_.seats for hand in place.hands for card in hand.cards]
            assert told <= {card_text(card) for card in (*seen, *round_.visible_dealer_cards)}


@pytest.mark.parametrize("game", ["banluck", "durak", "blackjack"])
def test_two_people_play_by_keyboard(
    server: WebServer, new_context: Callable[..., BrowserContext], game: str
) -> None:
    people = TwoPeople(server, game, new_context)
    for page in people.pages:
        verify_bar_on_screen(page)
    for number in range(MOVES):
        seat = people.move()
        verify_nothing_leaks(people)
        if number in (1, 3, 7):
            verify_bar_on_screen(people.pages[seat])
    for page in people.pages:
        verify_accessible(page)
    ann, ben = people.pages
    ann.get_by_test_id("pause").click()
    expect(ben.get_by_test_id("paused")).to_be_visible()
    ann.get_by_test_id("end").click()
    ann.get_by_test_id("end-now").click()
    expect(ben.get_by_test_id("ended")).to_be_visible()


def test_an_unknown_link_and_a_missing_name_are_refused_in_a_line(
    server: WebServer, new_context: Callable[..., BrowserContext]
) -> None:
    page = new_context().new_page()
    page.goto(f"{server.url}/friends/nothing2")
    expect(page.get_by_test_id("no-table")).to_have_text("There is no such table; ask the host for the link.")
    page.goto(f"{server.url}/friends")
    page.wait_for_function("window.did_handshake")
    page.get_by_test_id("open-table").click()
    expect(page.locator(".q-notification")).to_contain_text(
        "A name is missing; type one of 1 to 20 characters."
    )
