"""Games that the play-out policy plays against itself, compiled: the start of every bout, and how the game ended.

Once the stock is empty the game is solved instead of played on, so that the result is that of best play. Now and then a random move
is made, for positions that the policy alone would not reach; what came before it is forgotten, because the result says
nothing about it.
"""

import numpy as np
from numpy.typing import NDArray

from croupier.durak.engine.bit_kernels import place
from croupier.durak.engine.board_kernels import (
    OVER,
    Position,
    Stock,
    answered,
    lowest_trump_leader,
    phase_of,
    score_of_first,
    started,
)
from croupier.durak.players.endgame_kernel import UNKNOWN, Allowance, Memo, Stack, bout_value
from croupier.durak.players.move_kernels import NO_MOVE, first_move, next_move, playable
from croupier.durak.players.playout_kernel import skilled_answer
from croupier.numerics.compiled import compiled, inlined
from croupier.numerics.random_kernels import Stream, fraction, splitmix_below, splitmix_word

#: One row per start of a bout: the hands of attacker and defender, the stock, the trump suit, and the attacker's result.
Rows = NDArray[np.int64]
COLUMNS = 5
_ATTACKER, _DEFENDER, _STOCK, _TRUMP_SUIT, _RESULT = range(COLUMNS)

_DECK_SIZE = 36

#: How many positions may be looked at to solve an end game; where that is not enough, the policy plays on.
_POSITIONS = 20_000


@inlined
def _random_move(position: Position, phase: int, stream: Stream) -> int:
    """Return one of the moves, each with the same probability."""
    cards = playable(position, phase)
    chosen, number = 0, 0
    move = first_move(position, phase, cards)
    while move != NO_MOVE:
        number += 1
        if splitmix_below(stream, number) == 0:
            chosen = move
        move = next_move(position, phase, cards, move)
    return chosen


@inlined
def _write(rows: Rows, row: int, position: Position, stock: Stock) -> None:
    """Write down the start of a bout; until the end of the game, the attacker's seat stands for the result."""
    rest = 0
    for number in range(position.drawn, _DECK_SIZE):
        rest |= 1 << int(stock[number])
    rows[row, _ATTACKER] = position.attack_hand
    rows[row, _DEFENDER] = position.defend_hand
    rows[row, _STOCK] = rest
    rows[row, _TRUMP_SUIT] = place(position.trumps) & 3
    rows[row, _RESULT] = position.attacker


@inlined
def _shuffle(stock: Stock, stream: Stream) -> None:
    for last in range(_DECK_SIZE - 1, 0, -1):
        pick = splitmix_below(stream, last + 1)
        stock[last], stock[pick] = stock[pick], stock[last]


@compiled
def play_games(
    games: int,
    surprise: float,
    stream: Stream,
    memo: Memo,
    allowance: Allowance,
    stack: Stack,
    rows: Rows,
) -> int:
    """Play games and write down the starts of their bouts; return how many rows are filled.

    ``surprise`` is the probability of a random move. It stops early where the rows might not hold another game.
    """
    stock = np.arange(_DECK_SIZE).astype(np.int8)
    size = 0
    for _ in range(games):
        if size + 200 > len(rows):
            break
        _shuffle(stock, stream)
        leader = lowest_trump_leader(stock)
        if leader < 0:
            leader = splitmix_below(stream, 2)
        position = started(stock, leader, _DECK_SIZE, _DECK_SIZE)
        first, result, is_solved = size, 0, False
        phase = phase_of(position)
        while phase != OVER:
            if position.table == 0 and size < len(rows):
                _write(rows, size, position, stock)
                size += 1
                if position.drawn == _DECK_SIZE:
                    value = bout_value(position, _POSITIONS, stock, memo, allowance, stack)
                    if value != UNKNOWN:
                        result = value if position.attacker == 0 else -value
                        is_solved = True
                        break
            if fraction(splitmix_word(stream)) < surprise:
                size = first
                move = _random_move(position, phase, stream)
            else:
                move = skilled_answer(position, phase)
            position = answered(position, phase, move, stock)
            phase = phase_of(position)
        if not is_solved:
            result = score_of_first(position)
        for row in range(first, size):
            rows[row, _RESULT] = result if rows[row, _RESULT] == 0 else -result
    return size
