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
from numpy.typing import NDArray

from croupier.blackjack.engine.moves import DOUBLE, HIT, STAND, SURRENDER
from croupier.blackjack.solvers.dealer_hands import (
    BUST,
    ENDINGS,
    NATURAL,
    TWENTY_TWO,
    DealerTrie,
    ending_probabilities,
)
from croupier.blackjack.solvers.hands import CLASSES, Flags, Floats, HandSpace, Integers
from croupier.blackjack.solvers.payoffs import HandPays
from croupier.numerics.compiled import called_lean, compiled, compiled_lean, inlined_lean

#: ``[doubles before, hand]``: what doubled hands do, as numbers of moves.
DoubledMoves = NDArray[np.uint8]


#: The part of what lies on a doubled hand that giving it up costs.
RESCUE_LOSS = 0.5


class TableFacts(NamedTuple):
    """What the kernels need to know of the rules, for one up-card.

    Attributes
    ----------
    natural_point
        The class of the dealer's second card that would make a natural and that the player's values leave out; -1 if none.
    natural_partner
        The class of a second card that would make a natural, whether it is left out or not; -1 if none.
    natural_is_21
        Whether a natural is no better than another 21.
    pushes_22
        Whether a dealer's 22 pushes.
    ties_lose
        Whether equal totals lose.
    surrender_loss
        What giving up a hand that is not doubled costs.
    pays
        What hands are paid at once.
    """

    natural_point: int
    natural_partner: int
    natural_is_21: bool
    pushes_22: bool
    ties_lose: bool
    surrender_loss: float
    pays: HandPays


@inlined_lean
def cards_left(hand: int, left: Floats, step: float, space: HandSpace, rest: Floats) -> float:
    """Set how many cards of each class are left after a hand, and return their sum."""
    cards = 0.0
    for point in range(CLASSES):
        rest[point] = left[point] - step * space.counts[hand, point]
        cards += rest[point]
    return cards


@inlined_lean
def chance_alive(rest: Floats, cards: float, natural_point: int) -> float:
    """Return the chance that the dealer's next card makes no natural; 1 where that does not matter (point -1)."""
    if natural_point < 0 or cards <= 0:
        return 1.0
    return float(1.0 - max(rest[natural_point], 0.0) / cards)


@compiled
def stand_values(
    wanted: Integers,
    left: Floats,
    step: float,
    facts: TableFacts,
    space: HandSpace,
    trie: DealerTrie,
    stand: Floats,
    unit: Floats,
    lost: Floats,
) -> None:
    """Set the values of standing on each of these hands.

    ``stand`` is the value of a bet, ``unit`` that of each bet on a doubled hand, which has no bonus, and ``lost`` the chance that the
    dealer's hand is better.
    """
    shoes = np.empty((len(wanted), CLASSES))
    endings = np.empty((len(wanted), ENDINGS))
    for place in range(len(wanted)):
        cards_left(wanted[place], left, step, space, shoes[place])
    ending_probabilities(shoes, step, trie, endings)
    _stand_against(wanted, shoes, endings, facts, space, stand, unit, lost)


@compiled_lean
def _stand_against(
    wanted: Integers,
    shoes: Floats,
    endings: Floats,
    facts: TableFacts,
    space: HandSpace,
    stand: Floats,
    unit: Floats,
    lost: Floats,
) -> None:
    """Set the values of standing, given what is left of the shoe after each of these hands, and how the dealer's hands end from there."""
    for place in range(len(wanted)):
        hand = wanted[place]
        won, lost[hand] = _won_and_lost(space.total[hand], endings[place], facts)
        stand[hand] = unit[hand] = won - lost[hand]
        if facts.pays.mean[hand] > 0.0 or facts.pays.doubled[hand] > 0.0:
            alive = chance_alive(shoes[place], shoes[place].sum(), facts.natural_point)
            if facts.pays.mean[hand] > 0.0:
                stand[hand] = alive * facts.pays.mean[hand]
            if facts.pays.doubled[hand] > 0.0:
                unit[hand] = alive * facts.pays.doubled[hand]


@inlined_lean
def result_against(total: int, ending: int, facts: TableFacts) -> float:
    """Return what one bet on a final total wins against an ending of the dealer's."""
    if ending == BUST:
        return 1.0
    if ending == TWENTY_TWO:
        return 0.0 if facts.pushes_22 else 1.0
    if ending == NATURAL and not facts.natural_is_21:
        return -1.0
    dealer_total = 21 if ending == NATURAL else ending + 17
    if total == dealer_total and facts.ties_lose:
        return -1.0
    return float(np.sign(total - dealer_total))


@inlined_lean
def _won_and_lost(total: int, endings: Floats, facts: TableFacts) -> tuple[float, float]:
    """Return the chances that a final total wins and loses, over all endings except a natural that the values leave out."""
    won, lost = 0.0, 0.0
    for ending in range(ENDINGS):
        if ending != NATURAL or facts.natural_point < 0:
            result = result_against(total, ending, facts)
            if result > 0.0:
                won += endings[ending]
            elif result < 0.0:
                lost += endings[ending]
    return won, lost


@called_lean
def hit_value(
    hand: int, play: Floats, left: Floats, step: float, natural_point: int, space: HandSpace, bust: float
) -> float:
    """Average over the next card: a hand continues with its value, a bust loses so many bets."""
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
            value -= bust * available
        else:
            keys = max(key_left - step * (point == natural_point), 0.0)
            value -= bust * available * (1.0 - keys / (cards - step))
    return value / cards


@compiled_lean
def hit_values(
    play: Floats, left: Floats, step: float, natural_point: int, space: HandSpace, out: Floats
) -> None:
    """Set the value of hitting each hand, given the values of the hands that it may become."""
    for hand in range(len(out)):
        out[hand] = hit_value(hand, play, left, step, natural_point, space, 1.0)


class FinalValues(NamedTuple):
    """What hands are worth that get no further card by a plain hit.

    Attributes
    ----------
    single
        Standing on one bet.
    doubled, doubled_free
        A hand that has just been doubled, with a bet or with a free one; the first in so many bets.
    bust, bust_doubled, bust_doubled_free
        What each of them loses by a bust.
    bets
        What the values of doubled hands and their busts are multiplied with: 2 where they only stand, so that a bet on them has the value of
        ``stand_values``; else 1.
    """

    single: Floats
    doubled: Floats
    doubled_free: Floats
    bust: float
    bust_doubled: float
    bust_doubled_free: float
    bets: float


@inlined_lean
def double_value(
    hand: int, final: FinalValues, left: Floats, step: float, facts: TableFacts, space: HandSpace
) -> float:
    """Average over the card that a doubled hand gets."""
    if facts.pays.is_free[hand]:
        return hit_value(
            hand, final.doubled_free, left, step, facts.natural_point, space, final.bust_doubled_free
        )
    return final.bets * hit_value(
        hand, final.doubled, left, step, facts.natural_point, space, final.bust_doubled
    )


@compiled_lean
def best_play(
    hands: Integers,
    final: FinalValues,
    is_open: Flags,
    may_double: Flags,
    may_give_up: Flags,
    left: Floats,
    step: float,
    facts: TableFacts,
    space: HandSpace,
    hit: Floats,
    double: Floats,
    play: Floats,
) -> None:
    """Set the values of hitting and of doubling each of these hands, and of playing it best, longest hands first.

    First two cards may also be doubled or given up, which is not among what ``play`` chooses from.
    """
    for place in range(len(hands) - 1, -1, -1):
        hand = hands[place]
        hit[hand] = hit_value(hand, play, left, step, facts.natural_point, space, final.bust)
        play[hand] = max(final.single[hand], hit[hand]) if is_open[hand] else final.single[hand]
        if space.card_count[hand] == 2 or may_double[hand]:
            double[hand] = double_value(hand, final, left, step, facts, space)
            if space.card_count[hand] > 2 and double[hand] > play[hand]:
                play[hand] = double[hand]
        if may_give_up[hand] and space.card_count[hand] > 2:
            play[hand] = max(
                play[hand], given_up_value(hand, facts.surrender_loss, 1.0, left, step, facts, space)
            )


@compiled_lean
def fixed_play(
    hands: Integers,
    decision: Integers,
    final: FinalValues,
    left: Floats,
    step: float,
    facts: TableFacts,
    space: HandSpace,
    play: Floats,
) -> None:
    """Set the values of these hands when every hand is played by a decision array, longest hands first."""
    for place in range(len(hands) - 1, -1, -1):
        hand = hands[place]
        if decision[hand] == STAND:
            play[hand] = final.single[hand]
        elif decision[hand] == HIT:
            play[hand] = hit_value(hand, play, left, step, facts.natural_point, space, final.bust)
        elif decision[hand] == SURRENDER:
            play[hand] = given_up_value(hand, facts.surrender_loss, 1.0, left, step, facts, space)
        else:
            play[hand] = double_value(hand, final, left, step, facts, space)


@inlined_lean
def given_up_value(
    hand: int, loss: float, stake: float, left: Floats, step: float, facts: TableFacts, space: HandSpace
) -> float:
    """Return the value of giving up a hand: a part of what lies on it is lost, or all of it to a natural that nobody has looked for."""
    cards, partners = 0.0, 0.0
    for point in range(CLASSES):
        rest = left[point] - step * space.counts[hand, point]
        cards += rest
        if point == facts.natural_partner:
            partners = max(rest, 0.0)
    natural = partners / cards if cards > 0.0 else 0.0
    taken = 0.0 if facts.natural_point >= 0 else stake * natural
    return -loss * stake * (1.0 - natural) - taken


@compiled_lean
def doubled_values(
    hands: Integers,
    moves: DoubledMoves,
    unit: Floats,
    left: Floats,
    step: float,
    facts: TableFacts,
    space: HandSpace,
    out: Floats,
) -> None:
    """Set what doubled hands are worth when they stand, are doubled again or are given up as ``moves`` says, by number of doubles."""
    for level in range(len(moves) - 1, -1, -1):
        stake = 2.0 ** (level + 1)
        for place in range(len(hands) - 1, -1, -1):
            hand = hands[place]
            if moves[level, hand] == SURRENDER:
                out[level, hand] = given_up_value(hand, RESCUE_LOSS, stake, left, step, facts, space)
            elif moves[level, hand] == DOUBLE:
                out[level, hand] = hit_value(
                    hand, out[level + 1], left, step, facts.natural_point, space, 2.0 * stake
                )
            else:
                out[level, hand] = stake * unit[hand]


@compiled
def best_doubled_moves(
    may_redouble: Flags,
    may_rescue: Flags,
    unit: Floats,
    left: Floats,
    step: float,
    facts: TableFacts,
    space: HandSpace,
    moves: DoubledMoves,
) -> None:
    """Find what doubled hands do best, by number of doubles, and set ``moves``."""
    values = np.empty((len(moves), len(unit)))
    for level in range(len(moves) - 1, -1, -1):
        stake = 2.0 ** (level + 1)
        for hand in range(len(unit) - 1, -1, -1):
            best, move = stake * unit[hand], STAND
            if level + 1 < len(moves) and may_redouble[hand]:
                again = hit_value(
                    hand, values[level + 1], left, step, facts.natural_point, space, 2.0 * stake
                )
                if again > best:
                    best, move = again, DOUBLE
            if may_rescue[hand]:
                given_up = given_up_value(hand, RESCUE_LOSS, stake, left, step, facts, space)
                if given_up > best:
                    best, move = given_up, SURRENDER
            values[level, hand] = best
            moves[level, hand] = move


@compiled
def final_values(
    stand: Floats, unit: Floats, lost: Floats, doubled: Floats, risk: float, facts: TableFacts
) -> FinalValues:
    """Put together what hands are worth that lose ``risk`` bets unless they are doubled: 1, or 0 after a free split.

    ``doubled`` is what :func:`doubled_values` sets, or has no rows where a doubled hand can only stand.
    """
    free = unit
    if facts.pays.has_free:
        free = 2.0 * unit
        for hand in range(len(unit)):
            if facts.pays.doubled[hand] == 0.0:
                free[hand] += (2.0 - risk) * lost[hand]
    if risk == 1.0:
        if len(doubled) == 0:
            return FinalValues(stand, unit, free, 1.0, 1.0, 1.0, 2.0)
        return FinalValues(stand, doubled[0], free, 1.0, 2.0, 1.0, 1.0)
    single, paid = stand.copy(), 2.0 * unit
    for hand in range(len(unit)):
        if facts.pays.mean[hand] == 0.0:
            single[hand] += (1.0 - risk) * lost[hand]
        if facts.pays.doubled[hand] == 0.0:
            paid[hand] += (1.0 - risk) * lost[hand]
    return FinalValues(single, paid, free, risk, 1.0 + risk, risk, 1.0)


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
