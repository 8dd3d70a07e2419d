"""The Banluck explorer and table in a real browser, against a real server and the real solver."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from croupier.banluck.analysis.decision_tables import decisions_csv
from croupier.banluck.analysis.solution import Solution
from croupier.banluck.engine import BANLUCK
from croupier.banluck.engine.multisets import multiset_of
from croupier.banluck.play.solutions import Method
from croupier.cards import parse_cards
from croupier.web.models.banluck_question import asked
from croupier.web.models.banluck_research import report_path
from croupier.web.models.banluck_solving import solve_live
from croupier.web.models.banluck_study import study
from tests.browser.listening import listened_to
from tests.web.serving import WebServer

Visit = Callable[..., Page]
Shot = Callable[..., Path]

#: With an equilibrium on the other side, four hands in five leave a player a choice, and one in three a banker.
MOST_HANDS = 60


@pytest.fixture(scope="module")
def solved() -> Solution:
    """Solve the default rules in this process, as the explorer does in its own."""
    return solve_live(BANLUCK.presets[0].rules, Method())


def show_everywhere(page: Page, shot: Shot, name: str) -> None:
    """Take pictures of a page on desktop and phone, in the light and in the dark; nothing may stick out."""
    for size, width, height in (("desktop", 1280, 800), ("phone", 390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.wait_for_function("document.documentElement.scrollWidth <= window.innerWidth")
            if page.locator(".table-foot").count():
                expect(page.locator(".table-foot .action").first).to_be_in_viewport(ratio=1)
            shot(page, f"{name}-{size}-{scheme}")
    page.set_viewport_size({"width": 1280, "height": 800})


# Explorer


def expect_study(page: Page, game: Solution, hand: str, side: str = "player", cards: str = "2") -> None:
    """Check that the page shows what the solver says of a hand."""
    found = study(game, asked(hand, side, cards))
    expect(page.get_by_test_id("study-title")).to_have_text(found.title)
    for action in found.actions:
        row = page.get_by_test_id(f"action-{action.action}")
        expect(row.get_by_test_id("ev")).to_have_text(action.worth)
    for sentence in found.sentences:
        expect(page.get_by_test_id("why")).to_contain_text(sentence)


@pytest.mark.verify
def test_the_explorer_solves_the_rules_and_prices_any_hand(
    visit: Visit, solved: Solution, shot: Shot
) -> None:
    page = visit("/banluck")
    expect(page.get_by_test_id("status")).to_contain_text("Solved in")
    expect(page.get_by_test_id("answer")).to_contain_text("the player loses 1.19 % of the bet")
    page.get_by_text("How it was solved").click()
    expect(page.get_by_test_id("headline")).to_contain_text("−0.011894")
    expect(page.get_by_test_id("headline")).to_contain_text("within the tolerance of 1e-09")

    page.get_by_test_id("cell-player-2-hard-16").click()
    expect_study(page, solved, "T-6")
    expect(page.get_by_test_id("cell-player-2-hard-16")).to_have_attribute("aria-pressed", "true")
    expect(page).to_have_url(re.compile(r"/banluck\?preset=reference&hand=T-6&side=player$"))
    show_everywhere(page, shot, "banluck-explorer")

    page.get_by_test_id("cell-dealer3-2-hard-17").click()
    expect_study(page, solved, "T-7", "dealer", "3")
    page.reload()
    expect_study(page, solved, "T-7", "dealer", "3")

    page.get_by_label("whose").click()
    page.get_by_role("option", name="player's").click()
    page.get_by_label("hand", exact=True).fill("A 5")
    page.keyboard.press("Enter")
    expect_study(page, solved, "A-5")
    for text, complaint in (
        ("T-X", "no card or rank 'X'"),
        ("A-T", "A-T (Ban Luck) leaves no decision to the player"),
    ):
        page.get_by_label("hand", exact=True).fill(text)
        page.get_by_test_id("explain").click()
        expect(page.get_by_test_id("hand-error")).to_contain_text(complaint)


@pytest.mark.verify
def test_an_address_restores_rules_and_hand_and_files_arrive(
    server: WebServer, visit: Visit, tmp_path: Path
) -> None:
    """The report is one that somebody else has asked for before: to make one takes longer than a test should."""
    rules = BANLUCK.preset("mandatory-reveal").rules.replaced({"pays_777": 21})
    game = solve_live(rules, Method())
    page = visit("/banluck?preset=mandatory-reveal&set=pays_777%3D21&hand=7-7&side=player")
    expect(page.get_by_test_id("rules")).to_contain_text("mandatory-reveal with pays_777 = 21")
    expect_study(page, game, "7-7")

    def downloaded(name: str) -> str:
        with page.expect_download() as arriving:
            page.get_by_test_id(f"download-{name}").click()
        path = tmp_path / arriving.value.suggested_filename
        arriving.value.save_as(path)
        return path.read_text(encoding="utf-8")

    assert downloaded("player") == decisions_csv(game.book, "player")
    assert downloaded("dealer") == decisions_csv(game.book, "dealer")
    kept = report_path(game, server.folder / "web" / "reports")
    kept.parent.mkdir(exist_ok=True)
    kept.write_text("<!doctype html><title>the report</title>", encoding="utf-8")
    page.get_by_test_id("start-report").click()
    assert downloaded("report") == kept.read_text(encoding="utf-8")
    kept.unlink()  # as newer reports would see to it
    page.get_by_test_id("download-report").click()
    expect(page.get_by_text("The report has made room for newer ones; make it again.")).to_be_visible()
    expect(page.get_by_test_id("start-report")).to_be_visible()
    page.get_by_test_id("start-prices").click()
    page.get_by_test_id("stop-prices").click()
    expect(page.get_by_test_id("start-prices")).to_be_visible()


@pytest.mark.verify
def test_a_solve_can_be_stopped_and_an_address_that_cannot_be_says_why(visit: Visit) -> None:
    page = visit("/banluck?set=reveal%3Dnever&hand=T-6")
    expect(page.get_by_text("Option 'reveal': \"never\" is not allowed")).to_be_visible()
    expect(page.get_by_test_id("status")).to_contain_text("Solved in")
    page.get_by_text("How it was solved").click()
    page.get_by_label("accuracy").click()
    page.get_by_role("option", name="1e-10").click()
    page.get_by_label("method").click()
    page.get_by_role("option", name="CFR (plain, slow)").click()
    expect(page.get_by_test_id("status")).to_contain_text("Iteration")
    page.get_by_test_id("stop").click()
    expect(page.get_by_test_id("status")).to_contain_text("Stopped in")
    expect(page.get_by_test_id("headline")).to_contain_text("not yet within the tolerance")


# Table


def codes_at(page: Page, place: str) -> list[str]:
    """Return the cards that lie at a place, ``back`` for one that is closed."""
    marks = (
        page.get_by_test_id(place)
        .locator("img")
        .evaluate_all("cards => cards.map(card => card.dataset.testid)")
    )
    return [mark.removeprefix("card-") for mark in marks]


def deal_until_a_choice(page: Page, deal: Callable[[], None]) -> None:
    """Deal hands until one leaves the person a choice."""
    for number in range(1, MOST_HANDS):
        deal()
        expect(page.get_by_role("heading", name=f"Hand {number}", exact=True)).to_be_visible()
        if page.get_by_test_id("choice-deal").count() == 0:
            return
    pytest.fail(f"{MOST_HANDS} hands without a choice")


def worths(page: Page) -> dict[str, str]:
    """Return what the coach says of each choice."""
    buttons = page.locator("[data-testid^=choice-]").all()
    return {
        (button.get_attribute("data-testid") or "").removeprefix("choice-"): button.get_by_test_id(
            "worth"
        ).inner_text()
        for button in buttons
    }


def finish(page: Page, choose: Callable[[Locator], None]) -> None:
    """Play a hand to its end, with the last choice that is offered each time."""
    while page.get_by_test_id("choice-deal").count() == 0:
        told = page.get_by_test_id("told").locator("li").count()
        choose(page.locator("[data-testid^=choice-]").last)
        expect(page.get_by_test_id("told").locator("li").nth(told)).to_be_visible()
    expect(page.get_by_test_id("outcome")).to_have_text(
        re.compile(r"You (win|lose) [\d.]+|You neither win nor lose")
    )


def shown_money(page: Page) -> float:
    return float(page.get_by_test_id("bankroll").inner_text().replace("−", "-").replace(",", ""))


def test_a_player_plays_by_keyboard_with_a_coach_and_no_closed_card_reaches_the_browser(
    lab_url: str, new_context: Callable[..., BrowserContext], solved: Solution, shot: Shot
) -> None:
    page = new_context().new_page()
    heard = listened_to(page)
    page.goto(f"{lab_url}/banluck/table")
    expect(page.get_by_test_id("choice-deal")).to_be_visible()
    page.keyboard.press("c")
    expect(page.get_by_role("switch", name="Coach")).to_be_checked()

    def deal() -> None:
        heard.clear()
        page.keyboard.press("Enter")

    deal_until_a_choice(page, deal)
    mine = codes_at(page, "seat-1")
    assert codes_at(page, "dealer") == ["back", "back"]
    known = "\n".join([*heard, page.content()])
    assert set(re.findall(r"cards/(\w+)\.svg", known)) == {*mine, "back"}
    assert len(set(re.findall(r"\w+ of (?:clubs|diamonds|hearts|spades)", known))) == len(mine)

    advice = solved.book.player_advice(multiset_of(parse_cards(" ".join(mine))))
    assert advice.ev_stop is not None
    assert worths(page) == {
        "hit": f"{advice.ev_go:+.3f}".replace("-", "−"),
        "stand": f"{advice.ev_stop:+.3f}".replace("-", "−"),
    }
    show_everywhere(page, shot, "banluck-table")

    before = shown_money(page)
    page.reload()
    expect(page.get_by_test_id("choice-hit")).to_be_visible()
    assert codes_at(page, "seat-1") == mine
    finish(page, lambda _: page.keyboard.press("s"))
    expect(page.get_by_test_id("remark")).to_contain_text("Stand was worth")
    assert "back" not in codes_at(page, "dealer")
    won = page.get_by_test_id("history").locator("tbody tr").first.locator("td").nth(2).inner_text()
    assert shown_money(page) == before + float(won.replace("−", "-"))


@pytest.mark.verify
def test_a_banker_plays_by_clicking_and_finds_the_hand_again_after_a_crash(
    server: WebServer, visit: Visit, solved: Solution
) -> None:
    page = visit("/banluck/table")
    page.get_by_test_id("settings").click()
    page.get_by_label("you are the").click()
    page.get_by_role("option", name="banker (dealer)").click()
    page.get_by_test_id("sit-down").click()
    expect(page.get_by_test_id("table-name")).to_contain_text("against one player who makes no mistakes")
    page.get_by_role("switch", name="Coach").click()
    expect(page.get_by_role("switch", name="Coach")).to_be_checked()
    deal_until_a_choice(page, lambda: page.get_by_test_id("choice-deal").click())
    mine, theirs = codes_at(page, "dealer"), codes_at(page, "seat-1")
    assert set(theirs) == {"back"}
    told = page.get_by_test_id("told").inner_text()

    hand = multiset_of(parse_cards(" ".join(mine)))
    is_surrender = page.get_by_test_id("choice-surrender").count() == 1
    advice = (
        solved.book.surrender_advice(hand) if is_surrender else solved.book.dealer_advice(hand, len(theirs))
    )
    expected = {
        ("open-1" if word == "reveal" else word): f"{worth:+.3f}".replace("-", "−")
        if round(worth, 3)
        else "0"
        for word, worth in ((advice.stop, advice.ev_stop or 0.0), (advice.go, advice.ev_go))
    }
    assert worths(page) == expected

    page.goto("about:blank")
    server.kill()
    server.start()
    page.goto(f"{server.url}/banluck/table")
    expect(page.get_by_test_id("told")).to_have_text(
        re.compile(r"\s*".join(map(re.escape, told.splitlines())))
    )
    assert (codes_at(page, "dealer"), codes_at(page, "seat-1")) == (mine, theirs)
    assert worths(page) == expected

    def choose(button: Locator) -> None:
        button.click()

    finish(page, choose)
    assert "back" not in codes_at(page, "seat-1")


@pytest.mark.verify
def test_a_double_click_is_one_choice(visit: Visit) -> None:
    page = visit("/banluck/table")
    deal_until_a_choice(page, lambda: page.get_by_test_id("choice-deal").click())
    page.get_by_test_id("choice-hit").dblclick()
    expect(page.get_by_test_id("seat-1").locator("img")).to_have_count(3)
    page.get_by_test_id("coach").click()
    expect(page.get_by_test_id("coach")).to_have_attribute("aria-checked", "true")
    page.reload()  # whatever was sent has been heard by now
    expect(page.get_by_test_id("seat-1").locator("img")).to_have_count(3)


@pytest.mark.verify
def test_a_bet_that_cannot_be_is_refused_in_one_line(visit: Visit) -> None:
    page = visit("/banluck/table")
    page.get_by_label("bet", exact=True).fill("1000")
    page.keyboard.press("Enter")
    expect(page.get_by_text("A bet of 1000 is not possible; bet a number from 0.01 to 100.")).to_be_visible()
    expect(page.get_by_test_id("bankroll")).to_have_text("100")
    expect(page.get_by_test_id("told")).to_have_count(0)
