"""Convert the program's card codes to Croupier's.

The program's code is ``13 * suit + rank`` with suits hearts, diamonds, clubs, spades and ranks ace, 2 to 10, jack,
queen, king; Croupier's own is ``4 * rank + suit`` (:mod:`croupier.cards`).
"""

from collections.abc import Iterable

from croupier.cards import DECK_SIZE, RANK_LETTERS, SUIT_LETTERS, CardError, format_cards

_CHAIN_SUITS = "HDCS"
_CHAIN_RANKS = "A23456789TJQK"

_TO_CARD = tuple(
    4 * RANK_LETTERS.index(_CHAIN_RANKS[code % 13]) + SUIT_LETTERS.index(_CHAIN_SUITS[code // 13])
    for code in range(DECK_SIZE)
)


def to_card(code: int) -> int:
    """Return Croupier's card for a code of the program.

    >>> from croupier.cards import card_name
    >>> card_name(to_card(0)), card_name(to_card(22)), card_name(to_card(51))
    ('ace of hearts', 'ten of diamonds', 'king of spades')
    >>> to_card(52)
    Traceback (most recent call last):
    croupier.cards.card.CardError: card code 52: codes run from 0 to 51
    """
    _verify(code)
    return _TO_CARD[code]


def to_cards(codes: Iterable[int]) -> tuple[int, ...]:
    """Return Croupier's cards for codes of the program, in order.

    >>> from croupier.cards import parse_cards
    >>> to_cards([0, 22]) == parse_cards("AH TD")
    True
    """
    return tuple(to_card(code) for code in codes)


def format_codes(codes: Iterable[int], *, symbols: bool = False) -> str:
    """Write codes of the program as cards.

    >>> format_codes([0, 22, 51], symbols=True)
    'A♥ T♦ K♠'
    """
    return format_cards(to_cards(codes), symbols=symbols)


def _verify(code: int) -> None:
    if not 0 <= code < DECK_SIZE:
        raise CardError(f"card code {code}: codes run from 0 to {DECK_SIZE - 1}")
