"""The standard deviation of a round.

Exact for every hand that is not split. The hands of one split are correlated through the dealer: their covariance is taken
as that of hands that are independent once the dealer's ending is known, which leaves out only what one hand's cards
take from the other.
"""

import math

import numpy as np

from croupier.blackjack.engine.moves import DOUBLE, STAND, Move
from croupier.blackjack.solvers.dealer_hands import BUST, ENDINGS, NATURAL, DealerTrie, ending_probabilities
from croupier.blackjack.solvers.exact import Analysis, HandAnalysis, up_card_chances, up_card_table
from croupier.blackjack.solvers.hands import CLASSES, Floats, HandSpace, Integers
from croupier.blackjack.solvers.shoe import ShoeCounts
from croupier.blackjack.solvers.splitting import expected_pairs_of_hands
from croupier.blackjack.solvers.up_card import UpCard
from croupier.blackjack.solvers.value_kernels import (
    TableFacts,
    cards_left,
    is_paid_at_once,
)
from croupier.numerics.compiled import compiled


def standard_deviation(analysis: Analysis, shoe: ShoeCounts | None = None) -> float:
    """Return the standard deviation of a round's result, in initial bets, under the best play of an analysis.

    Examples
    --------
    >>> from croupier.blackjack.engine.rules import BlackjackRules
    >>> from croupier.blackjack.solvers.exact import analyse
    >>> round(standard_deviation(analyse(BlackjackRules())), 3)
    1.153
    """
    shoe = shoe or ShoeCounts.full(analysis.rules)
    second_moment = 0.0
    for up_card, _ in up_card_chances(shoe):
        hands = [hand for hand in analysis.hands if hand.up_card == up_card]
        second_moment += _second_moment(up_card_table(analysis.rules, shoe, up_card), hands)
    return math.sqrt(second_moment - analysis.value**2)


def _second_moment(table: UpCard, hands: list[HandAnalysis]) -> float:
    """Add up the squares of the results of first hands against one up-card, weighted by how often they are dealt."""
    total = 0.0
    reach = np.zeros(len(table.space.total))
    decision = table.best_decisions()
    hit_or_stand = table.hits_or_stands()
    for analysed in hands:
        hand = table.space.find(analysed.hand)
        natural = table.chance_of_natural(hand)
        lost = natural if table.facts.natural_point >= 0 else 0.0
        if analysed.is_natural:
            total += analysed.probability * float(table.rules.natural_fraction) * analysed.value
        elif analysed.best is Move.SURRENDER:
            square = 0.25 if analysed.value == -0.5 else 0.25 * (1.0 - natural) + natural
            total += analysed.probability * square
        elif analysed.best is Move.SPLIT:
            total += analysed.probability * (
                lost + _split_square(table, analysed.hand[0], decision, hit_or_stand)
            )
        else:
            total += analysed.probability * lost
            reach[hand] += analysed.probability
            decision[hand] = analysed.best.number
    _, squares, _ = _by_ending(table, reach, decision, table.left)
    return total + float(squares.sum())


def _split_square(table: UpCard, point: int, decision: Integers, hit_or_stand: Integers) -> float:
    """Return the expected square of a split: the squares of its hands, and the products of different ones."""
    after = table.decisions_after_split(point, decision, hit_or_stand)
    single = table.space.find((point,))
    left = table.left.copy()
    left[point] -= table.step
    rest = left - table.step * table.space.counts[single]
    reach = np.zeros(len(table.space.total))
    reach[table.space.child[single]] = np.maximum(rest, 0.0) / rest.sum()
    means, squares, chances = _by_ending(table, reach, after, left)
    hands, ordered_pairs = expected_pairs_of_hands(
        float(rest[point]), float(rest.sum()), table.step, table.most_hands[point]
    )
    products = means[chances > 0] ** 2 / chances[chances > 0]
    return hands * float(squares.sum()) + ordered_pairs * float(products.sum())


def _by_ending(
    table: UpCard, reach: Floats, decision: Integers, left: Floats
) -> tuple[Floats, Floats, Floats]:
    """Return expected results, their squares and chances by the dealer's ending, joint with no left-out natural."""
    means, squares, chances = np.zeros(ENDINGS), np.zeros(ENDINGS), np.zeros(ENDINGS)
    results_by_ending(
        reach, decision, left, table.step, table.facts, table.space, table.trie, means, squares, chances
    )
    return means, squares, chances


@compiled
def results_by_ending(
    reach: Floats,
    decision: Integers,
    left: Floats,
    step: float,
    facts: TableFacts,
    space: HandSpace,
    trie: DealerTrie,
    means: Floats,
    squares: Floats,
    chances: Floats,
) -> None:
    """Play all hands on by the decisions and add up their results by the dealer's ending."""
    single, doubled = np.zeros(len(reach)), np.zeros(len(reach))
    _play_out(reach, decision, left, step, space, single, doubled)
    finals = np.flatnonzero(single + doubled > 0.0)
    shoes = np.empty((len(finals), CLASSES))
    for place in range(len(finals)):
        cards_left(finals[place], left, step, space, shoes[place])
    endings = np.empty((len(finals), ENDINGS))
    ending_probabilities(shoes, step, trie, endings)
    results = np.empty(ENDINGS)
    for place in range(len(finals)):
        hand = finals[place]
        _results_of_total(space.total[hand], is_paid_at_once(hand, facts, space), facts, results)
        _add(single[hand], 1.0, endings[place], results, facts, means, squares, chances)
        _add(doubled[hand], 2.0, endings[place], results, facts, means, squares, chances)
    _add_busts(reach, decision, left, step, facts, space, trie, means, squares, chances)


@compiled
def _add_busts(
    reach: Floats,
    decision: Integers,
    left: Floats,
    step: float,
    facts: TableFacts,
    space: HandSpace,
    trie: DealerTrie,
    means: Floats,
    squares: Floats,
    chances: Floats,
) -> None:
    """Add the hands that draw one card too many; the dealer's ending matters to the other hands of a split."""
    going_on = np.flatnonzero((reach > 0.0) & (decision != STAND))
    shoes = np.empty((len(going_on) * CLASSES, CLASSES))
    weight, bets = np.empty(len(shoes)), np.empty(len(shoes))
    rest = np.empty(CLASSES)
    busts = 0
    for place in range(len(going_on)):
        hand = going_on[place]
        cards = cards_left(hand, left, step, space, rest)
        for point in range(CLASSES):
            if rest[point] > 0.0 and space.child[hand, point] < 0:
                shoes[busts] = rest
                shoes[busts, point] -= step
                weight[busts] = reach[hand] * rest[point] / cards
                bets[busts] = 2.0 if decision[hand] == DOUBLE else 1.0
                busts += 1
    endings = np.empty((busts, ENDINGS))
    ending_probabilities(shoes[:busts], step, trie, endings)
    lost = np.full(ENDINGS, -1.0)
    for bust in range(busts):
        _add(weight[bust], bets[bust], endings[bust], lost, facts, means, squares, chances)


@compiled
def _play_out(
    reach: Floats,
    decision: Integers,
    left: Floats,
    step: float,
    space: HandSpace,
    single: Floats,
    doubled: Floats,
) -> None:
    """Push hands through hits and doubles, shortest first, to where they stand with one bet or with two."""
    rest = np.empty(CLASSES)
    for hand in range(len(reach)):
        if reach[hand] == 0.0:
            continue
        if decision[hand] == STAND:
            single[hand] += reach[hand]
            continue
        cards = cards_left(hand, left, step, space, rest)
        target = doubled if decision[hand] == DOUBLE else reach
        for point in range(CLASSES):
            after = space.child[hand, point]
            if rest[point] > 0.0 and after >= 0:
                target[after] += reach[hand] * rest[point] / cards


@compiled
def _results_of_total(total: int, paid_at_once: bool, facts: TableFacts, results: Floats) -> None:
    """Set what one bet on a final total brings against each ending."""
    results[:] = 1.0
    if paid_at_once:
        return
    for ending in range(BUST):
        results[ending] = np.sign(total - (ending + 17))
    results[NATURAL] = results[BUST - 1] if facts.natural_is_21 else -1.0


@compiled
def _add(
    chance: float,
    bets: float,
    endings: Floats,
    results: Floats,
    facts: TableFacts,
    means: Floats,
    squares: Floats,
    chances: Floats,
) -> None:
    for ending in range(ENDINGS):
        if ending == NATURAL and facts.natural_point >= 0:
            continue
        weight = chance * endings[ending]
        chances[ending] += weight
        means[ending] += weight * bets * results[ending]
        squares[ending] += weight * (bets * results[ending]) ** 2
