"""Correctness by counting: how many sequences of so many actions can be played from a position.

The count is the one that chess programs call perft. Games that end earlier are not counted; after a take each set of cards that may
be thrown in is one action.
"""

from croupier.durak.engine.actions import act, legal_actions
from croupier.durak.engine.board import position_of, stock_of
from croupier.durak.engine.perft_kernel import count_sequences
from croupier.durak.engine.state import GameState
from croupier.errors import InputError


def perft(state: GameState, depth: int) -> int:
    """Count play sequences with the readable engine.

    Examples
    --------
    >>> from croupier.durak.engine.dealing import start
    >>> from croupier.durak.engine.pack import PACK
    >>> from croupier.durak.engine.rules import DurakRules
    >>> [perft(start(DurakRules(), PACK), depth) for depth in range(4)]
    [1, 6, 24, 106]
    """
    _verify_depth(depth)
    return _count(state, depth)


def fast_perft(state: GameState, depth: int) -> int:
    """Count play sequences with the compiled positions.

    Examples
    --------
    >>> from croupier.durak.engine.dealing import start
    >>> from croupier.durak.engine.pack import PACK
    >>> from croupier.durak.engine.rules import DurakRules
    >>> fast_perft(start(DurakRules(), PACK), 3)
    106
    """
    _verify_depth(depth)
    return count_sequences(position_of(state), stock_of(state.deck), depth)


def _count(state: GameState, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(_count(act(state, action), depth - 1) for action in legal_actions(state))


def _verify_depth(depth: int) -> None:
    if depth < 0:
        raise InputError(f"depth {depth}: a number of actions from 0 up")
