"""The Counter page in a real browser: everything is redrawn while one slides, and a link shows the same."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from croupier import blackjack
from croupier.web.models.counter_runs import ProfileRequest, record_profile
from tests.web.serving import WebServer

Visit = Callable[..., Page]
Shot = Callable[..., Path]

RULES = blackjack.Rules()
ADDRESS = "/blackjack/counter?preset=six-deck"


@pytest.fixture(scope="module")
def server(start_lab: Callable[..., WebServer]) -> WebServer:
    """Return a web app that finds two small profiles in its store."""

    def prepare(web: WebServer) -> None:
        for rounds in (60_000, 200_000):
            request = ProfileRequest(RULES, indices="none", rounds=rounds)
            record_profile(request, str(web.store), lambda _: None)

    return start_lab("counter", prepare=prepare)


def slide(page: Page, name: str, share: float) -> None:
    """Press a slider at a part of its length."""
    slider = page.get_by_test_id(f"slide-{name}")
    box = slider.bounding_box()
    assert box is not None
    slider.click(position={"x": box["width"] * share, "y": box["height"] / 2})


def test_everything_is_redrawn_while_sliding(visit: Visit, shot: Shot) -> None:
    page = visit(ADDRESS)
    expect(page.get_by_test_id("fact-ruin")).to_be_visible()
    expect(page.get_by_test_id("fact-win_per_hour")).to_contain_text("±")
    before = {
        name: page.get_by_test_id(name).inner_text() for name in ("bets", "fact-std_per_hour", "headline")
    }
    slide(page, "spread", 0.9)
    for name, text in before.items():
        expect(page.get_by_test_id(name)).not_to_have_text(text)
    ruin = page.get_by_test_id("fact-ruin").inner_text()
    slide(page, "bankroll", 0.3)
    expect(page.get_by_test_id("fact-ruin")).not_to_have_text(ruin)
    expect(page.get_by_test_id("by-count")).to_contain_text("+2")
    shot(page, "blackjack-counter-desktop-light")
    page.wait_for_url("**spread=*bankroll=*")
    answer = page.get_by_test_id("headline").inner_text()
    page.goto(page.url)
    expect(page.get_by_test_id("headline")).to_have_text(answer)


def test_the_risk_of_ruin_is_found_on_a_phone_without_scrolling(visit: Visit, shot: Shot) -> None:
    page = visit(ADDRESS, size="phone")
    expect(page.get_by_test_id("fact-ruin")).to_be_in_viewport()
    expect(page.get_by_test_id("fact-trip_ruin")).to_be_in_viewport()
    expect(page.get_by_test_id("fact-n0")).to_be_hidden()
    shot(page, "blackjack-counter-phone-light")


def test_somebody_who_errs_is_recorded(visit: Visit) -> None:
    page = visit(ADDRESS)
    expect(page.get_by_test_id("bets")).to_be_visible()
    for name, text in {"rounds": "20000", "others": "1", "miscounts": "10", "misplays": "5"}.items():
        page.get_by_test_id(f"record-{name}").fill(text)
    page.get_by_test_id("record-indices").click()
    page.get_by_role("option", name="none").click()
    page.get_by_test_id("record").click()
    expect(page.get_by_test_id("profiles")).to_contain_text(
        "other players 1 · 10.0% miscounted, 5.0% misplayed"
    )
    won = page.get_by_test_id("fact-win_per_hour").inner_text()
    page.get_by_test_id("set-tips").fill("12")
    expect(page.get_by_test_id("fact-win_per_hour")).not_to_have_text(won)


def test_profiles_are_named_and_stand_side_by_side(visit: Visit) -> None:
    page = visit(ADDRESS)
    page.get_by_test_id("name-1").first.fill("my casino")
    page.get_by_test_id("compare-1").first.click()
    page.get_by_test_id("compare-2").first.click()
    expect(page.get_by_test_id("compared")).to_contain_text("SCORE")
    expect(page.get_by_test_id("compared")).to_contain_text("hi-lo · 2")
    page.get_by_test_id("ask-1").click()
    expect(page.get_by_test_id("trust")).to_contain_text("60,")


@pytest.mark.verify
def test_a_first_visit_records_a_profile(visit: Visit) -> None:
    page = visit("/blackjack/counter?preset=six-deck&set=decks%3D1")
    expect(page.get_by_test_id("recording")).to_contain_text("Recorded as run")
    expect(page.get_by_test_id("trust")).to_contain_text("rounds")


def test_a_question_without_sense_says_why(visit: Visit) -> None:
    page = visit(f"{ADDRESS}&mode=ramp&ramp=2:1,1:4")
    expect(page.get_by_test_id("complaint")).to_contain_text("counts must rise")


def test_rules_that_cannot_be_counted_say_why_there_is_no_profile(visit: Visit) -> None:
    page = visit("/blackjack/counter?preset=spanish-21")
    complaint = page.get_by_test_id("complaint")
    expect(complaint).to_contain_text("Counts are for packs of 52 cards")
    expect(complaint).to_contain_text("Choose other rules under “Record a profile”.")
    expect(page.get_by_test_id("headline")).to_have_count(0)


def test_a_link_says_what_a_profile_does_not_know_of_it(visit: Visit) -> None:
    page = visit(f"{ADDRESS}&enter=99")
    expect(page.get_by_test_id("complaint")).to_contain_text("Enter at +99: this profile knows +1, +2")
    slide(page, "spread", 0.9)
    expect(page.get_by_test_id("complaint")).to_have_count(0)


def test_trips_that_lose_the_bankroll_are_drawn(visit: Visit) -> None:
    page = visit(f"{ADDRESS}&bankroll=300&unit=40&spread=26")
    expect(page.get_by_test_id("ruined")).to_contain_text("% lose the bankroll")
