"""What the side bets on suits and ranks are exactly worth, from any cards that are left: perfect pairs and 21+3."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import factorial, prod

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.engine.shoe import pack_of
from croupier.blackjack.engine.side_bets import PairKind, PokerKind, classify_pair, classify_poker, prize
from croupier.cards import DECK_SIZE, CardError, format_card


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
    prizes: dict[str, int]


def perfect_pairs_value(rules: BlackjackRules, shoe: CardCounts) -> SideBetValue:
    """Return what perfect pairs is worth before the cards are dealt.

    Examples
    --------
    >>> rules = BlackjackRules(decks=6)
    >>> value = perfect_pairs_value(rules, CardCounts.full(rules))
    >>> round(value.value, 6), round(value.chances["perfect pair"] * 311)
    (-0.061093, 5)
    """
    return _value("perfect pairs", rules, shoe, 2, list(PairKind), classify_pair)


def twenty_one_plus_three_value(rules: BlackjackRules, shoe: CardCounts) -> SideBetValue:
    """Return what 21+3 is worth before the cards are dealt.

    Examples
    --------
    >>> rules = BlackjackRules(decks=6)
    >>> round(twenty_one_plus_three_value(rules, CardCounts.full(rules)).value, 6)
    -0.04621
    """
    return _value("21+3", rules, shoe, 3, list(PokerKind), classify_poker)


def _value(
    name: str,
    rules: BlackjackRules,
    shoe: CardCounts,
    size: int,
    kinds: Sequence[PairKind | PokerKind],
    classify: Callable[[tuple[int, ...]], PairKind | PokerKind | None],
) -> SideBetValue:
    if shoe.cards < size and shoe.step:
        raise CardError(f"{name} needs {size} cards; the shoe holds {shoe.cards}")
    chances = dict.fromkeys((str(kind) for kind in kinds), 0.0)
    for cards in combinations_with_replacement(range(DECK_SIZE), size):
        kind = classify(cards)
        if kind is not None:
            chances[str(kind)] += shoe.chance_of(cards)
    prizes = {str(kind): prize(kind, rules) for kind in kinds}
    paid = {kind: chance for kind, chance in chances.items() if prizes[kind]}
    value = sum(chance * (prizes[kind] + 1) for kind, chance in paid.items()) - 1.0
    return SideBetValue(name, value, chances, prizes)
