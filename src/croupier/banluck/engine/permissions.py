"""What the rules leave to each side: the one place that says who may, must or may not do what with a hand.

The engine's operations, the solvers' decision nodes and the explanations all ask here. The simulator's kernel does not: it
reads the rules a second time, so that a mistake here shows as a disagreement.
"""

from collections.abc import Sequence
from enum import IntEnum

from croupier.banluck.engine.hand import HandValue, evaluate_classes
from croupier.banluck.engine.rules import MAX_CARDS, MIN_CARDS, BanluckRules
from croupier.cards import ACE_CLASS

_CARD_COUNTS = {3: "three", 4: "four", 5: "five"}


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
    return rules.reveal != "none" and player_cards >= rules.reveal_from


def openable(rules: BanluckRules) -> str:
    """Name the players whom the dealer may open at a total of choice, where the rules let the dealer open any.

    >>> openable(BanluckRules()), openable(BanluckRules(reveal_from=2))
    ('players of three or more cards', 'players')
    """
    if rules.reveal_from == MIN_CARDS:
        return "players"
    more = "" if rules.reveal_from == MAX_CARDS else " or more"
    return f"players of {_CARD_COUNTS[rules.reveal_from]}{more} cards"


def must_be_opened(player_cards: int, rules: BanluckRules) -> bool:
    """Tell whether a dealer at a total of choice must open a closed player of this many cards before anything else.

    >>> must_be_opened(3, BanluckRules()), must_be_opened(3, BanluckRules(reveal="mandatory"))
    (False, True)
    """
    return rules.reveal == "mandatory" and may_be_opened(player_cards, rules)


def dealer_permission(
    hand: HandValue, rules: BanluckRules, player_cards: int | None = None
) -> DealerPermission:
    """Return what a dealer may do with a hand: by its total alone, or against one closed player of some cards.

    >>> from croupier.banluck.engine.hand import evaluate
    >>> from croupier.cards import parse_cards
    >>> [dealer_permission(evaluate(parse_cards(cards), BanluckRules()), BanluckRules()).name for cards in ("TC 5D", "TC 6D", "TC 8D")]
    ['DRAW', 'CHOICE', 'STOP']
    """
    if hand.is_ban or hand.card_count == MAX_CARDS or hand.total > rules.dealer_choice_max:
        return DealerPermission.STOP
    if hand.total < rules.dealer_minimum:
        return DealerPermission.DRAW
    is_opened = player_cards is not None and must_be_opened(player_cards, rules)
    return DealerPermission.STOP if is_opened else DealerPermission.CHOICE
