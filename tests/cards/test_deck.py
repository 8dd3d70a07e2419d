from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.cards import (
    ACE_CLASS,
    DECK_SIZE,
    TEN_CLASS,
    CardError,
    available,
    full_deck,
    parse_card,
    parse_cards,
    point_class,
    rank_of,
    without,
)

some_cards = st.lists(st.sampled_from(range(DECK_SIZE)), unique=True, max_size=DECK_SIZE)
pack_numbers = st.integers(min_value=1, max_value=8)


@pytest.mark.parametrize("packs", [1, 2, 6, 8])
def test_a_deck_is_an_int8_array_of_how_often_each_card_is_there(packs: int) -> None:
    deck = full_deck(packs)
    assert deck.dtype == np.int8
    assert deck.tolist() == [packs] * 52


def test_eight_packs_hold_128_ten_value_cards() -> None:
    counts = Counter(point_class(card) for card in available(full_deck(packs=8)))
    assert counts[TEN_CLASS] == 128
    assert counts[ACE_CLASS] == 32
    assert counts.total() == 416


def test_a_pack_holds_four_cards_of_every_rank_and_sixteen_ten_value_cards() -> None:
    cards = available(full_deck())
    assert Counter(map(rank_of, cards)) == dict.fromkeys(range(13), 4)
    assert Counter(map(point_class, cards)) == {**dict.fromkeys(range(10), 4), TEN_CLASS: 16}


@pytest.mark.parametrize("packs", [0, -1, 9])
def test_a_shoe_of_no_packs_or_more_than_eight_is_refused(packs: int) -> None:
    with pytest.raises(CardError, match=f"{packs} packs; a shoe holds 1 to 8"):
        full_deck(packs)


def test_taking_cards_out_leaves_the_given_deck_alone() -> None:
    deck = full_deck()
    rest = without(deck, parse_cards("AS KD"))
    assert deck.tolist() == [1] * 52
    assert rest[parse_card("AS")] == rest[parse_card("KD")] == 0
    assert rest.sum() == 50
    assert rest.dtype == np.int8


def test_a_card_that_is_gone_is_refused_by_name() -> None:
    deck = without(full_deck(), parse_cards("AS"))
    with pytest.raises(CardError, match=r"^card 'AS' is not in the deck any more$"):
        without(deck, parse_cards("KD AS"))
    assert deck.sum() == 51, "a refused removal changes nothing"


def test_a_card_taken_twice_at_once_is_refused_from_one_pack_but_not_from_two() -> None:
    ace = parse_card("AS")
    with pytest.raises(CardError, match=r"^card 'AS'"):
        without(full_deck(), [ace, ace])
    assert without(full_deck(packs=2), [ace, ace])[ace] == 0


@pytest.mark.parametrize("code", [-1, 52])
def test_a_code_that_is_no_card_is_refused(code: int) -> None:
    """Code -1 must not take the last card of the array out."""
    with pytest.raises(CardError, match=rf"^card code {code}:"):
        without(full_deck(), [code])


def test_the_available_cards_come_in_ascending_order_as_often_as_they_are_there() -> None:
    deck = without(full_deck(packs=2), parse_cards("2C 2D"))
    assert available(deck)[:6] == (0, 1, 2, 2, 3, 3)
    assert available(full_deck()) == tuple(range(52))


@given(some_cards, pack_numbers)
def test_cards_taken_out_and_cards_left_make_up_the_deck(cards: list[int], packs: int) -> None:
    rest = without(full_deck(packs), cards)
    assert Counter(available(rest)) + Counter(cards) == Counter(list(range(DECK_SIZE)) * packs)
