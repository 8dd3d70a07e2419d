"""The 36 cards of durak, their text in the protocol, and which card beats which.

Codes are those of :mod:`croupier.cards` (``4 * rank + suit``, the six of clubs is 16, the ace of spades 51). This module does
not import that package because it loads NumPy, which takes too long for an engine process; a test compares the two.
"""

from collections.abc import Iterable
from enum import StrEnum

from croupier.errors import InputError, foreign_letters

RANKS = "6789TJQKA"
SUITS = "CDHS"
LOWEST_CARD = 16
PACK = tuple(range(LOWEST_CARD, LOWEST_CARD + len(RANKS) * len(SUITS)))
PACK_SIZE = len(PACK)
HAND_SIZE = 6

_CODES = {
    rank + suit: LOWEST_CARD + len(SUITS) * height + place
    for height, rank in enumerate(RANKS)
    for place, suit in enumerate(SUITS)
}
_TEXTS = {code: text for text, code in _CODES.items()}
_RANKS_OF_OTHER_PACKS = ("2", "3", "4", "5", "10")


class CardFault(StrEnum):
    """Why a text is no card of the pack."""

    GARBAGE = "garbage"
    LOWER_CASE = "lower case"
    UNKNOWN_CARD = "unknown card"


class CardTextError(InputError):
    """A text that is no card of the protocol; the fault says why."""

    def __init__(self, message: str, fault: CardFault) -> None:
        super().__init__(message)
        self.fault = fault


def rank_of(card: int) -> int:
    """Return the rank of a card: 4 for a six up to 12 for an ace.

    >>> rank_of(read_card("6C")), rank_of(read_card("AS"))
    (4, 12)
    """
    return card // len(SUITS)


def suit_of(card: int) -> int:
    """Return the suit of a card, 0-3.

    >>> SUITS[suit_of(read_card("9H"))]
    'H'
    """
    return card % len(SUITS)


def beats(card: int, other: int, trump_suit: int) -> bool:
    """Tell whether a card beats another: a higher one of its suit, or a trump on a plain card.

    >>> hearts = SUITS.index("H")
    >>> [beats(read_card(text), read_card("9C"), hearts) for text in ("TC", "8C", "TD", "6H")]
    [True, False, False, True]
    """
    if suit_of(card) == suit_of(other):
        return card > other
    return suit_of(card) == trump_suit


def fits(card: int, table: Iterable[int]) -> bool:
    """Tell whether a card may be added to an attack: any card on an empty table, else one of a rank that lies there.

    >>> [fits(read_card(text), read_cards("9C TC")) for text in ("9H", "TD", "8C")]
    [True, True, False]
    """
    ranks = {rank_of(other) for other in table}
    return not ranks or rank_of(card) in ranks


def sorted_by_cost(cards: Iterable[int], trump_suit: int) -> list[int]:
    """Return cards from the least to the most valuable, as people hold them: plain cards by rank, then trumps.

    >>> cards_text(sorted_by_cost(read_cards("6H AS 7C"), trump_suit=2))
    '7C AS 6H'
    """
    return sorted(cards, key=lambda card: (suit_of(card) == trump_suit, card))


def card_text(card: int) -> str:
    """Write one card.

    >>> card_text(51)
    'AS'
    """
    return _TEXTS[card]


def cards_text(cards: Iterable[int]) -> str:
    """Write cards, separated by spaces, in the order given.

    >>> cards_text((51, 16))
    'AS 6C'
    """
    return " ".join(_TEXTS[card] for card in cards)


def read_card(text: str) -> int:
    """Read one card as the protocol spells it: two characters, upper case.

    Raises
    ------
    CardTextError
        If it is no card; the fault is lower case, a card outside the pack, or garbage.

    Examples
    --------
    >>> read_card("TD")
    33
    >>> read_card("td")
    Traceback (most recent call last):
    croupier.durak.engine.pack.CardTextError: card 'td': lower case; write TD
    >>> read_card("5H")
    Traceback (most recent call last):
    croupier.durak.engine.pack.CardTextError: card '5H': not in the pack; ranks are 6 7 8 9 T J Q K A, suits C D H S
    """
    code = _CODES.get(text)
    if code is not None:
        return code
    if text.upper() in _CODES:
        raise CardTextError(f"card '{text}': lower case; write {text.upper()}", CardFault.LOWER_CASE)
    help_text = f"ranks are {' '.join(RANKS)}, suits {' '.join(SUITS)}"
    if _resembles_a_card(text):
        raise CardTextError(
            f"card '{text}': not in the pack; {help_text}{foreign_letters(text)}", CardFault.UNKNOWN_CARD
        )
    shown = text if len(text) <= 40 else text[:40] + "..."
    raise CardTextError(f"{shown!r} is no card; {help_text}{foreign_letters(shown)}", CardFault.GARBAGE)


def read_cards(text: str) -> tuple[int, ...]:
    """Read cards that are separated by white space.

    >>> read_cards("6C  AS")
    (16, 51)
    """
    return tuple(read_card(token) for token in text.split())


def _resembles_a_card(text: str) -> bool:
    """Tell whether a text has a rank and a suit, but is not in this pack."""
    rank, suit = text[:-1], text[-1:]
    if rank in tuple(RANKS):
        return suit.isalpha() and suit.isupper()
    return rank in _RANKS_OF_OTHER_PACKS and suit in tuple(SUITS)
