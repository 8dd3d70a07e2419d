"""The cards of several packs behind one another, with a cut card: when it has come up, the round is the shoe's last.

A shoe is frozen: dealing returns the cards and the shoe after them. Its order depends on the seed alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.cards import DECK_SIZE, TEN, CardError, available, full_deck, rank_of, shuffle, without
from croupier.cards.deck import MAX_PACKS

_TENS = frozenset(card for card in range(DECK_SIZE) if rank_of(card) == TEN)

#: A number, or a path of numbers such as (seed, shoe) that names one shuffle of a family.
ShoeSeed = int | tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BlackjackShoe:
    """A shuffled shoe and how far it has been dealt.

    Cards of earlier rounds lie among the discards; should the rest run out within a round, they are shuffled and used
    again, as at a real table. An infinite shoe is dealt on card by card, and its cut card lies as in eight packs.

    Examples
    --------
    >>> shoe = BlackjackShoe.shuffled(BlackjackRules(decks=2, penetration=0.5), seed=7).begin_round()
    >>> cards, shoe = shoe.deal(52)
    >>> shoe.rounds_played, shoe.cards_used, len(shoe.undealt), shoe.needs_shuffle
    (1, 52, 52, True)
    """

    order: tuple[int, ...]
    cut: int
    seed: ShoeSeed
    is_infinite: bool = False
    dealt: int = 0
    round_start: int = 0
    refills: int = 0
    reused: int = 0
    rounds_played: int = 0
    has_tens: bool = True

    @classmethod
    def shuffled(cls, rules: BlackjackRules, seed: ShoeSeed) -> "BlackjackShoe":
        """Shuffle the packs that the rules ask for and put the cut card in."""
        return cls.stacked(rules, (), seed)

    @classmethod
    def stacked(cls, rules: BlackjackRules, first: Sequence[int], seed: ShoeSeed) -> "BlackjackShoe":
        """Put known cards on top and shuffle the rest of the packs under them.

        >>> BlackjackShoe.stacked(BlackjackRules(decks=1), [51, 50], seed=1).deal(2)[0]
        (51, 50)
        """
        if rules.decks == "infinite":
            rest = endless_cards(DECK_SIZE, seed, pack_of(rules))
            return cls(
                (*first, *rest), _cut(rules, MAX_PACKS), seed, is_infinite=True, has_tens=rules.ten_spots
            )
        whole = without(full_deck(rules.decks), [] if rules.ten_spots else list(_TENS) * rules.decks)
        rest = shuffle(available(without(whole, first)), seed)
        return cls((*first, *rest), _cut(rules, rules.decks), seed, has_tens=rules.ten_spots)

    @property
    def undealt(self) -> tuple[int, ...]:
        """The cards still to come, in their order."""
        return self.order[self.dealt :]

    @property
    def discards(self) -> tuple[int, ...]:
        """The cards of earlier rounds."""
        return self.order[: self.round_start]

    @property
    def cards_used(self) -> int:
        """How many cards have been dealt from this shoe, those that came twice twice."""
        return self.dealt + self.reused

    @property
    def needs_shuffle(self) -> bool:
        """Whether the cut card has come up: no further round is dealt from this shoe."""
        discards_came_again = self.refills > 0 and not self.is_infinite
        return self.cards_used >= self.cut or discards_came_again

    def begin_round(self) -> "BlackjackShoe":
        """Clear the table: what was dealt before goes to the discards."""
        return replace(self, round_start=self.dealt, rounds_played=self.rounds_played + 1)

    def deal(self, count: int = 1) -> tuple[tuple[int, ...], "BlackjackShoe"]:
        """Return the next cards and the shoe after them.

        Raises
        ------
        CardError
            If not even the discards give that many.

        Examples
        --------
        >>> BlackjackShoe((51, 50), cut=2, seed=1).deal(3)
        Traceback (most recent call last):
        croupier.cards.card.CardError: 3 cards wanted, but the shoe holds 2 and there are no discards to use again
        """
        if count < 0:
            raise CardError(f"{count} cards wanted; a deal takes 0 or more")
        left = len(self.order) - self.dealt
        if count <= left:
            return self.order[self.dealt : self.dealt + count], replace(self, dealt=self.dealt + count)
        if not self.discards and not self.is_infinite:
            raise CardError(
                f"{count} cards wanted, but the shoe holds {left} and there are no discards to use again"
            )
        return self._refilled().deal(count)

    def _refilled(self) -> "BlackjackShoe":
        """Shuffle the discards and put them behind the rest; an infinite shoe takes new cards instead."""
        path = self.seed if isinstance(self.seed, tuple) else (self.seed,)
        seed = (*path, self.refills + 1)
        pack = [card for card in range(DECK_SIZE) if self.has_tens or card not in _TENS]
        new = endless_cards(DECK_SIZE, seed, pack) if self.is_infinite else shuffle(self.discards, seed)
        return replace(
            self,
            order=self.order[self.round_start :] + new,
            dealt=self.dealt - self.round_start,
            round_start=0,
            refills=self.refills + 1,
            reused=self.reused + self.round_start,
        )


def pack_of(rules: BlackjackRules) -> list[int]:
    """Return the cards of one pack.

    >>> len(pack_of(BlackjackRules())), len(pack_of(BlackjackRules(ten_spots=False)))
    (52, 48)
    """
    return [card for card in range(DECK_SIZE) if rules.ten_spots or card not in _TENS]


def endless_cards(count: int, seed: ShoeSeed, pack: Sequence[int] = range(DECK_SIZE)) -> tuple[int, ...]:
    """Return cards drawn with replacement, as from infinitely many packs: each is the top of a pack shuffled anew.

    >>> cards = endless_cards(200, seed=3)
    >>> len(cards), len(set(cards)) <= 52
    (200, True)
    """
    path = seed if isinstance(seed, tuple) else (seed,)
    packs = (shuffle(pack, (*path, number))[:1] for number in range(count))
    return tuple(chain.from_iterable(packs))


def _cut(rules: BlackjackRules, packs: int) -> int:
    """Return how many cards lie in front of the cut card; with a continuous shuffler every round is a shoe's last."""
    return (
        1 if rules.shuffle == "continuous" else max(1, round(rules.penetration * packs * len(pack_of(rules))))
    )
