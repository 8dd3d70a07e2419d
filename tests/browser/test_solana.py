"""The table on the chain in a real browser: played by clicks and by keys, watched, verified."""

import json
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from croupier.solana.demonstration import Stage
from croupier.solana.record import GameRecord
from croupier.solana.verification import verify_game
from croupier.web.models.solana_run import Script, run_script
from tests.browser.listening import listened_to

Visit = Callable[..., Page]
Shot = Callable[..., Path]


def saved_states(store: str) -> list[dict[str, Any]]:
    """Return the tables on the chain that a web app has kept, the newest last."""
    with sqlite3.connect(store) as database:
        rows = database.execute("SELECT state FROM rooms WHERE room = 'solana' ORDER BY updated").fetchall()
    return [json.loads(state) for (state,) in rows]


def script_of(store: str) -> Script:
    state = saved_states(store)[-1]
    return Script(int(state["seed"]), state["decks"], tuple(state["deeds"]))


def bytes_on(page: Page) -> bytes:
    """Return the account as the page shows it, from the first field to the last."""
    return bytes.fromhex("".join(page.locator("[data-testid^=raw-]").all_inner_texts()))


def marked_on(page: Page) -> list[str]:
    """Return the names of the fields in which bytes are marked."""
    marked = page.locator("[data-testid^=raw-]:has(mark)")
    names: list[str] = marked.evaluate_all("cells => cells.map(cell => cell.dataset.testid.slice(4))")
    return names


def fits(page: Page) -> bool:
    """Tell whether nothing is wider than the window."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


def until_there_is_a_choice(page: Page, *steps: Callable[[], object]) -> None:
    """Begin games until one is not over with its first cards."""
    stand, verify = page.get_by_test_id("choice-stand"), page.get_by_test_id("choice-verify")
    while True:
        for step in steps:
            step()
        expect(stand.or_(verify)).to_be_visible()
        if stand.is_visible():
            return


@pytest.mark.verify
def test_a_whole_game_is_played_by_clicking(
    server: Any, new_context: Callable[..., BrowserContext], shot: Shot, tmp_path: Path
) -> None:
    page = new_context().new_page()
    heard = listened_to(page)
    response = page.goto(f"{server.url}/solana")
    assert response is not None
    heard.append(response.text())

    def click(name: str) -> None:
        page.get_by_test_id(name).click()

    def asked_and_answered(request: str) -> None:
        click(f"choice-{request}")
        expect(page.get_by_test_id("prompt")).to_contain_text("The house has to answer")
        click("choice-reveal")

    click("house-answers")
    until_there_is_a_choice(page, lambda: click("play"), lambda: asked_and_answered("deal"))
    expect(page.get_by_test_id("player-hand").get_by_role("img")).to_have_count(2)
    script = script_of(server.store)
    run = run_script(script)
    assert script.actions == ("create", "deal", "reveal")
    assert bytes_on(page) == run.entries[-1].after
    assert {"status", "counts", "player_cards", "chain_tip"} <= set(marked_on(page))
    assert "house" not in marked_on(page)
    shot(page, "solana-desktop-light")

    page.reload()
    expect(page.get_by_test_id("choice-stand")).to_be_visible()
    assert bytes_on(page) == run.entries[-1].after
    page.get_by_role("button", name="player_cards").click()
    code = run.entries[-1].after[92]
    expect(page.get_by_test_id("byte-92")).to_contain_text(f"code {code}")
    page.get_by_test_id("entry-1").click()
    expect(page.get_by_test_id("compute-units")).to_have_text("2,416")
    expect(page.get_by_test_id("balance-game")).to_contain_text("+2,672,640")
    assert bytes_on(page) == run.entries[0].after

    asked_and_answered("stand")
    click("choice-verify")
    expect(page.get_by_test_id("verdict")).to_have_text(
        "✓ Consistent: every card follows from the signed transactions."
    )
    assert page.get_by_test_id("check").count() == 3 + 4 + 4 + 2
    with page.expect_download() as download:
        click("save-record")
    download.value.save_as(tmp_path / "game.json")
    assert verify_game(GameRecord.load(tmp_path / "game.json")).problem is None
    click("choice-cleanup")
    expect(page.get_by_test_id("closed")).to_be_visible()
    expect(page.get_by_test_id("missing-player")).to_have_text("0")
    expect(page.get_by_test_id("rent-player")).to_have_text("0")

    text = re.sub(r"\s", "", "".join(heard))
    *hidden, _, _, _ = links = Stage.of(script.seed).prepared().links
    assert all(link.hex() in text for link in links[-3:]), "what was revealed can be found where we look"
    assert not any(link.hex() in text for link in hidden)
    assert str(script.seed) not in text


@pytest.mark.verify
def test_a_game_is_played_by_keyboard(server: Any, visit: Visit, shot: Shot) -> None:
    page = visit("/solana", color_scheme="dark")
    prompt = page.get_by_test_id("prompt")

    def press(key: str, choice: str) -> None:
        expect(page.get_by_test_id(f"choice-{choice}")).to_be_visible()
        page.keyboard.press(key)

    until_there_is_a_choice(page, lambda: press("n", "new"), lambda: press("d", "deal"))
    press("s", "stand")
    press("v", "verify")
    expect(page.get_by_test_id("verdict")).to_contain_text("Consistent")
    press("f", "forge")
    expect(page.get_by_test_id("forged-verdict")).to_contain_text("✗ Forged or incomplete: step")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_test_id("account")).to_contain_text("The account after 4. stand")
    assert marked_on(page) == ["status"]
    page.keyboard.press("ArrowRight")
    expect(page.get_by_test_id("account")).to_contain_text("The account after 5. reveal")
    assert bytes_on(page) == run_script(script_of(server.store)).entries[-1].after
    shot(page, "solana-desktop-dark")
    press("k", "cleanup")
    expect(prompt).to_contain_text("The account is closed.")
    assert fits(page)


@pytest.mark.verify
def test_a_game_is_watched_step_by_step_and_by_itself(visit: Visit, shot: Shot) -> None:
    page = visit("/solana", size="phone")
    page.get_by_test_id("seed").fill("x")
    page.get_by_test_id("watch").click()
    expect(page.get_by_text("Seed 'x': a seed must be a whole number")).to_be_visible()
    page.get_by_test_id("seed").fill("4")
    page.get_by_test_id("watch").click()
    for step in ("create", "deal", "reveal", "stand", "reveal"):
        expect(page.get_by_test_id("choice-next")).to_contain_text(f"Next: {step}")
        page.get_by_test_id("choice-next").click()
    expect(page.get_by_test_id("prompt")).to_have_text("The player wins: the dealer is bust with 23.")
    page.reload()
    expect(page.get_by_test_id("prompt")).to_have_text("The player wins: the dealer is bust with 23.")
    expect(page.get_by_test_id("dealer-hand").get_by_role("img", name="6 of clubs")).to_be_visible()
    page.get_by_test_id("choice-auto").click()
    expect(page.get_by_test_id("closed")).to_be_visible()
    expect(page.get_by_test_id("verdict")).to_contain_text("Consistent")
    expect(page.get_by_test_id("now-player")).to_have_text("999,999,980,000")
    expect(page.get_by_test_id("choice-next")).to_have_count(0)
    shot(page, "solana-phone-light")
    assert fits(page)
