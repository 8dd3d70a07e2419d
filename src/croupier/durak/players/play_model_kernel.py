"""How a skilled player chooses, learnt from games that the master played against itself: a small network, as compiled code.

The network sees what the player in turn sees, with the suits relabelled so that trumps come first: its hand, the table, the card
to be beaten, the cards out of play, those that the other player is known to hold, the size of the stock, the number of cards of the
other player, what is asked for, and the open trump. One hidden layer of rectified sums leads to a number for each card and for playing
none; a set of cards has the sum of its numbers, and moves are as likely as the exponentials of theirs.
:mod:`croupier.durak.training` makes the weights.
"""

import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from croupier.durak.engine.bit_kernels import lowest, place
from croupier.durak.engine.board_kernels import Position
from croupier.durak.players.move_kernels import NO_MOVE, first_move, next_move, playable
from croupier.numerics.compiled import compiled, inlined
from croupier.numerics.random_kernels import Stream, fraction, splitmix_word

#: What a choice is described by: sets of cards, numbers, what is asked for (a lead, another attack card, a defence, cards to throw
#: in: 0 to 3), the open trump as a set, and its suit.
COLUMNS = 10
(HAND, TABLE, OPEN_CARD, DISCARDED, KNOWN, STOCK, COUNT, KIND, BOTTOM, TRUMP_SUIT) = range(COLUMNS)

#: Units of the hidden layer, and rows of its weights: five sets of cards, the size of the stock, the number of cards of the other
#: player (the last stands for more, too), what is asked for, the rank of the open trump.
HIDDEN = 32
PLACES = 36
CARD_SETS = 5
STOCK_INPUTS = CARD_SETS * PLACES
COUNT_INPUTS = STOCK_INPUTS + 25
COUNTS = 16
KIND_INPUTS = COUNT_INPUTS + COUNTS
BOTTOM_INPUTS = KIND_INPUTS + 4
INPUTS = BOTTOM_INPUTS + 9

#: One number for each card, and one for playing none.
OUTPUTS = PLACES + 1

#: Sums of the hidden layer; and, behind them in the same memory, the numbers of the cards.
Sums = NDArray[np.float32]

#: The numbers of cards, rounded up to what a processor adds at a time.
NUMBERS = 40

#: The shipped weights: one row per input, then one per number, then the biases of the numbers.
WEIGHTS_FILE = Path(__file__).with_name("play_model.npy")
_WEIGHTS = np.load(WEIGHTS_FILE)
_FIRST: NDArray[np.float32] = np.ascontiguousarray(_WEIGHTS[: INPUTS * HIDDEN].reshape(INPUTS, HIDDEN))
_SECOND: NDArray[np.float32] = np.zeros((HIDDEN + 1, NUMBERS), dtype=np.float32)
_SECOND[:HIDDEN, :OUTPUTS] = _WEIGHTS[INPUTS * HIDDEN : -OUTPUTS].reshape(OUTPUTS, HIDDEN).T
_SECOND[HIDDEN, :OUTPUTS] = _WEIGHTS[-OUTPUTS:]


@inlined
def _add_row(sums: Sums, row: int) -> None:
    for unit in range(HIDDEN):
        sums[unit] += _FIRST[row, unit]


@inlined
def _add_cards(sums: Sums, cards: int, first_row: int, trump_suit: int) -> None:
    """Add the rows of some cards."""
    while cards:
        _add_row(sums, first_row + (place(cards) ^ trump_suit))
        cards ^= lowest(cards)


@compiled
def write_public_part(seen: NDArray[np.int64], sums: Sums) -> None:
    """Fill in the sums of the hidden layer for all that a choice is described by except the hand."""
    suit = int(seen[TRUMP_SUIT])
    for unit in range(HIDDEN):
        sums[unit] = _FIRST[STOCK_INPUTS + seen[STOCK], unit]
    _add_row(sums, COUNT_INPUTS + min(int(seen[COUNT]), COUNTS - 1))
    _add_row(sums, KIND_INPUTS + int(seen[KIND]))
    _add_row(sums, BOTTOM_INPUTS + (place(int(seen[BOTTOM])) >> 2))
    for cards in range(TABLE, KNOWN + 1):
        _add_cards(sums, int(seen[cards]), cards * PLACES, suit)


@inlined
def _number_of(move: int, numbers: Sums, trump_suit: int) -> float:
    """Return the number of a move: that of playing none, or the sum over its cards."""
    if move == 0:
        return float(numbers[PLACES])
    total = 0.0
    while move:
        total += numbers[place(move) ^ trump_suit]
        move ^= lowest(move)
    return total


@compiled
def _write_numbers(hand: int, trump_suit: int, public: Sums, work: Sums) -> None:
    """Fill in the numbers of all cards for a hand."""
    hidden, numbers = work[:HIDDEN], work[HIDDEN:]
    for unit in range(HIDDEN):
        hidden[unit] = public[unit]
    _add_cards(hidden, hand, HAND * PLACES, trump_suit)
    for number in range(NUMBERS):
        numbers[number] = _SECOND[HIDDEN, number]
    for unit in range(HIDDEN):
        value = hidden[unit]
        if value > 0:
            for number in range(NUMBERS):
                numbers[number] += value * _SECOND[unit, number]


@compiled
def move_probability(
    position: Position, phase: int, hand: int, answer: int, public: Sums, work: Sums
) -> float:
    """Return the probability that a skilled player with a hand gives an answer, among all that the rules allow."""
    trump_suit = place(position.trumps) & 3
    numbers = work[HIDDEN:]
    _write_numbers(hand, trump_suit, public, work)
    chosen = _number_of(answer, numbers, trump_suit)
    cards = playable(position, phase)
    move = first_move(position, phase, cards)
    total = 0.0
    while move != NO_MOVE:
        total += math.exp(min(_number_of(move, numbers, trump_suit) - chosen, 50.0))
        move = next_move(position, phase, cards, move)
    return 1.0 / total


@compiled
def drawn_move(
    position: Position, phase: int, hand: int, sharpness: float, public: Sums, work: Sums, stream: Stream
) -> int:
    """Draw a move of a skilled player with a hand: each as likely as its probability to the power of the sharpness."""
    trump_suit = place(position.trumps) & 3
    numbers = work[HIDDEN:]
    _write_numbers(hand, trump_suit, public, work)
    cards = playable(position, phase)
    move = first_move(position, phase, cards)
    first = _number_of(move, numbers, trump_suit)
    chosen, total = move, 0.0
    while move != NO_MOVE:
        weight = math.exp(min(sharpness * (_number_of(move, numbers, trump_suit) - first), 50.0))
        total += weight
        if fraction(splitmix_word(stream)) * total < weight:
            chosen = move
        move = next_move(position, phase, cards, move)
    return chosen
