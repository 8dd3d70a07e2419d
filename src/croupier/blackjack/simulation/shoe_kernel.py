"""The simulator's shoe as compiled code: shuffling on demand, and drawing.

A card is one byte: its point class (0-9) in the low half, and in the high half its suit and, for ten-value cards, which of
10, J, Q, K it is. Most of a round needs only the point class, which is one operation.

A shoe is never shuffled as a whole. Fisher-Yates puts a uniform choice of the cards that are left on the next place, so
a few cards at a time are chosen shortly before they are dealt. It does not matter in which order the last shoe left them.

Each random word of xoshiro256++ chooses four cards, without bias (:mod:`~croupier.numerics.random_kernels`).
"""

import numpy as np
from numpy.typing import NDArray

from croupier.cards import DECK_SIZE
from croupier.numerics.compiled import called_lean, compiled_lean, inlined_lean
from croupier.numerics.random_kernels import Stream, four_below, xoshiro_step

Bytes = NDArray[np.uint8]
Tags = NDArray[np.int8]
Shoe = NDArray[np.int64]

#: What a shoe's record holds, beside its cards.
POSITION = 0  # the next card to be dealt
CHOSEN = 1  # cards in front of this place are shuffled
SIZE = 2  # cards in the shoe; for infinite packs, places to put cards
ROUND_START = 3  # the first card of the present round; those before it are discards
REFILLS = 4  # how often the discards were shuffled and used again
REUSED = 5  # how many cards came up a second time
STRIDE = 6  # how many cards to choose at a time; 0: take them as they lie
IS_INFINITE = 7
RUNNING_COUNT = 8  # over all cards seen
INITIAL_COUNT = 9  # of a new shoe
HOLE_CARD = 10  # the place of a hole card that is still closed, else -1
IS_EXHAUSTED = 11  # a round has asked for more cards than there are
PACK_SIZE = 12  # cards of one pack
SHOE_FIELDS = 13

POINT_MASK = 0x0F
RANK_MASK = 0xCF

_ONE = np.uint64(1)


@inlined_lean
def _swap(cards: Bytes, place: np.uint64, other: np.uint64) -> None:
    card = cards[place]
    cards[place] = cards[other]
    cards[other] = card


@inlined_lean
def choose_cards(cards: Bytes, start: int, stop: int, size: int, stream: Stream) -> int:
    """Choose random cards from those between ``start`` and ``size`` for the places up to ``stop``, or a few more; return the end.

    Places past the end (there are three spare ones) have a bound of 1, so cards there do not move.
    """
    a, b, c, d = stream[0], stream[1], stream[2], stream[3]
    place, end = np.uint64(start), np.uint64(stop)
    left = np.uint64(size) - place
    while place < end:
        word, a, b, c, d = xoshiro_step(a, b, c, d)
        if left >= np.uint64(4):
            is_fair, one, two, three, four = four_below(
                word, left, left - _ONE, left - np.uint64(2), left - np.uint64(3)
            )
        else:
            second, third = max(left, np.uint64(2)) - _ONE, max(left, np.uint64(3)) - np.uint64(2)
            is_fair, one, two, three, four = four_below(word, left, second, third, _ONE)
        if is_fair:
            _swap(cards, place, place + one)
            _swap(cards, place + _ONE, place + _ONE + two)
            _swap(cards, place + np.uint64(2), place + np.uint64(2) + three)
            _swap(cards, place + np.uint64(3), place + np.uint64(3) + four)
            place += np.uint64(4)
            left -= np.uint64(4)
    stream[0], stream[1], stream[2], stream[3] = a, b, c, d
    return min(int(np.int64(place)), size)  # signed, as the size is: Numba makes floats of a mixture


@inlined_lean
def invent_cards(
    cards: Bytes, start: int, stop: int, size: int, stream: Stream, pack_size: int = DECK_SIZE
) -> int:
    """Fill places with cards drawn from a full pack each time; return the end.

    The pack lies behind the last place.
    """
    a, b, c, d = stream[0], stream[1], stream[2], stream[3]
    place, end, pack = np.uint64(start), np.uint64(stop), np.uint64(size)
    whole = np.uint64(pack_size)
    while place < end:
        word, a, b, c, d = xoshiro_step(a, b, c, d)
        is_fair, one, two, three, four = four_below(word, whole, whole, whole, whole)
        if is_fair:
            cards[place] = cards[pack + one]
            cards[place + _ONE] = cards[pack + two]
            cards[place + np.uint64(2)] = cards[pack + three]
            cards[place + np.uint64(3)] = cards[pack + four]
            place += np.uint64(4)
    stream[0], stream[1], stream[2], stream[3] = a, b, c, d
    return int(place)


@inlined_lean
def choose_ahead(cards: Bytes, shoe: Shoe, stream: Stream) -> int:
    """Shuffle the next part of a shoe; return where the shuffled part ends."""
    start, size = shoe[CHOSEN], shoe[SIZE]
    stop = min(start + shoe[STRIDE], size)
    if shoe[STRIDE] == 0:
        shoe[CHOSEN] = size
    elif shoe[IS_INFINITE]:
        shoe[CHOSEN] = invent_cards(cards, start, stop, size, stream, shoe[PACK_SIZE])
    else:
        shoe[CHOSEN] = choose_cards(cards, start, stop, size, stream)
    return int(shoe[CHOSEN])


@compiled_lean
def _turn_around(cards: Bytes, start: int, stop: int) -> None:
    for place in range((stop - start) // 2):
        _swap(cards, np.uint64(start + place), np.uint64(stop - 1 - place))


@compiled_lean
def _refill(cards: Bytes, shoe: Shoe, tags: Tags) -> None:
    """Move the discards behind the remaining cards, to be shuffled and dealt again; the present round moves to the front.

    From then on, only the cards of the present round count as seen.
    """
    start, size = shoe[ROUND_START], shoe[SIZE]
    # Reversing both parts and then the whole swaps the parts and keeps the order within each.
    _turn_around(cards, 0, start)
    _turn_around(cards, start, size)
    _turn_around(cards, 0, size)
    shoe[POSITION] -= start
    shoe[CHOSEN] = size - start
    shoe[ROUND_START] = 0
    shoe[REFILLS] += 1
    shoe[REUSED] += start
    shoe[RUNNING_COUNT] = shoe[INITIAL_COUNT]
    for place in range(shoe[POSITION]):
        shoe[RUNNING_COUNT] += tags[cards[place]]
    if shoe[HOLE_CARD] >= 0:
        shoe[HOLE_CARD] -= start
        shoe[RUNNING_COUNT] -= tags[cards[shoe[HOLE_CARD]]]


@called_lean
def prepare_cards(cards: Bytes, shoe: Shoe, stream: Stream, tags: Tags, wanted: int) -> None:
    """Make sure that the next cards are there: shuffle more, or use the discards again.

    Without discards the shoe is marked as exhausted and continues from its beginning, so that the round can end.
    """
    if shoe[POSITION] + wanted > shoe[SIZE]:
        while shoe[CHOSEN] < shoe[SIZE]:
            choose_ahead(cards, shoe, stream)
        if shoe[ROUND_START] > 0:
            _refill(cards, shoe, tags)
        else:
            shoe[IS_EXHAUSTED] = 1
            shoe[POSITION] = 0
    while shoe[POSITION] + wanted > shoe[CHOSEN] and not shoe[IS_EXHAUSTED]:
        choose_ahead(cards, shoe, stream)


@inlined_lean
def draw(cards: Bytes, shoe: Shoe, stream: Stream, tags: Tags) -> int:
    """Deal the next card face up, and count it."""
    if shoe[POSITION] == shoe[CHOSEN]:
        prepare_cards(cards, shoe, stream, tags, 1)
    card = int(cards[shoe[POSITION]])
    shoe[POSITION] += 1
    shoe[RUNNING_COUNT] += tags[card]
    return card


@inlined_lean
def open_shoe(shoe: Shoe) -> None:
    """Begin a new shoe; the order of the cards does not matter."""
    shoe[POSITION] = 0
    shoe[CHOSEN] = 0
    shoe[ROUND_START] = 0
    shoe[REFILLS] = 0
    shoe[REUSED] = 0
    shoe[HOLE_CARD] = -1
    shoe[RUNNING_COUNT] = shoe[INITIAL_COUNT]


@inlined_lean
def needs_shuffle(shoe: Shoe, cut: int) -> bool:
    """Tell whether the cut card has come up."""
    came_again = shoe[REFILLS] > 0 and not shoe[IS_INFINITE]
    return bool(shoe[POSITION] + shoe[REUSED] >= cut or came_again)
