"""The web app with its tables on a real PostgreSQL server."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.runs.postgres_server import needs_postgres, postgres
from tests.web.serving import WebServer


@pytest.mark.verify
@needs_postgres
def test_a_hand_is_found_again_after_a_crash(
    start_lab: Callable[..., WebServer], new_context: Callable[..., BrowserContext]
) -> None:
    with postgres() as url:
        server = start_lab("postgres", "--store", url)
        page = new_context().new_page()
        page.goto(f"{server.url}/blackjack/table")
        bankroll = page.get_by_test_id("bankroll")
        expect(bankroll).to_have_text("1,000")
        page.get_by_test_id("choice-deal").click()
        expect(page.get_by_test_id("hand-1-1").locator("img")).not_to_have_count(0)
        cards = page.get_by_test_id("hand-1-1").inner_html()
        told = page.get_by_test_id("prompt").inner_text()
        page.goto("about:blank")
        server.kill()
        server.start()
        page.goto(f"{server.url}/blackjack/table")
        expect(page.get_by_test_id("prompt")).to_have_text(told)
        assert page.get_by_test_id("hand-1-1").inner_html() == cards
        assert not (server.folder / "lab.sqlite").exists()
        page.context.close()
        assert server.stop() == 0
