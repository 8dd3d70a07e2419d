"""Policies and whole games, compiled: the sample engine and the random one, tested equal to the readable ones."""

import numpy as np
from numpy.typing import NDArray

from croupier.durak.engine.bit_kernels import count, lowest
from croupier.durak.engine.board_kernels import (
    ATTACK,
    DEFEND,
    OVER,
    Position,
    Stock,
    answered,
    attack_moves,
    defence_moves,
    lowest_trump_leader,
    phase_of,
    score_of_first,
    seat_in_turn,
    started,
    throw_in_limit,
    throw_in_moves,
)
from croupier.numerics.compiled import compiled, inlined

#: One word of state, changed in place: the generator of :mod:`~croupier.durak.players.splitmix`.
Stream = NDArray[np.uint64]

#: Wins, losses and draws of the first to move (rows: seat 0 or 1 moved first).
Tally = NDArray[np.int64]

#: Who plays.
DUMMY, RANDOM = range(2)


@inlined
def next_word(stream: Stream) -> np.uint64:
    """Return the next 64 random bits of a stream."""
    stream[0] += np.uint64(0x9E3779B97F4A7C15)
    mixed = stream[0]
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    word: np.uint64 = mixed ^ (mixed >> np.uint64(31))
    return word


@inlined
def below(stream: Stream, bound: int) -> int:
    """Return a number in [0, bound) without bias."""
    wide = np.uint64(bound)
    low_half = np.uint64(0xFFFFFFFF)
    product = (next_word(stream) >> np.uint64(32)) * wide
    if product & low_half < wide:
        threshold = np.uint64(0x100000000) % wide
        while product & low_half < threshold:
            product = (next_word(stream) >> np.uint64(32)) * wide
    return int(np.int64(product >> np.uint64(32)))


@inlined
def cheapest(cards: int, trumps: int) -> int:
    """Return the cheapest card of a set, plain cards before trumps; no card of the empty set."""
    plain = cards & ~trumps
    return lowest(plain) if plain else lowest(cards)


@inlined
def dummy_answer(position: Position, phase: int) -> int:
    """Answer as the sample engine does."""
    if phase == DEFEND:
        return cheapest(defence_moves(position), position.trumps)
    if phase == ATTACK:
        if position.table == 0:
            return cheapest(position.attack_hand, position.trumps)
        return lowest(attack_moves(position) & ~position.trumps)
    cards = throw_in_moves(position) & ~position.trumps
    thrown = 0
    for _ in range(min(throw_in_limit(position), count(cards))):
        thrown |= lowest(cards & ~thrown)
    return thrown


@inlined
def random_answer(position: Position, phase: int, stream: Stream) -> int:
    """Answer as the random engine does, with the same words."""
    if phase == DEFEND:
        cards = defence_moves(position)
        return _nth(cards, below(stream, count(cards) + 1))
    if phase == ATTACK:
        cards = attack_moves(position)
        return _nth(cards, below(stream, count(cards) + (1 if position.table else 0)))
    cards = throw_in_moves(position)
    limit = throw_in_limit(position)
    thrown = 0
    while cards and limit > 0:
        card = lowest(cards)
        cards ^= card
        if below(stream, 2):
            thrown |= card
            limit -= 1
    return thrown


@compiled
def dummy_playout(position: Position, stock: Stock) -> int:
    """Play a game to its end, both sides as the sample engine; return the score of seat 0."""
    phase = phase_of(position)
    while phase != OVER:
        position = answered(position, phase, dummy_answer(position, phase), stock)
        phase = phase_of(position)
    return score_of_first(position)


@compiled
def playout(
    position: Position, stock: Stock, first: int, second: int, first_stream: Stream, second_stream: Stream
) -> int:
    """Play a game to its end between two policies, the first in seat 0; return the score of seat 0."""
    phase = phase_of(position)
    while phase != OVER:
        is_first = seat_in_turn(position, phase) == 0
        policy = first if is_first else second
        if policy == DUMMY:
            cards = dummy_answer(position, phase)
        else:
            cards = random_answer(position, phase, first_stream if is_first else second_stream)
        position = answered(position, phase, cards, stock)
        phase = phase_of(position)
    return score_of_first(position)


@inlined
def shuffle(stock: Stock, stream: Stream) -> None:
    """Put the cards into a random order (Fisher-Yates)."""
    for last in range(35, 0, -1):
        pick = below(stream, last + 1)
        stock[last], stock[pick] = stock[pick], stock[last]


@compiled
def play_block(
    games: int, first: int, second: int, first_cap: int, cap: int, stream: Stream, tally: Tally
) -> None:
    """Play games from freshly shuffled decks, the lowest trump leading, and count how they end."""
    stock = np.arange(36).astype(np.int8)
    for _ in range(games):
        shuffle(stock, stream)
        leader = lowest_trump_leader(stock)
        if leader < 0:
            leader = below(stream, 2)
        position = started(stock, leader, first_cap, cap)
        if first == DUMMY and second == DUMMY:
            score = dummy_playout(position, stock)
        else:
            score = playout(position, stock, first, second, stream, stream)
        if score == 0:
            tally[leader, 2] += 1
        else:
            tally[leader, 0 if (score > 0) == (leader == 0) else 1] += 1


@inlined
def _nth(cards: int, number: int) -> int:
    """Return the card with a number in ascending order; no card past the last one."""
    for _ in range(number):
        cards &= cards - 1
    return lowest(cards)
