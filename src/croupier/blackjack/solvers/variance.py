"""The standard deviation of a round.

Exact for every hand that is not split. The hands of one split are correlated through the dealer: their covariance is taken
as that of hands that are independent once the dealer's ending is known, which leaves out only what one hand's cards
take from the other.
"""

import math

import numpy as np

from croupier.blackjack.engine.moves import DOUBLE, SPLIT, STAND, SURRENDER
from croupier.blackjack.engine.permissions import surrenders_early
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.chart import Chart
from croupier.blackjack.solvers.chart_columns import FirstPlay, chart_value, column_studies, columns_of
from croupier.blackjack.solvers.dealer_hands import ENDINGS, NATURAL, DealerTrie, ending_probabilities
from croupier.blackjack.solvers.exact import Analysis, up_card_chances, up_card_table
from croupier.blackjack.solvers.hands import CLASSES, Floats, HandSpace, Integers
from croupier.blackjack.solvers.shoe import ShoeCounts
from croupier.blackjack.solvers.splitting import expected_pairs_of_hands
from croupier.blackjack.solvers.up_card import UpCard
from croupier.blackjack.solvers.value_kernels import (
    TableFacts,
    cards_left,
    is_paid_at_once,
    result_against,
)
from croupier.numerics.compiled import compiled

#: What is added up for every ending of the dealer's: results, their squares, and how often it comes.
MEANS, SQUARES, CHANCES = range(3)


def standard_deviation(analysis: Analysis, shoe: ShoeCounts | None = None) -> float:
    """Return the standard deviation of a round, in initial bets, under the best play of an analysis (composition-dependent).

    Examples
    --------
    >>> from croupier.blackjack.engine.rules import BlackjackRules
    >>> from croupier.blackjack.solvers.exact import analyse
    >>> round(standard_deviation(analyse(BlackjackRules())), 3)
    1.153
    """
    rules, shoe = analysis.rules, shoe or ShoeCounts.full(analysis.rules)
    second_moment = 0.0
    for up_card, _ in up_card_chances(shoe):
        table = up_card_table(rules, shoe, up_card)
        decision, plays = table.best_decisions(), []
        for analysed in analysis.hands:
            if analysed.up_card == up_card and analysed.is_natural:
                second_moment += analysed.probability * float(rules.natural_fraction) * analysed.value
            elif analysed.up_card == up_card:
                hand = table.space.find(analysed.hand)
                plays.append(FirstPlay(hand, analysed.probability, analysed.best.number))
        second_moment += _second_moment(table, plays, decision, table.hits_or_stands())
    return math.sqrt(second_moment - analysis.value**2)


def chart_standard_deviation(rules: BlackjackRules, chart: Chart, shoe: ShoeCounts | None = None) -> float:
    """Return the standard deviation of a round, in initial bets, when a chart is played.

    Examples
    --------
    >>> round(chart_standard_deviation(BlackjackRules(decks="infinite"), Chart.uniform("S")), 3)
    0.991
    """
    columns = columns_of(chart)
    second_moment = 0.0
    for up_card, (chance, study) in column_studies(rules, shoe).items():
        column = columns[up_card]
        plays = [play._replace(probability=chance * play.probability) for play in study.first_plays(column)]
        second_moment += chance * float(rules.natural_fraction) * study.natural_value()
        second_moment += _second_moment(
            study.table, plays, study.decisions(column), study.hits_or_stands(column)
        )
    return math.sqrt(second_moment - chart_value(rules, chart, shoe) ** 2)


def _second_moment(
    table: UpCard, plays: list[FirstPlay], decision: Integers, hit_or_stand: Integers
) -> float:
    """Add up the squares of the results of first hands against one up-card, weighted by how often they come."""
    total = 0.0
    reach = np.zeros(len(table.space.total))
    for play in plays:
        natural = table.chance_of_natural(play.hand)
        lost = natural if table.facts.natural_point >= 0 else 0.0
        if play.move == SURRENDER:
            square = float(table.rules.surrender_loss) ** 2
            takes_all = 0.0 if surrenders_early(table.rules) else natural
            total += play.probability * (square + (1.0 - square) * takes_all)
        elif play.move == SPLIT:
            total += play.probability * (lost + _split_square(table, play, decision, hit_or_stand))
        else:
            total += play.probability * lost
            reach[play.hand] += play.probability
    _, squares, _ = _by_ending(table, reach, decision, table.left)
    return total + float(squares.sum())


def _split_square(table: UpCard, play: FirstPlay, decision: Integers, hit_or_stand: Integers) -> float:
    """Return the expected square of a split: the squares of its hands, and the products of different ones."""
    point = int(np.argmax(table.space.counts[play.hand]))
    after = table.decisions_after_split(point, decision, hit_or_stand)
    single = table.space.find((point,))
    left = table.left.copy()
    left[point] -= table.step
    rest = left - table.step * table.space.counts[single]
    reach = np.zeros(len(table.space.total))
    reach[table.space.child[single]] = np.maximum(rest, 0.0) / rest.sum()
    means, squares, chances = _by_ending(table, reach, after, left)
    pair_left = float(rest[point]) if play.pair_left is None else play.pair_left
    hands, ordered_pairs = expected_pairs_of_hands(
        pair_left, float(rest.sum()), table.step, table.most_hands[point]
    )
    products = means[chances > 0] ** 2 / chances[chances > 0]
    return hands * float(squares.sum()) + ordered_pairs * float(products.sum())


def _by_ending(
    table: UpCard, reach: Floats, decision: Integers, left: Floats
) -> tuple[Floats, Floats, Floats]:
    """Return expected results, their squares and chances by the dealer's ending, joint with no left-out natural."""
    sums = np.zeros((3, ENDINGS))
    results_by_ending(reach, decision, left, table.step, table.facts, table.space, table.trie, sums)
    return sums[MEANS], sums[SQUARES], sums[CHANCES]


@compiled
def results_by_ending(
    reach: Floats, decision: Integers,
    left: Floats, step: float, facts: TableFacts, space: HandSpace, trie: DealerTrie, sums: Floats,
) -> None:  # fmt: skip
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
        paid = is_paid_at_once(hand, facts, space)
        for ending in range(ENDINGS):
            results[ending] = result_against(space.total[hand], ending, paid, facts)
        _add(single[hand], 1.0, endings[place], results, facts, sums)
        _add(doubled[hand], 2.0, endings[place], results, facts, sums)
    _add_busts(reach, decision, left, step, facts, space, trie, sums)


@compiled
def _add_busts(
    reach: Floats, decision: Integers,
    left: Floats, step: float, facts: TableFacts, space: HandSpace, trie: DealerTrie, sums: Floats,
) -> None:  # fmt: skip
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
        _add(weight[bust], bets[bust], endings[bust], lost, facts, sums)


@compiled
def _play_out(
    reach: Floats, decision: Integers, left: Floats, step: float, space: HandSpace, single: Floats, doubled: Floats,
) -> None:  # fmt: skip
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
def _add(
    chance: float, bets: float, endings: Floats, results: Floats, facts: TableFacts, sums: Floats
) -> None:
    for ending in range(ENDINGS):
        if ending == NATURAL and facts.natural_point >= 0:
            continue
        weight = chance * endings[ending]
        sums[CHANCES, ending] += weight
        sums[MEANS, ending] += weight * bets * results[ending]
        sums[SQUARES, ending] += weight * (bets * results[ending]) ** 2
