"""The exact values of the side bets, against published figures and against every deal of small shoes."""

import random
from itertools import permutations

import pytest

from croupier.blackjack.engine import BlackjackRules, SideBets, settle_side_bets
from croupier.blackjack.solvers.side_bets import (
    CardCounts,
    perfect_pairs_value,
    twenty_one_plus_three_value,
)
from croupier.cards import DECK_SIZE, CardError

EXACT = 1e-12

#: House edges of perfect pairs at 25, 12 and 6 to one, and of 21+3 at 9 to one for everything: Wizard of Odds,
#: pages "Perfect Pairs" and "21+3" (version 1), in per cent to two places.
PERFECT_PAIRS = {2: 22.33, 4: 10.14, 6: 6.11, 8: 4.10}
NINE_TO_ONE = {1: 13.30, 2: 7.26, 4: 4.24, 6: 3.24, 8: 2.74}

#: The same source: ways to make each hand of 21+3 from six decks, of 5,013,320 in all.
SIX_DECK_WAYS = {
    "suited trips": 1040,
    "straight flush": 10368,
    "three of a kind": 25272,
    "straight": 155520,
    "flush": 292896,
}


@pytest.mark.parametrize("decks", PERFECT_PAIRS)
def test_perfect_pairs_has_the_published_edge(decks: int) -> None:
    rules = BlackjackRules(decks=decks, perfect_pairs=(25, 12, 6))
    value = perfect_pairs_value(rules, CardCounts.full(rules)).value
    assert round(-100 * value, 2) == PERFECT_PAIRS[decks]


@pytest.mark.parametrize("decks", NINE_TO_ONE)
def test_21_plus_3_at_nine_to_one_has_the_published_edge(decks: int) -> None:
    rules = BlackjackRules(decks=decks, twenty_one_plus_three=(9, 9, 9, 9, 9))
    value = twenty_one_plus_three_value(rules, CardCounts.full(rules)).value
    assert round(-100 * value, 2) == NINE_TO_ONE[decks]


def test_the_hands_of_21_plus_3_come_as_often_as_published() -> None:
    rules = BlackjackRules(decks=6)
    chances = twenty_one_plus_three_value(rules, CardCounts.full(rules)).chances
    assert {kind: round(5013320 * chance) for kind, chance in chances.items()} == SIX_DECK_WAYS


@pytest.mark.parametrize("number", range(6))
def test_every_deal_of_a_small_shoe_settled_by_the_engine_has_the_solvers_value(number: int) -> None:
    source = random.Random(f"side bets {number}")
    rules = BlackjackRules(decks=2, perfect_pairs=(30, 0, 5), twenty_one_plus_three=(80, 20, 0, 9, 4))
    full = [card for card in range(DECK_SIZE) for _ in range(2)]
    ranks = source.sample(range(13), 4)
    left = source.sample([card for card in full if card // 4 in ranks], 12)
    removed = full.copy()
    for card in left:
        removed.remove(card)
    shoe = CardCounts.full(rules).without(removed)
    deals = list(permutations(left, 3))
    won = {"perfect pairs": 0.0, "21+3": 0.0}
    for first, second, up_card in deals:
        for settled in settle_side_bets(SideBets(1, 1), (first, second), up_card, rules):
            won[settled.name] += settled.units
    assert perfect_pairs_value(rules, shoe).value == pytest.approx(
        won["perfect pairs"] / len(deals), abs=EXACT
    )
    assert twenty_one_plus_three_value(rules, shoe).value == pytest.approx(
        won["21+3"] / len(deals), abs=EXACT
    )


def test_many_decks_come_close_to_infinite_packs() -> None:
    infinite = BlackjackRules(decks="infinite")
    eight = BlackjackRules(decks=8)
    for value_of in (perfect_pairs_value, twenty_one_plus_three_value):
        limit = value_of(infinite, CardCounts.full(infinite)).value
        assert limit == pytest.approx(value_of(eight, CardCounts.full(eight)).value, abs=0.07)
        assert limit > value_of(eight, CardCounts.full(eight)).value


def test_a_bet_needs_its_cards() -> None:
    rules = BlackjackRules(decks=1)
    two_cards = CardCounts.full(rules).without(range(50))
    assert perfect_pairs_value(rules, two_cards).chances["coloured pair"] == 0.0
    with pytest.raises(CardError, match="21\\+3 needs 3 cards; the shoe holds 2"):
        twenty_one_plus_three_value(rules, two_cards)
