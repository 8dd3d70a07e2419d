"""Hands that are paid more than others: by how many cards make a 21, by which, and by their suits."""

from collections.abc import Sequence
from fractions import Fraction

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.cards import rank_of, suit_of

#: The suits, as card codes number them.
DIAMONDS, SPADES = 1, 3

_SEVEN = 5

#: The ranks of 6-7-8 and of 7-7-7, as card codes number them.
THREE_CARD_BONUSES = ((4, 5, 6), (_SEVEN, _SEVEN, _SEVEN))

#: What these pay in Spanish 21: of mixed suits, of one suit, of spades.
MIXED, SUITED, IN_SPADES = Fraction(3, 2), Fraction(2), Fraction(3)


def card_count_bonus(rules: BlackjackRules, card_count: int) -> Fraction | None:
    """Return what a 21 of so many cards is paid, to one; None if that is nothing special.

    >>> [str(card_count_bonus(BlackjackRules(bonus_21="spanish-21"), count)) for count in (4, 5, 6, 9)]
    ['None', '3/2', '2', '3']
    """
    if rules.bonus_21 == "spanish-21" and card_count >= 5:
        return {5: Fraction(3, 2), 6: Fraction(2)}.get(card_count, Fraction(3))
    return Fraction(2) if rules.bonus_21 == "super-fun-21" and card_count >= 5 else None


def bonus_of_21(rules: BlackjackRules, cards: Sequence[int]) -> Fraction | None:
    """Return what a 21 of these cards is paid, to one, if it is a bonus; the hand must not be doubled.

    >>> from croupier.cards import parse_cards
    >>> spanish = BlackjackRules(bonus_21="spanish-21")
    >>> [str(bonus_of_21(spanish, parse_cards(text))) for text in ("6C 7D 8H", "6S 7S 8S", "TC 7D 4H")]
    ['3/2', '3', 'None']
    """
    ranks = tuple(sorted(rank_of(card) for card in cards))
    if rules.bonus_21 == "spanish-21" and ranks in THREE_CARD_BONUSES:
        suits = {suit_of(card) for card in cards}
        return MIXED if len(suits) > 1 else IN_SPADES if suits == {SPADES} else SUITED
    return card_count_bonus(rules, len(cards))


def natural_ratio(rules: BlackjackRules, cards: Sequence[int]) -> Fraction:
    """Return what a natural of these cards is paid, to one.

    >>> from croupier.cards import parse_cards
    >>> rules = BlackjackRules(natural_pays="1:1", bonus_21="super-fun-21")
    >>> [str(natural_ratio(rules, parse_cards(text))) for text in ("AD KD", "AD KS")]
    ['2', '1']
    """
    is_diamonds = all(suit_of(card) == DIAMONDS for card in cards)
    return Fraction(2) if rules.bonus_21 == "super-fun-21" and is_diamonds else rules.natural_fraction
