"""Rules of thumb as complete strategies: the classic dealer and the player who stands on the minimum."""

import numpy as np

from croupier.banluck.engine.hand import HandValue, evaluate_classes
from croupier.banluck.engine.multisets import MULTISETS, Multiset
from croupier.banluck.engine.rules import MAX_CARDS, BanluckRules
from croupier.banluck.solvers.strategy import PLAYER_CARD_COUNTS, DealerStrategy, PlayerStrategy, Shown
from croupier.cards import ACE_CLASS


def player_may_decide(hand: HandValue) -> bool:
    """Tell whether a hand is still being played: not a Ban hand, not bust, below 21, fewer than five cards."""
    return not hand.is_ban and not hand.is_bust and hand.total < 21 and hand.card_count < MAX_CARDS


def may_surrender(hand: Multiset, rules: BanluckRules) -> bool:
    """Tell whether a dealer's multiset is a hard 15 that the rules let the dealer surrender."""
    return (
        rules.surrender != "none"
        and len(hand) == 2
        and ACE_CLASS not in hand
        and evaluate_classes(hand, rules).total == 15
    )


def stand_on(total: int, rules: BanluckRules) -> PlayerStrategy:
    """Return the player who hits below a total and stands from it on.

    Examples
    --------
    >>> from croupier.banluck.engine.multisets import multiset_index, parse_multiset
    >>> strategy = stand_on(16, BanluckRules())
    >>> [float(strategy.hit[multiset_index(parse_multiset(hand))]) for hand in ("T-5", "T-6")]
    [1.0, 0.0]
    """
    hit = np.zeros(len(MULTISETS))
    for index, multiset in enumerate(MULTISETS):
        hand = evaluate_classes(multiset, rules)
        hit[index] = player_may_decide(hand) and hand.total < total
    return PlayerStrategy(hit)


def classic_dealer(rules: BanluckRules, *, surrenders: bool = True) -> DealerStrategy:
    """Return the dealer whom most tables know.

    At 16 and 17 this dealer opens players of three or more cards and draws against two-card players, and stands from 18
    on; below the minimum the dealer draws as all dealers must. A hard 15 is surrendered unless told otherwise.
    Where the rules forbid using the card count (``reveal = "none"``), this dealer stands at 16 and 17.
    """
    draw = np.zeros((len(MULTISETS), len(PLAYER_CARD_COUNTS)))
    surrender = np.zeros((len(MULTISETS), len(Shown)))
    for index, multiset in enumerate(MULTISETS):
        hand = evaluate_classes(multiset, rules)
        surrender[index] = surrenders and may_surrender(multiset, rules)
        if hand.is_ban or hand.is_bust or hand.card_count == MAX_CARDS:
            continue
        if hand.total < rules.dealer_minimum:
            draw[index] = 1
        elif rules.is_dealer_choice(hand.total) and hand.total <= 17 and rules.reveal != "none":
            draw[index, PLAYER_CARD_COUNTS.index(2)] = 1
    return DealerStrategy(draw, surrender)
