"""Compiled passes over all hands of a player against one up-card.

All values are in bets and *joint with the dealer having no natural* where the table peeks: a value is the
expectation of the result times one if there is no natural, zero if there is. Before anything else is known
about the dealer's other card, every card that is not seen is equally likely to come next, so joint values
average over draws with plain frequencies; dividing by the chance of no natural at the end gives the usual
conditional expectation. Without a peek nothing is left out.

``left`` is always the shoe without the up-card and before the hand; drawing a card takes ``step`` from it.
"""

from typing import NamedTuple

import numpy as np

from croupier.blackjack.engine.moves import DOUBLE, HIT, STAND
from croupier.blackjack.solvers.dealer_hands import (
    BUST,
    ENDINGS,
    NATURAL,
    TWENTY_TWO,
    DealerTrie,
    ending_probabilities,
)
from croupier.blackjack.solvers.hands import CLASSES, Flags, Floats, HandSpace, Integers
from croupier.blackjack.solvers.splitting import SplitWeights
from croupier.numerics.compiled import compiled, inlined


class TableFacts(NamedTuple):
    """What the kernels need to know of the rules, for one up-card.

    Attributes
    ----------
    natural_point
        The class of the dealer's second card that would make a natural and that the player's values leave out; -1 if none.
    natural_is_21
        Whether a natural is no better than another 21.
    pays_21, charlie
        Whether a 21 is paid at once, and from how many cards on any hand is.
    pushes_22
        Whether a dealer's 22 pushes.
    """

    natural_point: int
    natural_is_21: bool
    pays_21: bool
    charlie: int
    pushes_22: bool


@inlined
def cards_left(hand: int, left: Floats, step: float, space: HandSpace, rest: Floats) -> float:
    """Set how many cards of each class are left after a hand, and return their sum."""
    cards = 0.0
    for point in range(CLASSES):
        rest[point] = left[point] - step * space.counts[hand, point]
        cards += rest[point]
    return cards


@inlined
def chance_alive(rest: Floats, cards: float, natural_point: int) -> float:
    """Return the chance that the dealer's next card makes no natural; 1 where that does not matter (point -1)."""
    if natural_point < 0 or cards <= 0:
        return 1.0
    return float(1.0 - max(rest[natural_point], 0.0) / cards)


@inlined
def is_paid_at_once(hand: int, facts: TableFacts, space: HandSpace) -> bool:
    """Tell whether a hand wins before the dealer plays."""
    return bool((facts.pays_21 and space.total[hand] == 21) or space.card_count[hand] >= facts.charlie)


@compiled
def stand_values(
    wanted: Integers,
    left: Floats,
    step: float,
    facts: TableFacts,
    space: HandSpace,
    trie: DealerTrie,
    out: Floats,
) -> None:
    """Set the value of standing on each of these hands."""
    shoes = np.empty((len(wanted), CLASSES))
    endings = np.empty((len(wanted), ENDINGS))
    for place in range(len(wanted)):
        cards_left(wanted[place], left, step, space, shoes[place])
    ending_probabilities(shoes, step, trie, endings)
    for place in range(len(wanted)):
        hand = wanted[place]
        if is_paid_at_once(hand, facts, space):
            out[hand] = chance_alive(shoes[place], shoes[place].sum(), facts.natural_point)
        else:
            out[hand] = _stand_value(space.total[hand], endings[place], facts)


@inlined
def result_against(total: int, ending: int, is_paid_at_once: bool, facts: TableFacts) -> float:
    """Return what one bet on a final total wins against an ending of the dealer's."""
    if is_paid_at_once or ending == BUST:
        return 1.0
    if ending == TWENTY_TWO:
        return 0.0 if facts.pushes_22 else 1.0
    if ending == NATURAL and not facts.natural_is_21:
        return -1.0
    dealer_total = 21 if ending == NATURAL else ending + 17
    return float(np.sign(total - dealer_total))


@inlined
def _stand_value(total: int, endings: Floats, facts: TableFacts) -> float:
    """Return the value of a final total against all endings of the dealer, except a natural that the values leave out."""
    value = 0.0
    for ending in range(ENDINGS):
        if ending != NATURAL or facts.natural_point < 0:
            value += endings[ending] * result_against(total, ending, False, facts)
    return value


@compiled
def hit_value(
    hand: int, play: Floats, left: Floats, step: float, natural_point: int, space: HandSpace
) -> float:
    """Average over the next card: a hand continues with its value, a bust loses one bet."""
    cards = 0.0
    for point in range(CLASSES):
        cards += left[point] - step * space.counts[hand, point]
    if cards <= 0:
        return -np.inf
    key_left = 0.0
    if natural_point >= 0:
        key_left = left[natural_point] - step * space.counts[hand, natural_point]
    value = 0.0
    for point in range(CLASSES):
        available = left[point] - step * space.counts[hand, point]
        if available <= 0:
            continue
        after = space.child[hand, point]
        if after >= 0:
            value += available * play[after]
        elif natural_point < 0 or cards <= step:
            value -= available
        else:
            keys = max(key_left - step * (point == natural_point), 0.0)
            value -= available * (1.0 - keys / (cards - step))
    return value / cards


@compiled
def hit_values(
    play: Floats, left: Floats, step: float, natural_point: int, space: HandSpace, out: Floats
) -> None:
    """Set the value of hitting each hand, given the values of the hands that it may become."""
    for hand in range(len(out)):
        out[hand] = hit_value(hand, play, left, step, natural_point, space)


@compiled
def best_play(
    stand: Floats,
    left: Floats,
    step: float,
    natural_point: int,
    space: HandSpace,
    hit: Floats,
    double: Floats,
    play: Floats,
) -> None:
    """Set the values of hitting and of doubling each hand, and of the better of standing and hitting, longest hands first."""
    for hand in range(len(space.total) - 1, -1, -1):
        hit[hand] = hit_value(hand, play, left, step, natural_point, space)
        play[hand] = stand[hand] if space.total[hand] == 21 else max(stand[hand], hit[hand])
        if space.card_count[hand] == 2:
            double[hand] = 2.0 * hit_value(hand, stand, left, step, natural_point, space)


@compiled
def fixed_play(
    hands: Integers,
    decision: Integers,
    stand: Floats,
    left: Floats,
    step: float,
    natural_point: int,
    space: HandSpace,
    play: Floats,
) -> None:
    """Set the values of these hands when every hand is played by a decision array, longest hands first."""
    for place in range(len(hands) - 1, -1, -1):
        hand = hands[place]
        if decision[hand] == STAND:
            play[hand] = stand[hand]
        elif decision[hand] == HIT:
            play[hand] = hit_value(hand, play, left, step, natural_point, space)
        else:
            play[hand] = 2.0 * hit_value(hand, stand, left, step, natural_point, space)


@compiled
def forward_reach(reach: Floats, decision: Integers, left: Floats, step: float, space: HandSpace) -> None:
    """Add to each hand the chance of reaching it by the hits of a decision array, shortest hands first."""
    rest = np.empty(CLASSES)
    for hand in range(len(decision)):
        if reach[hand] == 0.0 or decision[hand] != HIT:
            continue
        cards = cards_left(hand, left, step, space, rest)
        for point in range(CLASSES):
            if rest[point] > 0 and space.child[hand, point] >= 0:
                reach[space.child[hand, point]] += reach[hand] * rest[point] / cards


@compiled
def split_value(
    weights: SplitWeights,
    single: int,
    pair_point: int,
    pair_left: float,
    hands: Integers,
    decision: Integers,
    left: Floats,
    step: float,
    facts: TableFacts,
    space: HandSpace,
    trie: DealerTrie,
    stand: Floats,
    known: Flags,
) -> float:
    """Return the value of a split whose hands are played by a decision array.

    Parameters
    ----------
    single, pair_point
        The hand of one of the two cards that are split, and its class.
    pair_left
        Cards left that make a pair with those that are split.
    hands
        Every hand that the split can become.
    stand, known
        A row for each number of further pair cards out of the shoe: what standing is worth, and where that is known;
        missing values are computed and kept.
    """
    play = np.full(len(space.total), -np.inf)
    shoe = left.copy()
    shoe[pair_point] -= step
    total = 0.0
    for further in range(len(weights.whatever)):
        if weights.not_pair[further] != 0.0 or weights.whatever[further] != 0.0:
            reached, missing = _reached(single, decision, hands, shoe, step, space, known[further])
            stand_values(missing, shoe, step, facts, space, trie, stand[further])
            known[further][missing] = True
            fixed_play(reached, decision, stand[further], shoe, step, facts.natural_point, space, play)
            pairs = pair_left - step * further
            not_pair, pair = _second_card(single, pair_point, pairs, shoe, step, space, play)
            total += weights.not_pair[further] * not_pair
            total += weights.whatever[further] * (not_pair + pair)
        shoe[pair_point] -= step
    return total


@compiled
def _reached(
    single: int,
    decision: Integers,
    hands: Integers,
    left: Floats,
    step: float,
    space: HandSpace,
    known: Flags,
) -> tuple[Integers, Integers]:
    """List the hands that a split hand may become, and those of them whose value of standing is needed but not yet known."""
    gets_to, stands = np.zeros(len(decision), dtype=np.bool_), np.zeros(len(decision), dtype=np.bool_)
    reached, missing = np.empty(len(hands), dtype=np.int64), np.empty(len(hands), dtype=np.int64)
    reached_count, missing_count = 0, 0
    for after in space.child[single]:
        gets_to[after] = True
    for hand in hands:
        if gets_to[hand]:
            reached[reached_count] = hand
            reached_count += 1
            if decision[hand] == STAND:
                stands[hand] = True
            else:
                marks = stands if decision[hand] == DOUBLE else gets_to
                for point in range(CLASSES):
                    after = space.child[hand, point]
                    if after >= 0 and left[point] - step * space.counts[hand, point] > 0:
                        marks[after] = True
        if stands[hand] and not known[hand]:
            missing[missing_count] = hand
            missing_count += 1
    return reached[:reached_count], missing[:missing_count]


@inlined
def _second_card(
    single: int, pair_point: int, pairs: float, left: Floats, step: float, space: HandSpace, play: Floats
) -> tuple[float, float]:
    """Return the value of one hand of a split, joint with its second card not making a pair, and joint with making one."""
    rest = np.empty(CLASSES)
    cards = cards_left(single, left, step, space, rest)
    not_pair, pair = 0.0, 0.0
    for point in range(CLASSES):
        others = rest[point] - (pairs if point == pair_point else 0.0)
        if others > 0:
            not_pair += others * play[space.child[single, point]]
    if pairs > 0:
        pair = pairs * play[space.child[single, pair_point]]
    return not_pair / cards, pair / cards
