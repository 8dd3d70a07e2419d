"""The standard deviation of a round.

Exact for every hand that is not split. The hands of one split are correlated through the dealer: their covariance is taken
as that of hands that are independent once the dealer's ending is known, which leaves out only what one hand's cards
take from the other.
"""

import math

import numpy as np

from croupier.blackjack.solvers.dealer_hands import BUST, ENDINGS, NATURAL, ending_probabilities
from croupier.blackjack.solvers.exact import Analysis, HandAnalysis, up_card_chances, up_card_table
from croupier.blackjack.solvers.hands import Floats, Integers
from croupier.blackjack.solvers.shoe import ShoeCounts
from croupier.blackjack.solvers.splitting import expected_pairs_of_hands
from croupier.blackjack.solvers.up_card import UpCard
from croupier.blackjack.solvers.value_kernels import DOUBLE, HIT, STAND
from croupier.cards import ACE_CLASS
from croupier.lab.compiled import compiled

_FIRST_ACTIONS = {"stand": STAND, "hit": HIT, "double": DOUBLE}


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
        elif analysed.best == "surrender":
            square = 0.25 if analysed.value == -0.5 else 0.25 * (1.0 - natural) + natural
            total += analysed.probability * square
        elif analysed.best == "split":
            total += analysed.probability * (
                lost + _split_square(table, analysed.hand[0], decision, hit_or_stand)
            )
        else:
            total += analysed.probability * lost
            reach[hand] += analysed.probability
            decision[hand] = _FIRST_ACTIONS[analysed.best]
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
    most_hands = table.rules.split_hands if point != ACE_CLASS or table.rules.resplit_aces else 2
    hands, ordered_pairs = expected_pairs_of_hands(
        float(rest[point]), float(rest.sum()), table.step, most_hands
    )
    products = means[chances > 0] ** 2 / chances[chances > 0]
    return hands * float(squares.sum()) + ordered_pairs * float(products.sum())


def _by_ending(
    table: UpCard, reach: Floats, decision: Integers, left: Floats
) -> tuple[Floats, Floats, Floats]:
    """Return expected results, their squares and chances by the dealer's ending, joint with no left-out natural."""
    means, squares, chances = np.zeros(ENDINGS), np.zeros(ENDINGS), np.zeros(ENDINGS)
    space, trie, facts = table.space, table.trie, table.facts
    results_by_ending(
        reach, decision, left, table.step, facts.natural_point >= 0, facts.natural_is_21, facts.pays_21, facts.charlie,
        space.counts, space.total, space.card_count, space.child,
        trie.parent, trie.point, trie.repeat, trie.depth, trie.orders, trie.ending, means, squares, chances,
    )  # fmt: skip
    return means, squares, chances


@compiled
def results_by_ending(
    reach: Floats,
    decision: Integers,
    left: Floats,
    step: float,
    leaves_out_natural: bool,
    natural_is_21: bool,
    pays_21: bool,
    charlie: int,
    counts: Integers,
    total: Integers,
    card_count: Integers,
    child: Integers,
    parent: Integers,
    point: Integers,
    repeat: Integers,
    depth: Integers,
    orders: Floats,
    ending: Integers,
    means: Floats,
    squares: Floats,
    chances: Floats,
) -> None:
    """Play all hands on by the decisions and add up their results by the dealer's ending."""
    single, doubled = np.zeros(len(total)), np.zeros(len(total))
    _play_out(reach, decision, left, step, counts, child, single, doubled)
    rest = np.empty(counts.shape[1])
    weight = np.empty(len(parent))
    endings = np.empty(ENDINGS)
    results = np.empty(ENDINGS)
    for hand in range(len(total)):
        goes_on = reach[hand] > 0.0 and decision[hand] != STAND
        if single[hand] + doubled[hand] == 0.0 and not goes_on:
            continue
        cards = 0.0
        for card in range(len(rest)):
            rest[card] = left[card] - step * counts[hand, card]
            cards += rest[card]
        if single[hand] + doubled[hand] > 0.0:
            ending_probabilities(rest, step, parent, point, repeat, depth, orders, ending, weight, endings)
            paid_at_once = (pays_21 and total[hand] == 21) or card_count[hand] >= charlie
            _results_of_total(total[hand], paid_at_once, natural_is_21, results)
            _add(single[hand], 1.0, endings, results, leaves_out_natural, means, squares, chances)
            _add(doubled[hand], 2.0, endings, results, leaves_out_natural, means, squares, chances)
        if goes_on:
            results[:] = -1.0
            bets = 2.0 if decision[hand] == DOUBLE else 1.0
            for card in range(len(rest)):
                if rest[card] > 0.0 and child[hand, card] < 0:
                    chance = reach[hand] * rest[card] / cards
                    rest[card] -= step
                    ending_probabilities(
                        rest, step, parent, point, repeat, depth, orders, ending, weight, endings
                    )
                    rest[card] += step
                    _add(chance, bets, endings, results, leaves_out_natural, means, squares, chances)


@compiled
def _play_out(
    reach: Floats,
    decision: Integers,
    left: Floats,
    step: float,
    counts: Integers,
    child: Integers,
    single: Floats,
    doubled: Floats,
) -> None:
    """Push hands through hits and doubles, shortest first, to where they stand with one bet or with two."""
    classes = counts.shape[1]
    for hand in range(len(reach)):
        if reach[hand] == 0.0:
            continue
        if decision[hand] == STAND:
            single[hand] += reach[hand]
            continue
        cards = 0.0
        for card in range(classes):
            cards += left[card] - step * counts[hand, card]
        for card in range(classes):
            available = left[card] - step * counts[hand, card]
            after = child[hand, card]
            if available > 0.0 and after >= 0:
                if decision[hand] == DOUBLE:
                    doubled[after] += reach[hand] * available / cards
                else:
                    reach[after] += reach[hand] * available / cards


@compiled
def _results_of_total(total: int, paid_at_once: bool, natural_is_21: bool, results: Floats) -> None:
    """Set what one bet on a final total brings against each ending."""
    results[:] = 1.0
    if paid_at_once:
        return
    for place in range(BUST):
        results[place] = np.sign(total - (place + 17))
    results[NATURAL] = results[BUST - 1] if natural_is_21 else -1.0


@compiled
def _add(
    chance: float,
    bets: float,
    endings: Floats,
    results: Floats,
    leaves_out_natural: bool,
    means: Floats,
    squares: Floats,
    chances: Floats,
) -> None:
    for place in range(ENDINGS):
        if place == NATURAL and leaves_out_natural:
            continue
        weight = chance * endings[place]
        chances[place] += weight
        means[place] += weight * bets * results[place]
        squares[place] += weight * (bets * results[place]) ** 2
