"""Whole games at all three tables by keyboard alone, and what My game, the exports and the home page make of them."""

import csv
import io
import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.web.serving import WebServer

pytestmark = pytest.mark.verify

Visit = Callable[..., Page]

#: Shows what a table asks, so that a test can wait for the answer to its key.
ASKED = "document.querySelector('.table-foot').innerHTML + document.querySelector('.table-felt').innerHTML"


def follow_link(page: Page, mark: str) -> None:
    """Go to a page by keyboard: Tab until the link has the focus, then Enter."""
    for _ in range(120):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset.testid") == mark:
            page.keyboard.press("Enter")
            page.wait_for_load_state()
            page.wait_for_function("window.did_handshake")
            return
    raise AssertionError(f"Tab does not lead to {mark}")


def press(page: Page, key: str) -> None:
    """Press a key and wait until the table has changed."""
    before = page.evaluate(ASKED)
    page.keyboard.press(key)
    page.wait_for_function(f"before => {ASKED} !== before", arg=before)


def offered(page: Page) -> dict[str, str]:
    """Return the choices that can be made, each with its key, once there are any."""
    bar = page.locator(".table-foot .action-bar .action:enabled, .durak-hand .card-button:enabled")
    expect(bar.first).to_be_visible()
    pairs = page.locator(".table-foot .action-bar .action:enabled").evaluate_all(
        "buttons => buttons.map(button => [button.dataset.testid, button.querySelector('kbd')?.textContent])"
    )
    return {name: {"⏎": "Enter"}.get(key, key.lower()) for name, key in pairs}


def play_hands(page: Page, hands: int) -> None:
    """Deal and stand, so many times."""
    for _ in range(hands):
        press(page, "Enter")
        while "choice-deal" not in (choices := offered(page)):
            name = next(name for name in ("stand", "keep", "decline", "hit") if f"choice-{name}" in choices)
            press(page, choices[f"choice-{name}"])


def play_durak(page: Page, *, takes_back: bool = False) -> None:
    """Play one game: the first card that fits, or none; take the first choice back if that is wanted."""
    for _ in range(300):
        choices = offered(page)
        if "choice-next" in choices:
            return
        if takes_back and "choice-undo" in choices:
            press(page, choices["choice-undo"])
            takes_back = False
            continue
        cards = page.locator(".durak-hand .card-button:enabled .card-hint").all_inner_texts()
        passing = choices.get("choice-throw-in")
        press(page, passing or (cards[0].strip()[0].lower() if cards else "Enter"))
    raise AssertionError("the game does not end")


def test_whole_games_by_keyboard_are_counted_and_survive_a_restart(visit: Visit, server: WebServer) -> None:
    page = visit("/")
    follow_link(page, "tile-banluck_table")
    play_hands(page, 3)
    page.goto(server.url)
    follow_link(page, "tile-blackjack_table")
    play_hands(page, 3)
    page.goto(server.url)
    follow_link(page, "tile-durak_table")
    play_durak(page)
    press(page, "Enter")
    play_durak(page, takes_back=True)
    expect(page.get_by_test_id("past")).to_contain_text("a move was taken back; it does not count")
    page.goto("about:blank")
    server.kill()
    server.start()
    page.goto(server.url + "/my-game")
    expect(page.get_by_test_id("my-hands")).to_have_text("7")
    won, worth, mistakes, luck = (
        float(page.get_by_test_id(f"my-{name}").inner_text().replace("−", "-"))
        for name in ("won", "worth", "mistakes", "luck")
    )
    assert won == pytest.approx(worth + mistakes + luck, abs=0.03)
    assert mistakes < 0  # standing on everything is wrong sometimes
    expect(page.get_by_test_id("latest").locator("tbody tr")).to_have_count(7)
    for name in ("banluck", "blackjack", "durak"):
        expect(page.get_by_test_id(f"continue-{name}")).to_be_visible()
    rows = list(csv.DictReader(io.StringIO(page.request.get(server.url + "/my-game/hands.csv").text())))
    data = json.loads(page.request.get(server.url + "/my-game/hands.json").text())
    assert [row["game"] for row in rows] == ["banluck"] * 3 + ["blackjack"] * 3 + ["durak"]
    assert [hand["won"] for hand in data["hands"]] == pytest.approx([float(row["won"]) for row in rows])
    follow_link(page, "continue-blackjack")
    expect(page.get_by_test_id("rounds")).to_have_text("3")
    page.goto(server.url + "/my-game")
    for text in ("Forget my hands", "Press again"):
        expect(page.get_by_test_id("forget")).to_contain_text(text)
        page.get_by_test_id("forget").press("Enter")
    expect(page.get_by_test_id("no-hands")).to_be_visible()


def test_the_hand_of_the_day_is_the_same_for_everybody_and_tells_why(visit: Visit) -> None:
    first, second = visit("/"), visit("/")
    asked = [page.get_by_test_id("day-prompt") for page in (first, second)]
    expect(asked[0]).to_be_visible()
    expect(asked[1]).to_have_text(asked[0].inner_text())
    cards = [page.locator(".day-cards").inner_html() for page in (first, second)]
    assert cards[0] == cards[1]
    first.locator(".day-hand .action").first.press("Enter")
    expect(first.get_by_test_id("day-answer")).to_be_visible()
    expect(first.get_by_test_id("day-hand").get_by_test_id("why")).not_to_be_empty()
    first.reload()
    expect(first.get_by_test_id("day-record")).to_contain_text("of 1 days right")
    expect(second.get_by_test_id("day-prompt")).to_be_visible()


def test_a_position_is_set_up_judged_and_played_again(visit: Visit) -> None:
    page = visit("/durak/exercise")
    expect(page.get_by_test_id("worth")).to_have_count(0)
    press(page, "1")  # the six; the ace would win
    expect(page.get_by_test_id("cost")).to_contain_text("blunder")
    press(page, "a")
    page.get_by_test_id("editor").locator(".q-item").first.click()
    page.get_by_test_id("editor").get_by_role("button", name="king of spades").click()
    page.get_by_test_id("editor-analyse").click()
    expect(page.get_by_test_id("hand").locator("button")).to_have_count(3)
    expect(page.get_by_test_id("advised").first).to_contain_text("proved")
    page.get_by_test_id("editor-clear").click()
    page.get_by_test_id("editor-play").click()
    expect(page.get_by_role("alert")).to_contain_text("Give both players a card")
