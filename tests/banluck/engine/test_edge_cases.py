"""The fourteen edge cases of the rule book, each in its own words."""

from collections.abc import Callable

import pytest

from croupier.banluck.engine import (
    ActionKind,
    BanluckRules,
    GameState,
    Outcome,
    Phase,
    dealer_stand,
    draw,
    evaluate,
    hit,
    keep,
    narrate,
    reveal,
    settle,
    show,
    stand,
    surrender,
)
from croupier.banluck.engine.multisets import multiset_of
from croupier.banluck.engine.permissions import may_surrender
from croupier.cards import format_cards, parse_card, parse_cards

Dealt = Callable[..., GameState]

REFERENCE = BanluckRules()


def result(player: str, dealer: str, rules: BanluckRules = REFERENCE) -> float:
    return settle(evaluate(parse_cards(player), rules), evaluate(parse_cards(dealer), rules), rules).units


def hit_all(state: GameState, cards: str) -> GameState:
    for card in parse_cards(cards):
        state = hit(state, card)
    return state


def test_hard_15_voids_ban_ban(dealt: Dealt) -> None:
    state = dealt("9C 6D", "AS AH")
    assert state.phase is Phase.SURRENDER
    over = surrender(state)
    assert over.is_over
    assert over.results == (0.0,)
    kept = show(keep(state))
    assert kept.results == (3.0,)


def test_ace_ace_is_21_and_settles_at_once(dealt: Dealt) -> None:
    assert evaluate(parse_cards("AS AH"), REFERENCE).total == 21
    state = dealt("9C 7D", "AS AH")
    assert state.phase is Phase.SPECIALS
    over = show(state)
    assert over.is_over
    assert over.results == (3.0,)


def test_ace_four_is_not_a_hard_15(dealt: Dealt) -> None:
    assert evaluate(parse_cards("AS 4H"), REFERENCE).total == 15
    assert not may_surrender(multiset_of(parse_cards("AS 4H")), REFERENCE)
    assert dealt("AS 4H", "9C 7D").phase is Phase.PLAYER


def test_five_card_19_against_five_card_19_pushes() -> None:
    assert result("2C 3C 4C 5C 5D", "2D 3D 4D 4H 6D") == 0


def test_five_card_20_beats_five_card_19_at_1_to_1() -> None:
    assert result("2C 3C 4C 5C 6C", "2D 3D 4D 4H 6D") == 1
    assert result("2D 3D 4D 4H 6D", "2C 3C 4C 5C 6C") == -1


def test_777_beats_the_dealers_jack_jack_ace_at_7_to_1() -> None:
    assert evaluate(parse_cards("JC JD AH"), REFERENCE).total == 21
    assert result("7C 7D 7H", "JC JD AH") == 7


@pytest.mark.parametrize("sevens", ["7C 7D 7H", "7C 7D 7S", "7C 7H 7S", "7D 7H 7S"])
def test_777_in_any_suits(sevens: str) -> None:
    assert str(evaluate(parse_cards(sevens), REFERENCE)) == "777"


def test_15_forfeits_on_a_dealer_bust(dealt: Dealt) -> None:
    state = stand(dealt("9C 5D", "TC 5H"))
    over = draw(state, parse_card("KD"))
    assert over.dealer_value.is_bust
    assert over.results == (-1.0,)
    settlement = over.seats[0].settlement
    assert settlement is not None
    assert settlement.outcome is Outcome.FORFEIT


def test_14_against_a_dealers_14_loses() -> None:
    assert result("TC 4D", "2C 2D 3C 3D 4H") == -1
    assert result("TC 4D", "TD 4H") == -1


def test_ban_ban_and_ban_luck_mirrors_push(dealt: Dealt) -> None:
    assert show(dealt("AC AD", "AH AS")).results == (0.0,)
    assert show(dealt("AC KD", "AH TS")).results == (0.0,)


def test_ban_ban_beats_ban_luck(dealt: Dealt) -> None:
    assert show(dealt("AC KD", "AH AS")).results == (3.0,)
    assert show(dealt("AH AS", "AC KD")).results == (-1.0,)


def test_ace_ace_ace_totals_21() -> None:
    assert evaluate(parse_cards("AS AH AD"), REFERENCE).total == 21


@pytest.mark.parametrize("both_bust", ["player_loses", "push"])
def test_the_dealer_at_17_opens_a_bust_hand_improves_to_21_and_collects_from_the_closed_20_too(
    dealt: Dealt, both_bust: str
) -> None:
    state = dealt("TC 7D", "9C 6D", "KH QH", both_bust=both_bust)
    state = hit(state, parse_card("TD"))
    assert state.hand_value(0).is_bust
    state = stand(state)
    if both_bust == "push":
        assert state.phase is Phase.REVEAL
        state = reveal(state, 0)
    assert state.results == (-1.0, None)
    state = draw(state, parse_card("4S"))
    assert state.dealer_value.total == 21
    over = dealer_stand(state)
    assert over.results == (-1.0, -1.0)
    assert over.dealer_result == 2


def test_the_dealer_opens_a_three_card_hand_at_17_and_loses_only_that_one_by_staying(dealt: Dealt) -> None:
    """Selective reveal: the three-card 16 is opened at 17, the draw to bust costs the two-card 20 only."""
    state = dealt("TC 7D", "9C 3D", "KH QH")
    state = stand(stand(hit(state, parse_card("4D"))))
    state = reveal(state, 0)
    over = draw(state, parse_card("6S"))
    assert over.results == (-1.0, 1.0)


def test_the_fifth_card_is_always_announced(dealt: Dealt) -> None:
    state = hit_all(dealt("TC 7D", "2C 3D"), "2D 3C")
    before = " ".join(narrate(state))
    assert "announced" not in before
    after = " ".join(narrate(hit(state, parse_card("4C"))))
    assert "Player 1 hits, the fifth card, announced" in after
    assert [action.kind for action in hit(state, parse_card("4C")).history].count(ActionKind.HIT) == 3
    assert format_cards(state.seats[0].cards) == "2C 3D 2D 3C"
