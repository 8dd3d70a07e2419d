"""The exact value of a game in which every card is known: alpha-beta over compiled positions, with a table of values.

Such a game cannot go round in circles. A take leaves the attacker with fewer cards and the attack; a beaten bout leaves fewer
cards in play. So a value never depends on the way to a position, and the table may keep it for good.

Values are those of the attacker: 1 wins, 0 draws, -1 loses. An entry of the table holds everything that a value depends on,
not a hash of it, so two positions are never confused. Entries are kept for positions in which the attacker leads or goes on: only one move leads
to any other. They are kept for a stock that is empty or down to the open trump: what lies there is then the same whichever deal is
looked at. A full slot is written over.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.durak.engine.bit_kernels import beating, count, lowest, of_same_ranks, place
from croupier.durak.engine.board_kernels import (
    ATTACK,
    DEFEND,
    OVER,
    Position,
    Stock,
    answered,
    phase_of,
    seat_in_turn,
)
from croupier.durak.players.move_kernels import NO_MOVE, first_move, next_move, playable
from croupier.numerics.compiled import compiled, inlined

#: Two words an entry: the position, and the bounds of its value.
Memo = NDArray[np.int64]

#: How many more positions may be looked at; changed in place.
Allowance = NDArray[np.int64]

#: The positions on the way to the one that is looked at.
Stack = NDArray[np.int64]

#: Moves, or their values, one after another.
Moves = NDArray[np.int64]

#: The value of a search that ran out of its allowance.
UNKNOWN = 9

#: How many positions the most promising move gets before the other moves get a part of that each, and how much more in each turn after that.
_FIRST_SHARE = 1000
_SHARE_GROWTH = 4
_OTHERS_PART = 2

_DECK_SIZE = 36
_SUIT_COUNT = 4
_LOW_TABLE = (1 << 28) - 1
_BOUNDS_SHIFT = 54
_MOVE_SHIFT = 58
_KEY = (1 << _BOUNDS_SHIFT) - 1

#: How an entry writes the move that settled a position: the place of its card, none played, or nothing worth noting.
_NO_CARD = 36
_NOTHING_NOTED = 37

#: The columns of the stack: a position, the bounds between which its value matters, how far its moves have been tried, and the one
#: that is tried before the others.
(
    _ATTACK_HAND,
    _DEFEND_HAND,
    _TABLE,
    _OPEN_CARD,
    _IS_TAKING,
    _ROOM,
    _DRAWN,
    _ATTACKER,
    _PHASE,
    _FLOOR,
    _CEILING,
    _LOW,
    _HIGH,
    _BEST,
    _CARDS,
    _MOVE,
    _GUESS,
    _IS_GUESSING,
) = range(18)

#: How wide the stack is, and how deep: no game with known cards lasts as long as that.
STACK_SHAPE = (1024, 18)


class _Entry(NamedTuple):
    """Where a position is kept, and what is written there."""

    slot: int
    first: int
    second: int


@inlined
def _entry_of(position: Position, memo: Memo) -> _Entry:
    """Return the place of a position and the words that describe it in full."""
    trump_suit = place(position.trumps)
    is_capped = 1 if position.cap < _DECK_SIZE else 0
    left = _DECK_SIZE - position.drawn
    first = position.attack_hand | (position.table & _LOW_TABLE) << 36
    second = (
        position.defend_hand | (position.table >> 28) << 36 | trump_suit << 44 | is_capped << 46 | left << 47
    )
    mixed = np.uint64(first) * np.uint64(0x9E3779B97F4A7C15) ^ np.uint64(second) * np.uint64(
        0xC2B2AE3D27D4EB4F
    )
    mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    slot = int(np.int64((mixed >> np.uint64(20)) & np.uint64(len(memo) - 1)))
    return _Entry(slot, first, second)


@inlined
def _pushed(
    stack: Stack, depth: int, position: Position, phase: int, low: int, high: int, noted: int
) -> None:
    """Put a position on the stack, with the bounds between which its value matters and the move to try first."""
    frame = stack[depth]
    frame[_ATTACK_HAND] = position.attack_hand
    frame[_DEFEND_HAND] = position.defend_hand
    frame[_TABLE] = position.table
    frame[_OPEN_CARD] = position.open_card
    frame[_IS_TAKING] = position.is_taking
    frame[_ROOM] = position.room
    frame[_DRAWN] = position.drawn
    frame[_ATTACKER] = position.attacker
    frame[_PHASE] = phase
    frame[_FLOOR] = low
    frame[_CEILING] = high
    frame[_LOW] = low
    frame[_HIGH] = high
    frame[_BEST] = 2 if phase == DEFEND else -2
    cards = playable(position, phase)
    frame[_CARDS] = cards
    frame[_IS_GUESSING] = noted != _NOTHING_NOTED
    frame[_GUESS] = NO_MOVE
    frame[_MOVE] = first_move(position, phase, cards)
    if noted != _NOTHING_NOTED:
        frame[_GUESS] = 0 if noted == _NO_CARD else 1 << noted
        frame[_MOVE] = frame[_GUESS]


@inlined
def _following(position: Position, frame: Stack) -> int:
    """Return the move to try after the one that a frame holds."""
    phase, cards = frame[_PHASE], frame[_CARDS]
    if frame[_IS_GUESSING]:
        frame[_IS_GUESSING] = 0
        move = first_move(position, phase, cards)
    else:
        move = next_move(position, phase, cards, frame[_MOVE])
    if move != NO_MOVE and move == frame[_GUESS]:
        move = next_move(position, phase, cards, move)
    return move


@inlined
def _position_at(stack: Stack, depth: int, trumps: int, cap: int) -> Position:
    """Return the position of a frame."""
    frame = stack[depth]
    return Position(
        frame[_ATTACK_HAND],
        frame[_DEFEND_HAND],
        frame[_TABLE],
        frame[_OPEN_CARD],
        frame[_IS_TAKING],
        frame[_ROOM],
        frame[_DRAWN],
        frame[_ATTACKER],
        trumps,
        cap,
    )


@inlined
def _is_kept(position: Position, phase: int) -> bool:
    """Tell whether the table keeps a position."""
    return phase == ATTACK and position.drawn >= _DECK_SIZE - 1


@inlined
def _remembered(position: Position, phase: int, memo: Memo) -> tuple[int, int, int]:
    """Return the bounds that the table holds for a position, and the move that settled it."""
    if not _is_kept(position, phase):
        return -1, 1, _NOTHING_NOTED
    slot, first, second = _entry_of(position, memo)
    word = memo[slot, 1]
    if memo[slot, 0] != first or word & _KEY != second:
        return -1, 1, _NOTHING_NOTED
    return (word >> _BOUNDS_SHIFT & 3) - 1, (word >> _BOUNDS_SHIFT + 2 & 3) - 1, word >> _MOVE_SHIFT & 63


@inlined
def _remember(position: Position, frame: Stack, is_settled: bool, memo: Memo) -> None:
    """Write down what the value of a frame's position was found to be, and the move that settled it."""
    if not _is_kept(position, frame[_PHASE]):
        return
    least, most, noted = _remembered(position, ATTACK, memo)
    best, move = frame[_BEST], frame[_MOVE]
    if best > frame[_FLOOR]:
        least = max(least, best)
    if best < frame[_CEILING]:
        most = min(most, best)
    if is_settled and move & (move - 1) == 0:
        noted = place(move) if move else _NO_CARD
    slot, first, second = _entry_of(position, memo)
    memo[slot, 0] = first
    memo[slot, 1] = second | ((least + 1) | (most + 1) << 2 | noted << 4) << _BOUNDS_SHIFT


@inlined
def _final_value(position: Position) -> int:
    """Return how a finished game ended for its attacker."""
    if position.attack_hand == position.defend_hand:
        return 0
    return -1 if position.attack_hand else 1


@inlined
def _beaten_by(held: int, trumps: int) -> int:
    """Return every card of the pack that one of those held beats."""
    covered = held >> 4
    covered |= covered >> 4
    covered |= covered >> 8
    covered |= covered >> 16
    if held & trumps:
        covered |= ~trumps
    return covered


@inlined
def _leads_to_a_win(own: int, held: int, room: int, trumps: int) -> bool:
    """Tell at once that the attacker wins a new bout with an empty stock; False says nothing.

    Cards that the defender cannot beat are led from the lowest plain one to the highest trump: each has to be taken, and none of
    them beats a later one. That leaves the cards that can be beaten. Where they share one rank they are played one after another, and
    the last card wins, if the defender still holds two cards then.
    """
    covered = _beaten_by(held, trumps)
    weak = own & covered
    if weak == 0:
        return True
    holders = count(held)
    if holders >= _SUIT_COUNT:
        # Cards of the rank of one that has to be taken are thrown in after it; what cannot beat them cannot beat what is led later either.
        weak &= ~of_same_ranks(own & ~covered)
        if weak == 0:
            return True
    number = count(weak)
    if number > room or weak & ~of_same_ranks(lowest(weak)):
        return False
    return holders + count(own) - number > number


@inlined
def _goes_on_to_a_win(position: Position) -> bool:
    """Tell at once that the attacker wins a bout with an empty stock; False says nothing."""
    own, held, trumps = position.attack_hand, position.defend_hand, position.trumps
    if position.table == 0:
        return _leads_to_a_win(own, held, position.room, trumps)
    fitting = own & of_same_ranks(position.table)
    number = count(fitting)
    if number == 0 or number > position.room or number > count(held):
        return False
    if fitting == own and count(held) > number:
        return True
    if fitting & ~_beaten_by(held, trumps) == 0:
        return False
    return _leads_to_a_win(own ^ fitting, held | position.table | fitting, position.cap, trumps)


@inlined
def _answers_with_a_win(position: Position) -> bool:
    """Tell at once that the defender wins with an empty stock, by beating a card after which the attacker has none to add."""
    own, held, trumps = position.attack_hand, position.defend_hand, position.trumps
    if own == 0 or own & of_same_ranks(position.table):
        return False
    answers = held & beating(position.open_card, trumps) & ~of_same_ranks(own)
    while answers:
        card = lowest(answers)
        answers ^= card
        if _leads_to_a_win(held ^ card, own, position.cap, trumps):
            return True
    return False


@inlined
def _value_at_sight(position: Position, phase: int) -> int:
    """Return the value of a position that needs no search; :data:`UNKNOWN` where it does."""
    if phase == OVER:
        return _final_value(position)
    if position.drawn == _DECK_SIZE:
        if phase == ATTACK and _goes_on_to_a_win(position):
            return 1
        if phase == DEFEND and _answers_with_a_win(position):
            return -1
    return UNKNOWN


@inlined
def _folded(stack: Stack, depth: int, value: int) -> bool:
    """Take the value of a move into its frame; return whether the other moves cannot matter any more."""
    frame = stack[depth]
    if frame[_PHASE] == DEFEND:
        frame[_BEST] = min(frame[_BEST], value)
        frame[_HIGH] = min(frame[_HIGH], frame[_BEST])
    else:
        frame[_BEST] = max(frame[_BEST], value)
        frame[_LOW] = max(frame[_LOW], frame[_BEST])
    return bool(frame[_LOW] >= frame[_HIGH])


@compiled
def value_of(
    position: Position, low: int, high: int, stock: Stock, memo: Memo, allowance: Allowance, stack: Stack
) -> int:
    """Return the value of a position for its attacker, as far as it lies between two bounds.

    A value at or below ``low``, or at or above ``high``, is itself only a bound; :data:`UNKNOWN` means that the allowance is
    used up, and what was found out until then is in the table.

    The stack is kept by hand: Numba cannot reload a compiled function that calls itself.
    """
    trumps, cap = position.trumps, position.cap
    depth = -1
    while True:
        phase = phase_of(position)
        least, most, noted = -1, 1, _NOTHING_NOTED
        value = _value_at_sight(position, phase)
        is_known = value != UNKNOWN
        if not is_known:
            allowance[0] -= 1
            least, most, noted = _remembered(position, phase, memo)
            value = least if least >= high or least == most else most
            is_known = least >= high or most <= low or least == most
        if not is_known:
            depth += 1
            if depth == len(stack) or allowance[0] < 0:
                return UNKNOWN
            _pushed(stack, depth, position, phase, max(low, least), min(high, most), noted)
        else:
            while depth >= 0:
                frame = stack[depth]
                if position.attacker != frame[_ATTACKER]:
                    value = -value
                position = _position_at(stack, depth, trumps, cap)
                is_settled = _folded(stack, depth, value)
                if not is_settled:
                    move = _following(position, frame)
                    if move != NO_MOVE:
                        frame[_MOVE] = move
                        break
                value = frame[_BEST]
                _remember(position, frame, is_settled, memo)
                depth -= 1
            if depth < 0:
                return value
        frame = stack[depth]
        above = _position_at(stack, depth, trumps, cap)
        position = answered(above, frame[_PHASE], frame[_MOVE], stock)
        is_turned = position.attacker != above.attacker
        low = -frame[_HIGH] if is_turned else frame[_LOW]
        high = -frame[_LOW] if is_turned else frame[_HIGH]


@compiled
def bout_value(
    position: Position, positions: int, stock: Stock, memo: Memo, allowance: Allowance, stack: Stack
) -> int:
    """Return the value of a position for its attacker; :data:`UNKNOWN` if looking at so many positions does not settle it."""
    allowance[0] = positions
    wins = value_of(position, 0, 1, stock, memo, allowance, stack)
    if wins in (UNKNOWN, 1):
        return wins
    draws = value_of(position, -1, 0, stock, memo, allowance, stack)
    return draws if draws == UNKNOWN else min(draws, 0)


@inlined
def _is_at_least(
    goal: int,
    seat: int,
    after: Position,
    stock: Stock,
    memo: Memo,
    allowance: Allowance,
    stack: Stack,
) -> int:
    """Tell whether a position is worth a value or more to a player: 1 yes, 0 no, :data:`UNKNOWN`."""
    is_own = after.attacker == seat
    low = goal - 1 if is_own else -goal
    value = value_of(after, low, low + 1, stock, memo, allowance, stack)
    if value == UNKNOWN:
        return UNKNOWN
    return 1 if (value > low) == is_own else 0


@inlined
def _put_first(promising: Moves, moves: Moves, size: int) -> None:
    """Put some of the moves before the others, in their order."""
    front = 0
    for wanted in promising:
        for number in range(front, size):
            if moves[number] == wanted:
                moves[front], moves[number] = moves[number], moves[front]
                front += 1
                break


@compiled
def move_bounds(
    position: Position,
    stock: Stock,
    memo: Memo,
    allowance: Allowance,
    stack: Stack,
    moves: Moves,
    least: Moves,
    most: Moves,
    is_complete: bool,
    promising: Moves,
) -> int:
    """Write down every move and the bounds of its value for the player in turn; return how many moves there are.

    First it is asked which moves win, then which of the others draw. Every move gets a few positions before any of them gets more, so
    that an easy proof is not kept waiting by a hard one; the first that is still open gets more of them. Promising moves come first, in their
    order. Unless every value is wanted, the first winning move ends it. Moves on which the allowance runs out keep wide bounds.
    """
    phase = phase_of(position)
    seat = seat_in_turn(position, phase)
    cards = playable(position, phase)
    move = first_move(position, phase, cards)
    size = 0
    while move != NO_MOVE:
        moves[size], least[size], most[size] = move, -1, 1
        size += 1
        move = next_move(position, phase, cards, move)
    _put_first(promising, moves, size)
    for goal in range(1, -1, -1):
        share = _FIRST_SHARE
        is_open = True
        while is_open and allowance[0] > 0:
            is_open = False
            part = share
            for number in range(size):
                if least[number] >= goal or most[number] < goal or allowance[0] <= 0:
                    continue
                rest = max(0, allowance[0] - part)
                part = share // _OTHERS_PART
                allowance[0] -= rest
                after = answered(position, phase, moves[number], stock)
                answer = _is_at_least(goal, seat, after, stock, memo, allowance, stack)
                allowance[0] = max(0, allowance[0]) + rest
                if answer == UNKNOWN:
                    is_open = True
                elif answer:
                    least[number] = goal
                    if goal == 1 and not is_complete:
                        return size
                else:
                    most[number] = goal - 1
            share *= _SHARE_GROWTH
        if is_open:
            break
    return size
