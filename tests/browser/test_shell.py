"""The frame around the pages: navigation, languages, dark and light, phone and desktop."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.long_cases import cases

Visit = Callable[..., Page]


@pytest.mark.parametrize("size", cases(["desktop", "phone"], long=["desktop"]))
@pytest.mark.parametrize("scheme", cases(["light", "dark"], long=["dark"]))
def test_the_home_page_leads_to_every_page(
    visit: Visit, shot: Callable[..., Path], size: str, scheme: str
) -> None:
    page = visit("/", size=size, color_scheme=scheme)
    expect(page.get_by_role("heading", level=1)).to_have_text("The dealer who knows the odds")
    assert page.get_by_test_id("tile-durak_table").get_attribute("href") == "/durak/table"
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    shot(page, f"home-{size}-{scheme}")


@pytest.mark.verify
def test_the_language_is_the_browsers_until_another_is_chosen(visit: Visit) -> None:
    page = visit("/", locale="ru-RU")
    expect(page.get_by_role("heading", level=1)).to_have_text("Крупье, который знает шансы")
    page.get_by_test_id("language").click()
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("The dealer who knows the odds")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("The dealer who knows the odds")
    assert page.evaluate("document.documentElement.lang") == "en"


@pytest.mark.verify
def test_dark_and_light_are_remembered(visit: Visit) -> None:
    page = visit("/", color_scheme="light")
    expect(page.locator("body.body--light")).to_be_visible()
    page.get_by_test_id("theme").click()
    expect(page.locator("body.body--dark")).to_be_visible()
    page.reload()
    expect(page.locator("body.body--dark")).to_be_visible()


@pytest.mark.verify
def test_the_menu_of_a_phone_leads_on(visit: Visit) -> None:
    page = visit("/", size="phone")
    page.get_by_test_id("menu").click()
    page.get_by_role("link", name="Blackjack simulator").click()
    expect(page).to_have_url(re.compile(r"/blackjack/simulator"))
