"""The 2,983 rank multisets: every hand of two to five cards, as far as Banluck can tell hands apart."""

import re
from itertools import combinations_with_replacement

from croupier.banluck.engine.rules import MAX_CARDS, MIN_CARDS
from croupier.cards import (
    POINT_CLASSES,
    SUIT_LETTERS,
    TEN_CLASS,
    CardError,
    parse_cards,
    parse_rank,
    point_class,
    point_class_of_rank,
)
from croupier.texts import say

Multiset = tuple[int, ...]

#: How many cards of each point class one pack holds.
PACK_COUNTS = tuple(16 if point == TEN_CLASS else 4 for point in range(len(POINT_CLASSES)))

#: All hands as sorted tuples of point classes, by card count, then in lexicographic order.
MULTISETS: tuple[Multiset, ...] = tuple(
    hand
    for card_count in range(MIN_CARDS, MAX_CARDS + 1)
    for hand in combinations_with_replacement(range(len(POINT_CLASSES)), card_count)
    if all(hand.count(point) <= PACK_COUNTS[point] for point in set(hand))
)

_INDEX = {hand: index for index, hand in enumerate(MULTISETS)}


def multiset_index(hand: Multiset) -> int:
    """Return the place of a sorted hand in :data:`MULTISETS`.

    >>> len(MULTISETS), multiset_index((0, 0)), MULTISETS[54]
    (2983, 0, (9, 9))
    """
    try:
        return _INDEX[hand]
    except KeyError:
        raise CardError(f"no such hand: {format_multiset(hand)}") from None


def multiset_of(cards: tuple[int, ...]) -> Multiset:
    """Return the multiset of a hand of card codes.

    >>> multiset_of(parse_cards("KS 2D TH"))
    (0, 8, 8)
    """
    return tuple(sorted(point_class(card) for card in cards))


def format_multiset(hand: Multiset) -> str:
    """Write a hand of point classes, highest first.

    >>> format_multiset((0, 8, 9))
    'A-T-2'
    """
    return "-".join(POINT_CLASSES[point] for point in sorted(hand, reverse=True))


def parse_multiset(text: str) -> Multiset:
    """Read a hand from ranks or cards: ``A-6``, ``K,6``, ``10 6``, ``T6`` or ``KS 6H``.

    Examples
    --------
    >>> format_multiset(parse_multiset("K, 10, 2"))
    'T-T-2'
    >>> format_multiset(parse_multiset("6c as"))
    'A-6'
    >>> parse_multiset("A1")
    Traceback (most recent call last):
    croupier.cards.card.CardError: hand 'A1': no card or rank '1'; write ranks such as A-6 or cards such as AS 6H
    >>> parse_multiset("5 5 5 5 5")
    Traceback (most recent call last):
    croupier.cards.card.CardError: hand '5 5 5 5 5': 5 cards of rank 5, but a pack holds 4
    """
    tokens = _tokens(text)
    if all(len(token) > 1 and token != "10" for token in tokens):
        points = [point_class(card) for card in parse_cards(" ".join(tokens))]
    else:
        points = [_point_of_rank(token, text) for token in tokens]
    hand = tuple(sorted(points))
    if not MIN_CARDS <= len(hand) <= MAX_CARDS:
        raise CardError(
            say("banluck.asking.count", hand=text, count=len(hand), least=MIN_CARDS, most=MAX_CARDS)
        )
    for point in set(hand):
        if hand.count(point) > PACK_COUNTS[point]:
            raise CardError(
                say(
                    "banluck.asking.rank",
                    hand=text,
                    count=hand.count(point),
                    rank=POINT_CLASSES[point],
                    most=PACK_COUNTS[point],
                )
            )
    return hand


def _tokens(text: str) -> list[str]:
    """Split a hand at separators, or, where it has none, into cards (``AS6H``) or else into ranks (``AT6``)."""
    tokens = [token for token in re.split(r"[\s,;-]+", text.strip().upper()) if token]
    if len(tokens) != 1:
        return tokens
    piece = r"(?:10|.)[CDHS]" if tokens[0][-1] in SUIT_LETTERS else r"10|."
    return re.findall(piece, tokens[0]) if re.fullmatch(f"(?:{piece})+", tokens[0]) else tokens


def _point_of_rank(token: str, hand: str) -> int:
    rank = parse_rank(token)
    if rank is None:
        raise CardError(say("banluck.asking.token", hand=hand, token=token))
    return point_class_of_rank(rank)
