"""The sample engine's policy, compiled; tested equal to the readable one."""

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
