"""Checks recorded games a second time, compiled: thousands a second, and only whether all of a game fits.

:mod:`~croupier.durak.engine.record_check` is the definition and says what is wrong. This answers *yes* for a game in which
nothing is, and *unsure* for any other: one that does not fit, or that has anything unusual about it (options, a forfeit).
"""

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.durak.engine.bit_kernels import count
from croupier.durak.engine.board_kernels import (
    ATTACK,
    OVER,
    THROW_IN,
    answered,
    attack_moves,
    defence_moves,
    phase_of,
    score_of_first,
    started,
    throw_in_limit,
    throw_in_moves,
)
from croupier.durak.engine.pack import LOWEST_CARD, PACK, PACK_SIZE, RANKS, SUITS, card_text
from croupier.durak.engine.record import FENCE, FORFEIT, PLAYERS, RULES, UNFINISHED, LogEntry
from croupier.numerics.compiled import compiled, inlined

_NUMBERS = {card_text(card): card - LOWEST_CARD for card in PACK}
_number_of = _NUMBERS.__getitem__
_SEATS = {player: seat for seat, player in enumerate(PLAYERS)}
_SCORES = {"1-0": 1, "0-1": -1, "s-s": 0}
_UNUSUAL = (RULES, FORFEIT, UNFINISHED)

#: How many numbers stand before the cards of a bout: how many the first player holds, are played, the second player holds and are
#: thrown in; who attacks; and the size of the stock.
_BOUT_HEAD = 6

#: Where it is said who attacks; in the first bout, that is who leads.
_LEADER = 4

#: A game as the arena writes it.
_MOVES, _TO_MOVE, _FIRST_CARDS, _PLAYED, _DECK_COUNT, _SECOND_CARDS, _GIVEN, _END_OF_BOUT, _NEXT = (
    np.frombuffer(bytearray(literal), np.uint8)
    for literal in (
        b'{"moves": [',
        b'{"to_move": "player',
        b'", "player1_cards": [',
        b', "moves_and_responds": [',
        b', "deck_count": ',
        b', "player2_cards": [',
        b', "given_more": [',
        b"}",
        b", ",
    )
)
_QUOTE, _CLOSE, _ZERO, _ONE = b'"]01'

#: The rank and the suit that a character stands for; -1 for any other.
_RANK_OF, _SUIT_OF = (
    np.array([letters.find(chr(code)) for code in range(256)], np.int8) for letters in (RANKS, SUITS)
)

_WHOLE_PACK = (1 << PACK_SIZE) - 1


def certainly_fits(entry: LogEntry) -> bool:
    """Return whether a game of a log is whole and replays to its result; False where that is not certain.

    Examples
    --------
    >>> certainly_fits(LogEntry(1, "####2026-11-15T05:48:09, a - b (1-0)####", "{}"))
    False
    """
    try:
        bouts, facts = _bouts_and_facts(entry.text)
        if any(name in facts for name in _UNUSUAL) or entry.header != _header(facts):
            return False
        deck = bytearray(map(_number_of, facts["deck"]))
        if len(deck) != PACK_SIZE or deck[-1] != _number_of(facts["opened_trump"]):
            return False
        if not len(bouts) or not isinstance(facts["deck"], list):
            return False
        leader, score = int(bouts[_LEADER]), _SCORES[facts["result"]]
        return bool(_replays(np.frombuffer(deck, np.int8), bouts, leader, score))
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError):
        return False  # not as the arena writes it: whoever explains why reads it with care


def _bouts_and_facts(text: str) -> tuple[NDArray[np.int8], dict[str, Any]]:
    """Return the bouts of a game as numbers, and its other fields.

    The bouts are most of the text. Where they come first and are written as the arena writes them, they are read compiled.
    """
    data = np.frombuffer(bytearray(text.encode()), np.uint8)
    bouts = np.empty(len(data), np.int8)
    end, size = _scanned_bouts(data, bouts)
    facts = json.loads("{" + text.encode()[end:].decode() if end else text)
    if end and "moves" not in facts:
        return bouts[:size], facts
    facts = json.loads(text)
    if not isinstance(facts["moves"], list):
        raise TypeError
    return np.frombuffer(bytearray().join(map(_bout_bytes, facts["moves"])), np.int8), facts


def _header(data: dict[str, str]) -> str:
    first, second = (" ".join(data[f"{player}_name"].split()) for player in PLAYERS)
    started_at = data["started_at"].split(".")[0]
    if type(data["ended_at"]) is not str:
        raise TypeError
    return f"{FENCE}{started_at}, {first} - {second} ({data['result']}){FENCE}"


def _bout_bytes(bout: dict[str, Any]) -> bytes:
    first, second = bout["player1_cards"], bout["player2_cards"]
    played, given = bout["moves_and_responds"], bout["given_more"]
    left = bout["deck_count"]
    if type(left) is not int or any(type(cards) is not list for cards in (first, second, played, given)):
        raise TypeError
    head = (len(first), len(played), len(second), len(given), _SEATS[bout["to_move"]], left)
    return bytes(head) + bytes(map(_number_of, (*first, *played, *second, *given)))


@inlined
def _after(text: NDArray[np.uint8], at: int, literal: NDArray[np.uint8]) -> int:
    """Return the place after a literal; -1 where something else stands there, or the place is none."""
    if at < 0 or at + len(literal) > len(text):
        return -1
    for number in range(len(literal)):
        if text[at + number] != literal[number]:
            return -1
    return at + len(literal)


@compiled
def _scanned_cards(text: NDArray[np.uint8], at: int, bouts: NDArray[np.int8], size: int) -> tuple[int, int]:
    """Read cards up to the end of their list; return the place after it, or -1, and how many numbers are written by then."""
    if at < 0 or at >= len(text):
        return -1, size
    if text[at] == _CLOSE:
        return at + 1, size
    while at + 4 < len(text):
        rank, suit = _RANK_OF[text[at + 1]], _SUIT_OF[text[at + 2]]
        if rank < 0 or suit < 0 or text[at] != _QUOTE or text[at + 3] != _QUOTE:
            return -1, size
        bouts[size] = 4 * rank + suit
        size += 1
        if text[at + 4] == _CLOSE:
            return at + 5, size
        at = _after(text, at + 4, _NEXT)
        if at < 0:
            break
    return -1, size


@compiled
def _scanned_bouts(text: NDArray[np.uint8], bouts: NDArray[np.int8]) -> tuple[int, int]:
    """Read the bouts of a game from its JSON as the arena writes it; return where its other fields begin, and the size of the bouts.

    Where the text is written in any other way, the place is 0.
    """
    at, size = _after(text, 0, _MOVES), 0
    while at > 0:
        head = size
        size += _BOUT_HEAD
        at = _after(text, at, _TO_MOVE)
        if at < 0 or at >= len(text) or not _ONE <= text[at] <= _ONE + 1:
            break
        bouts[head + _LEADER] = text[at] - _ONE
        at, end = _scanned_cards(text, _after(text, at + 1, _FIRST_CARDS), bouts, size)
        bouts[head] = end - size
        at, size = _scanned_cards(text, _after(text, at, _PLAYED), bouts, end)
        bouts[head + 1] = size - end
        at = _after(text, at, _DECK_COUNT)
        left = 0
        begin = at
        while 0 < at < len(text) and _ZERO <= text[at] < _ZERO + 10 and at < begin + 2:
            left = 10 * left + text[at] - _ZERO
            at += 1
        if at == begin or (text[begin] == _ZERO and at > begin + 1):
            break
        bouts[head + _LEADER + 1] = left
        at, end = _scanned_cards(text, _after(text, at, _SECOND_CARDS), bouts, size)
        bouts[head + 2] = end - size
        at, size = _scanned_cards(text, _after(text, at, _GIVEN), bouts, end)
        bouts[head + 3] = size - end
        at = _after(text, at, _END_OF_BOUT)
        if at < 0 or at >= len(text):
            break
        if text[at] == _CLOSE:
            at = _after(text, at + 1, _NEXT)
            return max(0, at), size
        at = _after(text, at, _NEXT)
    return 0, 0


@inlined
def _set_of(cards: NDArray[np.int8], begin: int, size: int) -> int:
    """Return some of the cards as a set."""
    found = 0
    for place in range(begin, begin + size):
        found |= 1 << int(cards[place])
    return found


@compiled
def _replays(deck: NDArray[np.int8], bouts: NDArray[np.int8], leader: int, score: int) -> bool:
    """Return whether every bout begins and goes as it is recorded, and the game ends with this score of seat 0."""
    if _set_of(deck, 0, PACK_SIZE) != _WHOLE_PACK:
        return False
    position = started(deck, leader, PACK_SIZE, PACK_SIZE)
    place = 0
    while place < len(bouts):
        if phase_of(position) == OVER:
            return False
        sizes = bouts[place : place + 4]
        attacker, left = bouts[place + 4], bouts[place + 5]
        begin = place + _BOUT_HEAD
        first = _set_of(bouts, begin, sizes[0])
        cards = begin + sizes[0]
        second = _set_of(bouts, cards + sizes[1], sizes[2])
        attack_hand, defend_hand = (first, second) if attacker == 0 else (second, first)
        is_as_recorded = (
            position.attacker == attacker
            and PACK_SIZE - position.drawn == left
            and position.attack_hand == attack_hand
            and position.defend_hand == defend_hand
            and count(first) == sizes[0]
            and count(second) == sizes[2]
        )
        if not is_as_recorded or sizes[1] == 0:
            return False
        has_ended = False
        for number in range(cards, cards + sizes[1]):
            card = 1 << int(bouts[number])
            phase = phase_of(position)
            allowed = attack_moves(position) if phase == ATTACK else defence_moves(position)
            if has_ended or card & allowed == 0:
                return False
            position = answered(position, phase, card, deck)
            has_ended = position.table == 0 or phase_of(position) == OVER
        rest = cards + sizes[1] + sizes[2]
        given = _set_of(bouts, rest, sizes[3])
        if not has_ended:
            position = answered(position, phase_of(position), 0, deck)
            if phase_of(position) == THROW_IN:
                if given & ~throw_in_moves(position) or count(given) > throw_in_limit(position):
                    return False
                position = answered(position, THROW_IN, given, deck)
                given = 0
        if given:
            return False
        place = rest + sizes[3]
    return phase_of(position) == OVER and score_of_first(position) == score
