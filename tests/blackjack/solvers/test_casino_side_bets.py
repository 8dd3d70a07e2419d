"""Side bets of casino floors: against published figures, and against every deal of small shoes."""

import random
from collections import Counter
from itertools import combinations_with_replacement, permutations

import numpy as np
import pytest

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.engine.side_bets import SIDE_BETS
from croupier.blackjack.solvers.casino_side_bets import (
    CASINO_SIDE_BETS,
    find_side_bet,
    full_shoe,
    side_bet_chances,
    side_bet_effects,
    side_bet_value,
)
from croupier.blackjack.solvers.side_bets import CardCounts, side_bet_values
from croupier.cards import ACE_CLASS, DECK_SIZE, TEN_CLASS, parse_card, point_class
from croupier.errors import InputError

#: House edges in per cent, to their last printed digit. Lucky Ladies B: Gaming Today, 23 January 2006 (paybacks 75.06, 80.54, 82.36); A: Wizard
#: of Odds, as quoted by onlineblackjack.org and betfirm.com. Royal Match: Wizard of Odds, version 1. Over/Under 13: E. Jacobson, "Card Counting the
#: Over/Under 13 Blackjack Side Bet, Update #1" (six decks), and Wizard of Odds. Lucky Lucky: Wizard of Odds, pay table 1.
EDGES = [
    ("lucky-ladies", 2, "24.94"), ("lucky-ladies", 4, "19.46"), ("lucky-ladies", 6, "17.64"),
    ("lucky-ladies-a", 1, "38.16"), ("lucky-ladies-a", 6, "24.71"), ("lucky-ladies-a", 8, "24.05"),
    ("royal-match", 1, "10.8597"), ("royal-match", 2, "8.3271"), ("royal-match", 4, "7.0792"),
    ("royal-match", 6, "6.6658"), ("royal-match", 8, "6.4597"),
    ("over-13", 6, "6.555"), ("under-13", 6, "10.067"),
    ("under-13", 1, "10.11"), ("under-13", 2, "10.08"), ("under-13", 4, "10.07"),
    ("lucky-lucky", 6, "2.66"),
]  # fmt: skip

#: Wizard of Odds, Lucky Lucky, pay table 1, six decks: combinations of 5,013,320.
LUCKY_LUCKY_WAYS = {
    "suited 7-7-7": 80,
    "suited 6-7-8": 864,
    "7-7-7": 1944,
    "6-7-8": 12960,
    "suited 21": 26568,
    "21": 406296,
    "total 20": 377568,
    "total 19": 364320,
}


def cards_of(text: str) -> tuple[int, ...]:
    """Read cards of several packs."""
    return tuple(parse_card(token) for token in text.split())


@pytest.mark.parametrize(("name", "decks", "edge"), EDGES)
def test_a_bet_has_the_published_edge(name: str, decks: int, edge: str) -> None:
    value = side_bet_value(find_side_bet(name), full_shoe(BlackjackRules(decks=decks)))
    digits = len(edge.partition(".")[2])
    assert round(-100 * value, digits) == pytest.approx(float(edge), abs=1e-9)


def test_lucky_lucky_comes_as_often_as_published() -> None:
    chances = side_bet_chances(find_side_bet("lucky-lucky"), full_shoe(BlackjackRules(decks=6)))
    assert {kind: round(chance * 5_013_320) for kind, chance in chances.items()} == LUCKY_LUCKY_WAYS


@pytest.mark.parametrize("name", CASINO_SIDE_BETS)
def test_every_deal_of_a_small_shoe_has_the_value(name: str) -> None:
    """All orders of four cards, settled one by one from the words of the bets."""
    source, bet = random.Random(f"casino {name}"), find_side_bet(name)
    shoe = [*cards_of("QH QH KH KH AS AS 6D 7D 8D 7D"), *source.sample(range(DECK_SIZE), 3)]
    left = np.bincount(shoe, minlength=DECK_SIZE).astype(np.float64)
    won, deals = 0.0, 0
    for first, second, up_card, hole_card in permutations(shoe, 4):
        kind = bet.classify((first, second, up_card)[: bet.size])
        is_natural = {point_class(up_card), point_class(hole_card)} == {ACE_CLASS, TEN_CLASS}
        if kind == "queens of hearts" and is_natural:
            kind = "queens of hearts and a dealer's natural"
        won += bet.pays[kind] if kind is not None and bet.pays[kind] else -1.0
        deals += 1
    assert side_bet_value(bet, left) == pytest.approx(won / deals, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "cards", "kind"),
    [
        ("lucky-ladies", "QH QH", "queens of hearts"),
        ("lucky-ladies", "QS QS", "matched 20"),
        ("lucky-ladies", "AD 9D", "suited 20"),
        ("lucky-ladies", "TC JD", "any 20"),
        ("lucky-ladies", "AC TC", None),
        ("royal-match", "QC KC", "royal match"),
        ("royal-match", "QC QC", "easy match"),
        ("royal-match", "QC KD", None),
        ("over-13", "AC TC", None),
        ("over-13", "5C 9C", "over 13"),
        ("over-13", "4C 9C", None),
        ("under-13", "4C 9C", None),
        ("under-13", "AC TC", "under 13"),
        ("lucky-lucky", "AC TD TH", "21"),
        ("lucky-lucky", "AC 8D TH", "total 19"),
        ("lucky-lucky", "AC AD 8H", "total 20"),
        ("lucky-lucky", "8H 6H 7H", "suited 6-7-8"),
        ("lucky-lucky", "2C TD TH", None),
    ],
)
def test_cards_make_what_the_words_say(name: str, cards: str, kind: str | None) -> None:
    assert find_side_bet(name).classify(cards_of(cards)) == kind


def test_effects_of_removal_are_near_those_published() -> None:
    """E. Jacobson, "Card Counting the Lucky Lucky Side Bet", two decks, A to T; his pay table is not printed in the text, so not the same."""
    published = (-0.98, 0.90, 0.70, 0.47, 0.37, -1.21, -2.00, -1.46, 0.29, 0.73)
    effects = side_bet_effects(find_side_bet("lucky-lucky-2"), BlackjackRules(decks=2))
    mine = (effects[-1], *effects[:9])
    assert np.corrcoef(published, mine)[0, 1] > 0.999
    assert 115.81 * np.array(mine) == pytest.approx(published, abs=0.06)


def test_bad_input_is_refused() -> None:
    with pytest.raises(InputError, match="no side bet 'lucky'"):
        find_side_bet("lucky")
    with pytest.raises(InputError, match="finite shoe"):
        full_shoe(BlackjackRules(decks="infinite"))
    with pytest.raises(InputError, match="royal-match needs 4 cards; the shoe holds 3"):
        side_bet_value(find_side_bet("royal-match"), np.bincount([1, 2, 3], minlength=52).astype(np.float64))


TABLE_BETS = {
    "lucky ladies": "lucky-ladies",
    "royal match": "royal-match",
    "over 13": "over-13",
    "under 13": "under-13",
    "lucky lucky": "lucky-lucky",
}


@pytest.mark.parametrize("decks", [1, 6])
def test_a_table_takes_them_at_the_same_value(decks: int) -> None:
    """From any composition the table's figures are those for counting, and every combination added up by itself."""
    rules, source = BlackjackRules(decks=decks), random.Random(decks)
    removed = source.sample(range(DECK_SIZE), 20)
    shoe, left = CardCounts.full(rules).without(removed), full_shoe(rules)
    left[removed] -= 1.0
    for bet in side_bet_values(rules, shoe):
        if bet.name in TABLE_BETS:
            other = find_side_bet(TABLE_BETS[bet.name])
            assert bet.value == pytest.approx(side_bet_value(other, left), abs=1e-12)
            assert bet.chances == pytest.approx(side_bet_chances(other, left), abs=1e-12)
    for side_bet, bet in zip(SIDE_BETS, side_bet_values(rules, shoe), strict=True):
        paid = Counter[str]()
        for cards in combinations_with_replacement(range(DECK_SIZE), side_bet.size):
            paid[str(side_bet.classify(cards))] += shoe.chance_of(cards)  # type: ignore[assignment]
        queens = bet.chances.get("queens of hearts and a dealer's natural", 0.0)
        for kind in side_bet.kinds[1 if queens else 0 :]:
            waiting = queens if kind == "queens of hearts" else 0.0
            assert bet.chances[kind] + waiting == pytest.approx(paid[kind], abs=1e-12)


def test_infinite_packs_give_back_every_card() -> None:
    rules = BlackjackRules(decks="infinite")
    values = {bet.name: bet for bet in side_bet_values(rules, CardCounts.full(rules))}
    assert values["royal match"].chances["royal match"] == pytest.approx(4 * 2 / 52**2)
    assert values["lucky ladies"].chances["queens of hearts and a dealer's natural"] == pytest.approx(
        (1 / 52) ** 2 * 2 * (4 / 13) * (1 / 13)
    )
