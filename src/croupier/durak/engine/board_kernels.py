"""Durak as compiled code: positions as a few integers, for play-outs and search.

The readable engine is the definition; this is tested equal to it, move by move. A :class:`Position` is a tuple of scalars: it is
copied for nothing, and an operation returns a new one, so a search needs no undo and nothing is allocated. The stock is an
array of card numbers (``code - 16``) beside it, 36 of them, of which the position says how many are gone; it is only read.

Nothing here verifies: callers play what :func:`attack_moves`, :func:`defence_moves` and :func:`throw_in_moves` allow. A
move is a set of cards in any phase, and the empty set means done, take, or nothing more; :func:`answered` plays it.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.durak.engine.bit_kernels import CLUBS, beating, count, of_same_ranks
from croupier.numerics.compiled import compiled, inlined

Stock = NDArray[np.int8]

#: What the player in turn is asked for.
ATTACK, DEFEND, THROW_IN, OVER = range(4)

_DECK_SIZE = 36
_HAND_SIZE = 6


class Position(NamedTuple):
    """A game at some moment; sets of cards are bits."""

    attack_hand: int
    defend_hand: int
    table: int  # every card on the table
    open_card: int  # the attack card that is to be beaten; 0 where there is none
    is_taking: int  # 1 while the attacker is asked for more after a take
    room: int  # how many more attack cards the rules allow in this bout
    drawn: int  # cards gone from the deck
    attacker: int  # seat 0 or 1
    trumps: int  # every card of the trump suit
    cap: int  # attack cards allowed in each later bout


@inlined
def started(stock: Stock, leader: int, first_cap: int, cap: int) -> Position:
    """Return the position after the deal: six cards each, the last of the deck is trump."""
    first, second = 0, 0
    for number in range(_HAND_SIZE):
        first |= 1 << int(stock[number])
        second |= 1 << int(stock[number + _HAND_SIZE])
    trumps = CLUBS << (int(stock[_DECK_SIZE - 1]) & 3)
    attack_hand = first if leader == 0 else second
    defend_hand = second if leader == 0 else first
    return Position(attack_hand, defend_hand, 0, 0, 0, first_cap, 2 * _HAND_SIZE, leader, trumps, cap)


@inlined
def lowest_trump_leader(stock: Stock) -> int:
    """Return the seat whose hand holds the lowest trump; -1 where neither holds one."""
    suit = stock[_DECK_SIZE - 1] & 3
    leader, lowest_trump = -1, _DECK_SIZE
    for number in range(2 * _HAND_SIZE):
        card = stock[number]
        if card & 3 == suit and card < lowest_trump:
            lowest_trump = card
            leader = number // _HAND_SIZE
    return leader


@inlined
def phase_of(position: Position) -> int:
    """Return what the player in turn is asked for."""
    if position.drawn == _DECK_SIZE and (position.attack_hand == 0 or position.defend_hand == 0):
        is_last_answer = (
            position.open_card != 0
            and position.is_taking == 0
            and count(position.defend_hand) == 1
            and position.defend_hand & beating(position.open_card, position.trumps) != 0
        )
        if not is_last_answer:
            return OVER
    if position.is_taking:
        return THROW_IN
    return DEFEND if position.open_card else ATTACK


@inlined
def seat_in_turn(position: Position, phase: int) -> int:
    """Return the seat that answers in a phase other than the end."""
    return 1 - position.attacker if phase == DEFEND else position.attacker


@inlined
def score_of_first(position: Position) -> int:
    """Return how a finished game ended for seat 0: 1 won, -1 lost, 0 drawn."""
    if position.attack_hand == 0 and position.defend_hand == 0:
        return 0
    winner = position.attacker if position.attack_hand == 0 else 1 - position.attacker
    return 1 if winner == 0 else -1


@inlined
def attack_moves(position: Position) -> int:
    """Return the cards that the attacker may play; they may also be done, unless the table is empty."""
    if position.table == 0:
        return position.attack_hand
    return position.attack_hand & of_same_ranks(position.table)


@inlined
def defence_moves(position: Position) -> int:
    """Return the cards with which the defender may beat the open card; the defender may also take."""
    return position.defend_hand & beating(position.open_card, position.trumps)


@inlined
def throw_in_moves(position: Position) -> int:
    """Return the cards that may be thrown in after a take; see :func:`throw_in_limit` for how many."""
    return position.attack_hand & of_same_ranks(position.table)


@inlined
def throw_in_limit(position: Position) -> int:
    """Return how many cards may be thrown in after a take."""
    return max(0, min(count(position.defend_hand) - 1, position.room))


@inlined
def attacked(position: Position, card: int) -> Position:
    """Return the position after an attack card."""
    return Position(
        position.attack_hand ^ card,
        position.defend_hand,
        position.table | card,
        card,
        0,
        position.room - 1,
        position.drawn,
        position.attacker,
        position.trumps,
        position.cap,
    )


@compiled
def finished(position: Position, stock: Stock) -> Position:
    """Return the position after a beaten bout: the table is out of play, the attacker refills first, roles change."""
    attack_hand, drawn = _refilled(position.attack_hand, position.drawn, stock)
    defend_hand, drawn = _refilled(position.defend_hand, drawn, stock)
    return Position(
        defend_hand,
        attack_hand,
        0,
        0,
        0,
        position.cap,
        drawn,
        1 - position.attacker,
        position.trumps,
        position.cap,
    )


@inlined
def defended(position: Position, card: int, stock: Stock) -> Position:
    """Return the position after the open card was beaten; the bout may end with it, and so may the game."""
    after = Position(
        position.attack_hand,
        position.defend_hand ^ card,
        position.table | card,
        0,
        0,
        position.room,
        position.drawn,
        position.attacker,
        position.trumps,
        position.cap,
    )
    is_bare = after.attack_hand == 0 or after.defend_hand == 0
    if is_bare and after.drawn == _DECK_SIZE:
        return after
    return finished(after, stock) if is_bare or after.room <= 0 else after


@inlined
def taken(position: Position, stock: Stock) -> Position:
    """Return the position after the defender gives up: the attacker is asked for more, unless the hand is empty."""
    if position.attack_hand == 0:
        return given_more(position, 0, stock)
    return Position(
        position.attack_hand,
        position.defend_hand,
        position.table,
        position.open_card,
        1,
        position.room,
        position.drawn,
        position.attacker,
        position.trumps,
        position.cap,
    )


@compiled
def given_more(position: Position, cards: int, stock: Stock) -> Position:
    """Return the position after cards, or none, were thrown in: the defender has taken all, the attacker refills.

    Where the last card ended the game, the cards of the bout lie with the taker here; the readable engine leaves them on
    the table. The result is the same.
    """
    attack_hand, drawn = _refilled(position.attack_hand ^ cards, position.drawn, stock)
    return Position(
        attack_hand,
        position.defend_hand | position.table | cards,
        0,
        0,
        0,
        position.cap,
        drawn,
        position.attacker,
        position.trumps,
        position.cap,
    )


@inlined
def answered(position: Position, phase: int, cards: int, stock: Stock) -> Position:
    """Return the position after an answer in a phase: cards are played; none means done, take, or nothing more."""
    if phase == ATTACK:
        return attacked(position, cards) if cards else finished(position, stock)
    if phase == DEFEND:
        return defended(position, cards, stock) if cards else taken(position, stock)
    return given_more(position, cards, stock)


@inlined
def _refilled(hand: int, drawn: int, stock: Stock) -> tuple[int, int]:
    """Draw a hand up to six, as far as the stock goes."""
    wanted = min(_HAND_SIZE - count(hand), _DECK_SIZE - drawn)
    for number in range(drawn, drawn + wanted):
        hand |= 1 << int(stock[number])
    return hand, drawn + max(0, wanted)
