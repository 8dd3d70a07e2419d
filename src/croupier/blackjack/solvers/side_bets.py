"""What the side bets that a table takes are exactly worth, from any cards that are left."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod

import numpy as np

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.engine.shoe import pack_of
from croupier.blackjack.engine.side_bets import SIDE_BETS, LadiesKind, SideBet, SideKind
from croupier.blackjack.solvers.hands import Floats, Integers
from croupier.cards import ACE_CLASS, DECK_SIZE, TEN_CLASS, CardError, format_card, point_class


@dataclass(frozen=True, slots=True)
class CardCounts:
    """How many of each of the 52 cards are left; ``step`` is what drawing one takes away: 0 for infinite packs."""

    counts: tuple[int, ...]
    step: int = 1

    @classmethod
    def full(cls, rules: BlackjackRules) -> "CardCounts":
        """Return the full shoe of a table.

        >>> CardCounts.full(BlackjackRules(decks=2)).cards
        104
        """
        packs = 1 if rules.decks == "infinite" else rules.decks
        held = set(pack_of(rules))
        counts = tuple(packs if card in held else 0 for card in range(DECK_SIZE))
        return cls(counts, step=0 if rules.decks == "infinite" else 1)

    @property
    def cards(self) -> int:
        """How many cards are left."""
        return sum(self.counts)

    def without(self, cards: Iterable[int]) -> "CardCounts":
        """Return the shoe without some cards.

        >>> CardCounts.full(BlackjackRules(decks=1)).without([51, 51])
        Traceback (most recent call last):
        croupier.cards.card.CardError: the shoe holds no further AS
        """
        left = list(self.counts)
        for card in cards:
            if left[card] <= 0:
                raise CardError(f"the shoe holds no further {format_card(card)}")
            left[card] -= self.step
        return CardCounts(tuple(left), self.step)

    def chance_of(self, cards: tuple[int, ...]) -> float:
        """Return the chance that the next cards are these, in any order.

        >>> round(1 / CardCounts.full(BlackjackRules(decks=1)).chance_of((0, 1)))
        1326
        """
        multiset = Counter(cards)
        orders = factorial(len(cards)) / prod(factorial(count) for count in multiset.values())
        ways = prod(
            max(self.counts[card] - self.step * drawn, 0)
            for card, count in multiset.items()
            for drawn in range(count)
        )
        draws = prod(self.cards - self.step * drawn for drawn in range(len(cards)))
        return orders * ways / draws if draws > 0 else 0.0


@dataclass(frozen=True, slots=True)
class SideBetValue:
    """What a side bet is worth.

    Attributes
    ----------
    name
        What the bet is called.
    value
        Expected result per unit bet.
    chances
        How often each kind comes that the bet is about.
    prizes
        What each kind pays to one; 0 if it loses.
    """

    name: str
    value: float
    chances: dict[str, float]
    prizes: dict[str, float]


@lru_cache(maxsize=64)
def side_bet_values(rules: BlackjackRules, shoe: CardCounts) -> tuple[SideBetValue, ...]:
    """Return what every side bet is worth before the cards are dealt.

    Examples
    --------
    >>> rules = BlackjackRules(decks=6)
    >>> for bet in side_bet_values(rules, CardCounts.full(rules)):
    ...     print(f"{bet.name} {bet.value:+.6f}")
    perfect pairs -0.061093
    21+3 -0.046210
    lucky ladies -0.176391
    royal match -0.066658
    over 13 -0.065545
    under 13 -0.100668
    lucky lucky -0.026556
    """
    return tuple(side_bet_value(bet, rules, shoe) for bet in SIDE_BETS)


def perfect_pairs_value(rules: BlackjackRules, shoe: CardCounts) -> SideBetValue:
    """Return what perfect pairs is worth before the cards are dealt.

    Examples
    --------
    >>> rules = BlackjackRules(decks=6)
    >>> value = perfect_pairs_value(rules, CardCounts.full(rules))
    >>> round(value.value, 6), round(value.chances["perfect pair"] * 311)
    (-0.061093, 5)
    """
    return side_bet_value(SIDE_BETS[0], rules, shoe)


def twenty_one_plus_three_value(rules: BlackjackRules, shoe: CardCounts) -> SideBetValue:
    """Return what 21+3 is worth before the cards are dealt.

    Examples
    --------
    >>> rules = BlackjackRules(decks=6)
    >>> round(twenty_one_plus_three_value(rules, CardCounts.full(rules)).value, 6)
    -0.04621
    """
    return side_bet_value(SIDE_BETS[1], rules, shoe)


def side_bet_value(bet: SideBet, rules: BlackjackRules, shoe: CardCounts) -> SideBetValue:
    """Return what a side bet is worth before the cards are dealt, over every combination of the cards that are left.

    Raises
    ------
    CardError
        If the shoe holds too few cards for the deal.
    """
    if shoe.cards < bet.size and shoe.step:
        raise CardError(f"{bet.name} needs {bet.size} cards; the shoe holds {shoe.cards}")
    ways = ways_of_combinations(np.array(shoe.counts, dtype=np.float64), bet.size, shoe.step)
    found = np.bincount(_kinds_of_combinations(bet.key), weights=ways, minlength=1 + len(bet.kinds))
    chances: dict[SideKind, float] = dict(zip(bet.kinds, found[1:].tolist(), strict=True))
    if LadiesKind.QUEENS in chances:
        both = chances[LadiesKind.QUEENS] * _chance_of_natural(rules, shoe)
        chances[LadiesKind.QUEENS] -= both
        chances[LadiesKind.QUEENS_AND_NATURAL] = both
    prizes = bet.prizes(rules)
    value = sum(chance * (prizes[kind] + 1) for kind, chance in chances.items() if prizes[kind]) - 1.0
    return SideBetValue(
        bet.name,
        value,
        {str(kind): chance for kind, chance in chances.items()},
        {str(kind): prizes[kind] for kind in bet.kinds},
    )


@lru_cache(maxsize=4)
def combinations_of(size: int) -> Integers:
    """Return every combination of so many cards, a row each, cards in ascending order.

    >>> len(combinations_of(2))
    1378
    """
    return np.array(list(combinations_with_replacement(range(DECK_SIZE), size)), dtype=np.int64)


def ways_of_combinations(left: Floats, size: int, step: float = 1.0) -> Floats:
    """Return the chance of every combination of cards from those that are left, which may be fractions of cards.

    >>> ways = ways_of_combinations(np.ones(DECK_SIZE), 2)
    >>> round(float(ways.sum()), 12), round(1 / float(ways.max()))
    (1.0, 1326)
    """
    cards, chosen = float(left.sum()), combinations_of(size)
    ways = np.ones(len(chosen))
    for place in range(size):
        # Of a card that has come before, one less is left; orders of equal cards are one combination.
        before = (chosen[:, :place] == chosen[:, place : place + 1]).sum(axis=1)
        ways *= np.maximum(left[chosen[:, place]] - step * before, 0.0) / (before + 1)
        ways *= (place + 1) / (cards - step * place)
    return ways


@lru_cache(maxsize=len(SIDE_BETS))
def _kinds_of_combinations(key: str) -> Integers:
    """Return what every combination makes of a side bet: 0 nothing, else the place of its kind, from 1."""
    bet = next(bet for bet in SIDE_BETS if bet.key == key)
    found = (bet.classify(tuple(cards)) for cards in combinations_of(bet.size).tolist())
    return np.array([0 if kind is None else 1 + bet.kinds.index(kind) for kind in found], dtype=np.int64)


def _chance_of_natural(rules: BlackjackRules, shoe: CardCounts) -> float:
    """Return the chance that the dealer's two cards are a natural where the player holds two queens of hearts."""
    cards = shoe.cards - 2 * shoe.step
    if not (rules.natural_beats_21 and rules.sees_natural_first) or cards < 2:
        return 0.0
    by_class = Counter[int]()
    for card, count in enumerate(shoe.counts):
        by_class[point_class(card)] += count
    tens, aces = by_class[TEN_CLASS] - 2 * shoe.step, by_class[ACE_CLASS]
    return max(2.0 * tens * aces / (cards * (cards - shoe.step)), 0.0)
