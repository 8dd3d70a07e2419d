"""The rules of the table one by one, each in its own words."""

from collections.abc import Callable

import pytest

from croupier.blackjack.engine import (
    BlackjackRules,
    IllegalAction,
    Outcome,
    Phase,
    RoundState,
    describe,
    hit,
    start_round,
)
from croupier.blackjack.engine.player_turn import verify_hit, verify_stand
from croupier.cards import CardError, parse_card
from croupier.operations import is_allowed

Dealt = Callable[..., RoundState]
Play = Callable[[RoundState, str], RoundState]

NO_PEEK = {"hole_card": "no-peek", "insurance": False}
ORIGINAL_BET = {"hole_card": "no-peek-original-bet", "insurance": False}


def outcomes(state: RoundState) -> list[Outcome | None]:
    return [
        None if hand.settlement is None else hand.settlement.outcome
        for seat in state.seats
        for hand in seat.hands
    ]


# Naturals and the hole card


def test_a_natural_is_paid_3_to_2_at_once_where_the_dealer_cannot_have_one(dealt: Dealt) -> None:
    state = dealt("9C KD", "AS KH", "TC 9D")
    assert state.results == (15.0, None)
    assert state.turn == (1, 0)


def test_a_dealers_natural_ends_the_round_at_the_peek_and_pushes_with_a_natural(
    dealt: Dealt, play: Play
) -> None:
    state = dealt("KC AD", "AS KH", "TC 9D")
    assert state.phase is Phase.PEEK
    over = play(state, "peek")
    assert over.is_over
    assert over.results == (0.0, -10.0)
    assert outcomes(over) == [Outcome.PUSH, Outcome.DEALER_NATURAL]


def test_a_natural_waits_for_the_peek_and_is_paid_after_it(dealt: Dealt, play: Play) -> None:
    state = dealt("KC 7D", "AS KH", "TC 9D")
    assert state.results == (None, None)
    assert play(state, "peek").results == (15.0, None)


def test_without_a_peek_a_natural_waits_for_the_dealers_second_card(dealt: Dealt, play: Play) -> None:
    state = dealt("KC", "AS KH", **NO_PEEK)
    assert state.phase is Phase.DEALER
    assert play(state, "draw AD").results == (0.0,)
    won = play(state, "draw 5D")
    assert won.is_over, "the dealer does not draw to 17 for a natural alone"
    assert won.results == (15.0,)


def test_a_natural_beats_a_21_of_three_cards(dealt: Dealt, play: Play) -> None:
    over = play(dealt("5C KD", "AS KH", "TC 9D"), "stand, draw 6C, dealer-stand")
    assert over.dealer_value.total == 21
    assert over.results == (15.0, -10.0)
    lost = play(dealt("KC", "7C 7D", **NO_PEEK), "hit 7H, draw AD")
    assert lost.results == (-10.0,)


@pytest.mark.parametrize(("options", "result"), [(NO_PEEK, -40.0), (ORIGINAL_BET, -10.0)])
def test_without_a_peek_a_natural_takes_all_bets_or_the_original_one(
    dealt: Dealt, play: Play, options: dict[str, object], result: float
) -> None:
    state = play(dealt("AC", "8C 8D", **options), "split, complete 3C, double KC, complete 2D, double 9H")
    assert state.phase is Phase.DEALER
    assert play(state, "draw KD").results == (result,)


def test_original_bet_means_a_bust_bet_above_it_is_returned_too(dealt: Dealt, play: Play) -> None:
    script = "split, complete KC, hit KD, complete KH, hit KS"
    waiting = play(dealt("AC", "8C 8D", **ORIGINAL_BET), script)
    assert waiting.phase is Phase.DEALER, "two busts, but a natural would give one of the bets back"
    natural = play(waiting, "draw TD")
    assert natural.results == (-10.0,)
    assert outcomes(natural) == [Outcome.DEALER_NATURAL, Outcome.RETURNED]
    none = play(waiting, "draw 5D")
    assert none.results == (-20.0,)
    assert outcomes(none) == [Outcome.BUST, Outcome.BUST]
    assert play(dealt("AC", "8C 8D", **NO_PEEK), script).results == (-20.0,)


def test_original_bet_loses_a_single_bust_at_once(dealt: Dealt, play: Play) -> None:
    over = play(dealt("AC", "8C 7D", **ORIGINAL_BET), "hit KD")
    assert over.results == (-10.0,)
    doubled = play(dealt("AC", "8C 4D", **ORIGINAL_BET), "double KD")
    assert doubled.results == (None,)
    assert play(doubled, "draw KC").results == (-10.0,)
    assert play(doubled, "draw 9C").results == (-20.0,)


def test_original_bet_against_an_ordinary_hand_is_like_any_table(dealt: Dealt, play: Play) -> None:
    state = play(dealt("AC", "8C 8D", **ORIGINAL_BET), "split, complete KC, stand, complete KD, stand")
    assert play(state, "draw 6D, dealer-stand").results == (20.0,)


# The dealer


def test_the_dealer_does_not_draw_when_everybody_is_bust(dealt: Dealt, play: Play) -> None:
    over = play(dealt("5C KD", "TC 6D", "9C 7D"), "hit KC, hit KH")
    assert over.is_over
    assert over.results == (-10.0, -10.0)
    assert len(over.dealer_cards) == 2


def test_players_who_bust_lose_even_if_the_dealer_busts_too(dealt: Dealt, play: Play) -> None:
    over = play(dealt("5C KD", "TC 6D", "9C 9D"), "hit KC, stand, draw KH")
    assert over.dealer_value.is_bust
    assert over.results == (-10.0, 10.0)


def test_equal_totals_stand_off(dealt: Dealt, play: Play) -> None:
    over = play(dealt("9C KD", "TC 9D"), "stand, dealer-stand")
    assert over.results == (0.0,)


def test_the_dealer_draws_below_17_and_cannot_draw_on_17(dealt: Dealt, play: Play) -> None:
    state = play(dealt("5C KD", "TC 9D"), "stand")
    with pytest.raises(IllegalAction, match="the dealer cannot stand on 15: the dealer must draw"):
        play(state, "dealer-stand")
    with pytest.raises(IllegalAction, match="the dealer stands on 17"):
        play(state, "draw 2C, draw 2D")


# Twenty-one, charlie


def test_a_21_stands_by_itself(dealt: Dealt, play: Play) -> None:
    state = play(dealt("9C KD", "TC 5D"), "hit 6C")
    assert state.phase is Phase.DEALER


def test_a_21_paid_at_once_cannot_be_caught_up_with(dealt: Dealt, play: Play) -> None:
    paid = play(dealt("9C 2D", "TC 5D", twenty_one_pays_at_once=True), "hit 6C")
    assert paid.is_over
    assert outcomes(paid) == [Outcome.TWENTY_ONE]
    assert paid.results == (10.0,)


@pytest.mark.parametrize("hole_card", ["no-peek", "no-peek-original-bet"])
def test_a_natural_paid_at_once_does_not_wait_for_the_dealers_second_card(
    dealt: Dealt, hole_card: str
) -> None:
    paid = dealt("AC", "AS KH", hole_card=hole_card, twenty_one_pays_at_once=True)
    assert paid.is_over
    assert paid.results == (15.0,)


def test_a_natural_paid_at_once_still_waits_for_a_peek(dealt: Dealt, play: Play) -> None:
    pushed = play(dealt("KC AD", "AS KH", twenty_one_pays_at_once=True), "peek")
    assert pushed.results == (0.0,)
    paid = play(dealt("KC 5D", "AS KH", twenty_one_pays_at_once=True), "peek")
    assert paid.results == (15.0,)


def test_a_21_paid_at_once_stays_paid_when_a_natural_comes_for_the_other_hand(
    dealt: Dealt, play: Play
) -> None:
    options = {**ORIGINAL_BET, "twenty_one_pays_at_once": True}
    state = play(dealt("AC", "8C 8D", **options), "split, complete 3C, hit TC, complete KC, stand, draw KD")
    assert outcomes(state) == [Outcome.TWENTY_ONE, Outcome.DEALER_NATURAL]
    assert state.results == (0.0,)


def test_a_split_hand_in_turn_is_marked(dealt: Dealt, play: Play) -> None:
    state = play(dealt("9C KD", "8C 8D"), "split, complete 3C, stand")
    assert [line.endswith("<") for line in describe(state, viewer=0).splitlines()] == [
        False,
        False,
        True,
        False,
    ]


def test_a_doubled_21_paid_at_once_wins_both_bets(dealt: Dealt, play: Play) -> None:
    assert play(dealt("9C 2D", "6C 5D", twenty_one_pays_at_once=True), "double KC").results == (20.0,)


def test_a_charlie_wins_at_once_even_at_a_low_total(dealt: Dealt, play: Play) -> None:
    paid = play(dealt("9C KD", "2C 2D", charlie=5), "hit 2H, hit 2S, hit 3C")
    assert outcomes(paid) == [Outcome.CHARLIE]
    assert paid.results == (10.0,)
    bust = play(dealt("9C KD", "4C 4D", charlie=5), "hit 4H, hit 4S, hit TC")
    assert outcomes(bust) == [Outcome.BUST]


# Who sees what, and refusals


def test_the_hole_card_is_closed_until_the_dealer_plays(dealt: Dealt, play: Play) -> None:
    state = dealt("6C KD", "TC 9D")
    assert describe(state, viewer=0).startswith("dealer    6♣ ░░\n")
    assert "K♦" in describe(state)
    played = play(state, "stand, draw 2C")
    assert describe(played, viewer=0).startswith("dealer    6♣ K♦ 2♣  18\n")


def test_an_action_out_of_turn_says_what_is_due(dealt: Dealt, play: Play) -> None:
    with pytest.raises(IllegalAction, match="cannot hit now: the cards are not dealt yet"):
        hit(start_round(BlackjackRules(), bets=[1]), 5)
    with pytest.raises(IllegalAction, match="cannot hit now: the dealer looks at the hole card first"):
        hit(dealt("KC 9D", "TC 6D"), 5)
    with pytest.raises(IllegalAction, match="cannot look at the hole card now: a player is to act"):
        play(dealt("9C KD", "TC 6D"), "peek")
    over = play(dealt("9C KD", "TC 6D"), "hit KC")
    assert not is_allowed(verify_stand, over)
    assert not is_allowed(verify_hit, over)


def test_one_pack_holds_a_card_once(dealt: Dealt) -> None:
    with pytest.raises(CardError, match="'TC' would be on the table 2 times; 1 pack holds it once"):
        hit(dealt("9C KD", "TC 6D", decks=1), parse_card("TC"))
    assert is_allowed(verify_hit, dealt("9C KD", "TC 6D", decks=2), parse_card("TC"))
    state = dealt("9C 9C", "9C 9C", decks="infinite")
    assert is_allowed(verify_hit, state, parse_card("9C"))
    with pytest.raises(CardError, match="codes run from 0 to 51"):
        hit(state, 52)


@pytest.mark.parametrize(
    ("hands", "dealer", "complaint"),
    [
        (["TC 6D"], "9C", "cannot deal 1 cards to the dealer: with hole_card = peek it is 2"),
        (["TC 6D 2C"], "9C KD", "cannot deal 3 cards to a player: every player gets 2"),
    ],
)
def test_a_deal_has_two_cards_a_player_and_the_dealers(
    dealt: Dealt, hands: list[str], dealer: str, complaint: str
) -> None:
    with pytest.raises(CardError, match=complaint):
        dealt(dealer, *hands)


def test_a_deal_for_other_players_is_refused(dealt: Dealt) -> None:
    with pytest.raises(IllegalAction, match="cannot deal 2 hands: 1 players have bet"):
        dealt("9C KD", "TC 6D", "TH 6H", bets=[1])
