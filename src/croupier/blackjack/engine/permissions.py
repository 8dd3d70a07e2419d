"""What the rules let a player and the dealer do: every such fact is written here, once.

Each function takes the rules and plain facts about a hand. A ``why_not_*`` answers with the reason, or None where the move is
allowed. Engine, exact solver, chart checker, kernels, automaton and evolution all ask here.
"""

from functools import lru_cache
from typing import NamedTuple

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.cards import ACE, ACE_CLASS, POINT_CLASSES, TEN_CLASS, point_class_of_rank

#: More cards than a hand can hold: what ``charlie = "off"`` means as a number.
NO_CHARLIE = 1000

_DOUBLE_TOTALS = {"9-11": (9, 10, 11), "10-11": (10, 11)}


class HandFacts(NamedTuple):
    """What a permission depends on, of a hand of two cards or more."""

    total: int
    is_soft: bool
    card_count: int = 2
    from_split: bool = False
    is_split_ace: bool = False
    doubles: int = 0

    def __str__(self) -> str:
        return f"soft {self.total}" if self.is_soft else str(self.total)


_TWO_CARDS = HandFacts(16, False)


def charlie_cards(rules: BlackjackRules) -> int:
    """Return the number of cards with which a hand wins at once.

    >>> charlie_cards(BlackjackRules(charlie=6)), charlie_cards(BlackjackRules()) > 21
    (6, True)
    """
    return NO_CHARLIE if rules.charlie == "off" else rules.charlie


def is_finished(rules: BlackjackRules, total: int, card_count: int, *, is_doubled: bool = False) -> bool:
    """Tell whether a hand has nothing to decide: bust, 21, or a charlie.

    A 21 stands even where a further card would make a charlie. A doubled hand is no charlie.

    >>> is_finished(BlackjackRules(), 20, 5), is_finished(BlackjackRules(charlie=5), 20, 5)
    (False, True)
    """
    return total >= 21 or (card_count >= charlie_cards(rules) and not is_doubled)


def why_not_hit(rules: BlackjackRules, hand: HandFacts) -> str | None:
    """Say why a hand may not be hit.

    >>> why_not_hit(BlackjackRules(), HandFacts(15, True, from_split=True, is_split_ace=True))
    'a split ace gets one card only'
    """
    if is_finished(rules, hand.total, hand.card_count):
        return "the hand is finished"
    if hand.doubles:
        return "a doubled hand gets one card only"
    if hand.is_split_ace and not rules.hit_split_aces:
        return "a split ace gets one card only"
    return None


def why_not_double(rules: BlackjackRules, hand: HandFacts) -> str | None:
    """Say why a hand may not be doubled.

    >>> why_not_double(BlackjackRules(double="9-11"), HandFacts(8, False))
    'the total is 8, and only 9-11 may be doubled here'
    """
    if rules.double == "none":
        return "this table does not allow doubling"
    if is_finished(rules, hand.total, hand.card_count, is_doubled=hand.doubles > 0):
        return "the hand is finished"
    if hand.doubles > rules.redoubles:
        return "the hand may not be doubled again"
    may_be_longer = hand.doubles or (rules.double_any_cards and hand.card_count > 2)
    if hand.card_count != 2 and not may_be_longer:
        return f"only two cards may be doubled, the hand has {hand.card_count}"
    if hand.from_split and not rules.double_after_split:
        return "hands from a split may not be doubled here"
    if hand.is_split_ace and not rules.double_split_aces:
        return "split aces may not be doubled here"
    if hand.is_soft and not rules.double_soft:
        return f"the hand is a {hand}, and only hard hands may be doubled here"
    if rules.double != "any" and hand.total not in _DOUBLE_TOTALS[rules.double]:
        return f"the total is {hand}, and only {rules.double} may be doubled here"
    return None


def why_not_split(
    rules: BlackjackRules, first: int, second: int, *, hands: int = 1, is_split_ace: bool = False
) -> str | None:
    """Say why two cards of some ranks may not be split, where the player has so many hands.

    >>> why_not_split(BlackjackRules(split_by="rank"), 8, 9)
    'it is not a pair of the same rank'
    >>> why_not_split(BlackjackRules(split_by="value"), 8, 9) is None
    True
    """
    if rules.split_hands == 1:
        return "this table does not allow splitting"
    point = point_class_of_rank(first)
    if point != point_class_of_rank(second) or (rules.split_by == "rank" and first != second):
        return f"it is not a pair of the same {rules.split_by}"
    if point == TEN_CLASS and not rules.split_tens:
        return "ten-value pairs may not be split here"
    if POINT_CLASSES[point] in rules.never_split.split():
        return f"a pair of rank {POINT_CLASSES[point]} may not be split here"
    if is_split_ace and not rules.resplit_aces:
        return "split aces may not be split again here"
    if hands >= rules.split_hands:
        return f"the player has {rules.split_hands} hands already, the most that splitting may make"
    return None


@lru_cache(maxsize=4096)
def most_hands(rules: BlackjackRules, point: int) -> int:
    """Return how many hands a pair of a point class (and of one rank) may become; 1 where it may not be split.

    >>> [most_hands(BlackjackRules(split_tens=False), point) for point in (6, TEN_CLASS, ACE_CLASS)]
    [4, 1, 2]
    """
    is_ace, hands = point == ACE_CLASS, 1
    rank = ACE if is_ace else point
    while why_not_split(rules, rank, rank, hands=hands, is_split_ace=is_ace and hands > 1) is None:
        hands += 1
    return hands


def surrenders_early(rules: BlackjackRules) -> bool:
    """Tell whether hands are given up before the dealer looks for a natural.

    >>> surrenders_early(BlackjackRules(surrender="early")), surrenders_early(BlackjackRules(surrender="late"))
    (True, False)
    """
    return rules.surrender in ("early", "early-not-ace", "early-ace")


def why_not_surrender(
    rules: BlackjackRules, hand: HandFacts = _TWO_CARDS, *, against_ace: bool
) -> str | None:
    """Say why a hand, by default any first two cards, may not be given up at the time that the rules name.

    >>> why_not_surrender(BlackjackRules(surrender="early-not-ace"), against_ace=True)
    'there is no surrender against an ace here'
    """
    if hand.doubles:
        return why_not_rescue(rules, hand)
    if rules.surrender == "none":
        return "this table does not allow surrender"
    if rules.surrender_any_cards:
        return "the hand is finished" if is_finished(rules, hand.total, hand.card_count) else None
    if hand.from_split:
        return "hands from a split may not be surrendered"
    if hand.card_count != 2:
        return f"only the first two cards may be surrendered, the hand has {hand.card_count}"
    if rules.surrender == "early-not-ace" and against_ace:
        return "there is no surrender against an ace here"
    if rules.surrender == "early-ace" and not against_ace:
        return "surrender is against an ace only here"
    return None


def why_not_rescue(rules: BlackjackRules, hand: HandFacts) -> str | None:
    """Say why a doubled hand may not be given up for half of what lies on it.

    >>> why_not_rescue(BlackjackRules(), HandFacts(14, False, 3, doubles=1))
    'a doubled hand may not be given up here'
    """
    if not rules.double_rescue:
        return "a doubled hand may not be given up here"
    return "the hand is finished" if hand.total >= 21 else None


def is_free_double(rules: BlackjackRules, hand: HandFacts) -> bool:
    """Tell whether a hand that may be doubled is doubled with a free bet.

    >>> rules = BlackjackRules(free_doubles=True)
    >>> is_free_double(rules, HandFacts(10, False)), is_free_double(rules, HandFacts(18, True))
    (True, False)
    """
    return rules.free_doubles and hand.card_count == 2 and not hand.is_soft and 9 <= hand.total <= 11


def is_free_split(rules: BlackjackRules, point: int) -> bool:
    """Tell whether a pair of a point class is split with free bets.

    >>> [is_free_split(BlackjackRules(free_splits=True), point) for point in (6, TEN_CLASS)]
    [True, False]
    """
    return rules.free_splits and point != TEN_CLASS


def dealer_draws(rules: BlackjackRules, total: int, is_soft: bool) -> bool:
    """Tell whether the dealer draws to two cards or more: below 17, and on a soft 17 where the rules say so.

    >>> dealer_draws(BlackjackRules(), 17, True), dealer_draws(BlackjackRules(soft17="hit"), 17, True)
    (False, True)
    """
    return total < 17 or (total == 17 and is_soft and rules.soft17 == "hit")
