"""What a hand is worth: its total, its class, and whether it is soft.

Suits and the difference between 10, J, Q and K never matter in Banluck, so a hand is evaluated
from its point classes (2-9, ten-value, ace). A set of them is all that a solver keeps.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

from croupier.banluck.engine.rules import MAX_CARDS, MIN_CARDS, BanluckRules
from croupier.cards import ACE_CLASS, POINT_CLASSES, TEN_CLASS, CardError, point_class
from croupier.texts import say

SEVEN_CLASS = POINT_CLASSES.index("7")


class HandClass(IntEnum):
    """The classes of hands, weakest first: a stronger class beats a weaker one whatever the totals."""

    BUST = 0
    ORDINARY = 1
    FIVE_CARD = 2
    FIVE_CARD_21 = 3
    TRIPLE_SEVEN = 4
    BAN_LUCK = 5
    BAN_BAN = 6


@dataclass(frozen=True, slots=True)
class HandValue:
    """A hand, judged. Soft means that an ace counts more than 1 in the total."""

    hand_class: HandClass
    total: int
    card_count: int
    is_soft: bool

    @property
    def is_bust(self) -> bool:
        """Over 21."""
        return self.hand_class is HandClass.BUST

    @property
    def is_ban(self) -> bool:
        """Ban Ban or Ban Luck: shown at once and never played on."""
        return self.hand_class >= HandClass.BAN_LUCK

    @property
    def is_five_card(self) -> bool:
        """Five cards that are not bust, 21 or under."""
        return self.hand_class in (HandClass.FIVE_CARD, HandClass.FIVE_CARD_21)

    def __str__(self) -> str:
        match self.hand_class:
            case HandClass.BUST:
                return say("banluck.hand.bust", total=self.total)
            case HandClass.ORDINARY:
                return say("banluck.hand.soft", total=self.total) if self.is_soft else str(self.total)
            case HandClass.FIVE_CARD | HandClass.FIVE_CARD_21:
                return say("banluck.hand.five_card", total=self.total)
            case HandClass.TRIPLE_SEVEN:
                return "777"
            case HandClass.BAN_LUCK:
                return say("banluck.hand.ban_luck")
            case HandClass.BAN_BAN:
                return say("banluck.hand.ban_ban")


def evaluate(cards: Sequence[int], rules: BanluckRules) -> HandValue:
    """Judge a hand of card codes.

    Examples
    --------
    >>> from croupier.cards import parse_cards
    >>> rules = BanluckRules()
    >>> for text in ("AS AH", "AS KH", "AS 4H", "7C 7D 7H", "2C 3D 4H 5S 5H", "KC QD 5H"):
    ...     print(evaluate(parse_cards(text), rules))
    Ban Ban
    Ban Luck
    soft 15
    777
    five-card 19
    bust with 25
    """
    return evaluate_classes(tuple(sorted(map(point_class, cards))), rules)


def evaluate_classes(classes: tuple[int, ...], rules: BanluckRules) -> HandValue:
    """Judge a hand of point classes.

    >>> evaluate_classes((ACE_CLASS, ACE_CLASS, ACE_CLASS), BanluckRules()).total
    21
    """
    if not MIN_CARDS <= len(classes) <= MAX_CARDS:
        raise CardError(f"a hand of {len(classes)} cards; hands have {MIN_CARDS} to {MAX_CARDS} cards")
    return evaluate_with_aces(classes, rules.ace_choices(len(classes)), rules.special_777)


@lru_cache(maxsize=1 << 16)
def evaluate_with_aces(
    classes: tuple[int, ...], ace_choices: tuple[int, ...], special_777: bool
) -> HandValue:
    """Judge a hand of point classes by all that it depends on: what an ace may count, and whether 777 is special.

    Remembered by that alone, so that rule sets that agree on both share it.

    >>> evaluate_with_aces((ACE_CLASS, ACE_CLASS, ACE_CLASS), (1, 10), special_777=True).total
    21
    """
    total, is_soft = _total(classes, ace_choices)
    hand_class = _hand_class(classes, total)
    if hand_class is HandClass.TRIPLE_SEVEN and not special_777:
        hand_class = HandClass.ORDINARY
    return HandValue(hand_class, total, len(classes), is_soft)


def _total(classes: tuple[int, ...], ace_choices: tuple[int, ...]) -> tuple[int, bool]:
    """Return the highest total not over 21, or the lowest of all, and whether an ace counts more than 1 in it."""
    aces = sum(point == ACE_CLASS for point in classes)
    others = sum(point + 2 for point in classes if point != ACE_CLASS)
    totals = {others}
    for _ in range(aces):
        totals = {total + value for total in totals for value in ace_choices}
    total = max((total for total in totals if total <= 21), default=min(totals))
    return total, total > others + aces


def _hand_class(classes: tuple[int, ...], total: int) -> HandClass:
    if classes == (ACE_CLASS, ACE_CLASS):
        return HandClass.BAN_BAN
    if len(classes) == 2 and set(classes) == {ACE_CLASS, TEN_CLASS}:
        return HandClass.BAN_LUCK
    if classes == (SEVEN_CLASS,) * 3:
        return HandClass.TRIPLE_SEVEN
    if total > 21:
        return HandClass.BUST
    if len(classes) == MAX_CARDS:
        return HandClass.FIVE_CARD_21 if total == 21 else HandClass.FIVE_CARD
    return HandClass.ORDINARY
