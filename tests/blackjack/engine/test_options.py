"""Each option of the rules changes something: what, under which value."""

from collections.abc import Callable
from functools import partial

import pytest

from croupier.blackjack.engine import (
    BLACKJACK,
    BlackjackRules,
    BlackjackShoe,
    RoundState,
    SideBets,
    describe,
    start_round,
    verify_bet,
    verify_deal,
    verify_side_bets,
    verify_start_round,
)
from croupier.cards import parse_cards
from croupier.errors import InputError
from croupier.operations import is_allowed

Dealt = Callable[..., RoundState]
Play = Callable[[RoundState, str], RoundState]

#: Option: value, other options, the deal (dealer's cards and a hand), the play by default and its result, the play
#: with the value and its result.
RESULTS: dict[str, tuple[object, dict[str, object], str, str, str, float, str, float]] = {
    "soft17": ("hit", {}, "6C AD", "TC 8D", "stand, dealer-stand", 10, "stand, draw 3C, dealer-stand", -10),
    "natural_pays": ("6:5", {}, "9C KD", "AS KH", "", 15, "", 12),
    "natural_beats_21": (
        False,
        {},
        "5C KD",
        "AS KH",
        "",
        15,
        "draw 6C, dealer-stand",
        0,
    ),
    "twenty_one_pays_at_once": (True, {}, "9C 2D", "TC 5D", "hit 6C, draw KC, dealer-stand", 0, "hit 6C", 10),
    "charlie": (
        5,
        {},
        "9C KD",
        "2C 2D",
        "hit 2H, hit 2S, hit 3C, stand, dealer-stand",
        -10,
        "hit 2H, hit 2S, hit 3C",
        10,
    ),
    "dealer_22_pushes": (
        True,
        {},
        "6C KD",
        "TC 8D",
        "stand, draw 6H",
        10,
        "stand, draw 6H",
        0,
    ),
    "ties_lose": (True, {}, "9C KD", "TC 9D", "stand, dealer-stand", 0, "stand, dealer-stand", -10),
    "natural_always_wins": (True, {"insurance": False}, "AC KD", "AS KH", "peek", 0, "peek", 15),
    "bonus_21": (
        "spanish-21",
        {},
        "9C 2D",
        "6C 7C",
        "hit 8C, draw KC, dealer-stand",
        0,
        "hit 8C",
        20,
    ),
    "double_rescue": (
        True,
        {},
        "9C KD",
        "6C 5D",
        "double 3C, dealer-stand",
        -20,
        "double 3C, surrender",
        -10,
    ),
    "free_doubles": (
        True,
        {},
        "9C KD",
        "6C 5D",
        "double 3C, dealer-stand",
        -20,
        "double 3C, dealer-stand",
        -10,
    ),
    "free_splits": (
        True,
        {},
        "9C KD",
        "8C 8D",
        "split, complete KC, stand, complete KH, stand, dealer-stand",
        -20,
        "split, complete KC, stand, complete KH, stand, dealer-stand",
        -10,
    ),
    "surrender": ("early", {"insurance": False}, "AC KD", "TC 6D", "peek", -10, "surrender", -5),
    "surrender_returns": ("1/4", {"surrender": "late"}, "9C KD", "TC 6D", "surrender", -5, "surrender", -7.5),
    "insurance": (False, {}, "AC KD", "TC 9D", "insure, peek", 0, "peek", -10),
}

#: Option: value, other options, the deal, the play before, and the action that is allowed under one of the two only.
PERMISSIONS: dict[str, tuple[object, dict[str, object], str, str, str, str]] = {
    "double": ("10-11", {}, "9C KD", "5C 4D", "", "double 3C"),
    "double_soft": (False, {}, "9C KD", "AC 6D", "", "double 3C"),
    "double_any_cards": (True, {}, "9C KD", "2C 4D", "hit 5C", "double 3C"),
    "surrender_any_cards": (True, {"surrender": "late"}, "9C KD", "2C 4D", "hit TC", "surrender"),
    "redoubles": (1, {"double_rescue": True}, "9C KD", "5C 4D", "double 2C", "double 3C"),
    "double_after_split": (False, {}, "9C KD", "8C 8D", "split, complete 3C", "double 3C"),
    "split_hands": (2, {}, "9C KD", "8C 8D", "split, complete 8H", "split"),
    "split_by": ("rank", {}, "9C KD", "TC JD", "", "split"),
    "split_tens": (False, {}, "9C KD", "TC TD", "", "split"),
    "never_split": ("4 8", {}, "9C KD", "8C 8D", "", "split"),
    "resplit_aces": (True, {"hit_split_aces": True}, "9C KD", "AC AD", "split, complete AH", "split"),
    "hit_split_aces": (True, {"resplit_aces": True}, "9C KD", "AC AD", "split, complete AH", "hit 3C"),
    "double_split_aces": (
        True,
        {"hit_split_aces": True},
        "9C KD",
        "AC AD",
        "split, complete 8H",
        "double 2C",
    ),
}

SIDE_PRIZES = {
    *("perfect_pairs", "twenty_one_plus_three", "lucky_ladies", "royal_match", "over_under_13", "lucky_lucky")
}
OTHER_OPTIONS = {"decks", "ten_spots", "doubled_card", "hole_card", *SIDE_PRIZES}
#: Their tests are with the shoe, and below.
SHOE_AND_LIMITS = {"penetration", "shuffle", "minimum_bet", "maximum_bet"}


def test_every_option_has_a_case() -> None:
    cases = [*RESULTS, *PERMISSIONS, *OTHER_OPTIONS, *SHOE_AND_LIMITS]
    assert sorted(cases) == sorted(BlackjackRules.model_fields)


@pytest.mark.parametrize("option", sorted(RESULTS))
def test_the_option_changes_the_result(dealt: Dealt, play: Play, option: str) -> None:
    value, others, dealer, hand, *played = RESULTS[option]
    for options, script, result in (
        (others, played[0], played[1]),
        ({**others, option: value}, played[2], played[3]),
    ):
        state = dealt(dealer, hand, **options)
        over = play(state, str(script)) if script else state
        assert over.results == (result,)


@pytest.mark.parametrize("option", sorted(PERMISSIONS))
def test_the_option_allows_or_forbids(dealt: Dealt, play: Play, option: str) -> None:
    value, others, dealer, hand, before, action = PERMISSIONS[option]
    allowed = []
    for options in (others, {**others, option: value}):
        state = dealt(dealer, hand, **options)
        state = play(state, before) if before else state
        try:
            play(state, action)
            allowed.append(True)
        except InputError:
            allowed.append(False)
    assert allowed == ([False, True] if value in (True, 1) else [True, False])


def test_decks_say_how_often_a_card_can_come(dealt: Dealt) -> None:
    twice = [parse_cards("AS KD"), parse_cards("AS QD")]
    for decks, possible in ((1, False), (2, True), (8, True), ("infinite", True)):
        rules = BlackjackRules.create({"decks": decks})
        state, dealer = start_round(rules, bets=[1, 1]), parse_cards("9C 9D")
        assert is_allowed(partial(verify_deal, state, twice, dealer)) is possible
    assert len(BlackjackShoe.shuffled(BlackjackRules(decks=8), seed=1).order) == 416


@pytest.mark.parametrize(
    ("value", "dealer", "script", "result"),
    [
        ("peek", "AC KD", "peek", -10),
        ("no-peek", "AC", "double KH, draw KD", -20),
        ("no-peek-original-bet", "AC", "double KH, draw KD", -10),
    ],
)
def test_hole_card_says_what_a_natural_takes(
    dealt: Dealt, play: Play, value: str, dealer: str, script: str, result: float
) -> None:
    state = dealt(dealer, "6C 5D", hole_card=value, insurance=False)
    assert play(state, script).results == (result,)


def test_the_prizes_of_the_side_bets(dealt: Dealt) -> None:
    bets = [SideBets(perfect_pairs=1, twenty_one_plus_three=1)]
    hands = ("8C KD", "8H 8D")
    assert dealt(*hands, side_bets=bets).side_result(0) == 12 + 30
    options = {"perfect_pairs": (30, 10, 5), "twenty_one_plus_three": (9, 9, 9, 9, 9)}
    assert dealt(*hands, side_bets=bets, **options).side_result(0) == 10 + 9


#: Side bet: other prizes, the deal, and what a unit wins at the usual prizes and at these.
SIDE_CASES: dict[str, tuple[dict[str, object], str, str, float, float]] = {
    "lucky_ladies": ({"lucky_ladies": (1000, 125, 19, 9, 0)}, "9C KD", "KS TS", 10, 9),
    "royal_match": ({"royal_match": (30, 3)}, "9C KD", "QS KS", 25, 30),
    "over_13": ({"over_under_13": (2, 3)}, "9C KD", "KS 4H", 1, 2),
    "under_13": ({"over_under_13": (2, 3)}, "9C KD", "AS KH", 1, 3),
    "lucky_lucky": ({"lucky_lucky": (200, 100, 50, 40, 15, 3, 2, 2)}, "8C KD", "6H 7D", 30, 40),
}


@pytest.mark.parametrize("key", SIDE_CASES)
def test_the_prizes_of_another_side_bet(dealt: Dealt, key: str) -> None:
    options, dealer, hand, usual, other = SIDE_CASES[key]
    bets = [SideBets(**{key: 2})]
    assert dealt(dealer, hand, side_bets=bets).side_result(0) == 2 * usual
    assert dealt(dealer, hand, side_bets=bets, **options).side_result(0) == 2 * other


@pytest.mark.parametrize(
    ("amount", "taken"), [(5, True), (100, True), (7.5, True), (4.99, False), (100.01, False), (-5, False)]
)
def test_a_bet_is_within_the_limits(amount: float, taken: bool) -> None:
    rules = BlackjackRules(minimum_bet=5, maximum_bet=100)
    assert is_allowed(lambda: verify_bet(rules, amount)) is taken
    if not taken:
        with pytest.raises(InputError, match=r"player 2: a bet of .*; this table takes 5 to 100"):
            start_round(rules, bets=[5, amount])


@pytest.mark.parametrize("amount", [-1, 101, float("nan"), float("inf")])
def test_a_side_bet_is_at_most_the_largest_bet(amount: float) -> None:
    rules = BlackjackRules(maximum_bet=100)
    with pytest.raises(InputError, match=r"21\+3: a side bet of .*; this table takes 0 \(no bet\) to 100"):
        verify_side_bets(rules, SideBets(twenty_one_plus_three=amount))
    with pytest.raises(InputError, match=r"player 1: 21\+3: a side bet of "):
        verify_start_round(rules, [1], [SideBets(twenty_one_plus_three=amount)])
    verify_start_round(rules, [1], [SideBets(twenty_one_plus_three=0.5)])


def test_before_the_deal_there_are_bets_and_nothing_else() -> None:
    state = start_round(BlackjackRules(), bets=[5, 1])
    assert describe(state) == "player 1 bets 5 units, player 2 bets 1 unit\nnow: the cards are dealt"
    assert (state.up_card, state.dealer_natural, state.turn) == (None, None, None)
    assert state.results == (None, None)
    assert state.bank_result == 0


def test_side_bets_are_for_every_player_or_for_none() -> None:
    with pytest.raises(InputError, match="side bets for 1 players, but 2 play"):
        start_round(BlackjackRules(), bets=[1, 1], side_bets=[SideBets()])


def test_where_naturals_are_ordinary_there_is_no_peek_and_no_insurance(dealt: Dealt, play: Play) -> None:
    state = dealt("AC KD", "TC 5D", natural_beats_21=False)
    over = play(state, "hit 6C, dealer-stand")
    assert over.results == (0.0,), "a 21 of three cards is as good as the dealer's two"


@pytest.mark.parametrize("preset", [preset.name for preset in BLACKJACK.presets])
def test_every_preset_deals_a_round(dealt: Dealt, preset: str) -> None:
    rules = BLACKJACK.preset(preset).rules
    dealer = "9C KD" if rules.sees_natural_first else "9C"
    state = dealt(dealer, "JC 6D", **rules.model_dump())
    assert state.turn == (0, 0)
