"""Hand evaluation, exhaustively, against a second evaluator that tries every ace assignment."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.banluck.engine import (
    BANLUCK,
    BanluckRules,
    HandClass,
    evaluate,
    evaluate_classes,
)
from croupier.banluck.engine.multisets import (
    MULTISETS,
    format_multiset,
    multiset_index,
    multiset_of,
    parse_multiset,
)
from croupier.banluck.engine.permissions import may_surrender
from croupier.cards import CardError, parse_cards

ONE_ELEVEN = BanluckRules.create({"ace_values": ((1, 11),) * 4})
RULE_SETS = [*(preset.rules for preset in BANLUCK.presets), ONE_ELEVEN]


def brute_force_class(ranks: str, ace_values: tuple[int, ...], special_777: bool) -> tuple[str, int]:
    """Name and total of a hand of rank letters, from the rule book's table and every ace assignment."""
    points = [list(ace_values) if rank == "A" else [10 if rank == "T" else int(rank)] for rank in ranks]
    totals = sorted({sum(choice) for choice in product(*points)})
    fitting = [total for total in totals if total <= 21]
    total = fitting[-1] if fitting else totals[0]
    if ranks == "AA":
        return "BAN_BAN", total
    if sorted(ranks) == ["A", "T"]:
        return "BAN_LUCK", total
    if ranks == "777" and special_777:
        return "TRIPLE_SEVEN", total
    if total > 21:
        return "BUST", total
    if len(ranks) == 5:
        return ("FIVE_CARD_21" if total == 21 else "FIVE_CARD"), total
    return "ORDINARY", total


@pytest.mark.parametrize("rules", RULE_SETS, ids=[*(preset.name for preset in BANLUCK.presets), "one-eleven"])
def test_all_2983_multisets_are_classified_as_by_brute_force(rules: BanluckRules) -> None:
    assert len(MULTISETS) == 2983
    for multiset in MULTISETS:
        ranks = format_multiset(multiset).replace("-", "")
        value = evaluate_classes(multiset, rules)
        assert (value.hand_class.name, value.total) == brute_force_class(
            ranks, rules.ace_values[len(ranks) - 2], rules.special_777
        ), ranks


def test_every_multiset_is_a_different_hand_of_one_pack() -> None:
    assert len(set(MULTISETS)) == len(MULTISETS)
    for index, multiset in enumerate(MULTISETS):
        assert multiset_index(multiset) == index
        assert parse_multiset(format_multiset(multiset)) == multiset


@given(st.lists(st.integers(0, 51), min_size=2, max_size=5, unique=True))
def test_the_total_never_picks_a_worse_ace_value_than_brute_force(cards: list[int]) -> None:
    rules = BanluckRules()
    value = evaluate(cards, rules)
    points = [
        rules.ace_choices(len(cards)) if card // 4 == 12 else (min(card // 4 + 2, 10),) for card in cards
    ]
    totals = [sum(choice) for choice in product(*points)]
    assert value.total in totals
    for total in totals:
        if value.total <= 21:
            assert total <= value.total or total > 21
        else:
            assert total >= value.total


@given(st.permutations(range(5)), st.lists(st.integers(0, 51), min_size=5, max_size=5, unique=True))
def test_the_order_of_the_cards_does_not_matter(order: list[int], cards: list[int]) -> None:
    rules = BanluckRules()
    assert evaluate([cards[place] for place in order], rules) == evaluate(cards, rules)


@pytest.mark.parametrize(
    ("text", "total", "is_soft"),
    [
        ("AS 4H", 15, True),
        ("AS 6H 4D", 20, True),
        ("AS 6H 6D", 13, False),
        ("KS 7H", 17, False),
        ("AS 9D", 20, True),
    ],
)
def test_soft_means_an_ace_above_1(text: str, total: int, is_soft: bool) -> None:
    value = evaluate(parse_cards(text), BanluckRules())
    assert (value.total, value.is_soft) == (total, is_soft)


def test_the_hierarchy_is_the_rule_books() -> None:
    assert [hand_class.name for hand_class in sorted(HandClass, reverse=True)] == [
        "BAN_BAN", "BAN_LUCK", "TRIPLE_SEVEN", "FIVE_CARD_21", "FIVE_CARD", "ORDINARY", "BUST",
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["9C 6D", "TC 5D", "KC 5D", "8C 7D"])
def test_hard_15s(text: str) -> None:
    assert may_surrender(multiset_of(parse_cards(text)), BanluckRules())


@pytest.mark.parametrize("text", ["AC 4D", "9C 5D", "5C 5D 5H", "AC 5D"])
def test_what_is_not_a_hard_15(text: str) -> None:
    assert not may_surrender(multiset_of(parse_cards(text)), BanluckRules())


@pytest.mark.parametrize("text", ["AC", "2C 2D 2H 2S 3C 3D"])
def test_a_hand_of_one_or_six_cards_is_refused(text: str) -> None:
    with pytest.raises(CardError, match="hands have 2 to 5 cards"):
        evaluate(parse_cards(text), BanluckRules())
