"""What the rules leave to each side: the one place that says who may, must or may not do what with a hand.

The engine's operations, the solvers' decision nodes and the explanations all ask here. The simulator's kernel does not: it
reads the rules a second time, so that a mistake here shows as a disagreement.
"""

from collections.abc import Sequence
from enum import IntEnum

from croupier.banluck.engine.hand import HandValue, evaluate_classes
from croupier.banluck.engine.rules import MAX_CARDS, MIN_CARDS, BanluckRules
from croupier.cards import ACE_CLASS


class DealerPermission(IntEnum):
    """What a dealer may do with a hand that is played."""

    STOP = 0
    DRAW = 1
    CHOICE = 2


def player_may_act(hand: HandValue) -> bool:
    """Tell whether a player's hand is still being played: no Ban hand, below 21, fewer than five cards.

    >>> from croupier.banluck.engine.hand import evaluate
    >>> from croupier.cards import parse_cards
    >>> player_may_act(evaluate(parse_cards("TC 6D"), BanluckRules()))
    True
    """
    return not hand.is_ban and hand.total < 21 and hand.card_count < MAX_CARDS


def player_must_hit(hand: HandValue, rules: BanluckRules) -> bool:
    """Tell whether a player who may act is not allowed to stand.

    >>> from croupier.banluck.engine.hand import evaluate
    >>> from croupier.cards import parse_cards
    >>> rules = BanluckRules(below_minimum="must_hit")
    >>> player_must_hit(evaluate(parse_cards("TC 5D"), rules), rules)
    True
    """
    return rules.below_minimum == "must_hit" and hand.total < rules.player_minimum


def may_surrender(classes: Sequence[int], rules: BanluckRules) -> bool:
    """Tell whether a dealer may surrender a hand of point classes: exactly two cards, total 15, no ace.

    >>> from croupier.banluck.engine.multisets import parse_multiset
    >>> [may_surrender(parse_multiset(hand), BanluckRules()) for hand in ("9-6", "A-4", "5-5-5")]
    [True, False, False]
    """
    return (
        rules.surrender != "none"
        and len(classes) == MIN_CARDS
        and ACE_CLASS not in classes
        and evaluate_classes(tuple(classes), rules).total == 15
    )


def may_be_opened(player_cards: int, rules: BanluckRules) -> bool:
    """Tell whether a dealer at a total of choice may open a closed player of this many cards.

    >>> may_be_opened(2, BanluckRules()), may_be_opened(3, BanluckRules()), may_be_opened(3, BanluckRules(reveal="none"))
    (False, True, False)
    """
    return rules.reveal != "none" and player_cards > MIN_CARDS


def must_be_opened(player_cards: int, rules: BanluckRules) -> bool:
    """Tell whether a dealer at a total of choice must open a closed player of this many cards before anything else.

    >>> must_be_opened(3, BanluckRules()), must_be_opened(3, BanluckRules(reveal="mandatory"))
    (False, True)
    """
    return rules.reveal == "mandatory" and may_be_opened(player_cards, rules)


def dealer_permission(
    hand: HandValue, rules: BanluckRules, player_cards: int = MIN_CARDS
) -> DealerPermission:
    """Return what a dealer may do with a hand against one closed player of some cards.

    >>> from croupier.banluck.engine.hand import evaluate
    >>> from croupier.cards import parse_cards
    >>> [dealer_permission(evaluate(parse_cards(cards), BanluckRules()), BanluckRules()).name for cards in ("TC 5D", "TC 6D", "TC 8D")]
    ['DRAW', 'CHOICE', 'STOP']
    """
    if hand.is_ban or hand.card_count == MAX_CARDS or hand.total > rules.dealer_choice_max:
        return DealerPermission.STOP
    if hand.total < rules.dealer_minimum:
        return DealerPermission.DRAW
    return DealerPermission.STOP if must_be_opened(player_cards, rules) else DealerPermission.CHOICE
