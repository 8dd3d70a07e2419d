"""Every table in every size: the action bar is on screen in every state, and the keyboard is enough for a whole game."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.scenes import SCENES, Scene, prepare
from tests.web.serving import WebServer

pytestmark = pytest.mark.verify

Visit = Callable[..., Page]

SIZES = ((1440, 900), (1280, 720), (1366, 657), (390, 844))
TABLES = (
    "/solana",
    "/banluck/table",
    "/blackjack/table",
    "/blackjack/trainer",
    "/durak/table",
    "/durak/party",
)

#: The cards and the words on the felt that reach below the upper edge of the foot.
HIDDEN = """() => {
  const foot = document.querySelector(".table-foot").getBoundingClientRect().top;
  const felt = document.querySelector(".table-felt");
  const hidden = [...felt.querySelectorAll(".playing-card")].filter(card => card.getBoundingClientRect().bottom > foot + 1).map(card => card.alt);
  const walk = document.createTreeWalker(felt, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(walk.currentNode);
    const words = range.getBoundingClientRect();
    if (words.height && words.bottom > foot + 1) hidden.push(walk.currentNode.textContent);
  }
  return hidden;
}"""


@pytest.fixture(scope="module")
def server(start_lab: Callable[..., WebServer]) -> WebServer:
    """Return a web app in whose store the tables of all scenes are."""
    return start_lab("scenes", prepare=prepare)


def verify_bar_on_screen(page: Page) -> None:
    """Check in every size, and however far the page is scrolled, that the choices lie within the window."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for place in ("0", "1e6"):
            page.evaluate(
                f"[window, document.querySelector('.table-room')].forEach(box => box.scrollTo(0, {place}))"
            )
            box = page.get_by_test_id("foot").bounding_box()
            assert box is not None
            assert box["y"] >= 0, (width, height, place)
            assert box["y"] + box["height"] <= height + 1, (width, height, place)
            assert box["height"] <= height / 2, "cards have the larger half of the window"
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for button in page.locator(".table-foot .action:visible").all():
            inside = button.bounding_box()
            assert inside is not None
            assert min(inside["x"], inside["y"]) >= 0
            assert inside["x"] + inside["width"] <= width
            assert inside["y"] + inside["height"] <= height


def states(page: Page, most: int) -> Iterator[None]:
    """Play by keyboard, first Enter and then the first key that is offered, and stop at every state."""
    for _ in range(most):
        expect(
            page.locator(".table-foot").locator(".action:enabled, .card-button:enabled").first
        ).to_be_visible()
        yield
        before = page.get_by_test_id("foot").inner_html() + page.locator(".table-felt").inner_html()
        card = page.locator(".durak-hand .card-button:enabled .card-hint").first
        bar = page.locator(".table-foot .action-bar .action:enabled")
        marks = bar.evaluate_all("buttons => buttons.map(button => button.dataset.testid)")
        stands = "choice-stand" in marks
        is_chosen = page.locator(".durak-hand .card-button[aria-pressed=true]").count() > 0
        key = (
            "Enter"
            if is_chosen  # a card to throw in
            else (card.text_content() or " ")[0]
            if card.count()
            else "s"
            if stands
            else bar.first.locator("kbd").text_content()
        )
        page.keyboard.press({"⏎": "Enter", "Enter": "Enter"}.get(str(key), str(key).lower()))
        page.wait_for_function(
            "before => document.querySelector('.table-foot').innerHTML"
            " + document.querySelector('.table-felt').innerHTML !== before",
            arg=before,
        )


@pytest.mark.parametrize("path", TABLES)
def test_the_action_bar_is_on_screen_in_every_state_and_size(visit: Visit, path: str) -> None:
    page = visit(path)
    for _ in states(page, most=6):
        verify_bar_on_screen(page)


#: What is on the page when a game is over, and how often it has to come up; the keys alone lead there.
ENDS = {
    "/solana": ("choice-cleanup", 1),
    "/banluck/table": ("choice-deal", 3),
    "/blackjack/table": ("choice-deal", 3),
    "/blackjack/trainer": ("choice-next", 3),
    "/durak/table": ("choice-next", 1),
    "/durak/party": ("choice-next", 1),
}


@pytest.mark.parametrize("path", TABLES)
def test_the_keyboard_is_enough_for_a_whole_game(visit: Visit, path: str) -> None:
    page = visit(path, reduced_motion="reduce")
    mark, times = ENDS[path]
    seen = 0
    for _ in states(page, most=300):
        seen += page.get_by_test_id(mark).is_visible()
        if seen == times:
            break
    assert seen == times


def test_the_keyboard_is_enough_at_a_table_for_friends(visit: Visit) -> None:
    """A host opens a table, takes an engine along and plays hands of Banluck without touching a mouse."""
    page = visit("/friends", reduced_motion="reduce")
    page.get_by_test_id("name").focus()
    page.keyboard.type("Ann")
    page.keyboard.press("Enter")
    engine = page.get_by_test_id("add-engine")
    expect(engine).to_be_visible()
    for _ in range(60):
        if engine.evaluate("button => button === document.activeElement"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("person-2")).to_be_visible()
    page.locator("body").evaluate("() => document.activeElement.blur()")
    foot = page.get_by_test_id("foot")
    for _ in range(60):
        if page.get_by_test_id("past").locator(".past-hand").count() >= 3:
            return
        expect(foot.locator(".action-bar .action:enabled").first).to_be_visible()
        bar = foot.locator(".action-bar")
        moment, before = bar.get_attribute("data-moment"), foot.inner_html()
        names = bar.locator(".action:enabled").evaluate_all(
            "buttons => buttons.map(button => button.dataset.testid)"
        )
        key = "s" if "choice-stand" in names else bar.locator(".action:enabled kbd").first.text_content()
        page.keyboard.press({"⏎": "Enter", "Enter": "Enter"}.get(str(key), str(key).lower()))
        page.wait_for_function(
            "([moment, before]) => { const foot = document.querySelector('.table-foot');"
            " return foot.querySelector('.action-bar').dataset.moment !== moment || foot.innerHTML !== before; }",
            arg=[moment, before],
        )
    raise AssertionError("three hands take fewer keys")


@pytest.mark.parametrize("locale", ["en-GB", "ru-RU", "zh-CN", "vi-VN"])
@pytest.mark.parametrize("scene", [scene for scene in SCENES if scene.is_table], ids=lambda scene: scene.name)
def test_the_action_bar_is_on_screen_and_hides_no_card_and_no_word(
    new_context: Callable[..., BrowserContext], lab_url: str, scene: Scene, locale: str
) -> None:
    page = scene.open(new_context(reduced_motion="reduce", locale=locale), lab_url)
    expect(page.get_by_test_id("foot").locator(":is(button, input):visible").first).to_be_visible()
    verify_bar_on_screen(page)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("document.querySelector('.table-room').scrollTo(0, 0)")
        assert page.evaluate(HIDDEN) == [], (width, height)


@pytest.mark.parametrize("path", ["/banluck/table", "/blackjack/table", "/durak/table"])
def test_enter_goes_on_after_the_coach_was_clicked(visit: Visit, path: str) -> None:
    page = visit(path)
    coach = page.get_by_test_id("coach")
    expect(page.locator(".table-foot .action:enabled").first).to_be_visible()
    coach.click()
    expect(coach).to_have_attribute("aria-checked", "true")
    if path == "/durak/table":
        return
    page.keyboard.press("Enter")
    expect(page.locator(".table-felt .playing-card").first).to_be_visible()
    expect(coach).to_have_attribute("aria-checked", "true")
    page.keyboard.press("Tab")
    coach.focus()
    page.keyboard.press("Space")
    expect(coach).to_have_attribute("aria-checked", "false")


def test_a_focused_bet_is_legible_and_a_refusal_replaces_the_one_before(visit: Visit) -> None:
    page = visit("/blackjack/table")
    field = page.get_by_test_id("bet-1").locator("input").or_(page.locator("input[data-testid=bet-1]")).first
    field.focus()
    colours = field.evaluate(
        "input => [getComputedStyle(input).color, getComputedStyle(input.closest('.q-field')).backgroundColor]"
    )
    assert colours == ["rgb(29, 39, 51)", "rgb(253, 253, 251)"]
    for bet in ("100000", "-5", "0"):
        field.fill(bet)
        page.keyboard.press("Enter")
        shown = bet.replace("-", "−")
        expect(page.get_by_role("alert").filter(has_text=f"bet of {shown};")).to_be_visible()
    expect(page.locator(".q-notification")).to_have_count(1)


def test_the_menu_of_a_phone_covers_none_of_its_items(visit: Visit) -> None:
    page = visit("/banluck", size="phone", has_touch=True)
    page.get_by_test_id("menu").tap()
    first = page.locator(".narrow-only .menu-item").first
    expect(first).to_be_visible()
    first.click(trial=True)  # nothing lies over it


def test_on_a_phone_the_answer_rises_where_the_finger_is_and_all_columns_are_on_screen(visit: Visit) -> None:
    page = visit("/banluck", size="phone", has_touch=True)
    for mark in ("2-hard-4", "2-hard-16", "3-hard-20"):
        expect(page.get_by_test_id(f"cell-player-{mark}")).to_be_visible()
    cell = page.get_by_test_id("cell-player-2-hard-16")
    cell.tap()
    answer = page.get_by_test_id("study-title")
    expect(answer).to_be_in_viewport()
    for box in (page.locator("[data-testid^=cell-player-]").nth(place).bounding_box() for place in range(20)):
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
    page.get_by_test_id("close-hand").tap()
    expect(cell).to_be_in_viewport()


def test_the_rules_form_takes_the_width_it_has(visit: Visit) -> None:
    page = visit("/banluck")
    page.get_by_test_id("rules").locator(".q-item").click()
    boxes = [
        page.get_by_test_id(f"rule-{name}").bounding_box() for name in ("player_minimum", "below_minimum")
    ]
    assert all(boxes)
    assert boxes[0]["y"] == pytest.approx(boxes[1]["y"], abs=20)  # type: ignore[index]
    assert "[" not in page.get_by_test_id("rules").inner_text()


def test_a_match_can_be_stopped_only_while_it_runs(visit: Visit) -> None:
    page = visit("/durak/arena")
    expect(page.get_by_test_id("start")).to_be_visible()
    expect(page.get_by_test_id("stop")).to_be_hidden()
    page.get_by_test_id("start").click()
    expect(page.get_by_test_id("stop")).to_be_visible()
    expect(page.get_by_test_id("time-left")).to_contain_text("left")
    page.get_by_test_id("stop").click()
    expect(page.get_by_test_id("stop")).to_be_hidden()


def test_a_log_is_opened_from_the_visitors_computer(visit: Visit) -> None:
    page = visit("/durak/replay")
    with page.expect_file_chooser() as chooser:
        page.get_by_test_id("upload").click()
    log = Path(__file__).parents[1] / "data" / "durak" / "old-games.log"
    chooser.value.set_files(log)
    expect(page.get_by_test_id("game-title")).to_be_visible()
    expect(page).to_have_url(re.compile("game=1"))
