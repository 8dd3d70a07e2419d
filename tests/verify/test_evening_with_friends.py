"""An evening of Banluck in five browsers: thirty hands, a lost network, a killed server, and somebody who goes home."""

import json
import os
import random
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from croupier.cards import parse_card
from croupier.web.friends.banluck import BanluckEvening
from croupier.web.friends.payments import signed_money
from croupier.web.friends.table import SharedTable
from croupier.web.friends.tables import OWNER
from tests.browser.listening import listened_to
from tests.web.friends.open_cards import own_cards, public_cards
from tests.web.serving import WebServer

pytestmark = pytest.mark.verify

HANDS, LOST_NETWORK, KILLED, GONE = 30, 8, 16, 24
NAMES = ("Ann", "Ben", "Cem", "Dao", "Eva")
PATIENCE_MS = 120_000
_CARD = re.compile(r"cards/(\w\w)\.svg")


@dataclass
class Person:
    """One browser at the table, and every card that it was told of in this hand."""

    context: BrowserContext
    page: Page
    heard: list[str] = field(default_factory=list)

    def cards(self) -> set[int]:
        return {parse_card(code) for text in self.heard for code in _CARD.findall(text)}


@dataclass
class Evening:
    """The table as the server has saved it, and the people before it."""

    server: WebServer
    people: list[Person]
    code: str = ""
    checks: int = 0
    gone: set[int] = field(default_factory=set)
    was_offline: bool = False
    known_text: str = ""
    known: SharedTable | None = None

    def saved_text(self) -> str:
        """Return the table as it stands in the store; whether it has changed is seen without building it again."""
        with closing(sqlite3.connect(self.server.store)) as store:
            rows = store.execute(
                "select state from rooms where visitor = ? and room = ?", (OWNER, self.code)
            ).fetchall()
        return str(rows[0][0])

    def saved(self) -> SharedTable:
        text = self.saved_text()
        if text != self.known_text or self.known is None:
            self.known_text, self.known = text, SharedTable.from_state(json.loads(text))
        return self.known

    def game(self) -> BanluckEvening:
        game = self.saved().now.game
        assert isinstance(game, BanluckEvening)
        return game

    def verify_nothing_leaks(self) -> None:
        """Compare what each browser was told in this hand with what its seat may know."""
        game = self.game()
        assert game.state is not None
        for seat, person in enumerate(self.people):
            if seat in self.gone:
                continue
            allowed = public_cards(game, game.state) | own_cards(game, game.state, seat)
            assert person.cards() <= allowed, f"{NAMES[seat]} was told of a closed card in hand {game.number}"
            self.checks += 1

    def click(self, seat: int, name: str) -> None:
        """Click, and wait until the server has done it."""
        table = self.saved()
        before = self.known_text
        # A click on an earlier question would not count.
        bar = f'.action-bar[data-moment="{table.now.game.moment(seat)}"]'
        self.people[seat].page.locator(f'{bar} [data-testid="choice-{name}"]').click()
        assert self.has_changed(before), f"nothing has happened in hand {self.game().number}"

    def has_changed(self, before: str) -> bool:
        page = self.people[0].page
        for _ in range(PATIENCE_MS // 20):
            if self.saved_text() != before:
                return True
            page.wait_for_timeout(20)
        return False


@pytest.fixture
def chromium() -> Iterator[Browser]:
    program = next((path for name in ("chromium", "google-chrome") if (path := shutil.which(name))), None)
    if program is None:
        pytest.skip("no Chromium on this machine")
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=program, args=arguments)
        yield browser
        browser.close()


@pytest.fixture
def evening(chromium: Browser, tmp_path: Path) -> Iterator[Evening]:
    server = WebServer(tmp_path)
    server.start()
    people = []
    for number in range(len(NAMES)):
        size = {"width": 1280, "height": 720} if number == 0 else {"width": 390, "height": 844}
        # Five browsers that draw moving cards would take most of the machine.
        context = chromium.new_context(viewport=size, locale="en-GB", reduced_motion="reduce")  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        people.append(Person(context, page, listened_to(page)))
    yield Evening(server, people)
    server.stop()


def seat_everybody(evening: Evening) -> None:
    host, *others = evening.people
    host.page.goto(f"{evening.server.url}/friends")
    host.page.wait_for_function("window.did_handshake")
    host.page.get_by_test_id("name").fill(NAMES[0])
    host.page.get_by_test_id("open-table").click()
    host.page.wait_for_url(re.compile(r"/friends/[a-z0-9]{8}$"))
    evening.code = host.page.url.rpartition("/")[2]
    link = host.page.get_by_test_id("link").inner_text()
    for name, person in zip(NAMES[1:], others, strict=True):
        person.page.goto(link)
        person.page.wait_for_function("window.did_handshake")
        person.page.get_by_test_id("name").fill(name)
        person.page.get_by_test_id("join").click()
        person.page.get_by_test_id("choice-bet").wait_for()


def play_hand(evening: Evening, luck: random.Random, number: int) -> None:
    dealer = (number - 1) % len(NAMES)
    gone = evening.gone
    for seat in range(len(NAMES)):
        if seat != dealer and seat not in gone:
            evening.click(seat, "bet")
    if dealer not in gone:
        for seat, person in enumerate(evening.people):
            if seat not in gone:
                to_deal = "You hold the bank: deal." if seat == dealer else f"{NAMES[dealer]} is to deal."
                expect(person.page.get_by_test_id("prompt")).to_contain_text(to_deal, timeout=PATIENCE_MS)
                person.heard.clear()
        evening.click(dealer, "deal")
    if number == KILLED:
        kill_server(evening)
    while (game := evening.game()).number < number or game.is_playing:
        if game.number == number and dealer not in gone:
            evening.verify_nothing_leaks()
        take_turn(evening, luck, number)


def take_turn(evening: Evening, luck: random.Random, number: int) -> None:
    table = evening.saved()
    now = table.now
    turn = now.game.turn(now.seats)
    if turn is None or now.seats[turn].is_engine:
        if evening.saved_text() == evening.known_text:
            evening.people[0].page.wait_for_timeout(50)
        return
    if number == LOST_NETWORK and turn == 2 and not evening.was_offline:
        lose_network(evening, turn)
    assert isinstance(now.game, BanluckEvening)
    names = [choice.name for choice in now.game.choices(turn, now.seats) if choice.enabled]
    evening.click(turn, luck.choice(names))


def lose_network(evening: Evening, seat: int) -> None:
    """Take the network from a phone at its turn; when it is back, so is the seat, without a touch."""
    evening.was_offline = True
    person = evening.people[seat]
    person.context.set_offline(True)
    # The host sees it once the server misses the phone.
    away = evening.people[0].page.get_by_test_id(f"person-{seat + 1}")
    expect(away).to_contain_text("away", timeout=PATIENCE_MS)
    person.context.set_offline(False)
    expect(away).not_to_contain_text("away", timeout=PATIENCE_MS)


def kill_server(evening: Evening) -> None:
    """Kill the server in the middle of a hand, as a power cut would; every page comes back to its seat by itself."""
    before = evening.saved_text()
    for person in evening.people:
        person.page.evaluate("window.isOld = true")
    evening.server.kill()
    evening.server.start()
    for number, person in enumerate(evening.people, start=1):
        mine = person.page.get_by_test_id(f"person-{number}")
        expect(mine).to_contain_text("you", timeout=PATIENCE_MS)
        # A page loads itself again; a click on the old one would be lost.
        person.page.wait_for_function("!window.isOld && window.did_handshake")
    expect(evening.people[0].page.get_by_test_id("people")).not_to_contain_text("away", timeout=PATIENCE_MS)
    assert evening.saved_text() == before
    for person in evening.people:  # what a reload sends counts too
        person.heard.append(person.context.request.get(person.page.url).text())


def test_an_evening_of_banluck(evening: Evening, capsys: pytest.CaptureFixture[str]) -> None:
    seat_everybody(evening)
    luck = random.Random(18)
    for number in range(1, HANDS + 1):
        if number == GONE + 1:
            go_home(evening, 4)
        play_hand(evening, luck, number)
    game = evening.game()
    assert [hand.number for hand in game.played] == list(range(1, HANDS + 1))
    assert [hand.dealer for hand in game.played] == [(number - 1) % 5 for number in range(1, HANDS + 1)]
    assert sum(game.totals.values()) == 0
    assert all(sum(hand.won) == 0 for hand in game.played)
    host = evening.people[0].page
    for seat in range(5):  # the store is written before the pages are
        total = signed_money(game.totals.get(seat, 0))
        expect(host.get_by_test_id(f"total-{seat + 1}")).to_have_text(total, timeout=PATIENCE_MS)
    shown = [host.get_by_test_id(f"total-{seat}").inner_text() for seat in range(1, 6)]
    written = [float(text.replace("−", "-").replace(",", "")) for text in shown]
    assert written == [game.totals.get(seat, 0) / 100 for seat in range(5)]
    assert sum(written) == 0
    host.get_by_test_id("end").click()
    host.get_by_test_id("end-now").click()
    host.get_by_test_id("ended").wait_for()
    payments = host.get_by_test_id("payments").locator("li").count()
    with capsys.disabled():
        print(f"\n{HANDS} hands, totals {shown}, {payments} payments, {evening.checks} checks of traffic")


def go_home(evening: Evening, seat: int) -> None:
    """Close a browser; the host lets an engine play for it."""
    evening.people[seat].context.close()
    evening.gone.add(seat)
    host = evening.people[0].page
    person = host.get_by_test_id(f"person-{seat + 1}")
    expect(person).to_contain_text("away", timeout=PATIENCE_MS)
    person.locator("summary").click()
    host.get_by_test_id(f"replace-{seat + 1}").click()
    expect(person).to_contain_text("an engine plays", timeout=PATIENCE_MS)
