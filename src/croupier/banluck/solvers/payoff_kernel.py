"""The compiled heart of the table building: what each sequence of the dealer pays against a player's final hand."""

import numpy as np

from croupier.banluck.engine.permissions import DealerPermission
from croupier.banluck.solvers.hand_table import Floats, Integers
from croupier.numerics.compiled import compiled

#: The first action of a node ends something (stand, stop, surrender), the second goes on (hit, draw, keep).
STOP, GO = 0, 1

#: What becomes of a dealer's hand: it ends, it must draw, or the dealer chooses.
ENDS, FORCED, CHOICE = (int(permission) for permission in DealerPermission)


@compiled
def fill_block(
    payoff: Floats,
    hands: Integers,
    first_target: Integers,
    targets: Integers,
    entry: Integers,
    choice_column: Integers,
    kinds: Integers,
    code: Integers,
    settled: Floats,
    lost: Floats,
    orders: Floats,
    counts: Integers,
    card_count: Integers,
    child: Integers,
    parent: Integers,
    last_class: Integers,
    pack: Integers,
) -> None:
    """Add up, for each final hand of the player, what each sequence of the dealer pays against it.

    Parameters
    ----------
    payoff
        The block to add to: a row a player's sequence, a column a dealer's.
    hands, first_target, targets
        The player's final hands; hand i pays into the rows ``targets[first_target[i]:first_target[i+1]]``.
    entry
        The column with which the dealer enters each two-card hand, -1 for Ban hands.
    choice_column
        The column of the dealer's stop on each hand of choice; the draw's is the next one.
    kinds
        Whether a dealer's hand ends (ENDS), must draw (FORCED) or is a choice (CHOICE).
    """
    hand_count = len(counts)
    two_card_hands = len(entry)
    weight = np.empty(hand_count)
    reached = np.empty(hand_count)
    row = np.empty(payoff.shape[1])
    for number in range(len(hands)):
        hand = hands[number]
        row[:] = 0.0
        fill_weights(weight, hand, counts, card_count, parent, last_class, pack)
        if np.isnan(lost[hand]):
            for other in range(hand_count - 1, -1, -1):
                here = weight[other] * settled[code[hand], code[other]]
                after = 0.0 if kinds[other] == ENDS else _sum_over_children(reached, child[other])
                if kinds[other] == CHOICE:
                    row[choice_column[other] + STOP] = here
                    row[choice_column[other] + GO] = after
                    reached[other] = 0.0
                else:
                    reached[other] = here if kinds[other] == ENDS else after
        else:
            for other in range(two_card_hands):
                reached[other] = weight[other] * lost[hand]
        for other in range(two_card_hands):
            if entry[other] >= 0:
                row[entry[other]] += orders[other] * reached[other]
        for target in targets[first_target[number] : first_target[number + 1]]:
            payoff[target] += row


@compiled
def fill_weights(
    weight: Floats,
    hand: int,
    counts: Integers,
    card_count: Integers,
    parent: Integers,
    last_class: Integers,
    pack: Integers,
) -> None:
    """Set the probability that the cards of a hand and of each other multiset come in one given order each."""
    dealt = 0
    own = 1.0
    cards = pack.sum()
    for point in range(counts.shape[1]):
        for taken in range(counts[hand, point]):
            own *= max(pack[point] - taken, 0) / (cards - dealt)
            dealt += 1
    for other in range(len(weight)):
        if card_count[other] == 2:
            probability = own
            held = 0
            for point in range(counts.shape[1]):
                for taken in range(counts[other, point]):
                    probability *= max(pack[point] - counts[hand, point] - taken, 0) / (cards - dealt - held)
                    held += 1
            weight[other] = probability
        else:
            point = last_class[other]
            left = max(pack[point] - counts[hand, point] - counts[other, point] + 1, 0)
            weight[other] = weight[parent[other]] * left / (cards - dealt - card_count[other] + 1)


@compiled
def _sum_over_children(values: Floats, children: Integers) -> float:
    total = 0.0
    for child in children:
        if child >= 0:
            total += values[child]
    return total
