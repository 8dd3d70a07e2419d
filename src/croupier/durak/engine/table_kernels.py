"""Games of any variant as compiled code: a position is an array that its moves change. Tested equal to the readable engine.

Sets of cards are bits of a 64-bit integer, one for each card code. :mod:`~croupier.durak.engine.board_kernels` is the faster code
for two players and 36 cards.
"""

import numpy as np
from numpy.typing import NDArray

from croupier.durak.engine.bit_kernels import count, place
from croupier.numerics.compiled import compiled_lean, inlined_lean

Numbers = NDArray[np.int64]

HAND_SIZE = 6

#: So many takes in a row, with nobody drawing a card, end a game in a draw, as in the readable engine.
MOST_TAKES = 60


#: Where a position keeps what. The hands of up to six seats come first; then every card on the table, how many attack cards are not
#: beaten, their codes in order (at most four), whether a card of this bout was beaten, how many attack cards it has seen, how many of
#: them were thrown in after a take, whether the defender takes, the seats that have nothing to add (as bits), the trumps that were shown,
#: attacker, defender, bout, how many cards were drawn of how many, and the takes in a row.
AT_TABLE, AT_OPEN, AT_QUEUE, AT_BEATEN, AT_ATTACKS, AT_THROWN, AT_TAKING, AT_PASSED, AT_SHOWN = (
    6,
    7,
    8,
    12,
    13,
    14,
    15,
    16,
    17,
)
AT_ATTACKER, AT_DEFENDER, AT_BOUT, AT_DRAWN, AT_SIZE, AT_TAKES, POSITION_LENGTH = 18, 19, 20, 21, 22, 23, 24

#: Where the numbers of the rules are kept. Who may add cards: 0 nobody, 1 the attacker, 2 neighbours, 3 all. A seat's side is the seat
#: modulo RULE_SIDES. Transfers: 0 none, 1 by a card, 2 also by a shown trump.
RULE_PLAYERS, RULE_FIRST_CAP, RULE_CAP, RULE_ADDERS, RULE_SIDES, RULE_TRANSFERS, RULE_FIRST_TRANSFER = range(
    7
)
RULE_DRAWS, RULE_SPADES, RULE_TRUMP_SUIT, RULES_LENGTH = range(7, 11)

#: What a player does, and what the player in turn is asked for.
ATTACK, DONE, DEFEND, TAKE, THROW_IN, TRANSFER, SHOW = range(7)
ASKED_ATTACK, ASKED_DEFENCE, ASKED_THROW_IN, ASKED_NOTHING = range(4)

_CLUBS = 0x1111111111111
_RANKS = 0x11111111111111
_BLACK, _JOKERS, _RED = 52, 3 << 52, 1 << 53
_SPADES = 3


@inlined_lean
def trumps_of(rules: Numbers) -> int:
    """Return all trumps, jokers included."""
    return int(_CLUBS << rules[RULE_TRUMP_SUIT]) | _JOKERS


@inlined_lean
def of_ranks(cards: int) -> int:
    """Return every card whose rank is in a set."""
    return ((cards | cards >> 1 | cards >> 2 | cards >> 3) & _RANKS) * 15


@inlined_lean
def beating_cards(card: int, rules: Numbers) -> int:
    """Return every card that beats one, given by its code."""
    if card >= _BLACK:
        return _RED if card == _BLACK else 0
    suit = card & 3
    higher = (_CLUBS << suit) & ~((1 << (card + 1)) - 1)
    if suit == _SPADES and rules[RULE_SPADES]:
        return higher
    return higher | (_JOKERS if suit == rules[RULE_TRUMP_SUIT] else trumps_of(rules))


@inlined_lean
def target_of(position: Numbers, rules: Numbers, attacker: int) -> int:
    """Return whom a seat attacks; -1 where there is nobody."""
    players = rules[RULE_PLAYERS]
    for step in range(1, players):
        seat = (attacker + step) % players
        if position[seat] and (seat - attacker) % rules[RULE_SIDES]:
            return int(seat)
    return -1


@inlined_lean
def adder_of(position: Numbers, rules: Numbers) -> int:
    """Return who is asked next to add a card; -1 where nobody is left."""
    who, passed = rules[RULE_ADDERS], position[AT_PASSED]
    attacker, defender = position[AT_ATTACKER], position[AT_DEFENDER]
    if who == 0:
        return -1
    if position[attacker] and not (passed >> attacker) & 1:
        return int(attacker)
    if who == 1:
        return -1
    players = rules[RULE_PLAYERS]
    for step in range(1, players):
        seat = (defender + step) % players
        if not position[seat]:
            continue
        may = seat != attacker and (seat - defender) % rules[RULE_SIDES] != 0
        if may and not (passed >> seat) & 1:
            return int(seat)
        if who == 2:
            return -1
    return -1


@inlined_lean
def attack_room(position: Numbers, rules: Numbers) -> int:
    """Return how many more attack cards the rules allow in this bout."""
    cap = rules[RULE_FIRST_CAP] if position[AT_BOUT] == 1 else rules[RULE_CAP]
    return int(cap - position[AT_ATTACKS])


@inlined_lean
def throw_in_room(position: Numbers, rules: Numbers) -> int:
    """Return how many cards may be thrown in after a take."""
    hand = count(position[position[AT_DEFENDER]]) - position[AT_OPEN] - position[AT_THROWN]
    return int(max(0, min(hand, attack_room(position, rules))))


@inlined_lean
def is_over(position: Numbers, rules: Numbers) -> bool:
    """Tell whether the game has ended."""
    if position[AT_TAKES] >= MOST_TAKES:
        return True
    if position[AT_DRAWN] < position[AT_SIZE]:
        return False
    holder, holders = -1, 0
    for seat in range(rules[RULE_PLAYERS]):
        if position[seat]:
            if holders and (seat - holder) % rules[RULE_SIDES]:
                return False
            holder, holders = seat, holders + 1
    if not rules[RULE_DRAWS] or position[AT_TAKING] or not position[AT_OPEN]:
        return True
    hand = position[position[AT_DEFENDER]]
    if holders != 1 or holder != position[AT_DEFENDER] or count(hand) != position[AT_OPEN]:
        return True
    return not hand & beating_cards(position[AT_QUEUE], rules)


@inlined_lean
def asked_of(position: Numbers, rules: Numbers) -> int:
    """Return what the player in turn is asked for."""
    if is_over(position, rules):
        return ASKED_NOTHING
    if position[AT_TAKING]:
        return ASKED_THROW_IN
    return ASKED_DEFENCE if position[AT_OPEN] else ASKED_ATTACK


@inlined_lean
def turn_of(position: Numbers, rules: Numbers, asked: int) -> int:
    """Return the seat in turn in a game that is not over."""
    if asked == ASKED_DEFENCE:
        return int(position[AT_DEFENDER])
    return adder_of(position, rules) if position[AT_TABLE] else int(position[AT_ATTACKER])


@inlined_lean
def _can_pass_on(position: Numbers, rules: Numbers, added: int) -> bool:
    early = position[AT_BOUT] == 1 and not rules[RULE_FIRST_TRANSFER]
    if not rules[RULE_TRANSFERS] or early or position[AT_BEATEN] or attack_room(position, rules) < added:
        return False
    target = target_of(position, rules, position[AT_DEFENDER])
    return target >= 0 and count(position[target]) >= position[AT_OPEN] + added


@inlined_lean
def transfer_cards(position: Numbers, rules: Numbers) -> int:
    """Return the cards with which the defender may pass the attack on."""
    if not _can_pass_on(position, rules, 1):
        return 0
    return int(position[position[AT_DEFENDER]] & of_ranks(position[AT_TABLE]))


@inlined_lean
def show_cards(position: Numbers, rules: Numbers) -> int:
    """Return the trumps that the defender may show to pass the attack on."""
    if rules[RULE_TRANSFERS] != 2 or not _can_pass_on(position, rules, 0):
        return 0
    hand = position[position[AT_DEFENDER]] & of_ranks(position[AT_TABLE])
    return int(hand & trumps_of(rules) & ~position[AT_SHOWN])


@compiled_lean
def end_bout(position: Numbers, rules: Numbers, deck: Numbers) -> None:
    """Clear the table, refill the hands, and begin the next bout."""
    players, attacker, defender = rules[RULE_PLAYERS], position[AT_ATTACKER], position[AT_DEFENDER]
    first = defender
    takes, drawn = 0, position[AT_DRAWN]
    if position[AT_TAKING]:
        takes = position[AT_TAKES] + 1
        position[defender] |= position[AT_TABLE]
        first = (defender + 1) % players
    for entry in range(AT_TABLE, AT_ATTACKER):
        position[entry] = 0
    position[AT_BOUT] += 1
    for step in range(players + 1):
        seat = (attacker + step) % players if step < players else defender
        if step < players and seat == defender:
            continue
        while count(position[seat]) < HAND_SIZE and position[AT_DRAWN] < position[AT_SIZE]:
            position[seat] |= 1 << deck[position[AT_DRAWN]]
            position[AT_DRAWN] += 1
    position[AT_TAKES] = takes if position[AT_DRAWN] == drawn else 0
    if is_over(position, rules):
        return
    while not position[first]:
        first = (first + 1) % players
    position[AT_ATTACKER] = first
    position[AT_DEFENDER] = target_of(position, rules, first)


@compiled_lean
def do(position: Numbers, rules: Numbers, deck: Numbers, seat: int, kind: int, cards: int) -> None:
    """Change a position by what the player in turn does; it must be allowed."""
    if kind != SHOW:
        position[seat] &= ~cards
    if kind in (ATTACK, TRANSFER):
        position[AT_QUEUE + position[AT_OPEN]] = place(cards)
        position[AT_OPEN] += 1
        position[AT_ATTACKS] += 1
        position[AT_TABLE] |= cards
    elif kind == DEFEND:
        position[AT_TABLE] |= cards
        position[AT_BEATEN] = 1
        position[AT_OPEN] -= 1
        for entry in range(position[AT_OPEN]):
            position[AT_QUEUE + entry] = position[AT_QUEUE + entry + 1]
    elif kind == SHOW:
        position[AT_SHOWN] |= cards
    elif kind == TAKE:
        position[AT_TAKING] = 1
    elif kind == THROW_IN:
        position[AT_TABLE] |= cards
        position[AT_ATTACKS] += count(cards)
        position[AT_THROWN] += count(cards)
    if kind in (DONE, THROW_IN):
        position[AT_PASSED] |= 1 << seat
    elif kind != DEFEND:
        position[AT_PASSED] = 0
    if kind in (TRANSFER, SHOW):
        target = target_of(position, rules, seat)
        position[AT_ATTACKER] = seat
        position[AT_DEFENDER] = target
    if is_over(position, rules) or (position[AT_OPEN] and not position[AT_TAKING]):
        return
    is_stuck = position[AT_TAKING] == 0 and (
        attack_room(position, rules) <= 0 or not position[position[AT_DEFENDER]]
    )
    if adder_of(position, rules) < 0 or is_stuck:
        end_bout(position, rules, deck)


@inlined_lean
def points_of(position: Numbers, rules: Numbers, seat: int) -> float:
    """Return what a game that is over is worth to a seat."""
    if position[AT_TAKES] >= MOST_TAKES:
        return 0.5
    for holder in range(rules[RULE_PLAYERS]):
        if position[holder]:
            return 0.0 if (seat - holder) % rules[RULE_SIDES] == 0 else 1.0
    return 0.5
