"""Shuffled cards that are dealt from the front, reproducible from a seed for good."""

from collections.abc import Iterable
from dataclasses import dataclass

from croupier.cards.card import CardError, format_card, verify_distinct
from croupier.cards.deck import Deck, available, full_deck
from croupier.numerics.streams import RandomStream, Seed


@dataclass(frozen=True, slots=True)
class Shoe:
    """Cards in the order in which they will be dealt.

    Examples
    --------
    >>> shoe = Shoe.shuffled(seed=7)
    >>> hand, rest = shoe.deal(2)
    >>> len(hand), len(rest)
    (2, 50)
    >>> shoe == Shoe.shuffled(seed=7)
    True
    """

    cards: tuple[int, ...]

    @classmethod
    def shuffled(cls, seed: Seed, deck: Deck | None = None) -> "Shoe":
        """Shuffle a deck (a full pack by default); a tuple of seeds names one shuffle of a series."""
        return cls(shuffle(available(full_deck() if deck is None else deck), seed))

    @classmethod
    def stacked(cls, first: Iterable[int], seed: Seed) -> "Shoe":
        """Put known cards on top and shuffle the rest of one pack under them.

        >>> Shoe.stacked([51, 50], seed=1).deal(2)[0]
        (51, 50)
        """
        top = tuple(first)
        verify_distinct(top)
        rest = tuple(card for card in available(full_deck()) if card not in top)
        return cls(top + shuffle(rest, seed))

    def deal(self, count: int = 1) -> tuple[tuple[int, ...], "Shoe"]:
        """Return the next cards and the shoe without them.

        >>> Shoe((51, 50)).deal(3)
        Traceback (most recent call last):
        croupier.cards.card.CardError: 3 cards wanted, but the shoe holds 2: AS AH
        """
        if count < 0:
            raise CardError(f"{count} cards wanted; a deal takes 0 or more")
        if count > len(self.cards):
            left = " ".join(format_card(card) for card in self.cards) or "none"
            raise CardError(f"{count} cards wanted, but the shoe holds {len(self.cards)}: {left}")
        return self.cards[:count], Shoe(self.cards[count:])

    def __len__(self) -> int:
        return len(self.cards)


def shuffle(cards: Iterable[int], seed: Seed) -> tuple[int, ...]:
    """Return the cards in a random order that depends on the seed alone (Fisher-Yates).

    >>> sorted(shuffle(range(5), seed=3))
    [0, 1, 2, 3, 4]
    """
    order = list(cards)
    stream = RandomStream(seed)
    for last in range(len(order) - 1, 0, -1):
        pick = stream.below(last + 1)
        order[last], order[pick] = order[pick], order[last]
    return tuple(order)
