"""Doubling and splitting, rule by rule."""

from collections.abc import Callable

import pytest

from croupier.blackjack.engine import (
    ActionKind,
    IllegalAction,
    Phase,
    RoundState,
    double,
    hit,
    legal_actions,
    split,
)
from croupier.blackjack.engine.player_turn import verify_double, verify_split
from croupier.cards import parse_card
from croupier.operations import is_allowed

Dealt = Callable[..., RoundState]
Play = Callable[[RoundState, str], RoundState]


def kinds(state: RoundState) -> list[ActionKind]:
    return [action.kind for action in legal_actions(state)]


# Doubling


def test_a_doubled_hand_gets_one_card(dealt: Dealt, play: Play) -> None:
    state = play(dealt("9C KD", "6C 5D"), "double 2C")
    assert state.phase is Phase.DEALER
    assert state.seats[0].hands[0].stake == 20
    assert play(state, "dealer-stand").results == (-20.0,)


def test_three_cards_cannot_be_doubled(dealt: Dealt, play: Play) -> None:
    state = play(dealt("9C KD", "2C 3D"), "hit 5C")
    with pytest.raises(IllegalAction, match="only two cards may be doubled, the hand has 3"):
        double(state, parse_card("KC"))


@pytest.mark.parametrize(
    ("rule", "totals"),
    [("any", range(5, 20)), ("9-11", range(9, 12)), ("10-11", range(10, 12)), ("none", [])],
)
def test_the_totals_that_may_be_doubled(dealt: Dealt, rule: str, totals: range) -> None:
    for total in range(5, 20):
        first, second = (2, total - 2) if total <= 11 else (total - 9, 9)
        names = {10: "T"}
        hand = " ".join(f"{names.get(card, card)}{suit}" for card, suit in ((first, "C"), (second, "D")))
        state = dealt("8C KD", hand, double=rule)
        assert state.hand_value(0).total == total
        assert is_allowed(verify_double, state) is (total in totals)


def test_soft_hands_may_be_doubled_or_not(dealt: Dealt) -> None:
    assert is_allowed(verify_double, dealt("8C KD", "AC 7D"))
    with pytest.raises(IllegalAction, match="the hand is a soft 18, and only hard hands may be doubled"):
        double(dealt("8C KD", "AC 7D", double_soft=False), parse_card("KC"))
    assert is_allowed(verify_double, dealt("8C KD", "2C 7D", double_soft=False))


def test_a_soft_19_is_not_a_9(dealt: Dealt) -> None:
    assert not is_allowed(verify_double, dealt("8C KD", "AC 8D", double="9-11"))


def test_double_after_a_split_may_be_forbidden(dealt: Dealt, play: Play) -> None:
    state = play(dealt("9C KD", "8C 8D"), "split, complete 3C")
    assert is_allowed(verify_double, state)
    forbidden = play(dealt("9C KD", "8C 8D", double_after_split=False), "split, complete 3C")
    with pytest.raises(IllegalAction, match="hands from a split may not be doubled here"):
        double(forbidden, parse_card("KC"))


def test_the_totals_that_may_be_doubled_hold_after_a_split_too(dealt: Dealt, play: Play) -> None:
    state = play(dealt("9C KD", "8C 8D", double="10-11"), "split, complete 3C")
    assert is_allowed(verify_double, state)
    assert not is_allowed(verify_double, play(state, "double KC, complete 4C"))


# Splitting


def test_each_half_of_a_split_carries_the_original_bet_and_gets_its_card_in_turn(
    dealt: Dealt, play: Play
) -> None:
    state = play(dealt("9C KD", "8C 8D"), "split")
    assert [hand.bet for hand in state.seats[0].hands] == [10.0, 10.0]
    assert kinds(state) == [ActionKind.COMPLETE]
    with pytest.raises(IllegalAction, match="the dealer completes the split hand first"):
        hit(state, parse_card("2C"))
    second = play(state, "complete 2C, hit KC, stand")
    assert second.turn == (0, 1)
    assert kinds(second) == [ActionKind.COMPLETE]
    over = play(second, "complete KH, stand, dealer-stand")
    assert over.results == (10.0 - 10.0,)


def test_split_aces_get_one_card_each(dealt: Dealt, play: Play) -> None:
    state = play(dealt("9C KD", "AC AD"), "split, complete 5C")
    assert state.turn == (0, 1)
    done = play(state, "complete 6C")
    assert done.phase is Phase.DEALER


def test_an_ace_and_a_ten_after_a_split_is_not_a_natural(dealt: Dealt, play: Play) -> None:
    state = play(dealt("6C KD", "AC AD"), "split, complete KC, complete QC")
    assert [str(state.hand_value(0, hand)) for hand in (0, 1)] == ["soft 21", "soft 21"]
    over = play(state, "draw 5C, dealer-stand")
    assert over.results == (0.0,), "it pushes with a 21 of three cards"
    won = play(state, "draw 4C, dealer-stand")
    assert won.results == (20.0,), "it is paid even money"


def test_a_ten_split_and_dealt_an_ace_is_not_a_natural_either(dealt: Dealt, play: Play) -> None:
    state = play(dealt("9C KD", "TC TD"), "split, complete AC")
    assert state.turn == (0, 1)
    assert not state.hand_value(0, 0).is_natural


def test_aces_are_split_once_unless_they_may_be_split_again(dealt: Dealt, play: Play) -> None:
    once = play(dealt("9C KD", "AC AD"), "split, complete AH")
    assert once.turn == (0, 1), "the pair of aces stands on soft 12"
    again = play(dealt("9C KD", "AC AD", resplit_aces=True), "split, complete AH")
    assert kinds(again) == [ActionKind.STAND, ActionKind.SPLIT]
    three = play(again, "split, complete 2C, complete 3C, complete 4C")
    assert three.phase is Phase.DEALER
    assert len(three.seats[0].hands) == 3


def test_split_aces_may_be_hit_where_the_rules_say_so(dealt: Dealt, play: Play) -> None:
    state = play(dealt("9C KD", "AC AD", hit_split_aces=True), "split, complete 5C")
    assert kinds(state) == [ActionKind.HIT, ActionKind.STAND]
    assert play(state, "hit 2C, hit 3C").turn == (0, 1)


def test_split_aces_may_be_doubled_where_the_rules_say_so(dealt: Dealt, play: Play) -> None:
    state = play(dealt("9C KD", "AC AD", double_split_aces=True), "split, complete 5C")
    assert kinds(state) == [ActionKind.STAND, ActionKind.DOUBLE]
    with pytest.raises(IllegalAction, match="a split ace gets one card only"):
        hit(state, parse_card("2C"))
    soft_only = {"double_split_aces": True, "double_soft": False}
    assert play(dealt("9C KD", "AC AD", **soft_only), "split, complete 5C").turn == (0, 1)


@pytest.mark.parametrize("limit", range(1, 9))
def test_splitting_makes_at_most_so_many_hands(dealt: Dealt, play: Play, limit: int) -> None:
    state = dealt("9C KD", "8C 8D", split_hands=limit)
    cards = iter(["8H", "8S", "8C", "8D", "8H", "8S", "8C"])
    while is_allowed(verify_split, state):
        state = play(state, f"split, complete {next(cards)}")
    assert len(state.seats[0].hands) == limit
    with pytest.raises(IllegalAction, match="splitting" if limit == 1 else f"{limit} hands already"):
        split(state)


def test_the_limit_of_hands_counts_for_each_player(dealt: Dealt, play: Play) -> None:
    state = dealt("9C KD", "8C 8D", "7C 7D", split_hands=2)
    state = play(state, "split, complete KC, stand, complete KH, stand")
    assert is_allowed(verify_split, state)


def test_ten_and_jack_are_a_pair_by_value_and_not_by_rank(dealt: Dealt) -> None:
    assert is_allowed(verify_split, dealt("9C KD", "TC JD"))
    assert is_allowed(verify_split, dealt("9C KD", "JC JD", split_by="rank"))
    with pytest.raises(IllegalAction, match="TC JD is not a pair of the same rank"):
        split(dealt("9C KD", "TC JD", split_by="rank"))
    with pytest.raises(IllegalAction, match="9C 8D is not a pair of the same value"):
        split(dealt("9C KD", "9C 8D"))


def test_tens_may_be_kept_from_splitting(dealt: Dealt) -> None:
    with pytest.raises(IllegalAction, match="ten-value pairs may not be split here"):
        split(dealt("9C KD", "KC KH", split_tens=False))
    assert is_allowed(verify_split, dealt("9C KD", "9H 9D", split_tens=False))
