"""The standard deviation of a round.

Exact for every hand that is not split. The hands of one split are correlated through the dealer: their covariance is taken
as that of hands that are independent once the dealer's ending is known, which leaves out only what one hand's cards
take from the other.
"""

import math

import numpy as np

from croupier.blackjack.engine.moves import DOUBLE, SPLIT, STAND, SURRENDER
from croupier.blackjack.engine.permissions import is_free_split, surrenders_early
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.chart import Chart
from croupier.blackjack.solvers.chart_columns import (
    FirstPlay,
    TotalStudy,
    chart_value,
    column_studies,
    columns_of,
)
from croupier.blackjack.solvers.dealer_hands import ENDINGS, NATURAL, DealerTrie, ending_probabilities
from croupier.blackjack.solvers.exact import Analysis, is_open_natural, shown_chances, up_card_table
from croupier.blackjack.solvers.hands import CLASSES, Floats, HandSpace, Integers
from croupier.blackjack.solvers.payoffs import natural_moments
from croupier.blackjack.solvers.shoe import ShoeCounts
from croupier.blackjack.solvers.splitting import expected_pairs_of_hands
from croupier.blackjack.solvers.up_card import UpCard
from croupier.blackjack.solvers.value_kernels import (
    RESCUE_LOSS,
    DoubledMoves,
    TableFacts,
    cards_left,
    result_against,
)
from croupier.numerics.compiled import compiled, inlined

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
    mean, square = natural_moments(rules)
    for up_card, hole_card, _ in shown_chances(rules, shoe):
        here = [hand for hand in analysis.hands if (hand.up_card, hand.hole_card) == (up_card, hole_card)]
        naturals = sum(hand.probability * hand.value for hand in here if hand.is_natural)
        second_moment += float(square / mean) * naturals
        if is_open_natural(rules, up_card, hole_card):
            second_moment += sum(hand.probability for hand in here if not hand.is_natural)
            continue
        table = up_card_table(rules, shoe, up_card, hole_card)
        decision, plays = table.best_decisions(), []
        for analysed in here:
            if not analysed.is_natural:
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
    mean, square = natural_moments(rules)
    for place, (chance, study) in column_studies(rules, shoe).items():
        column = columns[place]
        second_moment += chance * float(square / mean) * study.natural_value()
        if isinstance(study, TotalStudy):
            second_moment += chance * study.lost
        for share, part in study.parts:
            weight = chance * share
            plays = [
                play._replace(probability=weight * play.probability) for play in part.first_plays(column)
            ]
            second_moment += _second_moment(
                part.table, plays, part.decisions(column), part.hits_or_stands(column), is_planned=True
            )
    return math.sqrt(second_moment - chart_value(rules, chart, shoe) ** 2)


def _second_moment(
    table: UpCard,
    plays: list[FirstPlay],
    decision: Integers,
    hit_or_stand: Integers,
    *,
    is_planned: bool = False,
) -> float:
    """Add up the squares of the results of first hands against one up-card, weighted by how often they come."""
    total = 0.0
    moves = table.planned_moves if is_planned else table.doubled_moves
    if len(moves) == 0:
        moves = np.full((1, len(table.unit)), STAND, dtype=np.uint8)
    reach = np.zeros(len(table.space.total))
    for play in plays:
        natural = table.chance_of_natural(play.hand)
        lost = natural if table.facts.natural_point >= 0 else 0.0
        if play.move == SURRENDER:
            square = float(table.rules.surrender_loss) ** 2
            takes_all = 0.0 if surrenders_early(table.rules) else natural
            total += play.probability * (square + (1.0 - square) * takes_all)
        elif play.move == SPLIT:
            total += play.probability * (lost + _split_square(table, play, decision, hit_or_stand, moves))
        else:
            total += play.probability * lost
            reach[play.hand] += play.probability
    _, squares, _ = _by_ending(table, reach, decision, moves, table.left)
    return total + float(squares.sum())


def _split_square(
    table: UpCard, play: FirstPlay, decision: Integers, hit_or_stand: Integers, moves: DoubledMoves
) -> float:
    """Return the expected square of a split: the squares of its hands, and the products of different ones."""
    point = int(np.argmax(table.space.counts[play.hand]))
    after = table.decisions_after_split(point, decision, hit_or_stand)
    single = table.space.find((point,))
    left = table.left.copy()
    left[point] -= table.step
    rest = left - table.step * table.space.counts[single]
    reach = np.zeros(len(table.space.total))
    reach[table.space.child[single]] = np.maximum(rest, 0.0) / rest.sum()
    means, squares, chances = _by_ending(table, reach, after, moves, left)
    pair_left = float(rest[point]) if play.pair_left is None else play.pair_left
    hands, ordered_pairs = expected_pairs_of_hands(
        pair_left, float(rest.sum()), table.step, table.most_hands[point]
    )
    came = chances > 0
    products = means[came] ** 2 / chances[came]
    if not is_free_split(table.rules, point):
        return hands * float(squares.sum()) + ordered_pairs * float(products.sum())
    free_means, free_squares, _ = _by_ending(table, reach, after, moves, left, risk=0.0)
    mixed, free = means[came] * free_means[came] / chances[came], free_means[came] ** 2 / chances[came]
    others = ordered_pairs - 2.0 * (hands - 1.0)
    return float(
        squares.sum() + (hands - 1.0) * (free_squares.sum() + 2.0 * mixed.sum()) + others * free.sum()
    )


def _by_ending(
    table: UpCard, reach: Floats, decision: Integers, moves: DoubledMoves, left: Floats, risk: float = 1.0
) -> tuple[Floats, Floats, Floats]:
    """Return expected results, their squares and chances by the dealer's ending, joint with no left-out natural.

    A hand that is not doubled loses ``risk`` bets: 1, or 0 after a free split.
    """
    sums = np.zeros((3, ENDINGS))
    results_by_ending(
        reach.copy(), decision, moves, risk, left, table.step, table.facts, table.space, table.trie, sums
    )
    return sums[MEANS], sums[SQUARES], sums[CHANCES]


@compiled
def results_by_ending(
    reach: Floats, decision: Integers, moves: DoubledMoves, risk: float,
    left: Floats, step: float, facts: TableFacts, space: HandSpace, trie: DealerTrie, sums: Floats,
) -> None:  # fmt: skip
    """Play all hands on by the decisions and add up their results by the dealer's ending."""
    # What stands: one bet, doubled once or more often with bets, and doubled with a free bet behind these.
    kinds = len(moves) + 2
    final = np.zeros((kinds, len(reach)))
    busts = np.zeros((kinds, len(reach), CLASSES))
    _play_out(reach, decision, moves, left, step, facts, space, final, busts)
    hands = np.flatnonzero(final.sum(axis=0) > 0.0)
    shoes = np.empty((len(hands), CLASSES))
    for place in range(len(hands)):
        cards_left(hands[place], left, step, space, shoes[place])
    endings = np.empty((len(hands), ENDINGS))
    ending_probabilities(shoes, step, trie, endings)
    results, squares = np.empty(ENDINGS), np.empty(ENDINGS)
    for place in range(len(hands)):
        hand = hands[place]
        for kind in range(kinds):
            if final[kind, hand] > 0.0:
                won, lost = _bets(kind, risk, kinds)
                part = 0.0
                if kind == 0 and decision[hand] == SURRENDER:
                    part = facts.surrender_loss
                elif 1 <= kind <= len(moves) and moves[kind - 1, hand] == SURRENDER:
                    part = RESCUE_LOSS
                _fill(hand, kind > 0, part, won, lost, facts, space, results, squares)
                _add(final[kind, hand], endings[place], results, squares, facts, sums)
    _add_busts(busts, risk, left, step, facts, space, trie, sums)


@inlined
def _bets(kind: int, risk: float, kinds: int) -> tuple[float, float]:
    """Return what hands of a kind win at even money, and what they lose."""
    if kind == kinds - 1:
        return 2.0, risk
    return 2.0**kind, risk + 2.0**kind - 1.0


@inlined
def _fill(
    hand: int, is_doubled: bool, part: float, won: float, lost: float, facts: TableFacts, space: HandSpace,
    results: Floats, squares: Floats,
) -> None:  # fmt: skip
    """Set what a final hand wins against each ending, and the square of that, on average over its suits.

    A hand that is given up loses a ``part`` of its stake; that is 0 of one that is not.
    """
    is_given_up = part > 0.0
    paid = facts.pays.doubled[hand] if is_doubled else facts.pays.mean[hand]
    for ending in range(ENDINGS):
        result = result_against(space.total[hand], ending, facts)
        results[ending] = won if result > 0.0 else (-lost if result < 0.0 else 0.0)
        if is_given_up:
            takes_all = ending == NATURAL and not facts.natural_is_21
            results[ending] = -lost if takes_all else -part * lost
        squares[ending] = results[ending] ** 2
        if paid > 0.0 and not is_given_up:
            results[ending] = won * paid
            squares[ending] = won**2 * (paid if is_doubled else facts.pays.square[hand])


@compiled
def _add_busts(
    busts: Floats, risk: float,
    left: Floats, step: float, facts: TableFacts, space: HandSpace, trie: DealerTrie, sums: Floats,
) -> None:  # fmt: skip
    """Add the hands that draw one card too many; the dealer's ending matters to the other hands of a split."""
    kinds, size, _ = busts.shape
    for kind in range(kinds):
        weights = np.empty(size * CLASSES)
        shoes = np.empty((size * CLASSES, CLASSES))
        count = 0
        for hand in range(size):
            for point in range(CLASSES):
                if busts[kind, hand, point] > 0.0:
                    cards_left(hand, left, step, space, shoes[count])
                    shoes[count, point] -= step
                    weights[count] = busts[kind, hand, point]
                    count += 1
        endings = np.empty((count, ENDINGS))
        ending_probabilities(shoes[:count], step, trie, endings)
        _, lost = _bets(kind, risk, kinds)
        results = np.full(ENDINGS, -lost)
        squares = results**2
        for place in range(count):
            _add(weights[place], endings[place], results, squares, facts, sums)


@compiled
def _play_out(
    reach: Floats, decision: Integers, moves: DoubledMoves,
    left: Floats, step: float, facts: TableFacts, space: HandSpace, final: Floats, busts: Floats,
) -> None:  # fmt: skip
    """Push hands through hits and doubles, shortest first, to where they stand, by kind, or are bust."""
    doubled = np.zeros((len(moves) + 1, len(reach)))
    for hand in range(len(reach)):
        for level in range(len(moves)):
            if doubled[level, hand] > 0.0:
                if moves[level, hand] == DOUBLE:
                    _draw(hand, doubled[level, hand], left, step, space, doubled[level + 1], busts[level + 2])
                else:
                    final[level + 1, hand] += doubled[level, hand]
        if reach[hand] == 0.0:
            continue
        if decision[hand] in (STAND, SURRENDER):
            final[0, hand] += reach[hand]
        elif decision[hand] == DOUBLE and facts.pays.is_free[hand]:
            _draw(hand, reach[hand], left, step, space, final[-1], busts[-1])
        elif decision[hand] == DOUBLE:
            _draw(hand, reach[hand], left, step, space, doubled[0], busts[1])
        else:
            _draw(hand, reach[hand], left, step, space, reach, busts[0])


@inlined
def _draw(
    hand: int, weight: float, left: Floats, step: float, space: HandSpace, target: Floats, bust: Floats
) -> None:
    rest = np.empty(CLASSES)
    cards = cards_left(hand, left, step, space, rest)
    for point in range(CLASSES):
        if rest[point] > 0.0:
            after = space.child[hand, point]
            if after >= 0:
                target[after] += weight * rest[point] / cards
            else:
                bust[hand, point] += weight * rest[point] / cards


@compiled
def _add(
    chance: float, endings: Floats, results: Floats, squares: Floats, facts: TableFacts, sums: Floats
) -> None:
    for ending in range(ENDINGS):
        if ending == NATURAL and facts.natural_point >= 0:
            continue
        weight = chance * endings[ending]
        sums[CHANCES, ending] += weight
        sums[MEANS, ending] += weight * results[ending]
        sums[SQUARES, ending] += weight * squares[ending]
