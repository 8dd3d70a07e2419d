"""One card encoding for every game: codes 0-51, text, decks, shoes, seeded shuffles.

>>> from croupier.cards import Shoe, format_cards, parse_cards
>>> format_cards(parse_cards("10H AS"), symbols=True)
'T♥ A♠'
>>> len(Shoe.shuffled(seed=1))
52
"""

from croupier.cards.card import (
    ACE,
    ACE_CLASS,
    CARDS_OF_CLASS,
    DECK_SIZE,
    POINT_CLASSES,
    RANK_LETTERS,
    RANK_NAMES,
    SUIT_LETTERS,
    SUIT_NAMES,
    SUIT_SYMBOLS,
    TEN,
    TEN_CLASS,
    CardError,
    card_name,
    format_card,
    format_cards,
    parse_card,
    parse_cards,
    parse_rank,
    point_class,
    point_class_of_rank,
    rank_of,
    suit_of,
    verify_distinct,
)
from croupier.cards.deck import Deck, available, full_deck, without
from croupier.cards.shoe import Shoe, shuffle

__all__ = [
    "ACE",
    "ACE_CLASS",
    "CARDS_OF_CLASS",
    "DECK_SIZE",
    "POINT_CLASSES",
    "RANK_LETTERS",
    "RANK_NAMES",
    "SUIT_LETTERS",
    "SUIT_NAMES",
    "SUIT_SYMBOLS",
    "TEN",
    "TEN_CLASS",
    "CardError",
    "Deck",
    "Shoe",
    "available",
    "card_name",
    "format_card",
    "format_cards",
    "full_deck",
    "parse_card",
    "parse_cards",
    "parse_rank",
    "point_class",
    "point_class_of_rank",
    "rank_of",
    "shuffle",
    "suit_of",
    "verify_distinct",
    "without",
]
