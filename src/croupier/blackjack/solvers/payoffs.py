"""What hands are paid at once, on average over their suits.

Values here know ranks, not suits. Every card that is not seen is as likely to be of one suit as of another, and play does not look
at suits. So the suits of a hand's cards are those of a random choice from the packs: the averages are exact from a
full shoe, and from any other whose suits are not known.
"""

from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import NamedTuple

import numpy as np

from croupier.blackjack.engine.bonuses import IN_SPADES, MIXED, SUITED, THREE_CARD_BONUSES, card_count_bonus
from croupier.blackjack.engine.permissions import HandFacts, charlie_cards, is_free_double
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.hands import Flags, Floats, hand_space


class HandPays(NamedTuple):
    """What hands are paid before the dealer plays, to one; 0 where they wait for the dealer.

    Attributes
    ----------
    mean, square
        The average over suits, and that of the squares, of hands that are not doubled.
    doubled
        Of doubled hands.
    is_free, has_free
        Whether a hand that may be doubled is doubled with a free bet, and whether any is.
    """

    mean: Floats
    square: Floats
    doubled: Floats
    is_free: Flags
    has_free: bool


@lru_cache(maxsize=256)
def hand_pays(rules: BlackjackRules) -> HandPays:
    """Return what every hand is paid at once.

    >>> pays, space = hand_pays(BlackjackRules(bonus_21="spanish-21")), hand_space()
    >>> float(pays.mean[space.find((4, 5, 6))]), float(pays.mean[space.find((0, 0, 9))])  # 6-7-8: 1.5, 1/16 of it 2, 1/64 of it 3
    (1.546875, 0.0)
    """
    space = hand_space()
    mean, square, doubled = (np.zeros(len(space.total)) for _ in range(3))
    mean[space.card_count >= charlie_cards(rules)] = 1.0
    if rules.twenty_one_pays_at_once:
        mean[space.total == 21] = doubled[space.total == 21] = 1.0
    square[:] = mean
    for cards in range(3, int(space.card_count.max()) + 1):
        pays = card_count_bonus(rules, cards)
        if pays is not None:
            here = (space.total == 21) & (space.card_count == cards)
            mean[here], square[here] = float(pays), float(pays**2)
    if rules.bonus_21 == "spanish-21":
        for classes in THREE_CARD_BONUSES:
            suited = chance_of_one_suit(rules, is_one_rank=len(set(classes)) == 1)
            shares = {MIXED: 1 - suited, SUITED: suited * 3 / 4, IN_SPADES: suited / 4}
            place = space.find(classes)
            mean[place] = float(sum(pays * share for pays, share in shares.items()))
            square[place] = float(sum(pays**2 * share for pays, share in shares.items()))
    facts = zip(space.total.tolist(), space.is_soft.tolist(), space.card_count.tolist(), strict=True)
    is_free = np.array([is_free_double(rules, HandFacts(*hand)) for hand in facts])
    return HandPays(mean, square, doubled, is_free, bool(is_free.any()))


def chance_of_one_suit(rules: BlackjackRules, *, is_one_rank: bool) -> Fraction:
    """Return the chance that three cards of given ranks, all the same or all different, are of one suit.

    >>> chance_of_one_suit(BlackjackRules(decks=6), is_one_rank=True)
    Fraction(10, 253)
    """
    if rules.decks == "infinite" or not is_one_rank:
        return Fraction(1, 16)
    return Fraction(4 * comb(rules.decks, 3), comb(4 * rules.decks, 3))


def natural_moments(rules: BlackjackRules) -> tuple[Fraction, Fraction]:
    """Return the average of what a natural is paid, and of its square: one in sixteen is all of diamonds.

    >>> natural_moments(BlackjackRules(natural_pays="1:1", bonus_21="super-fun-21"))
    (Fraction(17, 16), Fraction(19, 16))
    """
    usual = rules.natural_fraction
    if rules.bonus_21 != "super-fun-21":
        return usual, usual**2
    return (15 * usual + 2) / 16, (15 * usual**2 + 4) / 16
