"""Rules of thumb as complete strategies: the classic dealer and the player who stands on the minimum."""

import numpy as np

from croupier.banluck.engine.hand import evaluate_classes
from croupier.banluck.engine.multisets import MULTISETS
from croupier.banluck.engine.permissions import (
    DealerPermission,
    dealer_permission,
    may_surrender,
    player_may_act,
)
from croupier.banluck.engine.rules import MIN_CARDS, BanluckRules
from croupier.banluck.solvers.strategy import PLAYER_CARD_COUNTS, DealerStrategy, PlayerStrategy, Shown


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
        hit[index] = player_may_act(hand) and hand.total < total
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
        permission = dealer_permission(hand, rules, MIN_CARDS)
        if permission is DealerPermission.DRAW:
            draw[index] = 1
        elif permission is DealerPermission.CHOICE and hand.total <= 17 and rules.reveal != "none":
            draw[index, PLAYER_CARD_COUNTS.index(2)] = 1
    return DealerStrategy(draw, surrender)
