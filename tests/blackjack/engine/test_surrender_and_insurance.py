"""What a player can do before and against a dealer's natural."""

from collections.abc import Callable

import pytest

from croupier.blackjack.engine import (
    ActionKind,
    IllegalAction,
    Phase,
    RoundState,
    legal_actions,
    narrate,
    surrender,
)
from croupier.blackjack.engine.insurance import verify_insure
from croupier.blackjack.engine.player_turn import verify_surrender
from croupier.operations import is_allowed

Dealt = Callable[..., RoundState]
Play = Callable[[RoundState, str], RoundState]

NO_PEEK = {"hole_card": "no-peek", "insurance": False}


def kinds(state: RoundState) -> list[ActionKind]:
    return [action.kind for action in legal_actions(state)]


# Surrender


@pytest.mark.parametrize("up_card", ["AC KD", "KC AD"])
def test_early_surrender_saves_half_from_a_natural(dealt: Dealt, play: Play, up_card: str) -> None:
    state = dealt(up_card, "TC 6D", surrender="early", insurance=False)
    assert state.phase is Phase.EARLY_SURRENDER
    assert kinds(state) == [ActionKind.SURRENDER, ActionKind.KEEP]
    assert surrender(state).results == (-5.0,)
    assert play(state, "keep, peek").results == (-10.0,)


def test_late_surrender_comes_after_the_peek(dealt: Dealt, play: Play) -> None:
    natural = dealt("AC KD", "TC 6D", surrender="late", insurance=False)
    assert not is_allowed(verify_surrender, natural)
    assert play(natural, "peek").results == (-10.0,)
    none = play(dealt("AC 9D", "TC 6D", surrender="late", insurance=False), "peek")
    assert is_allowed(verify_surrender, none)
    assert surrender(none).results == (-5.0,)


def test_early_surrender_is_over_after_the_peek(dealt: Dealt, play: Play) -> None:
    state = play(dealt("KC 9D", "TC 6D", surrender="early"), "keep, peek")
    with pytest.raises(IllegalAction, match="surrender was before the dealer looked"):
        surrender(state)


def test_early_surrender_against_a_card_without_a_natural_is_in_the_players_turn(dealt: Dealt) -> None:
    state = dealt("9C KD", "TC 6D", surrender="early")
    assert state.phase is Phase.PLAYERS
    assert surrender(state).results == (-5.0,)


def test_early_except_ace_leaves_no_surrender_against_an_ace(dealt: Dealt, play: Play) -> None:
    ten = dealt("KC AD", "TC 6D", surrender="early-not-ace")
    assert surrender(ten).results == (-5.0,)
    ace = play(dealt("AC 9D", "TC 6D", surrender="early-not-ace"), "decline, peek")
    with pytest.raises(IllegalAction, match="no surrender against an ace"):
        surrender(ace)


def test_late_surrender_without_a_peek_loses_all_to_a_natural(dealt: Dealt, play: Play) -> None:
    state = surrender(dealt("AC", "TC 6D", surrender="late", **NO_PEEK))
    assert state.phase is Phase.DEALER
    assert play(state, "draw KD").results == (-10.0,)
    kept = play(state, "draw 4D")
    assert kept.results == (-5.0,)
    assert kept.is_over, "the dealer does not draw on for a surrendered hand"


def test_late_surrender_without_a_peek_is_settled_at_once_where_no_natural_can_come(dealt: Dealt) -> None:
    assert surrender(dealt("9C", "TC 6D", surrender="late", **NO_PEEK)).results == (-5.0,)


def test_early_surrender_without_a_peek_always_returns_half(dealt: Dealt) -> None:
    state = dealt("AC", "TC 6D", surrender="early", **NO_PEEK)
    assert state.phase is Phase.PLAYERS
    assert surrender(state).results == (-5.0,)


def test_only_the_first_two_cards_may_be_surrendered(dealt: Dealt, play: Play) -> None:
    state = dealt("9C KD", "8C 8D", surrender="late")
    with pytest.raises(IllegalAction, match="only the first two cards may be surrendered, the hand has 3"):
        surrender(play(state, "hit 2C"))
    with pytest.raises(IllegalAction, match="hands from a split may not be surrendered"):
        surrender(play(state, "split, complete 2C"))


# Insurance


def test_insurance_pays_2_to_1(dealt: Dealt, play: Play) -> None:
    state = play(dealt("AC KD", "TC 9D"), "insure, peek")
    assert state.insurance_result(0) == 10
    assert state.results == (0.0,)


def test_insurance_is_lost_without_a_natural_and_the_hand_goes_on(dealt: Dealt, play: Play) -> None:
    state = play(dealt("AC 7D", "TC 9D"), "insure, peek")
    assert state.insurance_result(0) == -5
    assert play(state, "stand, dealer-stand").results == (5.0,)


def test_an_insured_natural_is_even_money(dealt: Dealt, play: Play) -> None:
    for hole_card in ("KD", "7D"):
        over = play(dealt(f"AC {hole_card}", "AS KH"), "insure, peek")
        assert over.results == (10.0,)
        assert "Player 1 takes even money." in list(narrate(over))


def test_insurance_is_offered_against_an_ace_only(dealt: Dealt) -> None:
    assert is_allowed(verify_insure, dealt("AC KD", "TC 9D"))
    assert not is_allowed(verify_insure, dealt("KC AD", "TC 9D"))
    assert not is_allowed(verify_insure, dealt("AC KD", "TC 9D", insurance=False))


def test_insurance_without_a_peek_waits_for_the_second_card(dealt: Dealt, play: Play) -> None:
    bust = play(dealt("AC", "TC 6D", hole_card="no-peek"), "insure, hit KC")
    assert bust.phase is Phase.DEALER, "the hand is lost, the insurance is open"
    assert bust.seats[0].hands[0].settlement is not None
    assert play(bust, "draw KD").results == (-10.0 + 10.0,)
    lost = play(bust, "draw 5D")
    assert lost.is_over
    assert lost.results == (-15.0,)


def test_everybody_is_asked_about_insurance_in_turn(dealt: Dealt, play: Play) -> None:
    state = dealt("AC KD", "TC 9D", "8C 8D", "AS QH")
    over = play(state, "decline, insure, decline, peek")
    assert over.results == (-10.0, 0.0, 0.0)


def test_who_has_surrendered_is_not_asked_about_insurance(dealt: Dealt, play: Play) -> None:
    state = play(dealt("AC KD", "TC 6D", "8C 9D", surrender="early"), "surrender, keep")
    assert state.phase is Phase.INSURANCE
    assert state.turn == (1, 0)
