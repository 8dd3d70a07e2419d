"""Dealing the seats of a table at random, compiled: what the sampled statistics are made of."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.banluck.engine.multisets import MULTISETS, PACK_COUNTS
from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.hand_table import TWO_CARD_HANDS, Flags, Floats, Integers, deals, hand_table
from croupier.banluck.solvers.payoff_kernel import ENDS
from croupier.banluck.solvers.strategy import PLAYER_CARD_COUNTS
from croupier.banluck.solvers.table.dealer_states import dealer_hands
from croupier.banluck.solvers.table.seat_hands import seat_hands
from croupier.cards import DECK_SIZE
from croupier.numerics.compiled import inlined_lean
from croupier.numerics.random_kernels import Stream, fraction, xoshiro_below, xoshiro_word

Deck = NDArray[np.int64]

#: Deals are worked on in groups of this many, side by side, so that the processor's vector units are used.
GROUP = 64

#: Low cards are those of the first classes, 2 to 5; 31 % of a full pack.
_LOW_CLASSES = 4
LOW_CARDS = sum(PACK_COUNTS[:_LOW_CLASSES])
#: Where the share of low cards among the cards not seen divides one memory from the next.
_MEMORY_LIMITS = (0.265, 0.295, 0.32, 0.35)
#: How many memories there are.
MEMORIES = len(_MEMORY_LIMITS) + 1


class Cards(NamedTuple):
    """Every multiset as a seat's and as the dealer's hand, in the form that compiled code reads.

    Attributes
    ----------
    two, child
        The multiset of two classes, and after one more card.
    points
        The classes of the pack, card by card.
    size, low
        Cards of a multiset, and how many of them are from 2 to 5.
    acts, must_hit
        What a seat may do with it.
    is_ban, is_shown_bust
        Hands that are shown, and end their seat's part.
    shown_units
        What such a hand brings, against a dealer without a Ban hand.
    code
        The code by which a hand is settled.
    payoff
        The player's units, by the player's and the dealer's code.
    dealer_kind
        Whether the dealer's hand ends, must draw or is a choice.
    choice
        The number of a hand among the dealer's hands of choice, or -1.
    dealer_place
        The number of a hand among the dealer's hands, or -1.
    """

    two: Integers
    child: Integers
    points: Deck
    size: Integers
    low: Integers
    acts: Flags
    must_hit: Flags
    is_ban: Flags
    is_shown_bust: Flags
    shown_units: Floats
    code: Integers
    payoff: Floats
    dealer_kind: Integers
    choice: Integers
    dealer_place: Integers


@lru_cache(maxsize=8)
def cards_of(rules: BanluckRules) -> Cards:
    """Write the hands of a rule set in the form that compiled code reads."""
    table, seats, dealer = hand_table(rules), seat_hands(rules), dealer_hands(rules)
    classes = len(PACK_COUNTS)
    two = np.zeros((classes, classes), dtype=np.int64)
    for index in range(TWO_CARD_HANDS):
        low, high = MULTISETS[index]
        two[low, high] = two[high, low] = index
    points = np.repeat(np.arange(classes), PACK_COUNTS)
    shown_bust = np.zeros(len(MULTISETS), dtype=np.bool_)
    shown_bust[seats.bust] = True
    units = np.zeros(len(MULTISETS))
    units[seats.bust] = seats.bust_units
    ordinary = int(np.flatnonzero(~table.is_ban)[0])
    is_ban = table.is_ban.copy()
    is_ban[TWO_CARD_HANDS:] = False
    units[is_ban] = table.payoff[table.code[is_ban], table.code[ordinary]]
    kind = np.full(len(MULTISETS), ENDS)
    kind[dealer.hands] = dealer.by_total
    choice = np.full(len(MULTISETS), -1)
    choice[dealer.hands] = dealer.choice_of
    place = np.full(len(MULTISETS), -1)
    place[dealer.hands] = np.arange(len(dealer.hands))
    return Cards(
        two,
        deals().child,
        points,
        deals().card_count,
        deals().counts[:, :_LOW_CLASSES].sum(axis=1),
        seats.acts,
        seats.must_hit,
        is_ban,
        shown_bust,
        units,
        table.code,
        table.payoff,
        kind,
        choice,
        place,
    )


def first_rows(players: int) -> Integers:
    """Return where the rows of each seat begin.

    A seat decides on its own hand, and on how many earlier seats are closed with two cards and with more: seat i (from 0) has
    (i + 1)^2 rows.

    >>> first_rows(3).tolist()
    [0, 1, 5, 14]
    """
    return np.concatenate(([0], np.cumsum(np.arange(1, players + 1) ** 2)))


@inlined_lean
def row_of(seat: int, two_cards: int, more_cards: int) -> int:
    """Return the row of a seat, from its first one, by how many earlier seats are closed with two cards and with more."""
    return two_cards * (seat + 1) + more_cards


@inlined_lean
def memory_of(low: int, unseen: int) -> int:
    """Return what is remembered of cards that were seen: how many of those not seen are low, in steps."""
    memory = 0
    while memory < len(_MEMORY_LIMITS) and low >= _MEMORY_LIMITS[memory] * unseen:
        memory += 1
    return memory


@inlined_lean
def next_card(deck: Deck, used: int, stream: Stream) -> int:
    """Draw a card that is not among the first ``used`` ones of the deck, put it behind these, and return its class."""
    pick = used + xoshiro_below(stream, DECK_SIZE - used)
    deck[used], deck[pick] = deck[pick], deck[used]
    return int(deck[used])


@inlined_lean
def takes(chance: float, stream: Stream) -> bool:
    """Decide by a probability; a certain decision uses up no randomness."""
    if chance >= 1.0:
        return True
    return chance > 0.0 and fraction(xoshiro_word(stream)) < chance


@inlined_lean
def played(
    hand: int, hit: Floats, cards: Cards, deck: Deck, used: int, left: Floats, stream: Stream
) -> tuple[int, int]:
    """Play a seat's hand to its end; return it with the cards used, and take these off what is left."""
    while cards.acts[hand] and (cards.must_hit[hand] or takes(hit[hand], stream)):
        point = next_card(deck, used, stream)
        used += 1
        left[point] -= 1.0
        hand = cards.child[hand, point]
    return hand, used


@inlined_lean
def dealt_two(cards: Cards, deck: Deck, used: int, left: Floats, stream: Stream) -> int:
    """Deal two cards."""
    first = next_card(deck, used, stream)
    second = next_card(deck, used + 1, stream)
    left[first] -= 1.0
    left[second] -= 1.0
    return int(cards.two[first, second])


def block_stream(seed: int, *path: int) -> Stream:
    """Return the stream of one block, which depends on nothing but the seed and the block's path."""
    words = np.random.SeedSequence(seed, spawn_key=path).generate_state(4, np.uint64)
    return words.astype(np.uint64)


def full_pack() -> Floats:
    """Return how many cards of each class a pack holds."""
    return np.array(PACK_COUNTS, dtype=np.float64)


CARD_COUNTS = len(PLAYER_CARD_COUNTS)
