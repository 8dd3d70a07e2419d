"""The way between readable games and compiled positions."""

from collections.abc import Iterable

import numpy as np

from croupier.durak.engine.bit_kernels import CLUBS
from croupier.durak.engine.board_kernels import Position, Stock
from croupier.durak.engine.pack import LOWEST_CARD, PACK
from croupier.durak.engine.state import GameState


def bits_of(cards: Iterable[int]) -> int:
    """Return cards as a set of bits.

    >>> bin(bits_of([16, 18]))
    '0b101'
    """
    bits = 0
    for card in cards:
        bits |= 1 << (card - LOWEST_CARD)
    return bits


def cards_of(bits: int) -> tuple[int, ...]:
    """Return the cards of a set of bits, lowest code first.

    >>> cards_of(0b101)
    (16, 18)
    """
    return tuple(card for card in PACK if bits >> (card - LOWEST_CARD) & 1)


def stock_of(deck: Iterable[int]) -> Stock:
    """Return a deck as the card numbers 0-35 that compiled positions draw from.

    >>> stock_of(PACK)[:3].tolist()
    [0, 1, 2]
    """
    return np.array([card - LOWEST_CARD for card in deck], dtype=np.int8)


def position_of(state: GameState) -> Position:
    """Return a game as a compiled position; its stock is ``stock_of(state.deck)``.

    Examples
    --------
    >>> from croupier.durak.engine.dealing import start
    >>> from croupier.durak.engine.rules import DurakRules
    >>> position = position_of(start(DurakRules(), PACK))
    >>> cards_of(position.attack_hand), position.drawn
    ((16, 17, 18, 19, 20, 21), 12)
    """
    is_open = len(state.table) % 2 == 1
    return Position(
        attack_hand=bits_of(state.hands[state.attacker]),
        defend_hand=bits_of(state.hands[state.defender]),
        table=bits_of(state.table),
        open_card=bits_of(state.table[-1:]) if is_open else 0,
        is_taking=int(state.is_taking),
        room=state.attack_room,
        drawn=state.drawn,
        attacker=state.attacker,
        trumps=CLUBS << state.trump_suit,
        cap=state.rules.attack_cap(state.bout + 1),
    )
