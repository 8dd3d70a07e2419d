"""The exact value of the game: every first two cards against every up-card, every action, no approximation.

*Composition-dependent, zero memory*: decisions depend on the cards of the hand and the up-card alone; after a split the
same decisions are taken as before it, where the rules allow them, and hands of a split do not use knowledge of each other.
"""

import csv
import io
import time
from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from croupier.blackjack.engine.moves import Move
from croupier.blackjack.engine.permissions import (
    most_hands,
    surrenders_early,
    why_not_split,
    why_not_surrender,
)
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.chart_moves import column_of, columns_for
from croupier.blackjack.solvers.hands import CLASSES, Floats, Integers, hands_of_several
from croupier.blackjack.solvers.payoffs import natural_moments
from croupier.blackjack.solvers.shoe import ShoeCounts
from croupier.blackjack.solvers.up_card import UpCard
from croupier.cards import ACE_CLASS, POINT_CLASSES, TEN, TEN_CLASS

#: The columns of a table of hands.
_ACTIONS = (Move.STAND, Move.HIT, Move.DOUBLE, Move.SPLIT, Move.SURRENDER)


@dataclass(frozen=True, slots=True)
class HandAnalysis:
    """One pair of first cards against one up-card.

    Attributes
    ----------
    probability
        How often it is dealt, per round.
    actions
        Expected result of each action that the rules allow, in initial bets. Where the dealer peeks, decisions are made
        when there is no natural, and the values are conditional on that.
    value
        Expected result of the best action, before the dealer's second card is known.
    hole_card
        The dealer's other card where both lie open; of the two, the up-card is then the lower one.
    """

    hand: tuple[int, int]
    up_card: int
    probability: float
    actions: dict[str, float]
    value: float
    is_natural: bool = False
    hole_card: int | None = None

    @property
    def column(self) -> int:
        """The chart's column of the dealer's open cards."""
        return column_of(self.up_card, self.hole_card)

    @property
    def best(self) -> Move:
        """The best action."""
        return Move(max(self.actions, key=lambda action: self.actions[action]))


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """A whole game, hand by hand."""

    rules: BlackjackRules
    hands: tuple[HandAnalysis, ...]
    seconds: float

    @property
    def value(self) -> float:
        """Expected result of a round, per initial bet."""
        return float(sum(hand.probability * hand.value for hand in self.hands))

    def by_up_card(self) -> dict[str, float]:
        """Return the expected result against each up-card, or each of the dealer's totals where both cards lie open."""
        names = columns_for(self.rules)
        order = range(len(names)) if self.rules.hole_card == "open" else (ACE_CLASS, *range(ACE_CLASS))
        values = {}
        for column in order:
            members = [hand for hand in self.hands if hand.column == column]
            chance = sum(hand.probability for hand in members)
            if chance > 0:
                values[names[column]] = sum(hand.probability * hand.value for hand in members) / chance
        return values

    def to_csv(self) -> str:
        """Write a line for every first two cards against every up-card; parts of a ten-value pair that differ have lines of their own.

        Examples
        --------
        >>> analysis = analyse(BlackjackRules(decks="infinite"))
        >>> for line in analysis.to_csv().splitlines()[:2]:
        ...     print(line)
        hand,up_card,probability,value,best,stand,hit,double,split,surrender
        "2,2",2,0.000455166,-0.084336480,split,-0.292783727,-0.114913328,-0.585567454,-0.084336480,
        """
        lines = io.StringIO()
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow(("hand", "up_card", "probability", "value", "best", *_ACTIONS))
        for hand in self.hands:
            cards = ",".join(POINT_CLASSES[point] for point in hand.hand)
            worths = (f"{hand.actions[action]:.9f}" if action in hand.actions else "" for action in _ACTIONS)
            up_card = shown_text(hand.up_card, hand.hole_card)
            writer.writerow(
                (cards, up_card, f"{hand.probability:.9f}", f"{hand.value:.9f}", hand.best, *worths)
            )
        return lines.getvalue()


def analyse(rules: BlackjackRules, shoe: ShoeCounts | None = None) -> Analysis:
    """Find the best composition-dependent play of every hand and the value of the game.

    Examples
    --------
    >>> analysis = analyse(BlackjackRules(decks=1, double_after_split=False, split_hands=2))
    >>> f"{analysis.value:+.7%}"
    '+0.0242739%'
    """
    started = time.perf_counter()
    shoe = shoe or ShoeCounts.full(rules)
    hands: list[HandAnalysis] = []
    for up_card, hole_card, chance in shown_chances(rules, shoe):
        if is_open_natural(rules, up_card, hole_card):
            hands += _against_natural(rules, shoe, chance)
        else:
            table = up_card_table(rules, shoe, up_card, hole_card)
            groups = pair_groups(rules, shoe, up_card, hole_card)
            hands += analyse_hands(table, chance, groups, table.best_decisions())
    return Analysis(rules, tuple(hands), time.perf_counter() - started)


def up_card_chances(shoe: ShoeCounts) -> list[tuple[int, float]]:
    """List the up-cards that can come, with their chances."""
    return [(point, float(count / shoe.cards)) for point, count in enumerate(shoe.classes) if count > 0]


def shown_chances(rules: BlackjackRules, shoe: ShoeCounts) -> list[tuple[int, int | None, float]]:
    """List what the players may see of the dealer's cards, with the chances: an up-card, or two cards where both lie open.

    >>> rules = BlackjackRules(hole_card="open")
    >>> cards = shown_chances(rules, ShoeCounts.full(rules))
    >>> len(cards), round(sum(chance for *_, chance in cards), 12)
    (55, 1.0)
    """
    if rules.hole_card != "open":
        return [(up_card, None, chance) for up_card, chance in up_card_chances(shoe)]
    return [(*cards, chance) for cards, chance in first_hand_chances(shoe.classes, shoe.step).items()]


def shown_text(up_card: int, hole_card: int | None) -> str:
    """Name the dealer's open cards by their ranks.

    >>> shown_text(8, None), shown_text(4, 8)
    ('T', '6,T')
    """
    return ",".join(POINT_CLASSES[point] for point in (up_card, hole_card) if point is not None)


def is_open_natural(rules: BlackjackRules, up_card: int, hole_card: int | None) -> bool:
    """Tell whether open cards of the dealer's are a natural that ends the round."""
    return rules.natural_beats_21 and {up_card, hole_card} == {TEN_CLASS, ACE_CLASS}


def without_shown(shoe: ShoeCounts, up_card: int, hole_card: int | None = None) -> Floats:
    """Return what is left of each class without the dealer's open cards."""
    left = shoe.classes
    left[up_card] -= shoe.step
    if hole_card is not None:
        left[hole_card] -= shoe.step
    return left


def _against_natural(rules: BlackjackRules, shoe: ShoeCounts, shown_chance: float) -> list[HandAnalysis]:
    """List the first hands against an open natural of the dealer's, which leaves nobody a choice."""
    left = without_shown(shoe, TEN_CLASS, ACE_CLASS)
    tied = float(natural_moments(rules)[0]) if rules.natural_always_wins else 0.0
    hands = []
    for cards, chance in first_hand_chances(left, shoe.step).items():
        is_natural = cards == (TEN_CLASS, ACE_CLASS)
        value = tied if is_natural else -1.0
        probability = shown_chance * chance
        actions = {Move.STAND.value: value}
        hands.append(HandAnalysis(cards, TEN_CLASS, probability, actions, value, is_natural, ACE_CLASS))
    return hands


def up_card_table(
    rules: BlackjackRules,
    shoe: ShoeCounts,
    up_card: int,
    hole_card: int | None = None,
    hands: Integers | None = None,
) -> UpCard:
    """Take the dealer's open cards out of the shoe and work out every hand against them, or only these and what they become."""
    left = without_shown(shoe, up_card, hole_card)
    wanted = hands_of_several() if hands is None else hands
    return UpCard(rules, up_card, left, shoe.step, hole_card, hands=wanted)


def pair_groups(
    rules: BlackjackRules, shoe: ShoeCounts, up_card: int, hole_card: int | None = None
) -> dict[int, list[tuple[float, float]]]:
    """Say of each pair which share of it may be split, and how many cards are then left that would make it a pair again.

    Only ten-value pairs are divided: where pairs go by rank, a 10 and a jack are none, and
    how many tens are left depends on whether the dealer shows some.
    """
    left = without_shown(shoe, up_card, hole_card)
    groups = {
        point: [(1.0, float(left[point] - 2 * shoe.step))]
        for point in range(CLASSES)
        if most_hands(rules, point) > 1
    }
    if TEN_CLASS in groups and why_not_split(rules, TEN, TEN + 1) is not None:
        groups[TEN_CLASS] = _ten_groups(shoe, (up_card, hole_card).count(TEN_CLASS))
    return groups


def _ten_groups(shoe: ShoeCounts, shown: int) -> list[tuple[float, float]]:
    """Divide ten-value pairs where the dealer shows so many ten-value cards."""
    tens, step = shoe.ranks[shoe.ranks_of_class(TEN_CLASS)], shoe.step
    shares: dict[float, float] = defaultdict(float)
    for left, chance in _tens_left(tens, step, shown):
        all_pairs = left.sum() * (left.sum() - step)
        for count in left:
            if count - step > 0 and all_pairs > 0:
                shares[float(count - 2 * step)] += chance * float(count * (count - step) / all_pairs)
    return [(share, pair_left) for pair_left, share in shares.items()]


def _tens_left(tens: Floats, step: float, shown: int) -> list[tuple[Floats, float]]:
    """List how many of each ten-value rank may be left where so many cards have been taken out, with the chances."""
    found = [(tens, 1.0)]
    for _ in range(shown):
        found = [
            (left - step * (np.arange(len(left)) == rank), chance * float(left[rank] / left.sum()))
            for left, chance in found
            for rank in range(len(left))
            if left[rank] > 0
        ]
    return found


def analyse_hands(
    table: UpCard, up_card_chance: float, groups: dict[int, list[tuple[float, float]]], decision: Integers
) -> list[HandAnalysis]:
    """Work out every action with every first two cards, splits played by the given decisions."""
    hit_or_stand = table.hits_or_stands()
    analyses = []
    for cards, chance in first_hand_chances(table.left, table.step).items():
        splits = groups.get(cards[0], []) if cards[0] == cards[1] else []
        for share, split in _split_shares(table, cards[0], splits, decision, hit_or_stand):
            hand = table.space.find(cards)
            probability = float(up_card_chance * chance * share)
            analyses.append(analyse_hand(table, hand, cards, probability, split))
    return analyses


def first_hand_chances(left: Floats, step: float) -> dict[tuple[int, int], float]:
    """Return how often each two cards come, from what is left of each class."""
    cards = left.sum()
    chances = {}
    for first in range(CLASSES):
        for second in range(first, CLASSES):
            ways = left[first] * (left[second] - step * (first == second)) * (1 + (first != second))
            if ways > 0:
                chances[first, second] = float(ways / (cards * (cards - step)))
    return chances


def _split_shares(
    table: UpCard, point: int, splits: list[tuple[float, float]], decision: Integers, hit_or_stand: Integers
) -> list[tuple[float, float | None]]:
    """Return each part of a hand with the joint value of splitting it, None for the part that is no pair."""
    shares: list[tuple[float, float | None]] = [
        (share, table.split(point, pair_left, decision, hit_or_stand)) for share, pair_left in splits
    ]
    unsplit = 1.0 - sum(share for share, _ in splits)
    return [*shares, (unsplit, None)] if unsplit > 1e-12 else shares


def natural_is_safe(rules: BlackjackRules) -> bool:
    """Tell whether a player's natural is paid whatever the dealer has."""
    return rules.natural_always_wins or (rules.twenty_one_pays_at_once and rules.hole_card == "no-peek")


def analyse_hand(
    table: UpCard, hand: int, cards: tuple[int, int], probability: float, split: float | None
) -> HandAnalysis:
    """Work out every action with one pair of first cards, given the joint value of splitting it (None: no pair)."""
    rules = table.rules
    natural = table.chance_of_natural(hand)
    leaves_out = table.facts.natural_point >= 0
    alive = (
        1.0 - natural if leaves_out and natural < 1.0 else 1.0
    )  # a certain natural leaves nobody to decide
    lost_to_natural = natural if leaves_out else 0.0
    if cards == (TEN_CLASS, ACE_CLASS) and rules.natural_beats_21:
        pays, is_safe = float(natural_moments(rules)[0]), natural_is_safe(rules)
        value = pays if is_safe else pays * (1.0 - natural)
        actions = {Move.STAND.value: pays if is_safe else value / alive}
        return HandAnalysis(cards, table.point, probability, actions, value, True, table.hole)
    joint: dict[str, float] = {Move.STAND: float(table.stand[hand])}
    if table.is_open[hand]:
        joint[Move.HIT] = float(table.hit[hand])
    if table.may_double[hand]:
        joint[Move.DOUBLE] = float(table.double[hand])
    if split is not None:
        joint[Move.SPLIT] = split
    may_surrender = why_not_surrender(rules, against_ace=table.point == ACE_CLASS) is None
    given_up = -table.facts.surrender_loss
    if may_surrender and not surrenders_early(rules):
        joint[Move.SURRENDER] = given_up * (1.0 - natural) - (natural - lost_to_natural)
    value = max(joint.values()) - lost_to_natural
    actions = {str(move): worth / alive for move, worth in joint.items()}
    if may_surrender and surrenders_early(rules):
        actions[Move.SURRENDER] = (given_up + lost_to_natural) / alive
        value = max(value, given_up)
    return HandAnalysis(cards, table.point, probability, actions, value, hole_card=table.hole)
