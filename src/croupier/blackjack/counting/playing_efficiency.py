"""Playing efficiency: which part of what perfect knowledge of the cards would gain at play a count gains (P. Griffin, The Theory of Blackjack).

A decision between two actions has a mean ``m`` from the full pack, and every card that leaves changes it by its effect of removal. With
``n`` of ``N`` cards left the difference of the two is taken as normal, with the variance that the effects give. Who knows all
cards gains ``E[max(0, d - |m|)]`` over the chart, d being the deviation; who counts sees the part of d that correlates with the tags.
The efficiency is the ratio of the two gains, over all decisions as often as they come.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from statistics import NormalDist

import numpy as np

from croupier.blackjack.counting.indices import row_members
from croupier.blackjack.counting.system import CountingSystem, verify_countable
from croupier.blackjack.counting.values import hand_chances
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.chart import HARD_ROWS
from croupier.blackjack.solvers.chart_columns import ColumnStudy, columns_of
from croupier.blackjack.solvers.exact import pair_groups, up_card_table
from croupier.blackjack.solvers.hands import CLASSES, Floats, Integers
from croupier.blackjack.solvers.shoe import ShoeCounts
from croupier.blackjack.solvers.total_dependent import best_chart
from croupier.blackjack.solvers.up_card import UpCard
from croupier.cards import ACE_CLASS, DECK_SIZE, TEN_CLASS

#: The decisions: standing on hard totals that may bust, or hitting; and doubling, or not.
_STAND_ROWS, _DOUBLE_ROWS = HARD_ROWS[8:14], HARD_ROWS[4:8]

#: Which part of the cards is left, as in Griffin's examples: twenty of a pack.
_LEFT = 20 / 52


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """A choice between two actions.

    Attributes
    ----------
    row, up_card
        The hand and the class of the up-card; insurance has no row.
    chance
        How often it comes, per round.
    mean
        What the first action is worth more than the second, in bets, from the full shoe.
    effects
        By how much that changes when a card of each class leaves the shoe.
    """

    row: str
    up_card: int
    chance: float
    mean: float
    effects: Floats


def playing_efficiency(rules: BlackjackRules, system: CountingSystem, *, left: float = _LEFT) -> float:
    """Return which part of the gain of perfect play a count has, insurance included.

    Parameters
    ----------
    rules
        With a shoe of some packs.
    left
        Which part of the cards is not yet seen.

    Examples
    --------
    >>> from croupier.blackjack.counting.system import HI_LO
    >>> round(playing_efficiency(BlackjackRules(decks=1, double_after_split=False, split_hands=2), HI_LO), 2)
    0.5
    """
    cards = DECK_SIZE * verify_countable(rules)
    found = decisions(rules)
    perfect = sum(choice.chance * gain(choice, rules, None, cards * left) for choice in found)
    counted = sum(choice.chance * gain(choice, rules, system, cards * left) for choice in found)
    return counted / perfect


def gain(choice: Decision, rules: BlackjackRules, system: CountingSystem | None, cards_left: float) -> float:
    """Return what a decision gains over the chart whenever it comes, with so many cards left; without a system, by who knows all cards.

    >>> rules = BlackjackRules(decks=1, double_after_split=False, split_hands=2)
    >>> sixteen = next(choice for choice in decisions(rules) if (choice.row, choice.up_card) == ("16", TEN_CLASS))
    >>> round(gain(sixteen, rules, None, 20), 3)
    0.039
    """
    classes = ShoeCounts.full(rules).classes
    cards, weights = float(classes.sum()), classes / classes.sum()
    effects = choice.effects - weights @ choice.effects
    variance = float(weights @ effects**2) * (cards - 1) * (cards - cards_left) / cards_left
    if system is not None:
        tags = np.array(system.class_tags) - weights @ system.class_tags
        noise = weights @ [(red / 2) ** 2 for red in system.red]
        variance *= float(weights @ (effects * tags)) ** 2 / float(
            (weights @ effects**2) * (weights @ tags**2 + noise)
        )
    spread = sqrt(variance)
    usual = NormalDist()
    place = abs(choice.mean) / spread
    return spread * usual.pdf(place) - abs(choice.mean) * (1.0 - usual.cdf(place))


@lru_cache(maxsize=16)
def decisions(rules: BlackjackRules) -> tuple[Decision, ...]:
    """List the decisions, with their effects of removal, from the exact solver."""
    return (*_plays(rules), _insurance(rules)) if rules.insurance else tuple(_plays(rules))


def _plays(rules: BlackjackRules) -> Iterator[Decision]:
    full, columns = ShoeCounts.full(rules), columns_of(best_chart(rules).chart)
    for up_card in range(CLASSES):
        table = up_card_table(rules, full, up_card)
        study = ColumnStudy(table, pair_groups(rules, full, up_card))
        chances = hand_chances(study, columns[up_card]) * full.classes[up_card] / full.cards
        without = [up_card_table(rules, _one_less(full, point), up_card) for point in range(CLASSES)]
        for row in (*_STAND_ROWS, *_DOUBLE_ROWS):
            first, longer = row_members(row)
            wanted = (first | longer) if row in _STAND_ROWS else first & table.may_double
            hands = np.flatnonzero(wanted & table.is_open & (chances > 0))
            if len(hands):
                chance, weights = float(chances[hands].sum()), chances[hands] / chances[hands].sum()
                mean, *moved = (float(weights @ _difference(shoe, row, hands)) for shoe in (table, *without))
                yield Decision(row, up_card, chance, mean, np.array(moved) - mean)


def _difference(table: UpCard, row: str, hands: Integers) -> Floats:
    """Return what the first action of a row is worth more than the other."""
    if row in _STAND_ROWS:
        return table.stand[hands] - table.hit[hands]
    difference: Floats = table.double[hands] - np.maximum(table.hit[hands], table.stand[hands])
    return difference


def _one_less(full: ShoeCounts, point: int) -> ShoeCounts:
    """Take one card of a class out; of the ten-value ranks a quarter each."""
    ranks = full.ranks_of_class(point)
    left = full.ranks.copy()
    left[ranks] -= 1.0 / len(ranks)
    return ShoeCounts(left, full.step)


def _insurance(rules: BlackjackRules) -> Decision:
    """Return insurance, half a bet against the ace that is seen."""
    full = ShoeCounts.full(rules)
    cards, tens = full.cards - 1.0, float(full.classes[TEN_CLASS])
    mean = 0.5 * (3.0 * tens / cards - 1.0)
    is_ten = np.arange(CLASSES) == TEN_CLASS
    effects: Floats = 1.5 * ((tens - is_ten) / (cards - 1.0) - tens / cards)
    return Decision("", ACE_CLASS, float(full.classes[ACE_CLASS]) / full.cards, mean, effects)
