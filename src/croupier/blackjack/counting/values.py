"""What every action is worth at every count: the exact solver on the expected composition of the unseen cards.

A shoe without the up-card is bent to a count, see :func:`~croupier.blackjack.counting.system.counted_shoe`; the hand is then drawn
from it, and the count *at the decision*, with these cards seen, follows for each hand. To the first order in one over the number of cards
this is the expected composition given the hand and the count at the decision. Values lie on a grid of shoes and are
interpolated, hand by hand, to the count that is asked for.

What is left out: that compositions scatter around the expected one, which matters where a value bends. On the value of a whole chart it is
some tenths of a per cent deep in a shoe, and :func:`chart_value_at_count` makes up for it; differences between two actions bend
much less, and indices move by 0.2 of a count or less.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np

from croupier.blackjack.counting.scale import excess_variance
from croupier.blackjack.counting.system import CountingSystem, counted_ranks, counted_shoe, verify_countable
from croupier.blackjack.engine.moves import DOUBLE, HIT, MOVES, SPLIT, STAND, SURRENDER
from croupier.blackjack.engine.permissions import surrenders_early, why_not_surrender
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.chart import Chart
from croupier.blackjack.solvers.chart_columns import Column, ColumnStudy, chart_value
from croupier.blackjack.solvers.exact import first_hand_chances, pair_groups, up_card_table
from croupier.blackjack.solvers.hands import Floats, hand_space
from croupier.blackjack.solvers.shoe import ShoeCounts, classes_of
from croupier.blackjack.solvers.up_card import UpCard
from croupier.blackjack.solvers.value_kernels import forward_reach
from croupier.cards import ACE_CLASS, DECK_SIZE, TEN_CLASS

#: The excesses of the grid, in standard deviations of a tag. They reach further than those of a scale, because a hand moves the count.
_GRID = np.linspace(-14.0, 14.0, 15)

#: How far apart shoes are that show how a chart's value bends, in standard deviations of a tag.
_BEND = 4.0


@dataclass(frozen=True, slots=True, eq=False)
class HandValuesAtCounts:
    """The hands against one up-card at some counts.

    Attributes
    ----------
    chance
        ``[count, hand]``: how often play by the chart brings the hand, per round against this up-card.
    values
        ``[move, count, hand]``: what it is worth, times one if there is no natural where the table peeks; -inf where it is not
        allowed.
    """

    chance: Floats
    values: Floats


def hand_values_at_counts(
    rules: BlackjackRules, system: CountingSystem, columns: Mapping[int, Column], excesses: Floats
) -> Iterator[tuple[int, HandValuesAtCounts]]:
    """Work out every action with every hand against some up-cards, at excesses measured when the hand is decided.

    Yields each up-card with its hands. Those to come are worked out meanwhile.

    Parameters
    ----------
    columns
        The chart's columns by up-card, by which hands of three cards and more come about.
    """
    grid = _GRID * system.spread
    with ThreadPoolExecutor(os.cpu_count()) as threads:  # kernels run beside each other
        points = {
            up_card: threads.map(partial(_values_of_shoe, rules, system, up_card, column), grid.tolist())
            for up_card, column in columns.items()
        }
        for up_card, of_shoes in points.items():
            before = excess_before_hand(system, verify_countable(rules), up_card, excesses)
            yield up_card, _interpolated(grid, list(of_shoes), before)


def _interpolated(
    grid: Floats, points: Sequence[tuple[Floats, Floats]], before: Floats
) -> HandValuesAtCounts:
    """Return chances and values of hands between the shoes of the grid, each hand at its own excesses before it was dealt."""
    chances = np.array([chance for chance, _ in points])
    values = np.array([values for _, values in points]).swapaxes(0, 1)
    place = (before - grid[0]) / (grid[1] - grid[0])
    lower = np.clip(np.floor(place).astype(np.int64), 0, len(grid) - 2)
    share, hands = place - lower, np.arange(before.shape[1])
    is_allowed = np.isfinite(values)
    known = np.where(is_allowed, values, 0.0)
    return HandValuesAtCounts(
        (1.0 - share) * chances[lower, hands] + share * chances[lower + 1, hands],
        np.where(
            is_allowed[:, lower, hands],
            (1.0 - share) * known[:, lower, hands] + share * known[:, lower + 1, hands],
            -np.inf,
        ),
    )


def excess_before_hand(system: CountingSystem, decks: int, up_card: int, excesses: Floats) -> Floats:
    """Return, ``[excess, hand]``, the excess of a shoe without the up-card that becomes this one once the hand is out of it too.

    The tags of the rest add up to ``(per pack - excess) * cards / 52``, whatever is seen.

    Examples
    --------
    >>> from croupier.blackjack.counting.system import HI_LO
    >>> before = excess_before_hand(HI_LO, 6, TEN_CLASS, np.array([1.0]))
    >>> round(float(before[0, hand_space().find((TEN_CLASS, 4))]), 3)  # ten and six: nothing but two cards less
    1.161
    """
    space, tags, per_pack = hand_space(), np.array(system.class_tags), system.per_pack
    whole = DECK_SIZE * decks - 1
    all_tags = per_pack * decks - tags[up_card]
    rest = whole - space.card_count
    left = all_tags - space.counts @ tags - (per_pack - excesses[:, None]) * rest / DECK_SIZE
    before: Floats = DECK_SIZE * left / whole
    return before


def insurance_at_counts(rules: BlackjackRules, system: CountingSystem, excesses: Floats) -> Floats:
    """Return what a unit of insurance is worth at excesses measured with the ace and the first two cards seen.

    Examples
    --------
    >>> from croupier.blackjack.counting.system import HI_LO
    >>> [round(float(worth), 3) for worth in insurance_at_counts(BlackjackRules(), HI_LO, np.array([0.0, 4.0]))]
    [-0.07, 0.023]
    """
    decks, space = verify_countable(rules), hand_space()
    hands = np.flatnonzero(space.card_count == 2)
    held = space.counts[hands]
    before = excess_before_hand(system, decks, ACE_CLASS, excesses)[:, hands]
    seen_ace = _without_up_card(rules, ACE_CLASS)
    worth = np.empty(len(excesses))
    for place, of_hands in enumerate(before):
        shoes = classes_of(counted_ranks(seen_ace, system, of_hands))
        ways = np.where(held == 2, shoes * (shoes - 1.0) / 2.0, np.where(held == 1, shoes, 1.0)).prod(axis=1)
        rest = shoes - held
        tens = rest[:, TEN_CLASS] / rest.sum(axis=1)
        worth[place] = 3.0 * float(ways @ tens / ways.sum()) - 1.0
    return worth


def chart_value_at_count(
    rules: BlackjackRules, system: CountingSystem, table: Chart, excess: float, packs_left: float
) -> float:
    """Return what a round by a chart is worth on average, per initial bet, at an excess before the deal, so deep in the shoe.

    The value ``f`` of the expected composition, less ``f'' / 2`` times the variance of the excess at that depth: over all counts it must
    average to the value of the full shoe, since cards not yet dealt are like any others.

    Examples
    --------
    >>> from croupier.blackjack.counting.system import HI_LO
    >>> stand = Chart.uniform("S")
    >>> rules = BlackjackRules(decks=1)
    >>> [round(chart_value_at_count(rules, HI_LO, stand, count, packs_left=0.5), 3) for count in (0.0, 8.0)]
    [-0.152, -0.081]
    """
    full, step = ShoeCounts.full(rules), _BEND * system.spread
    below, here, above = (
        chart_value(rules, table, counted_shoe(full, system, excess + move)) for move in (-step, 0.0, step)
    )
    bend = (above - 2.0 * here + below) / step**2
    return here - 0.5 * bend * excess_variance(system, verify_countable(rules), packs_left)


def _values_of_shoe(
    rules: BlackjackRules, system: CountingSystem, up_card: int, column: Column, excess: float
) -> tuple[Floats, Floats]:
    """Return how often each hand comes from one shoe of the grid, and what every action is worth."""
    unseen = counted_shoe(_without_up_card(rules, up_card), system, excess)
    shoe = ShoeCounts(unseen.ranks + _up_card(unseen, up_card), unseen.step)
    table = up_card_table(rules, shoe, up_card)
    groups = pair_groups(rules, shoe, up_card)
    values = np.full((len(MOVES), len(table.space.total)), -np.inf)
    values[STAND], values[HIT] = table.stand, table.hit
    _enter_first_moves(values, table, groups)
    return hand_chances(ColumnStudy(table, groups), column), values


def _enter_first_moves(values: Floats, table: UpCard, groups: dict[int, list[tuple[float, float]]]) -> None:
    """Note what doubling, splitting and giving up first hands is worth, as the other values are: joint with no natural."""
    rules, space = table.rules, table.space
    settled = {(TEN_CLASS, ACE_CLASS)} if rules.natural_beats_21 else set()
    decided = first_hand_chances(table.left, table.step).keys() - settled
    hands = np.array([space.find(cards) for cards in decided])
    doubled = hands[table.may_double[hands]]
    values[DOUBLE, doubled] = table.double[doubled]
    play, hit_or_stand = table.best_decisions(), table.hits_or_stands()
    for point, parts in groups.items():
        if (point, point) in decided and parts:
            shares = np.array([share for share, _ in parts])
            splits = [table.split(point, pair_left, play, hit_or_stand) for _, pair_left in parts]
            values[SPLIT, space.find((point, point))] = shares @ splits / shares.sum()
    if why_not_surrender(rules, against_ace=table.point == ACE_CLASS) is None:
        natural = np.array([table.chance_of_natural(hand) for hand in hands.tolist()])
        lost = natural if table.facts.natural_point >= 0 else np.zeros_like(natural)
        given_up = -table.facts.surrender_loss
        late = given_up * (1.0 - natural) - (natural - lost)
        values[SURRENDER, hands] = given_up + lost if surrenders_early(rules) else late


def _without_up_card(rules: BlackjackRules, up_card: int) -> ShoeCounts:
    full = ShoeCounts.full(rules)
    return ShoeCounts(full.ranks - _up_card(full, up_card), full.step)


def _up_card(full: ShoeCounts, point: int) -> Floats:
    """Return one card of a class by rank: of the ten-value ranks a quarter each."""
    card, ranks = np.zeros(len(full.ranks)), full.ranks_of_class(point)
    card[ranks] = 1.0 / len(ranks)
    return card


def hand_chances(study: ColumnStudy, column: Column) -> Floats:
    """Return how often each hand comes to a decision when the chart is played; what comes of split hands is left out."""
    table = study.table
    first, longer = np.zeros(len(table.space.total)), np.zeros(len(table.space.total))
    first[study.first] = study.chance
    plays_on = ~study.gives_up(column) & ~study.splits(column)
    longer[study.first[plays_on]] = study.chance[plays_on]
    forward_reach(longer, study.decisions(column), table.left, table.step, table.space)
    return np.where(table.space.card_count == 2, first, longer) * table.is_open
