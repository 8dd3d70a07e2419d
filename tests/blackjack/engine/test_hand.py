"""Hand evaluation, against a second evaluator that tries every ace as 1 and as 11."""

from itertools import combinations_with_replacement, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.blackjack.engine import HandValue, evaluate, evaluate_classes
from croupier.cards import ACE_CLASS, POINT_CLASSES, TEN_CLASS, CardError, parse_cards


def brute_force(classes: tuple[int, ...]) -> tuple[int, bool]:
    """Total and softness from every way to count the aces."""
    choices = [(1, 11) if point == ACE_CLASS else (point + 2,) for point in classes]
    totals = sorted({sum(choice) for choice in product(*choices)})
    best = max((total for total in totals if total <= 21), default=totals[0])
    return best, best > totals[0]


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_every_hand_is_valued_as_by_brute_force(size: int) -> None:
    for classes in combinations_with_replacement(range(len(POINT_CLASSES)), size):
        value = evaluate_classes(classes)
        assert (value.total, value.is_soft) == brute_force(classes), classes
        assert value.card_count == size
        assert value.is_bust == (value.total > 21)
        assert value.is_natural == (classes == (TEN_CLASS, ACE_CLASS))


@given(st.lists(st.integers(0, 51), min_size=1, max_size=12), st.randoms(use_true_random=False))
def test_the_order_of_the_cards_does_not_matter(cards: list[int], chance: object) -> None:
    assert evaluate(list(reversed(cards))) == evaluate(cards) == evaluate(sorted(cards))


@pytest.mark.parametrize(
    ("cards", "text"),
    [
        ("AS KH", "natural"),
        ("AS 6H", "soft 17"),
        ("AS AH", "soft 12"),
        ("AS 6H KC", "17"),
        ("7S 7H 7C", "21"),
        ("AS 4H 6C", "soft 21"),
        ("KS QH 4C", "bust with 24"),
        ("AS", "soft 11"),
    ],
)
def test_a_hand_says_what_it_is(cards: str, text: str) -> None:
    assert str(evaluate(parse_cards(cards))) == text


def test_21_in_two_cards_after_a_split_is_an_ordinary_21() -> None:
    assert evaluate(parse_cards("AS KH"), can_be_natural=False) == HandValue(21, True, 2, is_natural=False)


def test_a_hand_of_no_cards_is_refused() -> None:
    with pytest.raises(CardError, match="one card or more"):
        evaluate(())
