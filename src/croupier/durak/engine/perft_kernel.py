"""Counting play sequences, compiled."""

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
    phase_of,
    throw_in_limit,
    throw_in_moves,
)
from croupier.numerics.compiled import compiled


@compiled
def count_sequences(position: Position, stock: Stock, depth: int) -> int:
    """Return how many sequences of exactly so many actions can be played from a position."""
    if depth == 0:
        return 1
    phase = phase_of(position)
    if phase == OVER:
        return 0
    total = 0
    if phase in (ATTACK, DEFEND):
        cards = attack_moves(position) if phase == ATTACK else defence_moves(position)
        if phase == DEFEND or position.table != 0:
            total += count_sequences(answered(position, phase, 0, stock), stock, depth - 1)
        while cards:
            card = lowest(cards)
            cards ^= card
            total += count_sequences(answered(position, phase, card, stock), stock, depth - 1)
        return total
    candidates = throw_in_moves(position)
    limit = throw_in_limit(position)
    chosen = candidates
    while True:
        if count(chosen) <= limit:
            total += count_sequences(answered(position, phase, chosen, stock), stock, depth - 1)
        if chosen == 0:
            return total
        chosen = (chosen - 1) & candidates
