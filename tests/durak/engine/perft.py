"""Correctness by counting: how many sequences of so many actions can be played from a position.

Chess programs call this count perft. Games that end earlier are not counted. After a take, each set of cards that may be
thrown in is one action.
"""

from croupier.durak.engine.actions import act, legal_actions
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
from croupier.durak.engine.state import GameState
from croupier.numerics.compiled import compiled
from tests.durak.boards import position_of, stock_of


def perft(state: GameState, depth: int) -> int:
    """Count play sequences with the readable engine."""
    if depth == 0:
        return 1
    return sum(perft(act(state, action), depth - 1) for action in legal_actions(state))


def compiled_perft(state: GameState, depth: int) -> int:
    """Count play sequences with the compiled positions."""
    return count_sequences(position_of(state), stock_of(state.deck), depth)


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
