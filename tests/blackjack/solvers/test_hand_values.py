"""The values of one hand are found without those of hands that it cannot become; nothing may differ for that."""

import random
from functools import partial
from itertools import islice
from typing import NamedTuple

import pytest

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.play.coach import can_advise
from croupier.blackjack.solvers import hand_values as module
from croupier.blackjack.solvers.exact import up_card_table
from croupier.blackjack.solvers.hand_values import HandValues, hand_values
from croupier.blackjack.solvers.hands import hand_space
from croupier.blackjack.solvers.shoe import ShoeCounts
from croupier.cards import ACE_CLASS, TEN_CLASS, point_class_of_rank
from tests.blackjack.rule_sets import rule_sets


class Dealt(NamedTuple):
    """Ranks from one shoe."""

    hand: list[int]
    up_card: int
    removed: list[int]
    hole_card: int | None


def dealt(rules: BlackjackRules, dice: random.Random) -> Dealt:
    """Deal two to four ranks that are not bust, every other time a pair, an up-card and others that were seen."""
    full = ShoeCounts.full(rules)
    ranks = [rank for rank in range(len(full.ranks)) if full.ranks[rank] > 0] * 4
    size = dice.choice((2, 2, 3, 4))
    wants_pair = size == 2 and dice.random() < 0.5
    while True:
        dice.shuffle(ranks)
        hand = ranks[:size]
        is_held = hand_space().holds(tuple(point_class_of_rank(rank) for rank in hand))
        if is_held and (hand[0] == hand[1] or not wants_pair):
            up_card, hole_card, *removed = ranks[size : size + 6]
            is_open = rules.hole_card == "open"
            natural = {ACE_CLASS, TEN_CLASS} == {point_class_of_rank(rank) for rank in (up_card, hole_card)}
            if not (is_open and natural):
                return Dealt(hand, up_card, removed, hole_card if is_open else None)


def values_of(rules: BlackjackRules, seen: Dealt) -> list[HandValues]:
    """Return the values of a hand: as it was dealt, doubled once, and split with a free bet."""
    value = partial(hand_values, rules, seen.hand, seen.up_card, seen.removed, hole_card=seen.hole_card)
    return [value(), value(doubles=1), value(is_free=True)]


@pytest.mark.parametrize(
    ("number", "rules"), list(enumerate(islice(filter(can_advise, rule_sets("hand values")), 24)))
)
def test_a_hand_alone_is_worth_what_it_is_worth_among_all(
    number: int, rules: BlackjackRules, monkeypatch: pytest.MonkeyPatch
) -> None:
    dice = random.Random(number)
    hands = [dealt(rules, dice) for _ in range(6)]
    alone = [values_of(rules, seen) for seen in hands]
    monkeypatch.setattr(module, "up_card_table", lambda *arguments: up_card_table(*arguments[:4]))
    among_all = [values_of(rules, seen) for seen in hands]
    assert alone == among_all
