"""All 2,983 multisets as arrays: what they are, what follows them, and what they win against each other."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from croupier.banluck.engine.hand import HandClass, HandValue, evaluate_classes
from croupier.banluck.engine.multisets import MULTISETS, PACK_COUNTS, multiset_index
from croupier.banluck.engine.permissions import dealer_permission
from croupier.banluck.engine.rules import MAX_CARDS, BanluckRules
from croupier.banluck.engine.settlement import Outcome, settle
from croupier.banluck.solvers.strategy import PLAYER_CARD_COUNTS
from croupier.cards import DECK_SIZE, POINT_CLASSES

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

OUTCOMES = tuple(Outcome)
TWO_CARD_HANDS = sum(len(hand) == 2 for hand in MULTISETS)

_PACK = np.array(PACK_COUNTS)
_FIRST_CARD, _SECOND_CARD = np.array(MULTISETS[:TWO_CARD_HANDS]).T
_IS_PAIR = _FIRST_CARD == _SECOND_CARD


@dataclass(frozen=True, slots=True, eq=False)
class Deals:
    """How multisets follow each other when a card comes; the same under all rules.

    Attributes
    ----------
    counts
        How many cards of each point class a hand holds.
    card_count
        How many cards a hand holds.
    child
        The hand after one more card of a class, or -1 where there is none.
    parent, last_class
        One hand that leads here, and the class of the card that does it (-1 for two-card hands).
    orders
        In how many orders of classes a two-card hand can be dealt: 1 for a pair, else 2.
    """

    counts: Integers
    card_count: Integers
    child: Integers
    parent: Integers
    last_class: Integers
    orders: Floats


@dataclass(frozen=True, slots=True, eq=False)
class HandTable:
    """Every multiset judged under one rule set.

    Attributes
    ----------
    values
        The engine's judgement of each hand.
    code
        Hands of the same code are settled alike; codes index ``payoff``.
    payoff
        Player's units for (player's code, dealer's code), as the engine settles them.
    outcome
        Place in ``OUTCOMES`` of the reason for each of these results.
    lost
        Player's units where a final hand is settled alike whatever the dealer makes of the dealer's hand, else NaN.
    is_ban
        Whether each hand is a Ban hand.
    dealer
        What a dealer may do (:class:`~croupier.banluck.engine.permissions.DealerPermission`): a row a hand, a column a
        player's card count.
    """

    rules: BanluckRules
    values: tuple[HandValue, ...]
    code: Integers
    payoff: Floats
    outcome: Integers
    lost: Floats
    is_ban: Flags
    dealer: Integers


@lru_cache(maxsize=1)
def deals() -> Deals:
    """Return the arrays that depend on the deck alone.

    >>> deals().child.shape
    (2983, 10)
    """
    classes = len(POINT_CLASSES)
    counts = np.array([[hand.count(point) for point in range(classes)] for hand in MULTISETS])
    child = np.full((len(MULTISETS), classes), -1)
    parent = np.full(len(MULTISETS), -1)
    last_class = np.full(len(MULTISETS), -1)
    for index, hand in enumerate(MULTISETS):
        if len(hand) == MAX_CARDS:
            break
        for point in range(classes):
            if counts[index, point] < PACK_COUNTS[point]:
                after = multiset_index(tuple(sorted((*hand, point))))
                child[index, point] = after
                parent[after], last_class[after] = index, point
    return Deals(counts, counts.sum(axis=1), child, parent, last_class, np.where(_IS_PAIR, 1.0, 2.0))


@lru_cache(maxsize=32)
def hand_table(rules: BanluckRules) -> HandTable:
    """Judge every multiset and settle every pair of kinds of hands.

    >>> float(hand_table(BanluckRules()).payoff.max())
    7.0
    """
    values = tuple(evaluate_classes(hand, rules) for hand in MULTISETS)
    keys = [_settlement_key(value) for value in values]
    representatives = dict(zip(keys, values, strict=True))
    codes = {key: code for code, key in enumerate(representatives)}
    settlements = [
        [settle(player, dealer, rules) for dealer in representatives.values()]
        for player in representatives.values()
    ]
    payoff = np.array([[settlement.units for settlement in row] for row in settlements])
    outcome = np.array([[OUTCOMES.index(settlement.outcome) for settlement in row] for row in settlements])
    code = np.array([codes[key] for key in keys])
    is_ban = np.array([value.is_ban for value in values])
    against_played = payoff[:, np.unique(code[~is_ban])]
    same = np.all(against_played == against_played[:, :1], axis=1)
    lost = np.where(same, against_played[:, 0], np.nan)[code]
    dealer = np.array(
        [[dealer_permission(value, rules, count) for count in PLAYER_CARD_COUNTS] for value in values],
        dtype=np.int64,
    )
    return HandTable(rules, values, code, payoff, outcome, lost, is_ban, dealer)


def two_card_probabilities(removed: Integers) -> Floats:
    """Return the probability of each two-card multiset from a pack without some cards (counts by point class).

    >>> float(two_card_probabilities(np.zeros(10, dtype=int)).sum().round(12))
    1.0
    """
    left = _PACK - removed
    ways = left[_FIRST_CARD] * (left[_SECOND_CARD] - _IS_PAIR) * deals().orders
    cards = left.sum()
    probabilities: Floats = np.maximum(ways, 0) / (cards * (cards - 1))
    return probabilities


def joint_probability(counts: Integers) -> float:
    """Return the probability that given point classes are dealt from a full pack in one given order.

    >>> round(joint_probability(deals().counts[54]) * 51 * 52)  # two aces
    12
    """
    probability = 1.0
    dealt = 0
    for available, needed in zip(PACK_COUNTS, counts.tolist(), strict=True):
        for taken in range(needed):
            probability *= max(available - taken, 0) / (DECK_SIZE - dealt)
            dealt += 1
    return probability


def _settlement_key(value: HandValue) -> tuple[HandClass, int, bool]:
    """Return what a settlement can depend on: class, total of a hand that is in, five cards or fewer."""
    total = 0 if value.is_bust or value.is_ban else value.total
    return value.hand_class, total, value.card_count == MAX_CARDS
