"""Every move of a position, one after another, as compiled code: the cheapest card first, playing no card last.

A move is a set of cards, as in :mod:`~croupier.durak.engine.board_kernels`. After a take each set of cards that may be thrown
in is a move of its own; the largest comes first.
"""

from croupier.durak.engine.bit_kernels import count
from croupier.durak.engine.board_kernels import (
    ATTACK,
    DEFEND,
    THROW_IN,
    Position,
    attack_moves,
    defence_moves,
    throw_in_limit,
    throw_in_moves,
)
from croupier.durak.players.policy_kernels import cheapest
from croupier.numerics.compiled import inlined

#: What follows the last move.
NO_MOVE = -1


@inlined
def playable(position: Position, phase: int) -> int:
    """Return the cards that may be played in a phase."""
    if phase == ATTACK:
        return attack_moves(position)
    return defence_moves(position) if phase == DEFEND else throw_in_moves(position)


@inlined
def first_move(position: Position, phase: int, cards: int) -> int:
    """Return the first move with the playable cards."""
    if phase == THROW_IN:
        return _allowed_subset(cards, cards, throw_in_limit(position))
    return cheapest(cards, position.trumps)


@inlined
def next_move(position: Position, phase: int, cards: int, move: int) -> int:
    """Return the move after another one; :data:`NO_MOVE` after the last."""
    if move == 0:
        return NO_MOVE
    if phase == THROW_IN:
        return _allowed_subset((move - 1) & cards, cards, throw_in_limit(position))
    costlier = cards & position.trumps if move & position.trumps == 0 else 0
    same_kind = position.trumps if move & position.trumps else ~position.trumps
    costlier |= cards & same_kind & ~((move << 1) - 1)
    if costlier:
        return cheapest(costlier, position.trumps)
    return 0 if phase == DEFEND or position.table else NO_MOVE


@inlined
def _allowed_subset(subset: int, cards: int, limit: int) -> int:
    """Return the first set, from one downwards, that holds few enough cards."""
    while count(subset) > limit:
        subset = (subset - 1) & cards
    return subset
