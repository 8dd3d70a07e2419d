"""One card as an integer 0-51, and its text.

A code is ``4 * rank + suit``: ranks run from 0 (deuce) to 12 (ace), suits are clubs, diamonds,
hearts, spades. Text exists only at the edges: ``AS``, ``10H``, ``TH`` or, for people, ``A♠``.
"""

import re
from collections.abc import Iterable, Sequence

from croupier.errors import InputError, foreign_letters

DECK_SIZE = 52
RANK_LETTERS = "23456789TJQKA"
SUIT_LETTERS = "CDHS"
SUIT_SYMBOLS = "♣♦♥♠"
RANK_NAMES = (
    "deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace",
)  # fmt: skip
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")

TEN, ACE = RANK_LETTERS.index("T"), RANK_LETTERS.index("A")

#: The ranks as games that count points see them: 2-9, every ten-value card, ace.
POINT_CLASSES = "23456789TA"
TEN_CLASS, ACE_CLASS = POINT_CLASSES.index("T"), POINT_CLASSES.index("A")

_SUIT_SPELLINGS = SUIT_LETTERS + SUIT_LETTERS.lower() + SUIT_SYMBOLS
_TEXTS, _SYMBOL_TEXTS = (
    tuple(rank + suit for rank in RANK_LETTERS for suit in suits) for suits in (SUIT_LETTERS, SUIT_SYMBOLS)
)
_SEPARATORS = re.compile(r"[\s,;]+")
_RANKS_HELP = "ranks are 2-9, 10 or T, J, Q, K, A"
_SUITS_HELP = "suits are C, D, H, S"


class CardError(InputError):
    """A card, or a list of cards, that does not exist."""


def rank_of(card: int) -> int:
    """Return the rank 0-12 of a card.

    >>> rank_of(parse_card("AS"))
    12
    """
    return card // 4


def suit_of(card: int) -> int:
    """Return the suit 0-3 of a card.

    >>> SUIT_NAMES[suit_of(parse_card("AS"))]
    'spades'
    """
    return card % 4


def point_class(card: int) -> int:
    """Return the point class 0-9 of a card: 2-9, ten-value, ace.

    >>> [POINT_CLASSES[point_class(card)] for card in parse_cards("2C TH KS AD")]
    ['2', 'T', 'T', 'A']
    """
    return _CLASS_OF_CARD[card]


def point_class_of_rank(rank: int) -> int:
    """Return the point class 0-9 of a rank 0-12.

    >>> [point_class_of_rank(rank) for rank in (0, 8, 11, 12)]
    [0, 8, 8, 9]
    """
    if rank < TEN:
        return rank
    return ACE_CLASS if rank == ACE else TEN_CLASS


#: Looked up for every card of every hand that is judged.
_CLASS_OF_CARD = tuple(point_class_of_rank(rank_of(card)) for card in range(DECK_SIZE))

#: The cards of each point class.
CARDS_OF_CLASS = tuple(
    tuple(card for card in range(DECK_SIZE) if point_class(card) == point)
    for point in range(len(POINT_CLASSES))
)


def parse_card(text: str) -> int:
    """Read one card.

    Raises
    ------
    CardError
        If the text is not a rank followed by a suit; the message names the token.

    Examples
    --------
    >>> parse_card("AS"), parse_card("10h"), parse_card("T♥")
    (51, 34, 34)
    >>> parse_card("1X")
    Traceback (most recent call last):
    croupier.cards.card.CardError: card '1X': no suit 'X' (suits are C, D, H, S) and no rank '1' (ranks are 2-9, 10 or T, J, Q, K, A)
    """
    token = text.strip()
    if not token:
        raise CardError("card '': empty; a card is a rank and a suit, such as AS or 10H")
    rank_text, suit_text = token[:-1], token[-1]
    rank = parse_rank(rank_text)
    suit = _SUIT_SPELLINGS.index(suit_text) % 4 if suit_text in _SUIT_SPELLINGS else None
    complaints = []
    if suit is None:
        complaints.append(f"no suit '{token[-1]}' ({_SUITS_HELP})")
    if rank is None:
        complaints.append(f"no rank '{token[:-1]}' ({_RANKS_HELP})")
    if rank is None or suit is None:
        raise CardError(f"card '{token}': {' and '.join(complaints)}{foreign_letters(token)}")
    return 4 * rank + suit


def parse_rank(text: str) -> int | None:
    """Read a rank, or return None where there is no such rank.

    >>> parse_rank("10"), parse_rank("a"), parse_rank("1")
    (8, 12, None)
    """
    letter = "T" if text == "10" else text.upper()
    return RANK_LETTERS.index(letter) if len(letter) == 1 and letter in RANK_LETTERS else None


def parse_cards(text: str) -> tuple[int, ...]:
    """Read a list of cards, separated by spaces, commas or semicolons, none of them twice.

    Examples
    --------
    >>> parse_cards("AS, 10H")
    (51, 34)
    >>> parse_cards("AS 10H AS")
    Traceback (most recent call last):
    croupier.cards.card.CardError: card 'AS' is given twice; a deck holds it once
    """
    cards = tuple(parse_card(token) for token in _SEPARATORS.split(text.strip()) if token)
    verify_distinct(cards)
    return cards


def verify_distinct(cards: Iterable[int]) -> None:
    """Raise a CardError if a code is not a card or comes twice.

    >>> verify_distinct([3, 52])
    Traceback (most recent call last):
    croupier.cards.card.CardError: card code 52: codes run from 0 to 51
    """
    seen: set[int] = set()
    for card in cards:
        if not 0 <= card < DECK_SIZE:
            raise CardError(f"card code {card}: codes run from 0 to {DECK_SIZE - 1}")
        if card in seen:
            raise CardError(f"card '{format_card(card)}' is given twice; a deck holds it once")
        seen.add(card)


def format_card(card: int, *, symbols: bool = False) -> str:
    """Write one card, with a suit letter or a suit symbol.

    >>> format_card(51), format_card(34, symbols=True)
    ('AS', 'T♥')
    """
    return _SYMBOL_TEXTS[card] if symbols else _TEXTS[card]


def format_cards(cards: Sequence[int], *, symbols: bool = False) -> str:
    """Write cards, separated by spaces, in the order given.

    >>> format_cards((51, 34))
    'AS TH'
    """
    texts = _SYMBOL_TEXTS if symbols else _TEXTS
    return " ".join([texts[card] for card in cards])


def card_name(card: int) -> str:
    """Return the full name of a card.

    >>> card_name(51)
    'ace of spades'
    """
    return f"{RANK_NAMES[rank_of(card)]} of {SUIT_NAMES[suit_of(card)]}"
