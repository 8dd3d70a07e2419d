"""Photograph the web app for the README: start ``croupier serve``, then python docs/pictures/photograph.py [ADDRESS]."""

import shutil
import sys
from pathlib import Path

from playwright.sync_api import Page, ViewportSize, expect, sync_playwright

FOLDER = Path(__file__).parent
WIDTH = 1280


def explorer(page: Page) -> None:
    """Show the solved reference game and its most famous hand."""
    page.goto("/banluck?hand=T-6")
    expect(page.get_by_text("Solved in")).to_be_visible(timeout=60_000)
    expect(page.get_by_text("How the hand ends")).to_be_visible(timeout=60_000)


def blackjack(page: Page) -> None:
    """Show a hand that is being played, with the coach."""
    page.goto("/blackjack/table")
    page.get_by_test_id("choice-deal").click()
    expect(page.get_by_test_id("choice-deal")).to_be_hidden()
    page.get_by_test_id("coach").click()
    expect(page.get_by_test_id("worth").first).to_be_visible(timeout=60_000)


def durak(page: Page) -> None:
    """Show the beginning of a game in which the visitor has a choice."""
    page.goto("/durak/table")
    expect(page.get_by_test_id("hand")).to_be_visible(timeout=60_000)
    while page.get_by_text("No card of yours beats").is_visible():
        page.get_by_text("Deal a new game").click()
        page.wait_for_load_state("networkidle")


def main() -> None:
    """Take all pictures."""
    address = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8080"
    program = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for name, show, height in (
            ("banluck-explorer", explorer, 1180),
            ("blackjack-table", blackjack, 860),
            ("durak-table", durak, 860),
        ):
            context = browser.new_context(
                base_url=address, viewport=ViewportSize(width=WIDTH, height=height), locale="en-GB"
            )
            page = context.new_page()
            show(page)
            page.screenshot(path=FOLDER / f"{name}.png", animations="disabled")
            context.close()
        browser.close()


if __name__ == "__main__":
    main()
