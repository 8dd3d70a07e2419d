"""The way between readable games and compiled positions, for the tests that compare the two."""

from collections.abc import Sequence

import numpy as np

from croupier.durak.engine.bit_kernels import CLUBS
from croupier.durak.engine.board_kernels import Position, Stock
from croupier.durak.engine.pack import LOWEST_CARD
from croupier.durak.engine.state import GameState
from croupier.durak.players.question import card_bits


def stock_of(deck: Sequence[int]) -> Stock:
    """Return a deck as the numbers that compiled positions draw from."""
    return np.array([card - LOWEST_CARD for card in deck], dtype=np.int8)


def position_of(state: GameState) -> Position:
    """Return a game as a compiled position; its stock is ``stock_of(state.deck)``."""
    is_open = len(state.table) % 2 == 1
    return Position(
        attack_hand=card_bits(state.hands[state.attacker]),
        defend_hand=card_bits(state.hands[state.defender]),
        table=card_bits(state.table),
        open_card=card_bits(state.table[-1:]) if is_open else 0,
        is_taking=int(state.is_taking),
        room=state.attack_room,
        drawn=state.drawn,
        attacker=state.attacker,
        trumps=CLUBS << state.trump_suit,
        cap=state.rules.attack_cap(state.bout + 1),
    )
