"""The cards of durak, their text in the protocol, and which card beats which.

Codes are those of :mod:`croupier.cards` (``4 * rank + suit``, the six of clubs is 16, the ace of spades 51). This module does
not import that package because it loads NumPy, which takes too long for an engine process; a test compares the two.
The jokers of the largest pack are 52 (black, ``XB``) and 53 (red, ``XR``); they share a rank above the aces.
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
JOKERS = (52, 53)

_ALL_RANKS = "2345" + RANKS
_SPADES = SUITS.index("S")
_JOKER_TEXTS = ("XB", "XR")
_CODES = {
    rank + suit: len(SUITS) * height + place
    for height, rank in enumerate(_ALL_RANKS)
    for place, suit in enumerate(SUITS)
} | dict(zip(_JOKER_TEXTS, JOKERS, strict=True))
_TEXTS = {code: text for text, code in _CODES.items()}

#: The packs by their number of cards.
_PACKS = {24: tuple(range(28, 52)), 36: PACK, 52: tuple(range(52)), 54: tuple(range(54))}


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


def pack_of(size: int) -> tuple[int, ...]:
    """Return the cards of a pack of 24, 36, 52 or 54, lowest code first.

    >>> cards_text(pack_of(24)[:2]), cards_text(pack_of(54)[-3:])
    ('9C 9D', 'AS XB XR')
    """
    return _PACKS[size]


def rank_of(card: int) -> int:
    """Return the rank of a card: 4 for a six up to 12 for an ace, 13 for a joker.

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


def is_trump(card: int, trump_suit: int) -> bool:
    """Tell whether a card is a trump: of that suit, or a joker.

    >>> [is_trump(read_card(text), SUITS.index("H")) for text in ("6H", "AS")], is_trump(JOKERS[0], 3)
    ([True, False], True)
    """
    return card >= JOKERS[0] or card % len(SUITS) == trump_suit


def beats(card: int, other: int, trump_suit: int, *, spades_by_spades: bool = False) -> bool:
    """Tell whether a card beats another: a higher one of its suit, or a trump on a plain card.

    Jokers are the highest trumps, the red one above the black one.

    Parameters
    ----------
    card, other
        The card that is to beat, and the one to be beaten.
    trump_suit
        The suit of trumps, 0-3.
    spades_by_spades
        Whether no trump beats a spade of a plain suit.

    Examples
    --------
    >>> hearts = SUITS.index("H")
    >>> [beats(read_card(text), read_card("9C"), hearts) for text in ("TC", "8C", "TD", "6H")]
    [True, False, False, True]
    >>> beats(read_card("6H"), read_card("9S"), hearts, spades_by_spades=True)
    False
    >>> black, red = JOKERS
    >>> beats(black, read_card("AH"), hearts), beats(red, black, hearts), beats(read_card("AH"), black, hearts)
    (True, True, False)
    """
    if other >= JOKERS[0]:
        return card > other
    if suit_of(card) == suit_of(other) and card < JOKERS[0]:
        return card > other
    return is_trump(card, trump_suit) and not (spades_by_spades and suit_of(other) == _SPADES)


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
    return sorted(cards, key=lambda card: (is_trump(card, trump_suit), card))


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


def read_card(text: str, pack: tuple[int, ...] = PACK) -> int:
    """Read one card of a pack as the protocol spells it: two characters, upper case.

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
    >>> read_card("5H", pack_of(52))
    14
    """
    code = _CODES.get(text)
    if code is not None and pack[0] <= code <= pack[-1]:
        return code
    if _CODES.get(text.upper(), -1) in pack and text != text.upper():
        raise CardTextError(f"card '{text}': lower case; write {text.upper()}", CardFault.LOWER_CASE)
    help_text = f"ranks are {' '.join(_ALL_RANKS[rank_of(pack[0]) :])}, suits {' '.join(SUITS)}"
    if pack[-1] in JOKERS:
        help_text += f", jokers {' '.join(_JOKER_TEXTS)}"
    if code is not None or _resembles_a_card(text):
        raise CardTextError(
            f"card '{text}': not in the pack; {help_text}{foreign_letters(text)}", CardFault.UNKNOWN_CARD
        )
    shown = text if len(text) <= 40 else text[:40] + "..."
    raise CardTextError(f"{shown!r} is no card; {help_text}{foreign_letters(shown)}", CardFault.GARBAGE)


def read_cards(text: str, pack: tuple[int, ...] = PACK) -> tuple[int, ...]:
    """Read cards that are separated by white space.

    >>> read_cards("6C  AS")
    (16, 51)
    """
    return tuple(read_card(token, pack) for token in text.split())


def _resembles_a_card(text: str) -> bool:
    """Tell whether a text has a rank and a suit, but is not in any pack."""
    rank, suit = text[:-1], text[-1:]
    if rank in tuple(RANKS):
        return suit.isalpha() and suit.isupper()
    return rank == "10" and suit in tuple(SUITS)
