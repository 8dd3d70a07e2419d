"""Perfect pairs and 21+3, exhaustively, against classifiers written from the words of the bets."""

from collections import Counter
from collections.abc import Callable
from itertools import combinations, combinations_with_replacement

import pytest

from croupier.blackjack.engine import (
    BlackjackRules,
    PairKind,
    Phase,
    PokerKind,
    RoundState,
    SideBets,
    classify_pair,
    classify_poker,
    deal,
    from_json,
    peek,
    prize,
    settle_side_bets,
    start_round,
    surrender,
    to_json,
)
from croupier.blackjack.engine.side_bets import SIDE_BETS
from croupier.cards import RANK_LETTERS, CardError, format_card, parse_card, parse_cards

Dealt = Callable[..., RoundState]

STRAIGHTS = {
    frozenset(run)
    for run in ["A23", "234", "345", "456", "567", "678", "789", "89T", "9TJ", "TJQ", "JQK", "QKA"]
}
ANY_THREE = list(combinations_with_replacement(range(52), 3))


def poker_by_words(cards: tuple[int, ...]) -> str | None:
    texts = [format_card(card) for card in cards]
    ranks, suits = [text[0] for text in texts], {text[1] for text in texts}
    if len(set(ranks)) == 1:
        return "suited trips" if len(suits) == 1 else "three of a kind"
    if frozenset(ranks) in STRAIGHTS and len(set(ranks)) == 3:
        return "straight flush" if len(suits) == 1 else "straight"
    return "flush" if len(suits) == 1 else None


def pair_by_words(first: int, second: int) -> str | None:
    one, other = format_card(first), format_card(second)
    if one[0] != other[0]:
        return None
    if one == other:
        return "perfect pair"
    return "coloured pair" if {one[1], other[1]} in ({"H", "D"}, {"C", "S"}) else "mixed pair"


def test_every_three_cards_of_any_number_of_packs_are_classified_as_in_words() -> None:
    assert len(ANY_THREE) == 24804
    for cards in ANY_THREE:
        assert classify_poker(cards) == poker_by_words(cards), [format_card(card) for card in cards]


def test_one_pack_holds_the_known_numbers_of_poker_hands() -> None:
    """Three-card poker, counted by hand: 48 straight flushes, 52 trips, 720 straights, 1096 flushes of 22100."""
    found = Counter(classify_poker(cards) for cards in combinations(range(52), 3))
    assert found[PokerKind.STRAIGHT_FLUSH] == 48
    assert found[PokerKind.TRIPS] == 52
    assert found[PokerKind.STRAIGHT] == 720
    assert found[PokerKind.FLUSH] == 1096
    assert found[PokerKind.SUITED_TRIPS] == 0
    assert sum(found.values()) == 22100


def test_every_two_cards_are_classified_as_in_words() -> None:
    for first in range(52):
        for second in range(52):
            assert classify_pair((first, second)) == pair_by_words(first, second)


def test_a_perfect_pair_needs_two_packs() -> None:
    kinds = Counter(classify_pair(cards) for cards in combinations(range(52), 2))
    assert kinds[PairKind.PERFECT] == 0
    assert (kinds[PairKind.COLOURED], kinds[PairKind.MIXED]) == (26, 52)


def test_the_order_of_the_cards_does_not_matter() -> None:
    assert classify_poker(parse_cards("3C AC 2C")) is PokerKind.STRAIGHT_FLUSH
    assert classify_poker(parse_cards("AH QC KD")) is PokerKind.STRAIGHT
    assert classify_poker(parse_cards("2H AC KD")) is None


@pytest.mark.parametrize(
    ("kind", "pays"),
    [*zip(PairKind, (25, 12, 6), strict=True), *zip(PokerKind, (100, 40, 30, 10, 5), strict=True)],
)
def test_each_kind_has_its_prize(kind: PairKind | PokerKind, pays: int) -> None:
    assert prize(kind, BlackjackRules()) == pays


def test_a_prize_of_0_means_that_the_kind_does_not_pay() -> None:
    rules = BlackjackRules.create({"perfect_pairs": (25, 12, 0)})
    mixed = [parse_card("8H"), parse_card("8C")]
    settlements = settle_side_bets(SideBets(perfect_pairs=5), mixed, parse_card("2D"), rules)
    assert [settlement.units for settlement in settlements] == [-5.0]


def test_side_bets_are_settled_with_the_deal_and_count_in_the_result(dealt: Dealt) -> None:
    bets = [SideBets(perfect_pairs=2, twenty_one_plus_three=1), SideBets()]
    state = dealt("8C KD", "8H 8D", "TC 9C", side_bets=bets)
    assert not state.is_over
    assert [settlement.units for settlement in state.seats[0].side_settlements] == [24.0, 30.0]
    assert state.bank_result == -54
    assert state.side_result(1) == 0


def test_side_bets_stand_on_the_first_two_cards_after_a_split(
    dealt: Dealt, play: Callable[[RoundState, str], RoundState]
) -> None:
    state = dealt("7C KD", "8H 8D", side_bets=[SideBets(perfect_pairs=2)])
    over = play(state, "split, complete KC, stand, complete KH, stand, dealer-stand")
    assert over.results == (2 * 10 + 2 * 12,)


QUEENS = (parse_card("QH"), parse_card("QH"))


def queens_against(dealer: str, **options: object) -> RoundState:
    """Deal two queens of hearts with a unit on Lucky Ladies."""
    rules = BlackjackRules.create({"insurance": False, **options})
    state = start_round(rules, [10], [SideBets(lucky_ladies=1)])
    return deal(state, [QUEENS], parse_cards(dealer))


def test_two_queens_of_hearts_wait_for_the_peek_and_do_not_betray_a_natural() -> None:
    for dealer, units in (("AC KD", 1000), ("AC 9D", 200)):
        state = queens_against(dealer)
        assert state.seats[0].side_settlements == ()
        assert state.seat_result(0) is None
        assert peek(state).side_result(0) == units


def test_they_do_not_wait_where_nothing_is_hidden() -> None:
    assert queens_against("9C KD").side_result(0) == 200
    assert queens_against("AC KD", hole_card="open").side_result(0) == 1000
    # Without a hole card the prize with a natural is not offered.
    assert queens_against("AC", hole_card="no-peek").side_result(0) == 200


def test_the_dealer_looks_for_them_even_if_all_hands_are_given_up() -> None:
    state = surrender(queens_against("AC KD", surrender="early"))
    assert state.phase is Phase.PEEK
    over = peek(state)
    assert (over.is_over, over.results) == (True, (1000 - 5,))


def test_a_saved_round_keeps_every_side_bet() -> None:
    bets = SideBets(1, 2, 3, 4, 5, 6, 7)
    state = deal(start_round(BlackjackRules(), [10], [bets]), [parse_cards("8H 8D")], parse_cards("9C KD"))
    assert from_json(to_json(state)) == state
    assert len(state.seats[0].side_settlements) == len(SIDE_BETS) == 7


def test_three_cards_are_no_pair_and_two_no_poker_hand() -> None:
    with pytest.raises(CardError, match="first two"):
        classify_pair((1, 2, 3))
    with pytest.raises(CardError, match="up-card"):
        classify_poker((1, 2))


def test_every_straight_is_in_the_list_of_straights() -> None:
    assert len(STRAIGHTS) == 12
    assert set().union(*STRAIGHTS) == set(RANK_LETTERS)
