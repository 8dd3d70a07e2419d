"""The durak pages in a real browser: a table, the arena, replays, in both languages."""

import json
import os
import re
import select
import sqlite3
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from croupier.cards import format_card
from croupier.durak.engine.observation import observe
from croupier.durak.engine.pack import PACK
from croupier.durak.play.coach import ADVICE_BUDGET, ADVICE_SEED
from croupier.durak.play.facts import YOU, TableFacts
from croupier.durak.play.phrases import answer_phrase
from croupier.durak.players.review import advice
from croupier.texts import Texts
from tests.browser.listening import listened_to
from tests.web.serving import WebServer

Visit = Callable[..., Page]
Shot = Callable[..., Path]

OLD_GAMES = Path(__file__).parents[1] / "data" / "durak" / "old-games.log"
ZOO = Path(__file__).parents[1] / "durak" / "arena" / "zoo"
TURN = re.compile(r"Your attack|Attack again|No card of yours|Beat |The opponent takes\.")
OVER = re.compile(r"You have won|A draw|You have lost|The engine forfeits|called off")


def prompt(page: Page) -> Locator:
    return page.get_by_test_id("prompt")


def choose(page: Page, field: str, option: str) -> None:
    """Choose an option of a field; the list has to be gone before the next one is opened."""
    page.get_by_test_id(field).click()
    page.get_by_role("option", name=option, exact=True).click()
    expect(page.get_by_role("option")).to_have_count(0)


def unfold_setting(page: Page) -> None:
    """Unfold the opponent and the rules, unless they are."""
    if not page.get_by_test_id("deal").is_visible():
        page.get_by_test_id("setting").locator(".q-item").first.click()
    expect(page.get_by_test_id("deal")).to_be_visible()


def deal(page: Page, opponent: str = "durak-dummy", *, capped: bool = True) -> None:
    """Deal a new game against an opponent."""
    before = page.get_by_role("heading", level=3).first.inner_text()
    unfold_setting(page)
    choose(page, "opponent-field", opponent)
    if not capped:
        for name in ("six_card_cap", "five_card_first_bout"):
            if page.get_by_test_id(name).get_attribute("aria-checked") == "true":
                page.get_by_test_id(name).click()
    page.get_by_test_id("deal").click()
    expect(page.get_by_role("heading", level=3).first).not_to_have_text(before)
    expect(page.get_by_test_id("opponent")).to_have_text(opponent)


def facts(server: WebServer, page: Page) -> TableFacts:
    """Return the table of a page as the web app has saved it, hidden cards included."""
    shown = (
        page.get_by_test_id("hand")
        .locator("button")
        .evaluate_all("buttons => buttons.map(button => button.dataset.testid)")
    )
    hand = {name.removeprefix("card-") for name in shown}
    with sqlite3.connect(f"file:{server.store}?mode=ro", uri=True) as store:
        states = [row[0] for row in store.execute("select state from rooms where room = 'durak'")]
    store.close()
    tables = [TableFacts.from_state(json.loads(state)) for state in states]
    return next(table for table in tables if {format_card(card) for card in table.game.hands[YOU]} == hand)


def play_by_clicking(page: Page) -> None:
    """Play the first card that can be played, or do without, until the game is over."""
    for _ in range(300):
        expect(prompt(page)).to_have_text(re.compile(f"{TURN.pattern}|{OVER.pattern}"))
        told = prompt(page).inner_text()
        if OVER.match(told):
            return
        moves = page.get_by_test_id("moves")
        before = moves.inner_text()
        cards = page.get_by_test_id("hand").locator("button:enabled")
        if "takes" in told:
            cards.first.click()
            expect(page.get_by_test_id("choice-throw-in")).to_contain_text("Throw in 1")
            page.get_by_test_id("choice-throw-in").click()
        elif cards.count():
            cards.first.click()
        else:
            page.get_by_test_id("choice-take").or_(page.get_by_test_id("choice-done")).click()
        expect(moves).not_to_have_text(before, use_inner_text=True)
    raise AssertionError("the game does not end")


@pytest.mark.verify
def test_a_whole_game_is_played_by_clicking_and_then_reviewed(
    visit: Visit, server: WebServer, shot: Shot
) -> None:
    page = visit("/durak/table")
    deal(page)
    play_by_clicking(page)
    counts = [page.get_by_test_id(f"score-{name}").inner_text() for name in ("won", "drawn", "lost")]
    assert sorted(counts) == ["0", "0", "1"]
    page.get_by_test_id("choice-review").click()
    expect(page.get_by_test_id("review")).to_contain_text("choices were good")
    judged = facts(server, page).judged
    assert judged is not None
    worse = [move for move in judged if move.move_class.value not in ("best", "good")]
    expect(page.get_by_test_id("reviewed")).to_have_count(len(worse))
    shot(page, "durak-review")
    played = len(facts(server, page).game.history)
    page.get_by_test_id("choice-replay").click()
    expect(page.get_by_test_id("game-title")).to_contain_text("Person – durak-dummy")
    expect(page.get_by_test_id("step")).to_contain_text("Step 1 of ")
    assert page.get_by_test_id("script").locator("button").count() >= played
    page.go_back()
    page.get_by_test_id("choice-next").click()
    expect(page.get_by_test_id("moves")).not_to_contain_text("You beat")
    expect(page.get_by_test_id("past").locator("li")).to_have_count(1)


@pytest.mark.verify
def test_a_whole_game_is_played_by_keyboard_and_survives_reloads_and_a_killed_lab(
    visit: Visit, server: WebServer
) -> None:
    page = visit("/durak/table")
    deal(page, "durak-random")
    for number in range(1, 200):
        expect(prompt(page)).to_have_text(re.compile(f"{TURN.pattern}|{OVER.pattern}"))
        told = prompt(page).inner_text()
        if OVER.match(told):
            break
        if number in (4, 9):
            before = page.get_by_test_id("hand").inner_text(), page.get_by_test_id("pairs").inner_html()
            state = facts(server, page)
            if number == 4:
                page.reload()
            else:
                page.goto("about:blank")
                server.kill()
                server.start()
                page.goto(f"{server.url}/durak/table")
            expect(prompt(page)).to_have_text(told)
            assert page.get_by_test_id("hand").inner_text() == before[0]
            assert facts(server, page) == state
        moves = page.get_by_test_id("moves")
        before_moves = moves.inner_text()
        hints = page.get_by_test_id("hand").locator("button:enabled .card-hint").all_inner_texts()
        page.keyboard.press(hints[0].strip().lower() if hints else "Enter")
        if "takes" in told:
            expect(page.get_by_test_id("hand").locator("[aria-pressed=true]")).to_have_count(1)
            page.keyboard.press(" ")
        expect(moves).not_to_have_text(before_moves, use_inner_text=True)
    expect(prompt(page)).to_have_text(OVER)
    page.keyboard.press("Enter")
    expect(prompt(page)).not_to_have_text(OVER)


def test_the_browser_is_never_sent_a_hidden_card(
    new_context: Callable[..., BrowserContext], server: WebServer
) -> None:
    page = new_context().new_page()
    heard = listened_to(page)
    page.goto(f"{server.url}/durak/table")
    deal(page)
    expect(prompt(page)).to_have_text(TURN)
    heard.clear()  # what was sent of the game before
    page.reload()
    for _ in range(6):
        expect(prompt(page)).to_have_text(TURN)
        table = facts(server, page)
        hidden = {format_card(card) for card in observe(table.game, YOU).unseen}
        seen_before = {f"/cards/{format_card(card)}.svg" for card in PACK} - {
            f"/cards/{code}.svg" for code in hidden
        }
        sent = set(re.findall(r"/cards/\w\w\.svg", page.content() + "".join(heard)))
        assert sent <= seen_before
        assert str(table.seed) not in page.content() + "".join(heard)
        cards = page.get_by_test_id("hand").locator("button:enabled")
        if page.get_by_test_id("choice-hint").is_enabled():
            page.get_by_test_id("choice-hint").click()
            expect(page.get_by_test_id("advice")).to_be_visible()
        moves = page.get_by_test_id("moves")
        before = moves.inner_text()
        heard.clear()
        is_throw_in, has_card = "takes" in prompt(page).inner_text(), cards.count() > 0
        if has_card:
            cards.first.click()
        if is_throw_in:
            expect(page.get_by_test_id("choice-throw-in")).to_contain_text("Throw in 1")
        if is_throw_in or not has_card:
            page.keyboard.press("Enter")
        expect(moves).not_to_have_text(before, use_inner_text=True)
    assert page.get_by_test_id("hand").locator("button").count()


@pytest.mark.verify
def test_hints_and_the_coach_show_the_figures_of_the_evaluation(
    visit: Visit, server: WebServer, shot: Shot
) -> None:
    page = visit("/durak/table", color_scheme="dark")
    deal(page)
    page.get_by_test_id("coach").click()
    expect(page.get_by_test_id("advice")).to_be_visible()
    table = facts(server, page)
    values = advice(table.game, ADVICE_BUDGET, ADVICE_SEED)
    phase = table.game.phase
    expected = [
        f"{answer_phrase(phase, value.cards, Texts('en'))} {value.expected_score:.3f}"
        + (" proved" if value.is_exact else "")
        for value in values[:5]
    ]
    expect(page.get_by_test_id("advised")).to_have_text(expected)
    shot(page, "durak-table-desktop-dark")
    worst = min((value for value in values if len(value.cards) == 1), key=lambda value: value.expected_score)
    page.get_by_test_id("hand").get_by_test_id(f"card-{format_card(worst.cards[0])}").click()
    loss = max(0.0, values[0].expected_score - worst.expected_score)
    cost = page.get_by_test_id("cost")
    expect(cost).to_be_visible()
    if worst.cards != values[0].cards and loss > 0:
        expect(cost).to_contain_text(f"was worth {loss:.2f}")
    page.get_by_test_id("coach").click()
    expect(page.get_by_test_id("advice")).to_have_count(0)
    expect(prompt(page)).to_have_text(TURN)


@pytest.mark.verify
def test_two_browsers_have_tables_of_their_own(visit: Visit) -> None:
    first, second = visit("/durak/table"), visit("/durak/table")
    deal(first, "durak-random")
    deal(second, "durak-dummy")
    expect(first.get_by_test_id("opponent")).to_have_text("durak-random")
    expect(second.get_by_test_id("opponent")).to_have_text("durak-dummy")
    cards = [
        page.get_by_test_id("hand")
        .locator("button")
        .evaluate_all("all => all.map(one => one.dataset.testid)")
        for page in (first, second)
    ]
    assert cards[0] != cards[1]


@pytest.mark.verify
@pytest.mark.parametrize(
    ("path", "english", "russian"),
    [
        ("/durak/table", "Deal a new game", "Сдать заново"),
        ("/durak/party", "Deal a new game", "Сдать заново"),
        ("/durak/arena", "Start", "Начать"),
        ("/durak/replay", "Open a log from this computer", "Открыть файл с этого компьютера"),
    ],
)
def test_the_pages_speak_both_languages_and_fit_a_phone(
    visit: Visit, shot: Shot, path: str, english: str, russian: str
) -> None:
    name = f"durak-{path.rpartition('/')[2]}"
    is_folded = path in ("/durak/table", "/durak/party")
    page = visit(path)
    if is_folded:
        unfold_setting(page)
    expect(page.get_by_role("button", name=english)).to_be_visible()
    shot(page, f"{name}-desktop-light")
    page = visit(path, size="phone", locale="ru-RU", color_scheme="dark")
    if is_folded:
        unfold_setting(page)
    expect(page.get_by_role("button", name=russian)).to_be_visible()
    if path == "/durak/table":
        expect(prompt(page)).to_have_text(re.compile("Ваш ход|Отбе|Отбить"))
        assert "of" not in page.get_by_test_id("hand").locator("button").first.get_attribute("aria-label")  # type: ignore[operator]
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    shot(page, f"{name}-phone-dark-ru")


def processes_of(folder: Path) -> list[int]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            texts = (process / "cmdline").read_bytes().split(b"\0")
            if any(str(folder).encode() in word and b"zoo" in word for word in texts):
                found.append(int(process.name))
    return found


def wait_for_processes_of(folder: Path) -> list[int]:
    """Return the engines that play; between two games there may be none."""
    patience = time.monotonic() + 60
    while not (found := processes_of(folder)):
        assert time.monotonic() < patience, "no engine plays"
    return found


def wait_for_the_end_of(processes: list[int]) -> None:
    for number in processes:
        with suppress(ProcessLookupError):
            process = os.pidfd_open(number)
            ended, _, _ = select.select([process], [], [], 60)
            os.close(process)
            assert ended, f"process {number} is still there"


@pytest.mark.verify
def test_an_engine_is_added_crashes_forfeits_and_is_removed(visit: Visit, tmp_path: Path) -> None:
    (tmp_path / "zoo").symlink_to(ZOO)
    page = visit("/durak/table")
    page.get_by_test_id("engines").locator(".q-item").first.click()
    page.get_by_test_id("engine-name").fill("<b>wild</b>")
    page.get_by_test_id("engine-command").fill(f"{sys.executable} -S -E {tmp_path}/zoo/raises")
    page.get_by_test_id("engine-add").click()
    expect(page.get_by_role("button", name="Remove <b>wild</b>")).to_be_visible()
    deal(page, "<b>wild</b>", capped=False)
    for _ in range(5):
        expect(prompt(page)).to_have_text(re.compile(f"{TURN.pattern}|{OVER.pattern}"))
        if OVER.match(prompt(page).inner_text()):
            break
        page.get_by_test_id("hand").locator("button:enabled").first.click()
        expect(prompt(page)).to_have_text(OVER)
    expect(prompt(page)).to_have_text("The engine forfeits, the game is yours.")
    expect(page.get_by_test_id("verdict")).to_contain_text("it ended, or raised an error, before its answer")
    expect(page.get_by_test_id("score-won")).to_have_text("1")
    wait_for_the_end_of(processes_of(tmp_path))
    page.get_by_role("button", name="Remove <b>wild</b>").click()
    expect(page.get_by_text("<b>wild</b> is removed.")).to_be_visible()
    page.get_by_test_id("choice-next").click()
    expect(page.get_by_text("There is no engine '<b>wild</b>' in the list.")).to_be_visible()
    deal(page)
    expect(prompt(page)).to_have_text(TURN)


@pytest.mark.verify
def test_a_match_runs_to_its_end_and_its_games_can_be_looked_at(visit: Visit, shot: Shot) -> None:
    page = visit("/durak/arena")
    choose(page, "first", "durak-random")
    page.get_by_test_id("pairs").fill("6")
    page.get_by_test_id("seed").fill("1")
    page.get_by_test_id("start").click()
    expect(page.get_by_test_id("status")).to_have_text("Finished.")
    expect(page.get_by_test_id("progress")).to_have_text("12 of 12 games")
    counts = [int(page.get_by_test_id(f"fact-{name}").inner_text()) for name in ("won", "drawn", "lost")]
    assert sum(counts) == 12
    assert counts[2] > counts[0]
    expect(page.get_by_test_id("interval")).to_contain_text("95 %")
    expect(page.locator(".js-plotly-plot")).to_be_visible()
    shot(page, "durak-arena-finished")
    page.reload()
    expect(page.get_by_test_id("progress")).to_have_text("12 of 12 games")
    page.get_by_test_id("open-log").click()
    expect(page.get_by_test_id("found")).to_have_text("12 of 12 games")
    page.get_by_test_id("open-2").click()
    expect(page.get_by_test_id("step")).to_contain_text("Step 1 of ")


@pytest.mark.verify
def test_a_match_that_is_stopped_or_whose_server_ends_leaves_no_process(
    visit: Visit, server: WebServer, tmp_path: Path
) -> None:
    (tmp_path / "zoo").symlink_to(ZOO)
    page = visit("/durak/arena")
    page.get_by_test_id("engines").locator(".q-item").first.click()
    page.get_by_test_id("engine-name").fill("tame")
    page.get_by_test_id("engine-command").fill(f"{sys.executable} -S -E {tmp_path}/zoo/tame.py")
    page.get_by_test_id("engine-add").click()
    expect(page.get_by_role("button", name="Remove tame")).to_be_visible()
    for field in ("first", "second"):
        choose(page, field, "tame")
    page.get_by_test_id("pairs").fill("2000")
    page.get_by_test_id("start").click()
    expect(page.get_by_test_id("progress")).to_have_text(re.compile(r"[1-9]\d* of 4000 games"))
    running = wait_for_processes_of(tmp_path)
    page.get_by_test_id("stop").click()
    expect(page.get_by_test_id("status")).to_have_text("Stopped.")
    wait_for_the_end_of(running)
    assert processes_of(tmp_path) == []
    page.get_by_test_id("start").click()
    expect(page.get_by_test_id("progress")).to_have_text(re.compile(r"[1-9]\d* of 4000 games"))
    running = wait_for_processes_of(tmp_path)
    page.context.close()
    assert server.stop() == 0
    wait_for_the_end_of(running)
    assert processes_of(tmp_path) == []
    server.start()


@pytest.mark.verify
def test_the_old_log_is_uploaded_and_stepped_through(visit: Visit, shot: Shot) -> None:
    page = visit("/durak/replay")
    page.locator("input[type=file]").set_input_files(OLD_GAMES)
    expect(page.get_by_test_id("found")).to_have_text("20 of 20 games")
    expect(page.get_by_test_id("step")).to_have_text("Step 1 of 46")
    expect(page.get_by_test_id("hand-1").locator("img")).to_have_count(6)
    for step in range(2, 6):
        page.keyboard.press("ArrowRight")
        expect(page.get_by_test_id("step")).to_have_text(f"Step {step} of 46")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_test_id("story")).to_contain_text("plays 6♥")
    shot(page, "durak-replay-game")
    page.keyboard.press("End")
    expect(page.get_by_test_id("story")).to_contain_text("durak-dummy (player 2) has won.")
    page.keyboard.press("Home")
    expect(page.get_by_test_id("step-first")).to_be_disabled()
    page.get_by_test_id("step-last").click()
    expect(page.get_by_test_id("step")).to_have_text("Step 46 of 46")
    expect(page).to_have_url(re.compile(r"game=1&step=46"))
    page.get_by_test_id("step-previous").focus()
    for step in (45, 44, 43):  # a button that is worked by keyboard keeps the focus while the board changes
        page.keyboard.press("Enter")
        expect(page.get_by_test_id("step")).to_have_text(f"Step {step} of 46")
    page.get_by_test_id("step-last").click()
    choose(page, "kind", "½:½")
    expect(page.get_by_test_id("found")).to_have_text(re.compile(r"^[1-9] of 20 games"))
    other = visit(page.url[page.url.index("/durak") :], locale="ru-RU", size="phone")
    expect(other.get_by_test_id("step")).to_have_text("Шаг 46 из 46")
    shot(other, "durak-replay-phone-ru")


@pytest.mark.verify
def test_what_is_no_log_is_refused_in_one_line(visit: Visit, tmp_path: Path) -> None:
    page = visit("/durak/replay")
    rubbish = tmp_path / "rubbish.log"
    for data, reason in (
        (b"rubbish\n", "no game in it can be read"),
        (b"\xff\0\xfe", "not a text file"),
        (b" " * (5 * 2**20 + 1), "larger than 5 MB"),
    ):
        rubbish.write_bytes(data)
        page.locator("input[type=file]").set_input_files(rubbish)
        expect(page.get_by_text(reason)).to_be_visible()
    page.goto(page.url.partition("?")[0] + "?log=../../../etc/passwd&game=1")
    expect(page.get_by_text("There is no log '../../../etc/passwd' here.")).to_be_visible()


@pytest.mark.verify
def test_six_players_with_jokers_are_seated_and_a_move_is_made(visit: Visit) -> None:
    page = visit("/durak/party")
    unfold_setting(page)
    choose(page, "preset", "with jokers")
    choose(page, "opponent-field", "durak-dummy")
    page.get_by_test_id("deal").click()
    expect(page.get_by_test_id("seat-5")).to_be_visible()
    moves, throw_in = page.get_by_test_id("moves"), page.get_by_test_id("choice-throw-in")
    for _ in range(3):
        card = page.get_by_test_id("hand").locator("button:not([disabled])").first
        other = page.locator("[data-testid^='choice-']").first
        expect(card.or_(other).first).to_be_visible()
        before = moves.inner_text()
        if throw_in.count():
            throw_in.click()
        else:
            (card if card.count() else other).click()
        expect(moves).not_to_have_text(before)
