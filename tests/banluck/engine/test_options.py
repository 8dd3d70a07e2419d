"""Each option of the rules changes something: what, under which value."""

from collections.abc import Callable

import pytest

from croupier.banluck.engine import (
    ActionKind,
    BanluckRules,
    GameState,
    Phase,
    dealer_stand,
    draw,
    evaluate,
    hit,
    keep,
    legal_actions,
    settle,
    show,
    stand,
    surrender,
)
from croupier.banluck.engine.dealer_turn import verify_dealer_stand, verify_draw
from croupier.banluck.engine.player_turn import verify_stand
from croupier.cards import parse_card, parse_cards
from croupier.operations import is_allowed

Dealt = Callable[..., GameState]

CASES = {
    # option: value, player's final hand, dealer's final hand, result by default, result with the value
    "player_minimum": (15, "TC 5D", "TH 4C KS", -1, 1),
    "five_card_below_minimum": ("counts", "2C 2D 3C 3D 4H", "KC 7D", -1, 2),
    "dealer_collects_multiples": (True, "KC QD", "7C 7D 7H", -1, -7),
    "five_card_mirror": ("push", "2C 3C 4C 5C 6C", "2D 3D 4D 4H 6D", 1, 0),
    "five_card_bust_player": (2, "2C 3C 4C 5C KD", "KC 7D", -1, -2),
    "five_card_bust_dealer": (2, "KC 7D", "2C 3C 4C 5C KD", 1, 2),
    "both_bust": ("push", "KC 7D 8D", "KH 6S 9H", -1, 0),
    "special_777": (False, "7C 7D 7H", "KC 7S 4D", 7, 0),
    "pays_ban_ban": (5, "AS AH", "KC 7D", 3, 5),
    "pays_ban_luck": (1.5, "AS KH", "KC 7D", 2, 1.5),
    "pays_777": (21, "7C 7D 7H", "KC 7S", 7, 21),
    "pays_five_card_21": (4, "2C 3C 4C 5C 7D", "KC 7S", 3, 4),
    "pays_five_card": (3, "2C 3C 4C 5C 6D", "KC 7S", 2, 3),
}

OTHER_OPTIONS = {
    "ace_values", "below_minimum", "dealer_minimum", "dealer_choice_max", "reveal", "reveal_from", "surrender",
}  # fmt: skip


def test_every_option_has_a_case() -> None:
    assert set(CASES) | OTHER_OPTIONS == set(BanluckRules.model_fields)


@pytest.mark.parametrize("option", sorted(CASES))
def test_the_option_changes_the_settlement(option: str) -> None:
    value, player, dealer, by_default, changed = CASES[option]
    for rules, expected in ((BanluckRules(), by_default), (BanluckRules.create({option: value}), changed)):
        hands = [evaluate(parse_cards(hand), rules) for hand in (player, dealer)]
        assert settle(hands[0], hands[1], rules).units == expected


def test_ace_values_change_the_total() -> None:
    rules = BanluckRules.create({"ace_values": ((10, 11), (1, 10), (1,), (1,))})
    four_cards = parse_cards("AS 2C 3D 4H")
    assert evaluate(four_cards, BanluckRules()).total == 19
    assert evaluate(four_cards, rules).total == 10


def test_below_minimum_may_stand_or_must_hit(dealt: Dealt) -> None:
    assert is_allowed(verify_stand, dealt("KC 7D", "TC 5D"))
    assert not is_allowed(verify_stand, dealt("KC 7D", "TC 5D", below_minimum="must_hit"))
    assert is_allowed(verify_stand, dealt("KC 7D", "TC 6D", below_minimum="must_hit"))


def test_the_dealer_must_draw_below_the_minimum(dealt: Dealt) -> None:
    assert not is_allowed(verify_dealer_stand, stand(keep(dealt("KC 5D", "TC 6D"))))
    assert is_allowed(verify_dealer_stand, stand(keep(dealt("KC 5D", "TC 6D", dealer_minimum=15))))


@pytest.mark.parametrize(
    ("dealer", "choice_max", "may_draw"), [("KC 8D", 17, False), ("KC 8D", 20, True), ("KC 6D", 15, False)]
)
def test_the_dealer_chooses_up_to_dealer_choice_max(
    dealt: Dealt, dealer: str, choice_max: int, may_draw: bool
) -> None:
    state = stand(dealt(dealer, "TC 6H", dealer_choice_max=choice_max))
    assert is_allowed(verify_draw, state) is may_draw
    assert is_allowed(verify_dealer_stand, state)


@pytest.mark.parametrize(
    ("value", "kinds"),
    [
        ("optional", [ActionKind.REVEAL, ActionKind.DRAW]),
        ("mandatory", [ActionKind.REVEAL]),
        ("none", [ActionKind.DRAW, ActionKind.DEALER_STAND]),
    ],
)
def test_reveal_decides_what_the_dealer_may_do_against_three_cards(
    dealt: Dealt, value: str, kinds: list[ActionKind]
) -> None:
    state = stand(hit(dealt("KC 7D", "TC 3D", reveal=value), parse_card("4D")))
    assert [action.kind for action in legal_actions(state)] == kinds


def test_against_two_cards_the_dealer_stands_or_draws_under_any_reveal(dealt: Dealt) -> None:
    for value in ("optional", "mandatory", "none"):
        state = stand(dealt("KC 7D", "TC 6H", reveal=value))
        assert [action.kind for action in legal_actions(state)] == [ActionKind.DRAW, ActionKind.DEALER_STAND]


@pytest.mark.parametrize("fewest", [2, 3, 4, 5])
def test_reveal_from_decides_whom_the_dealer_may_open(dealt: Dealt, fewest: int) -> None:
    state = stand(dealt("KC 7D", "TC 6D", "2C 2D", "3C 2H", reveal_from=fewest))
    state = stand(hit(hit(state, parse_card("5C")), parse_card("8D")))
    for card in parse_cards("2S 3D 4D"):
        state = hit(state, card)
    assert state.revealable_seats == tuple(seat for seat, count in enumerate((2, 4, 5)) if count >= fewest)
    assert state.phase is Phase.REVEAL


def test_a_dealer_who_may_open_two_cards_opens_instead_of_standing(dealt: Dealt) -> None:
    state = stand(dealt("KC 7D", "TC 6H", reveal_from=2))
    assert [action.kind for action in legal_actions(state)] == [ActionKind.REVEAL, ActionKind.DRAW]
    must_open = stand(dealt("KC 7D", "TC 6H", reveal_from=2, reveal="mandatory"))
    assert [action.kind for action in legal_actions(must_open)] == [ActionKind.REVEAL]


def test_mandatory_reveal_opens_three_card_players_before_the_draw_against_the_others(dealt: Dealt) -> None:
    state = dealt("KC 7D", "TC 3D", "KH QH", reveal="mandatory")
    state = stand(stand(hit(state, parse_card("4D"))))
    assert not is_allowed(verify_draw, state)
    assert not is_allowed(verify_dealer_stand, state)
    opened = legal_actions(state)
    assert [(action.kind, action.seat) for action in opened] == [(ActionKind.REVEAL, 0)]


def test_surrender_is_blind_after_the_specials_or_not_at_all(dealt: Dealt) -> None:
    assert dealt("9C 6D", "AS AH").phase is Phase.SURRENDER
    after = dealt("9C 6D", "AS AH", surrender="after_specials")
    assert after.phase is Phase.SPECIALS
    shown = show(after)
    assert shown.phase is Phase.SURRENDER
    assert surrender(shown).results == (0.0,)
    assert keep(shown).results == (3.0,)
    assert show(dealt("9C 6D", "AS AH", surrender="none")).results == (3.0,)


def test_both_bust_push_keeps_bust_hands_closed_and_lets_the_dealer_play(dealt: Dealt) -> None:
    at_once = hit(dealt("KC 6D", "TC 5D"), parse_card("9D"))
    assert at_once.is_over
    closed = hit(dealt("KC 6D", "TC 5D", both_bust="push"), parse_card("9D"))
    assert closed.phase is Phase.REVEAL
    assert draw(closed, parse_card("KD")).results == (0.0,)


def test_a_bust_player_pays_the_larger_of_the_bust_price_and_the_dealers_multiple() -> None:
    rules = BanluckRules.create(
        {"both_bust": "push", "dealer_collects_multiples": True, "five_card_bust_player": 2}
    )
    five_card_bust = evaluate(parse_cards("2C 3C 4C 5C KD"), rules)
    assert settle(five_card_bust, evaluate(parse_cards("KC 7D"), rules), rules).units == -2
    assert settle(five_card_bust, evaluate(parse_cards("7C 7D 7H"), rules), rules).units == -7
    assert settle(five_card_bust, evaluate(parse_cards("2D 3D 4D 4H 6D"), rules), rules).units == -2


def test_a_dealer_who_busts_on_the_fifth_card_pays_the_larger_of_price_and_multiple() -> None:
    rules = BanluckRules.create({"five_card_bust_dealer": 2})
    bust = evaluate(parse_cards("2C 3C 4C 5C KD"), rules)
    assert settle(evaluate(parse_cards("KC 7D"), rules), bust, rules).units == 2
    assert settle(evaluate(parse_cards("7C 7D 7H"), rules), bust, rules).units == 7


def test_five_against_five_stays_1_to_1_when_the_dealer_collects_multiples() -> None:
    rules = BanluckRules.create({"dealer_collects_multiples": True})
    low, high = (evaluate(parse_cards(cards), rules) for cards in ("2D 3D 4D 4H 6D", "2C 3C 4C 5C 7C"))
    assert settle(low, high, rules).units == -1
    assert settle(evaluate(parse_cards("KC QD"), rules), high, rules).units == -3


def test_a_five_card_hand_of_the_dealer_ranks_as_one_even_under_16(dealt: Dealt) -> None:
    state = stand(dealt("2C 2D", "KC QD"))
    for card in parse_cards("2H 3C 3D"):
        state = draw(state, card)
    assert state.is_over
    assert state.dealer_value.total == 12
    assert state.results == (-1.0,)


def test_a_special_hand_wins_its_own_multiple_when_the_dealer_busts(dealt: Dealt) -> None:
    state = hit(dealt("9C 5D", "7C 7D"), parse_card("7H"))
    assert draw(state, parse_card("KD")).results == (7.0,)


def test_the_dealer_stands_on_18_and_opens_everybody(dealt: Dealt) -> None:
    state = stand(stand(dealt("TC 8D", "KC QD", "TH 7H")))
    assert dealer_stand(state).results == (1.0, -1.0)
