"""What a hand is worth: its total, whether it is soft, and whether it is a natural.

Suits and the difference between 10, J, Q and K never matter for the total, so a hand is evaluated from its
point classes (2-9, ten-value, ace).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from croupier.cards import ACE_CLASS, CardError, point_class
from croupier.texts import say


@dataclass(frozen=True, slots=True)
class HandValue:
    """A hand, judged. Soft means that an ace counts 11 in the total."""

    total: int
    is_soft: bool
    card_count: int
    is_natural: bool = False

    @property
    def is_bust(self) -> bool:
        """Over 21."""
        return self.total > 21

    def __str__(self) -> str:
        if self.is_natural:
            return say("blackjack.hand.natural")
        if self.is_bust:
            return say("blackjack.hand.bust", total=self.total)
        return say("blackjack.hand.soft", total=self.total) if self.is_soft else str(self.total)


def evaluate(cards: Sequence[int], *, can_be_natural: bool = True) -> HandValue:
    """Judge a hand of card codes.

    Whether 21 in two cards is a natural depends on where the cards come from: it is one as dealt, and an ordinary
    21 after a split, or at a table that does not know naturals.

    Examples
    --------
    >>> from croupier.cards import parse_cards
    >>> for text in ("AS KH", "AS 6H", "AS 6H KD", "TC 9D", "KC QD 5H"):
    ...     print(evaluate(parse_cards(text)))
    natural
    soft 17
    17
    19
    bust with 25
    >>> print(evaluate(parse_cards("AS KH"), can_be_natural=False))
    soft 21
    """
    return evaluate_classes(tuple(sorted(point_class(card) for card in cards)), can_be_natural=can_be_natural)


@lru_cache(maxsize=1 << 14)
def evaluate_classes(classes: tuple[int, ...], *, can_be_natural: bool = True) -> HandValue:
    """Judge a hand of point classes.

    >>> evaluate_classes((ACE_CLASS, ACE_CLASS, ACE_CLASS)).total
    13
    >>> evaluate_classes(())
    Traceback (most recent call last):
    croupier.cards.card.CardError: a hand of no cards; a hand has one card or more
    """
    if not classes:
        raise CardError("a hand of no cards; a hand has one card or more")
    lowest = sum(1 if point == ACE_CLASS else point + 2 for point in classes)
    is_soft = ACE_CLASS in classes and lowest <= 11
    total = lowest + 10 if is_soft else lowest
    is_natural = can_be_natural and total == 21 and len(classes) == 2
    return HandValue(total, is_soft, len(classes), is_natural)
