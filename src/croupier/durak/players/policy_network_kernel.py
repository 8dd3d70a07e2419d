"""How a player chooses that has learnt from its own games, as compiled code: a network that sees what the player in turn sees.

Suits are renamed so that clubs are trumps. The network is shown six sets of cards (the hand, the table, the card to be beaten, the
cards out of play, those of the other hand that are known, and those of its own hand that the other player knows), the size of the
stock, the number of cards in the other hand, what is asked for, the rank of the open trump, and how many cards may still be thrown in.
Two hidden layers of rectified sums lead to a number for each card and for playing none; choices are as likely as the exponentials of
theirs. Cards are thrown in one at a time, from the lowest to the highest. :mod:`croupier.durak.training` makes the weights.

There are two such policies of the same shape: one has learnt by playing itself, the other against a player that always plays its cheapest
card. How the other player is taken to choose says which of them is asked.
"""

import math
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.durak.engine.bit_kernels import count, lowest, place
from croupier.durak.engine.board_kernels import (
    ATTACK,
    DEFEND,
    THROW_IN,
    Position,
    seat_in_turn,
    throw_in_limit,
)
from croupier.durak.players.hidden_cards_kernel import CHEAP
from croupier.durak.players.known_cards_kernel import KnownCards, taken_by
from croupier.durak.players.move_kernels import NO_MOVE, first_move, next_move, playable
from croupier.durak.players.network_shapes import PLACES, PolicyShape, layers_of
from croupier.numerics.compiled import compiled, inlined
from croupier.numerics.half_words import Words, lower, packed, upper
from croupier.numerics.random_kernels import Stream, fraction, splitmix_word

#: Units of the hidden layers, and where the rows of each kind of input begin.
FIRST_UNITS, SECOND_UNITS = PolicyShape.FIRST_UNITS, PolicyShape.SECOND_UNITS
_STOCK, _COUNT, _KIND = PolicyShape.STOCK, PolicyShape.COUNT, PolicyShape.KIND
_RANK, _ROOM = PolicyShape.RANK, PolicyShape.ROOM
_MOST_COUNTED, _MOST_ROOM = PolicyShape.COUNTS - 1, PolicyShape.ROOMS - 1
OUTPUTS = PolicyShape.OUTPUTS

#: Memory for the hidden layers and the numbers, one after the other; overwritten by every evaluation.
Memory = NDArray[np.float32]
_NUMBERS = FIRST_UNITS + SECOND_UNITS
_PADDED = PolicyShape.PADDED_OUTPUTS
MEMORY = PolicyShape.MEMORY

_DECK_SIZE = 36

#: The shipped weights, which become part of the compiled code.
WEIGHTS_FILE = Path(__file__).with_name("policy_network.npy")
COUNTER_WEIGHTS_FILE = Path(__file__).with_name("counter_policy_network.npy")

_HALF = FIRST_UNITS // 2
_WORDS = SECOND_UNITS // 2


class _Weights(NamedTuple):
    """A network. The larger layers are in two parts: Numba makes arrays up to a million bytes part of the code, and only names larger ones."""

    first: NDArray[np.float32]  # of the first layer, for its first half of units
    rest: NDArray[np.float32]  # for the others
    lower: Words  # of the second layer, from the first half of units
    upper: Words  # from the others
    second_biases: NDArray[np.float32]
    output: NDArray[np.float32]
    output_biases: NDArray[np.float32]


def _read_weights(file: Path) -> _Weights:
    first, second, second_biases, output, output_biases = layers_of(
        np.load(file).astype(np.float32), PolicyShape
    )
    padding = (0, _PADDED - OUTPUTS)
    return _Weights(
        np.ascontiguousarray(first[:, :_HALF]),
        np.ascontiguousarray(first[:, _HALF:]),
        packed(second[:_HALF]),
        packed(second[_HALF:]),
        second_biases,
        np.pad(output, ((0, 0), padding)),
        np.pad(output_biases, padding),
    )


_SKILLED = _read_weights(WEIGHTS_FILE)
_COUNTER = _read_weights(COUNTER_WEIGHTS_FILE)


@inlined
def _add_row(weights: _Weights, sums: Memory, row: int) -> None:
    for unit in range(_HALF):
        sums[unit] += weights.first[row, unit]
    for unit in range(_HALF):
        sums[_HALF + unit] += weights.rest[row, unit]


@inlined
def _add_cards(weights: _Weights, sums: Memory, cards: int, first_row: int, trump_suit: int) -> None:
    while cards:
        _add_row(weights, sums, first_row + (place(cards) ^ trump_suit))
        cards ^= lowest(cards)


@inlined
def _add_layer(values: Memory, units: Memory, weights: Words, sums: Memory) -> None:
    """Add the rows of the units that are positive, each times its value; the values are overwritten.

    Four rows at a time: most of the work is to load and store the sums.
    """
    size = 0
    for unit in range(_HALF):
        if values[unit] > 0:
            values[size], units[size] = values[unit], unit
            size += 1
    while size % 4:
        values[size], units[size] = 0.0, 0
        size += 1
    for at in range(0, size, 4):
        first, second, third, fourth = values[at], values[at + 1], values[at + 2], values[at + 3]
        rows = int(units[at]), int(units[at + 1]), int(units[at + 2]), int(units[at + 3])
        for word in range(_WORDS):
            words = (
                weights[rows[0], word],
                weights[rows[1], word],
                weights[rows[2], word],
                weights[rows[3], word],
            )
            sums[word] += (
                first * upper(words[0])
                + second * upper(words[1])
                + third * upper(words[2])
                + fourth * upper(words[3])
            )
            sums[_WORDS + word] += (
                first * lower(words[0])
                + second * lower(words[1])
                + third * lower(words[2])
                + fourth * lower(words[3])
            )


@inlined
def _write_second_layer(weights: _Weights, memory: Memory) -> None:
    """Fill in the numbers of all cards from the sums of the first layer."""
    second = memory[FIRST_UNITS : FIRST_UNITS + SECOND_UNITS]
    numbers, units = memory[_NUMBERS : _NUMBERS + _PADDED], memory[_NUMBERS + _PADDED :]
    for unit in range(SECOND_UNITS):
        second[unit] = weights.second_biases[unit]
    _add_layer(memory[:_HALF], units, weights.lower, second)
    _add_layer(memory[_HALF:FIRST_UNITS], units, weights.upper, second)
    for number in range(_PADDED):
        numbers[number] = weights.output_biases[number]
    for unit in range(SECOND_UNITS):
        value = second[unit]
        if value > 0:
            for number in range(_PADDED):
                numbers[number] += value * weights.output[unit, number]


@inlined
def _write_numbers(
    weights: _Weights,
    position: Position,
    phase: int,
    thrown: int,
    known: KnownCards,
    trump: int,
    memory: Memory,
) -> None:
    suit, sums = trump & 3, memory[:FIRST_UNITS]
    seat = seat_in_turn(position, phase)
    own = (position.defend_hand if phase == DEFEND else position.attack_hand) & ~thrown
    other = position.attack_hand if phase == DEFEND else position.defend_hand
    is_open = position.drawn >= _DECK_SIZE - 1
    table = position.table | thrown
    kind = 1 + phase if phase != ATTACK or table else 0
    room = throw_in_limit(position) - count(thrown) if phase == THROW_IN else 0
    for unit in range(FIRST_UNITS):
        sums[unit] = 0.0
    _add_row(weights, sums, _STOCK + _DECK_SIZE - position.drawn)
    _add_row(weights, sums, _COUNT + min(count(other), _MOST_COUNTED))
    _add_row(weights, sums, _KIND + kind)
    _add_row(weights, sums, _RANK + (trump >> 2))
    _add_row(weights, sums, _ROOM + min(room, _MOST_ROOM))
    _add_cards(weights, sums, own, 0, suit)
    _add_cards(weights, sums, table, PLACES, suit)
    _add_cards(weights, sums, position.open_card, 2 * PLACES, suit)
    _add_cards(weights, sums, known.discarded, 3 * PLACES, suit)
    _add_cards(weights, sums, other if is_open else taken_by(known, 1 - seat) & other, 4 * PLACES, suit)
    _add_cards(weights, sums, own if is_open else taken_by(known, seat) & own, 5 * PLACES, suit)
    _write_second_layer(weights, memory)


@compiled
def write_numbers(
    model: int,
    position: Position,
    phase: int,
    thrown: int,
    known: KnownCards,
    trump: int,
    memory: Memory,
) -> None:
    """Fill in the numbers of all cards for the player in turn, who has thrown in some cards already.

    ``model`` is how the other player is taken to choose; ``trump`` is the number of the card under the stock.
    """
    if model == CHEAP:
        _write_numbers(_COUNTER, position, phase, thrown, known, trump, memory)
    else:
        _write_numbers(_SKILLED, position, phase, thrown, known, trump, memory)


@inlined
def _highest(cards: int, can_pass: bool, numbers: Memory, suit: int) -> float:
    """Return the highest number of what may be chosen."""
    highest = float(numbers[PLACES]) if can_pass else -1e30
    while cards:
        highest = max(highest, float(numbers[place(cards) ^ suit]))
        cards ^= lowest(cards)
    return highest


@inlined
def _log_sum(cards: int, can_pass: bool, numbers: Memory, suit: int) -> float:
    """Return the logarithm of the sum of the exponentials of what may be chosen."""
    highest = _highest(cards, can_pass, numbers, suit)
    total = math.exp(numbers[PLACES] - highest) if can_pass else 0.0
    while cards:
        total += math.exp(numbers[place(cards) ^ suit] - highest)
        cards ^= lowest(cards)
    return highest + math.log(total)


@inlined
def _lowest_renamed(cards: int, suit: int) -> int:
    """Return the card of a set that comes first when suits are renamed; no card of the empty set."""
    first, at = 0, PLACES
    while cards:
        card = lowest(cards)
        cards ^= card
        if place(card) ^ suit < at:
            first, at = card, place(card) ^ suit
    return first


@inlined
def _above(cards: int, card: int, suit: int) -> int:
    """Return the cards of a set that come behind a card when suits are renamed."""
    above, at = 0, place(card) ^ suit
    while cards:
        other = lowest(cards)
        cards ^= other
        if place(other) ^ suit > at:
            above |= other
    return above


@compiled
def log_chance(
    model: int,
    position: Position,
    phase: int,
    move: int,
    known: KnownCards,
    trump: int,
    memory: Memory,
) -> float:
    """Return the logarithm of the probability of a move: cards that are thrown in are chosen one after another."""
    suit, numbers = trump & 3, memory[_NUMBERS : _NUMBERS + OUTPUTS]
    can_pass = phase != ATTACK or position.table != 0
    cards = playable(position, phase)
    left = throw_in_limit(position) if phase == THROW_IN else 1
    total, thrown = 0.0, 0
    while cards and left:
        write_numbers(model, position, phase, thrown, known, trump, memory)
        card = _lowest_renamed(move & ~thrown, suit)
        chosen = numbers[place(card) ^ suit] if card else numbers[PLACES]
        total += chosen - _log_sum(cards, can_pass, numbers, suit)
        if card == 0 or phase != THROW_IN:
            break
        thrown |= card
        cards = _above(cards, card, suit)
        left -= 1
    return total


@compiled
def move_chances(
    model: int,
    position: Position,
    phase: int,
    known: KnownCards,
    trump: int,
    memory: Memory,
    moves: NDArray[np.int64],
    chances: NDArray[np.float64],
) -> int:
    """Fill in every move and the logarithm of its probability; return how many there are."""
    cards, size = playable(position, phase), 0
    move = first_move(position, phase, cards)
    while move != NO_MOVE and size < len(moves):
        moves[size] = move
        chances[size] = log_chance(model, position, phase, move, known, trump, memory)
        size += 1
        move = next_move(position, phase, cards, move)
    return size


@compiled
def likeliest_choices(
    model: int,
    position: Position,
    phase: int,
    known: KnownCards,
    trump: int,
    reach: float,
    memory: Memory,
    choices: NDArray[np.int64],
) -> int:
    """Fill in the choices, single cards or none, that are nearly as likely as the likeliest, which comes first; return how many.

    ``reach`` is how far the logarithm of their probability may lie behind. Cards to throw in are chosen otherwise.
    """
    can_pass = phase != ATTACK or position.table != 0
    cards = playable(position, phase)
    if cards == 0 or (not can_pass and cards == lowest(cards)):
        choices[0] = cards
        return 1
    suit, numbers = trump & 3, memory[_NUMBERS : _NUMBERS + OUTPUTS]
    write_numbers(model, position, phase, 0, known, trump, memory)
    highest = _highest(cards, can_pass, numbers, suit)
    size = 0
    if can_pass and numbers[PLACES] >= highest - reach:
        choices[0] = 0
        size = 1
    while cards:
        card = lowest(cards)
        cards ^= card
        number = float(numbers[place(card) ^ suit])
        if number >= highest - reach:
            choices[size] = card
            size += 1
            if number == highest:
                choices[0], choices[size - 1] = choices[size - 1], choices[0]
    return size


@inlined
def _drawn_card(cards: int, can_pass: bool, numbers: Memory, suit: int, stream: Stream) -> int:
    """Draw one of some cards, or none where that is allowed."""
    highest = _highest(cards, can_pass, numbers, suit)
    total = math.exp(numbers[PLACES] - highest) if can_pass else 0.0
    chosen = 0
    while cards:
        card = lowest(cards)
        cards ^= card
        weight = math.exp(numbers[place(card) ^ suit] - highest)
        total += weight
        if fraction(splitmix_word(stream)) * total < weight:
            chosen = card
    return chosen


@compiled
def drawn_move(
    model: int,
    position: Position,
    phase: int,
    known: KnownCards,
    trump: int,
    memory: Memory,
    stream: Stream,
) -> int:
    """Draw a move of the player in turn; the network is not asked where there is no choice."""
    suit, numbers = trump & 3, memory[_NUMBERS : _NUMBERS + OUTPUTS]
    can_pass = phase != ATTACK or position.table != 0
    cards = playable(position, phase)
    if not can_pass and cards == lowest(cards):
        return cards
    left = throw_in_limit(position) if phase == THROW_IN else 1
    played = 0
    while cards and left:
        thrown = played if phase == THROW_IN else 0
        write_numbers(model, position, phase, thrown, known, trump, memory)
        card = _drawn_card(cards, can_pass, numbers, suit, stream)
        if card == 0:
            break
        played |= card
        cards = _above(cards, card, suit)
        left -= 1
    return played
