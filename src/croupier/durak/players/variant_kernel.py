"""The search of any variant, as compiled code: hidden cards are dealt at random, and every move is played to the end by sample engines."""

import numpy as np
from numpy.typing import NDArray

from croupier.durak.engine.bit_kernels import count, lowest
from croupier.durak.engine.table_kernels import (
    ASKED_ATTACK,
    ASKED_DEFENCE,
    ASKED_NOTHING,
    AT_QUEUE,
    AT_TABLE,
    ATTACK,
    DEFEND,
    DONE,
    POSITION_LENGTH,
    RULE_PLAYERS,
    SHOW,
    TAKE,
    THROW_IN,
    TRANSFER,
    Numbers,
    asked_of,
    beating_cards,
    do,
    of_ranks,
    points_of,
    show_cards,
    throw_in_room,
    transfer_cards,
    trumps_of,
    turn_of,
)
from croupier.numerics.compiled import compiled_lean, inlined_lean
from croupier.numerics.random_kernels import Stream, splitmix_below


@inlined_lean
def _cheapest(cards: int, trumps: int) -> int:
    """Return the cheapest card of a set, plain cards before trumps, as a set of one; no card of the empty set."""
    plain = cards & ~trumps
    return lowest(plain) if plain else lowest(cards)


@inlined_lean
def dummy_choice(position: Numbers, rules: Numbers, asked: int, seat: int) -> tuple[int, int]:
    """Return what the sample engine does: the kind of its action, and the cards."""
    hand, trumps = position[seat], trumps_of(rules)
    if asked == ASKED_DEFENCE:
        plain = transfer_cards(position, rules) & ~trumps
        if plain:
            return TRANSFER, lowest(plain)
        shown = show_cards(position, rules)
        if shown:
            return SHOW, lowest(shown)
        beating = hand & beating_cards(position[AT_QUEUE], rules)
        return (DEFEND, _cheapest(beating, trumps)) if beating else (TAKE, 0)
    if asked == ASKED_ATTACK and not position[AT_TABLE]:
        return ATTACK, _cheapest(hand, trumps)
    fitting = hand & of_ranks(position[AT_TABLE]) & ~trumps
    if asked == ASKED_ATTACK:
        return (ATTACK, lowest(fitting)) if fitting else (DONE, 0)
    thrown = 0
    for _ in range(min(throw_in_room(position, rules), count(fitting))):
        thrown |= lowest(fitting & ~thrown)
    return THROW_IN, thrown


@compiled_lean
def play_out(position: Numbers, rules: Numbers, deck: Numbers) -> int:
    """Let sample engines play a game to its end; return how many actions that took."""
    actions = 0
    while True:
        asked = asked_of(position, rules)
        if asked == ASKED_NOTHING:
            return actions
        seat = turn_of(position, rules, asked)
        kind, cards = dummy_choice(position, rules, asked, seat)
        do(position, rules, deck, seat, kind, cards)
        actions += 1


@compiled_lean
def try_moves(
    seen: Numbers,
    rules: Numbers,
    hidden: Numbers,
    wanted: Numbers,
    stock: Numbers,
    seat: int,
    kinds: Numbers,
    cards: Numbers,
    stream: Stream,
    position: Numbers,
    results: NDArray[np.int8],
) -> None:
    """Deal the hidden cards once for each row of the results, and write down what the game is worth to the seat after each move.

    All moves are tried with the same cards; those of no kind (-1) are left out. ``seen`` is the position with those cards in other
    hands that are known; ``wanted`` says how many each seat holds besides. The hidden cards that no hand gets come first in the stock,
    whose last card is given. Results count halves. ``position`` is memory to work in.
    """
    players = rules[RULE_PLAYERS]
    for deal in range(len(results)):
        for last in range(len(hidden) - 1, 0, -1):
            other = splitmix_below(stream, last + 1)
            hidden[last], hidden[other] = hidden[other], hidden[last]
        for move in range(len(kinds)):
            if kinds[move] < 0:
                continue
            for entry in range(POSITION_LENGTH):
                position[entry] = seen[entry]
            used = 0
            for place in range(players):
                for _card in range(wanted[place]):
                    position[place] |= 1 << hidden[used]
                    used += 1
            for card in range(used, len(hidden)):
                stock[card - used] = hidden[card]
            do(position, rules, stock, seat, kinds[move], cards[move])
            play_out(position, rules, stock)
            results[deal, move] = int(2 * points_of(position, rules, seat))
