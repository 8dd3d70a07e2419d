"""The proofs inside the search: what they settle agrees with the suite of proven end games, and little time leaves it open."""

import numpy as np

from croupier.durak.arena.endgame_suite import EndgamePosition, read_suite
from croupier.durak.engine.bit_kernels import CLUBS
from croupier.durak.engine.board_kernels import Position
from croupier.durak.engine.phases import Phase
from croupier.durak.players.endgame_kernel import STACK_SHAPE, UNKNOWN, bout_value
from croupier.durak.players.question import card_bits

LEADS = [position for position in read_suite() if position.phase is Phase.ATTACK and not position.table]
STOCK = np.zeros(36, dtype=np.int8)


def value_within(position: EndgamePosition, positions: int) -> int:
    """Prove a new bout from nothing."""
    hand, enemy = card_bits(position.hand), card_bits(position.enemy)
    trumps = CLUBS << (position.trump & 3)
    bout = Position(hand, enemy, 0, 0, 0, 36, 36, 0, trumps, 36)
    memo, stack = np.zeros((2**12, 2), dtype=np.int64), np.zeros(STACK_SHAPE, dtype=np.int64)
    return bout_value(bout, positions, STOCK, memo, np.zeros(1, dtype=np.int64), stack)


def test_enough_positions_give_the_proven_value() -> None:
    assert len(LEADS) > 20
    assert [value_within(position, 10**6) for position in LEADS] == [position.value for position in LEADS]


def test_too_few_positions_give_the_proven_value_or_none() -> None:
    found = [(value_within(position, 30), int(position.value)) for position in LEADS]
    assert {value for value, _ in found} > {UNKNOWN}
    assert all(value in (UNKNOWN, proven) for value, proven in found)
