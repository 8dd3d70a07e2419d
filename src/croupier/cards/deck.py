"""Decks as arrays: which cards are there, and how often.

A deck is a NumPy ``int8`` array of 52 entries, one a card code: 1 where the card is available.
A shoe of several packs holds larger numbers in the same array.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from croupier.cards.card import (
    DECK_SIZE,
    CardError,
    format_card,
    verify_distinct,
)

MAX_PACKS = 8

Deck = NDArray[np.int8]


def full_deck(packs: int = 1) -> Deck:
    """Return every card of the given number of packs.

    >>> int(full_deck().sum()), int(full_deck(packs=6).sum())
    (52, 312)
    """
    if not 1 <= packs <= MAX_PACKS:
        raise CardError(f"{packs} packs; a shoe holds 1 to {MAX_PACKS}")
    return np.full(DECK_SIZE, packs, dtype=np.int8)


def without(deck: Deck, cards: Iterable[int]) -> Deck:
    """Return a copy of the deck with the cards taken out.

    Raises
    ------
    CardError
        If one of the cards is no longer there.

    Examples
    --------
    >>> from croupier.cards import parse_cards
    >>> int(without(full_deck(), parse_cards("AS AH")).sum())
    50
    >>> without(without(full_deck(), [51]), [51])
    Traceback (most recent call last):
    croupier.cards.card.CardError: card 'AS' is not in the deck any more
    """
    rest = deck.copy()
    for card in cards:
        verify_distinct([card])
        if rest[card] == 0:
            raise CardError(f"card '{format_card(card)}' is not in the deck any more")
        rest[card] -= 1
    return rest


def available(deck: Deck) -> tuple[int, ...]:
    """Return the codes of the cards in the deck, in ascending order, each as often as it is there.

    >>> available(full_deck())[:3]
    (0, 1, 2)
    """
    return tuple(np.repeat(np.arange(DECK_SIZE), deck).tolist())
