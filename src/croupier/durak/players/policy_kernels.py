"""The sample engine's policy and the random words of the search, compiled; tested equal to the readable ones."""

import numpy as np
from numpy.typing import NDArray

from croupier.durak.engine.bit_kernels import count, lowest
from croupier.durak.engine.board_kernels import (
    ATTACK,
    DEFEND,
    Position,
    attack_moves,
    defence_moves,
    throw_in_limit,
    throw_in_moves,
)
from croupier.numerics.compiled import inlined

#: One word of state, changed in place: the generator of :mod:`~croupier.durak.players.splitmix`.
Stream = NDArray[np.uint64]


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
