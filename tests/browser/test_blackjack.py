"""The blackjack pages in a real browser: whole rounds, the trainer, the web app."""

import json
import re
import subprocess
import sys
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from itsdangerous import TimestampSigner
from playwright.sync_api import BrowserContext, Page, expect

from croupier.blackjack.engine import BlackjackRules, BlackjackShoe
from croupier.blackjack.play.table import BlackjackTable
from croupier.blackjack.play.trainer import BlackjackTrainer
from croupier.blackjack.solvers.hand_values import hand_values, parse_ranks
from croupier.cards import format_cards, parse_card
from croupier.runs.database import open_database
from croupier.runs.sessions import SessionStore
from croupier.runs.store import open_store
from tests.browser.listening import listened_to

#: Generous, because a busy machine may load kernels meanwhile.

Visit = Callable[..., Page]
Shot = Callable[..., Path]

COOKIE_KEY = "known to this test"
RULES = BlackjackRules(decks=4)
INFINITE = BlackjackRules(decks="infinite")


def stacked(cards: str, rules: BlackjackRules = RULES) -> dict[str, Any]:
    """Return a saved table whose shoe begins with some cards: the player, the dealer, the player, the hole card."""
    state = BlackjackTable.opened(rules, seed=1, coach=True).to_state()
    shoe = BlackjackShoe.stacked(rules, [parse_card(card) for card in cards.split()], seed=(1, 0))
    state["session"]["shoe"]["order"] = format_cards(shoe.order)
    return state


def left_rooms() -> dict[tuple[str, str], dict[str, Any]]:
    """Return what visitors have left before the web app opens."""
    return {
        ("ann", "blackjack"): stacked("8H 6C 8D KS 3S TH TD 9C"),
        ("bob", "blackjack"): stacked("6H 7C 5D KS 9D"),
        ("cat", "blackjack-trainer"): BlackjackTrainer.opened(INFINITE, seed=1).to_state(),
    }


@pytest.fixture(scope="module")
def server(start_lab: Callable[..., Any]) -> Any:
    """Return a web app that finds tables of ann and bob and a trainer of cat in its store."""

    def prepare(server: Any) -> None:
        (server.folder / "web").mkdir()
        (server.folder / "web" / "cookie-key").write_text(COOKIE_KEY, encoding="utf-8")
        with open_database(server.store, create=True) as database:
            for (visitor, session), state in left_rooms().items():
                SessionStore(database).save(visitor, session, state)

    return start_lab("blackjack", prepare=prepare)


@pytest.fixture
def visit_as(server: Any, new_context: Callable[..., BrowserContext]) -> Visit:
    """Open a page as somebody whom the web app knows."""

    def open_page(visitor: str, path: str, **options: object) -> Page:
        context = new_context(**options)
        session = b64encode(json.dumps({"id": visitor}).encode())
        cookie = TimestampSigner(COOKIE_KEY).sign(session).decode()
        context.add_cookies([{"name": "session", "value": cookie, "url": server.url}])
        page = context.new_page()
        page.goto(server.url + path)
        return page

    return open_page


def shown(worth: float, digits: int = 4) -> str:
    return f"{worth:+.{digits}f}".replace("-", "−")


@pytest.mark.verify
def test_a_pair_is_split_and_doubled_by_clicking(visit_as: Visit, shot: Shot) -> None:
    page = visit_as("ann", "/blackjack/table")
    heard = listened_to(page)
    page.reload()
    page.get_by_test_id("choice-deal").click()
    expect(page.get_by_test_id("prompt")).to_have_text("Your hand: 16 against 6.")
    exact = hand_values(RULES, parse_ranks("8,8"), parse_ranks("6")[0]).actions
    for name in ("hit", "stand", "double", "split"):
        expect(page.get_by_test_id(f"choice-{name}").get_by_test_id("worth")).to_have_text(shown(exact[name]))
    expect(page.locator(".action.best")).to_have_attribute("data-testid", "choice-split")
    shot(page, "blackjack-table-desktop-light")

    page.get_by_test_id("choice-split").click()
    expect(page.get_by_test_id("hand-1-1")).to_have_attribute("aria-current", "true")
    expect(page.get_by_test_id("on-table")).to_have_text("20")
    page.get_by_test_id("choice-double").click()
    expect(page.get_by_test_id("hand-1-2")).to_have_attribute("aria-current", "true")
    expect(page.get_by_test_id("hand-1-1").get_by_test_id("value")).to_have_text("21")
    assert "KS" not in page.content()
    assert not any("KS" in text for text in heard), "the hole card was sent before it was turned over"

    page.get_by_test_id("choice-stand").click()
    expect(page.get_by_test_id("dealer").get_by_test_id("card-KS")).to_be_visible()
    assert any("KS" in text for text in heard), "what was turned over can be found where we look"
    expect(page.get_by_test_id("prompt")).to_have_text("You win 30.")
    expect(page.get_by_test_id("bankroll")).to_have_text("1,030")
    expect(page.get_by_test_id("rounds")).to_have_text("1")
    expect(page.get_by_test_id("accuracy")).to_have_text("100.0%")
    shot(page, "blackjack-table-over")


def test_a_round_by_keyboard_outlives_a_reload_and_a_killed_server(
    visit_as: Visit, server: Any, witness: Any
) -> None:
    page = visit_as("bob", "/blackjack/table", size="phone", color_scheme="dark")
    expect(page.get_by_test_id("choice-deal")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("prompt")).to_have_text("Your hand: 11 against 7.")
    felt = page.get_by_role("region", name="Table")
    before = felt.inner_text()
    page.reload()
    expect(page.get_by_test_id("choice-double")).to_be_visible()
    assert felt.inner_text() == before

    page.evaluate("window.isFromBefore = true")
    server.kill()
    server.start()
    page.wait_for_function("!window.isFromBefore && window.did_handshake")  # the page comes back by itself
    expect(page.get_by_test_id("choice-double")).to_be_visible()
    assert felt.inner_text() == before
    witness.complaints.clear()  # the browser complains of the server that was killed
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")

    page.keyboard.press("d")
    expect(page.get_by_test_id("prompt")).to_have_text("You win 20.")
    expect(page.get_by_test_id("bankroll")).to_have_text("1,020")


@pytest.mark.verify
def test_rules_are_chosen_and_bad_bets_are_refused_in_a_line(visit: Visit, shot: Shot) -> None:
    page = visit("/blackjack/table", size="phone", color_scheme="dark")
    page.get_by_test_id("settings").click()
    page.get_by_label("Decks", exact=True).click()
    page.get_by_role("option", name="1", exact=True).click()
    page.get_by_test_id("sit-down").click()
    expect(page.get_by_test_id("rules")).to_have_text(re.compile("^1 deck · "))
    page.get_by_test_id("more-hands").click()
    expect(page.get_by_test_id("bet-2")).to_be_visible()
    page.get_by_test_id("bet-1").fill("5000")
    page.get_by_test_id("bet-1").press("Enter")
    expect(page.get_by_text("Player 1: a bet of 5000; this table takes 1 to 1000.")).to_be_visible()
    page.get_by_test_id("bet-1").fill("20")
    page.get_by_test_id("choice-deal").click()
    expect(page.get_by_test_id("seat-2")).to_be_visible()
    expect(page.get_by_test_id("hand-1-1")).to_contain_text("20")
    shot(page, "blackjack-table-phone-dark")


@pytest.mark.verify
def test_the_trainer_judges_an_answer_at_once(visit_as: Visit, shot: Shot) -> None:
    page = visit_as("cat", "/blackjack/trainer")
    expect(page.get_by_test_id("prompt")).to_have_text("10 against 2: what do you do?")
    page.keyboard.press("h")
    exact = hand_values(INFINITE, parse_ranks("2,8"), parse_ranks("2")[0]).actions
    cost = exact["double"] - exact["hit"]
    expect(page.get_by_test_id("verdict")).to_have_text(
        f"Wrong: hit costs {cost:.4f} bets; the chart says double."
    )
    expect(page.get_by_test_id("worths")).to_contain_text(shown(exact["stand"]))
    expect(page.get_by_test_id("weak")).to_have_text("10 against 2: wrong 1 of 1")
    expect(page.get_by_test_id("heat-10-2")).to_have_text("D")
    shot(page, "blackjack-trainer-desktop-light")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("choice-stand")).to_be_visible()
    page.reload()
    expect(page.get_by_test_id("answered")).to_have_text("1")
    expect(page.get_by_test_id("accuracy")).to_have_text("0.0%")


@pytest.mark.verify
def test_the_simulator_solves_simulates_and_evolves(visit: Visit, shot: Shot, server: Any) -> None:
    program = str(Path(sys.executable).with_name("croupier"))
    command = [program, "blackjack", "edge", "--json", "--set", "decks=infinite"]
    edge = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    page = visit("/blackjack/lab?preset=vegas-strip&set=decks%3Dinfinite")
    percent = shown(100 * edge["total_dependent"], 6)
    expect(page.get_by_test_id("edge-chart")).to_have_text(f"{percent} %")
    expect(page.get_by_test_id("edge-play")).to_have_text(
        f"{shown(100 * edge['composition_dependent'], 6)} %"
    )
    expect(page.get_by_test_id("edge-std")).to_have_text(f"{edge['std']:.4f}")
    expect(page.get_by_test_id("chart-16-T")).to_have_text("H")
    page.get_by_test_id("chart-soft-18-3").click()
    expect(page.get_by_test_id("cell-advice")).to_have_text("DS: double, else stand")
    exact = hand_values(INFINITE, parse_ranks("A,7"), parse_ranks("3")[0]).actions
    expect(page.get_by_test_id("cell-worths")).to_contain_text(shown(exact["double"], 5))

    page.get_by_test_id("sim-rounds").fill("9000000000")
    page.get_by_test_id("sim-start").click()
    expect(page.get_by_test_id("sim-exact")).to_have_text(f"{shown(100 * edge['total_dependent'])} %")
    page.goto(server.url + "/")
    page.goto(server.url + "/blackjack/simulator?preset=vegas-strip&set=decks%3Dinfinite")
    expect(page.get_by_test_id("sim-status")).to_contain_text("Playing: ")
    page.get_by_test_id("sim-stop").click()
    expect(page.get_by_test_id("sim-status")).to_contain_text("Stopped: ")
    expect(page.get_by_test_id("sim-outcomes")).to_contain_text("dealer bust")
    page.get_by_test_id("sim-run").fill("1")
    page.get_by_test_id("sim-run-resume").click()
    expect(page.get_by_test_id("sim-status")).to_contain_text("Playing: ")
    expect(page.get_by_test_id("sim-status")).to_contain_text("saved as run 1.")
    page.get_by_test_id("sim-stop").click()
    expect(page.get_by_test_id("sim-status")).to_contain_text("Stopped: ")

    page.get_by_test_id("evo-population").fill("12")
    page.get_by_test_id("evo-start").click()
    expect(page.get_by_test_id("evo-generation")).to_be_visible()
    expect(page.get_by_test_id("leader-20-6")).to_be_visible()
    page.get_by_test_id("evo-stop").click()
    expect(page.get_by_test_id("evo-status")).to_contain_text("Stopped: generation")
    shot(page, "blackjack-simulator-desktop-light")
    with open_store(server.store) as runs:
        assert {run.kind for run in runs.runs()} == {"blackjack simulate", "blackjack evolve"}


def test_evolution_is_not_offered_where_it_cannot_be_done(visit: Visit) -> None:
    page = visit("/blackjack/simulator?preset=double-exposure&set=decks%3Dinfinite")
    expect(page.get_by_test_id("evo-reason")).to_contain_text("both of the dealer's cards lie open")
    expect(page.get_by_test_id("evo-start")).to_be_hidden()
    page.goto(page.url.split("?")[0])
    expect(page.get_by_test_id("evo-start")).to_be_visible()
    expect(page.get_by_test_id("evo-reason")).to_be_hidden()


@pytest.mark.verify
def test_the_simulator_fits_a_phone_and_its_address_follows_the_rules(visit: Visit, shot: Shot) -> None:
    page = visit(
        "/blackjack/simulator?preset=vegas-strip&set=decks%3Dinfinite", size="phone", color_scheme="dark"
    )
    expect(page.get_by_test_id("edge-chart")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    heading, cell = (
        page.locator(f".chart-hard {place}").first.bounding_box() for place in ("thead th", "tbody td")
    )
    assert heading is not None
    assert cell is not None
    assert heading["x"] == pytest.approx(cell["x"], abs=2)  # the up-card stands above its column
    assert cell["width"] >= 20
    shot(page, "blackjack-simulator-phone-dark")
    before = page.get_by_test_id("edge-chart").inner_text()
    page.get_by_test_id("rules").click()
    page.get_by_label("A natural pays").click()
    page.get_by_role("option", name="6:5").click()
    expect(page).to_have_url(re.compile("natural_pays%3D%226%3A5%22"))
    expect(page.get_by_test_id("edge-chart")).not_to_have_text(before)


@pytest.mark.verify
def test_every_exercise_of_the_trainer_asks_and_answers_by_keys(visit: Visit, shot: Shot) -> None:
    page = visit("/blackjack/trainer")
    for name, shown in (("deviations", "count"), ("true count", "tray"), ("bets", "count")):
        page.get_by_test_id("exercise").first.click()
        page.get_by_role("option", name=name, exact=True).click()
        expect(page.get_by_test_id(shown)).to_be_visible()
        if name == "deviations":
            page.keyboard.press("h" if page.get_by_test_id("choice-hit").count() else "n")
        else:
            page.get_by_test_id("answer").first.fill("1")
            page.keyboard.press("Enter")
        expect(page.get_by_test_id("verdict")).to_be_visible()
        expect(page.get_by_test_id("answered")).to_have_text("1")
        shot(page, f"blackjack-trainer-{name.replace(' ', '-')}-desktop-light")
    page.get_by_test_id("exercise").first.click()
    page.get_by_role("option", name="whole shoe", exact=True).click()
    expect(page.get_by_test_id("prompt")).to_have_text("Your bet in units, from 1 to 32?")
    page.get_by_test_id("answer").first.fill("2")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("answered")).not_to_have_text("0")
    page.reload()
    expect(page.get_by_test_id("tray")).to_be_visible()
