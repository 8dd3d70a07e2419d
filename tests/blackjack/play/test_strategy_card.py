"""The card to carry: chart, deviations and bets stand on it, none over another, whatever their number."""

from collections.abc import Sequence

import pytest

from croupier.blackjack.counting.bet_ramp import parse_ramp
from croupier.blackjack.counting.indices import CountIndex, CountIndices
from croupier.blackjack.counting.result import CountingStrategy
from croupier.blackjack.counting.system import HI_LO, KO, CountingSystem
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.play.strategy_card import strategy_card
from croupier.blackjack.solvers.chart import HARD_ROWS, UP_CARDS, Chart, Code
from croupier.page import Page

CHART = Chart.uniform("H")


def card(plays: int, system: CountingSystem = HI_LO, ranked: Sequence[tuple[str, str]] = ()) -> Page:
    """Draw a card with so many deviations, at rising counts."""
    cells = [(row, up_card) for row in HARD_ROWS for up_card in UP_CARDS][:plays]
    indices = tuple(
        CountIndex(*cell, Code.HIT, Code.STAND, count, count + 0.5) for count, cell in enumerate(cells)
    )
    strategy = CountingStrategy(system, parse_ramp("1:1,2:8"), CountIndices(3, 3.1, indices), CHART)
    return strategy_card(BlackjackRules(), CHART, strategy, ranked=ranked)


@pytest.mark.parametrize("plays", [0, 1, 5, 64, 150])
def test_everything_stands_below_the_chart_and_on_the_page(plays: int) -> None:
    page = card(plays)
    listed = [words for words in page.words if " v " in words.text]
    assert len(listed) == min(plays, 64)
    assert len({(words.left, words.foot) for words in listed}) == len(listed)
    chart = max(box.top + box.height for box in page.boxes)
    bets = next(words for words in page.words if words.text == "Units by true count: +1: 1, +2: 8")
    legend = next(words for words in page.words if words.text.startswith("H hit"))
    assert chart < legend.foot < bets.foot < min((words.foot for words in listed), default=595)
    assert all(0 < words.foot < page.height and 0 < words.left < page.width for words in page.words)


def test_a_card_for_a_running_count_says_where_a_shoe_begins() -> None:
    lines = [words.text for words in card(5, KO).words]
    assert "A shoe begins at -20. Units by running count: +1: 1, +2: 8" in lines


def test_a_card_explains_the_codes_of_its_deviations_by_the_rules() -> None:
    plays = (CountIndex("8,8", "T", Code.SPLIT_OR_HIT, Code.SURRENDER_OR_SPLIT, 3, 2.7),)
    strategy = CountingStrategy(HI_LO, parse_ramp("1:1,2:8"), CountIndices(3, 3.1, plays), CHART)
    legend = " ".join(words.text for words in strategy_card(BlackjackRules(), CHART, strategy).words)
    assert "PH split; hit a pair that may not be split again; RP surrender, else split." in legend


def test_a_card_keeps_the_deviations_that_earn_most() -> None:
    """Whatever their counts are: those of a running count may lie far from 0."""
    best = ("18", "T")
    listed = [
        words.text for words in card(150, ranked=[("insurance", "A"), best]).words if " v " in words.text
    ]
    assert len(listed) == 64
    assert listed[-1].startswith("18 v T")
    assert not any(line.startswith("18 v 9") for line in listed)


def test_a_card_says_what_it_leaves_out() -> None:
    texts = "; ".join(words.text for words in card(150).words)
    assert (
        "Play otherwise from this true count on; insurance from +3; 86 that earn less are left out" in texts
    )
    assert "149" not in texts
    assert "Plays do not follow the count; insurance from +3" in "; ".join(w.text for w in card(0).words)
