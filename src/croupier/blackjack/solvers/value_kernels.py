"""Compiled passes over the hands of a player against one up-card.

All values are in bets and *joint with the dealer having no natural* where the table peeks: a value is the
expectation of the result times one if there is no natural, zero if there is. Before anything else is known
about the dealer's other card, every card that is not seen is equally likely to come next, so joint values
average over draws with plain frequencies; dividing by the chance of no natural at the end gives the usual
conditional expectation. Without a peek nothing is left out.
"""

import numpy as np

from croupier.blackjack.solvers.dealer_hands import BUST, ENDINGS, NATURAL, ending_probabilities
from croupier.blackjack.solvers.hands import Flags, Floats, Integers
from croupier.lab.compiled import compiled, inlined

#: What a player does with a hand: the codes of a decision array.
STAND, HIT, DOUBLE = 0, 1, 2


@inlined
def chance_alive(left: Floats, cards: float, natural_point: int) -> float:
    """Return the chance that the dealer's next card makes no natural; 1 where that does not matter (point -1)."""
    if natural_point < 0 or cards <= 0:
        return 1.0
    return float(1.0 - max(left[natural_point], 0.0) / cards)


@inlined
def stand_value(
    total: int, endings: Floats, paid_at_once: bool, alive: float, natural_result: float
) -> float:
    """Return what a final total is worth against the dealer's endings."""
    if paid_at_once:
        return alive
    value = endings[BUST] + natural_result * endings[NATURAL]
    for ending in range(5):
        if total > ending + 17:
            value += endings[ending]
        elif total < ending + 17:
            value -= endings[ending]
    return float(value)


@compiled
def stand_values(
    wanted: Flags,
    left: Floats,
    step: float,
    natural_point: int,
    natural_result: float,
    natural_is_21: bool,
    pays_21: bool,
    charlie: int,
    counts: Integers,
    total: Integers,
    card_count: Integers,
    parent: Integers,
    point: Integers,
    repeat: Integers,
    depth: Integers,
    orders: Floats,
    ending: Integers,
    out: Floats,
) -> None:
    """Set what standing is worth on each wanted hand; ``left`` is the shoe without the up-card and before the hand."""
    classes = counts.shape[1]
    rest = np.empty(classes)
    weight = np.empty(len(parent))
    endings = np.empty(ENDINGS)
    for hand in range(len(total)):
        if not wanted[hand]:
            continue
        cards = 0.0
        for card in range(classes):
            rest[card] = left[card] - step * counts[hand, card]
            cards += rest[card]
        alive = chance_alive(rest, cards, natural_point)
        paid_at_once = (pays_21 and total[hand] == 21) or card_count[hand] >= charlie
        if not paid_at_once:
            ending_probabilities(rest, step, parent, point, repeat, depth, orders, ending, weight, endings)
            if natural_is_21:
                endings[4] += endings[NATURAL]
                endings[NATURAL] = 0.0
        out[hand] = stand_value(total[hand], endings, paid_at_once, alive, natural_result)


@compiled
def hit_value(
    hand: int, play: Floats, left: Floats, step: float, natural_point: int, counts: Integers, child: Integers
) -> float:
    """Average over the next card: a hand goes on with its value, a bust loses one bet."""
    classes = counts.shape[1]
    cards = 0.0
    for card in range(classes):
        cards += left[card] - step * counts[hand, card]
    if cards <= 0:
        return -np.inf
    value = 0.0
    for card in range(classes):
        available = left[card] - step * counts[hand, card]
        if available <= 0:
            continue
        after = child[hand, card]
        if after >= 0:
            value += available * play[after]
        else:
            after_cards = cards - step
            key_left = 0.0
            if natural_point >= 0:
                key_left = (
                    left[natural_point] - step * counts[hand, natural_point] - step * (card == natural_point)
                )
            alive = 1.0 if natural_point < 0 or after_cards <= 0 else 1.0 - max(key_left, 0.0) / after_cards
            value -= available * alive
    return value / cards


@compiled
def best_play(
    stand: Floats,
    left: Floats,
    step: float,
    natural_point: int,
    counts: Integers,
    total: Integers,
    child: Integers,
    hit: Floats,
    double: Floats,
    play: Floats,
) -> None:
    """Set the values of hitting and of doubling each hand, and of the better of standing and hitting, longest hands first."""
    for hand in range(len(total) - 1, -1, -1):
        hit[hand] = hit_value(hand, play, left, step, natural_point, counts, child)
        double[hand] = 2.0 * hit_value(hand, stand, left, step, natural_point, counts, child)
        play[hand] = stand[hand] if total[hand] == 21 else max(stand[hand], hit[hand])


@compiled
def fixed_play(
    decision: Integers,
    stand: Floats,
    left: Floats,
    step: float,
    natural_point: int,
    counts: Integers,
    child: Integers,
    wanted: Flags,
    play: Floats,
) -> None:
    """Set the value of each wanted hand when every hand is played by a decision array, longest hands first."""
    for hand in range(len(decision) - 1, -1, -1):
        if not wanted[hand]:
            continue
        if decision[hand] == STAND:
            play[hand] = stand[hand]
        elif decision[hand] == HIT:
            play[hand] = hit_value(hand, play, left, step, natural_point, counts, child)
        else:
            play[hand] = 2.0 * hit_value(hand, stand, left, step, natural_point, counts, child)


@compiled
def mark_reached(
    first: Integers,
    decision: Integers,
    counts: Integers,
    child: Integers,
    left: Floats,
    step: float,
    needs: Flags,
    stands: Flags,
) -> None:
    """Mark the hands that play gets to from some first hands, and those that it stands on."""
    needs[:] = False
    stands[:] = False
    for hand in first:
        needs[hand] = True
    for hand in range(len(decision)):
        if not needs[hand]:
            continue
        if decision[hand] == STAND:
            stands[hand] = True
            continue
        for card in range(counts.shape[1]):
            after = child[hand, card]
            if after >= 0 and left[card] - step * counts[hand, card] > 0:
                if decision[hand] == DOUBLE:
                    stands[after] = True
                else:
                    needs[after] = True


@compiled
def forward_reach(
    reach: Floats, decision: Integers, left: Floats, step: float, counts: Integers, child: Integers
) -> None:
    """Push the chances of hands through the hits of a decision array, shortest hands first."""
    classes = counts.shape[1]
    for hand in range(len(decision)):
        if reach[hand] == 0.0 or decision[hand] != HIT:
            continue
        cards = 0.0
        for card in range(classes):
            cards += left[card] - step * counts[hand, card]
        for card in range(classes):
            available = left[card] - step * counts[hand, card]
            if available > 0 and child[hand, card] >= 0:
                reach[child[hand, card]] += reach[hand] * available / cards
