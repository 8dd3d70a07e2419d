"""Two final hands against each other, whatever happened before."""

from itertools import product

import pytest

from croupier.blackjack.engine import (
    BlackjackRules,
    HandValue,
    Outcome,
    evaluate,
    settle,
    settle_at_once,
    settle_surrender,
)
from croupier.cards import parse_cards

NATURAL = "AS KH"
TOTALS = ["TC 7D", "TC 8D", "TC 9D", "TC QD", "7C 7D 7H"]


def result(player: str, dealer: str, **options: object) -> tuple[float, Outcome]:
    hand, dealer_hand = evaluate(parse_cards(player)), evaluate(parse_cards(dealer))
    settlement = settle(hand, dealer_hand, BlackjackRules.create(options), 10)
    return settlement.units, settlement.outcome


def test_the_higher_total_wins_even_money_and_equal_totals_stand_off() -> None:
    for (mine, player), (theirs, dealer) in product(enumerate(TOTALS), repeat=2):
        units, outcome = result(player, dealer)
        assert units == 10 * ((mine > theirs) - (mine < theirs))
        assert outcome in (Outcome.WIN, Outcome.LOSS, Outcome.PUSH)


@pytest.mark.parametrize(
    ("player", "dealer", "units", "outcome"),
    [
        (NATURAL, "7C 7D 7H", 15, Outcome.NATURAL),
        (NATURAL, "AD QD", 0, Outcome.PUSH),
        ("7C 7D 7H", "AD QD", -10, Outcome.DEALER_NATURAL),
        ("TC 2D", "TC 6D KH", 10, Outcome.DEALER_BUST),
        ("TC 6D KH", "TC 6D KH", -10, Outcome.BUST),
        ("TC 6D KH", "AD QD", -10, Outcome.BUST),
    ],
)
def test_naturals_and_busts(player: str, dealer: str, units: float, outcome: Outcome) -> None:
    assert result(player, dealer) == (units, outcome)


@pytest.mark.parametrize(("pays", "units"), [("3:2", 15), ("6:5", 12), ("1:1", 10), ("2:1", 20), ("7:5", 14)])
def test_a_natural_wins_any_fraction(pays: str, units: float) -> None:
    assert result(NATURAL, "TC 7D", natural_pays=pays) == (units, Outcome.NATURAL)


def test_paid_at_once_a_hand_beats_everything_but_a_natural_that_ended_the_round() -> None:
    options = {"twenty_one_pays_at_once": True}
    assert result("7C 7D 7H", "6C 7S 8S", **options) == (10, Outcome.TWENTY_ONE)
    assert result(NATURAL, "AD QD", **options) == (0, Outcome.PUSH)
    assert result(NATURAL, "AD QD", hole_card="no-peek", **options) == (15, Outcome.NATURAL)


def test_a_charlie_of_21_is_an_ordinary_win() -> None:
    assert result("2C 3C 4C 5C 7D", "6C 7S 8S", charlie=5) == (10, Outcome.CHARLIE)


def test_what_is_not_paid_at_once() -> None:
    assert settle_at_once(HandValue(20, is_soft=False, card_count=4), BlackjackRules(charlie=5)) is None


def test_surrender_returns_half() -> None:
    assert settle_surrender(BlackjackRules(), 25).units == -12.5
