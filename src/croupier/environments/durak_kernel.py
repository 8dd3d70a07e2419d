"""Many games of durak for two, each between two decisions of its agent, as compiled code.

Positions, moves and the opponents' policies are those of the compiled engine; cards are thrown in one by one, as in
:mod:`croupier.environments.durak_steps`. Tested equal to the environment of one game, step by step.
"""

import numpy as np
from numpy.typing import NDArray

from croupier.durak.engine.bit_kernels import count, lowest, place
from croupier.durak.engine.board_kernels import (
    ATTACK,
    DEFEND,
    OVER,
    THROW_IN,
    Position,
    answered,
    lowest_trump_leader,
    phase_of,
    score_of_first,
    seat_in_turn,
    started,
    throw_in_limit,
)
from croupier.durak.players.move_kernels import playable
from croupier.durak.players.policy_kernels import dummy_answer
from croupier.durak.players.skilled_policy_kernel import skilled_answer
from croupier.numerics.compiled import compiled, inlined
from croupier.numerics.random_kernels import Stream, splitmix_below

#: What a game keeps between two decisions: its position, the cards about to be thrown in, the agent's seat, and for each seat the cards
#: that it is known to hold.
(
    ATTACK_HAND, DEFEND_HAND, TABLE, OPEN_CARD, IS_TAKING, ROOM, DRAWN, ATTACKER, TRUMPS, CAP,
    THROWN, SEAT, KNOWN, KNOWN_SECOND, LEADER,
) = range(15)  # fmt: skip
GAME_FIELDS = 15

#: Instead of an action: a new game is shuffled and dealt, or begins with the deck, the leader and the seat that are there.
A_BEGIN, A_DEALT = -1, -2

#: Who plays the other seat: the sample engine, the policy of the master's play-outs, chance, or the agent itself.
DUMMY, SKILLED, RANDOM, SELF = range(4)

PACK_SIZE = 36
ACTION_COUNT = PACK_SIZE + 1

#: The columns of an observation: cards as vectors, then numbers.
HAND_SEEN, TABLE_SEEN, TO_BEAT_SEEN, DISCARDED_SEEN, KNOWN_SEEN = range(5)
CARD_ROWS = 5
PHASE_SEEN, OWN_COUNT, OTHER_COUNT, STOCK_SEEN, TRUMP_SEEN, ATTACKER_SEEN, ROOM_SEEN = range(7)
NUMBERS = 7

_ALL_CARDS = (1 << PACK_SIZE) - 1

Games = NDArray[np.int64]
Decks = NDArray[np.int8]
CardsSeen = NDArray[np.int8]
NumbersSeen = NDArray[np.int64]
Masks = NDArray[np.int8]
Actions = NDArray[np.int64]
Rewards = NDArray[np.float64]
Flags = NDArray[np.bool_]


@inlined
def _position(game: Games) -> Position:
    return Position(
        game[ATTACK_HAND], game[DEFEND_HAND], game[TABLE], game[OPEN_CARD], game[IS_TAKING], game[ROOM], game[DRAWN],
        game[ATTACKER], game[TRUMPS], game[CAP],
    )  # fmt: skip


@inlined
def _keep(game: Games, position: Position) -> None:
    game[ATTACK_HAND], game[DEFEND_HAND], game[TABLE] = (
        position.attack_hand, position.defend_hand, position.table
    )  # fmt: skip
    game[OPEN_CARD], game[IS_TAKING], game[ROOM] = position.open_card, position.is_taking, position.room
    game[DRAWN], game[ATTACKER] = position.drawn, position.attacker
    game[TRUMPS], game[CAP] = position.trumps, position.cap


@inlined
def _hand_of(position: Position, seat: int) -> int:
    return position.attack_hand if position.attacker == seat else position.defend_hand


@inlined
def _played(game: Games, position: Position, phase: int, cards: int, deck: Decks) -> Position:
    """Return the position after an answer, and note which cards a taker is known to hold."""
    defender, on_table = 1 - position.attacker, position.table
    after = answered(position, phase, cards, deck)
    has_taken = phase == THROW_IN or (phase == DEFEND and cards == 0 and after.is_taking == 0)
    if has_taken:
        game[KNOWN + defender] |= on_table | cards
    for seat in range(2):
        game[KNOWN + seat] &= _hand_of(after, seat)
    return after


@inlined
def _addable(position: Position, thrown: int) -> int:
    """Return the cards that may still be thrown in."""
    if throw_in_limit(position) - count(thrown) <= 0:
        return 0
    return playable(position, THROW_IN) & ~thrown


@inlined
def _random_answer(position: Position, phase: int, stream: Stream) -> int:
    """Play at random, one card a step as an agent would: a legal card, or none."""
    chosen = 0
    while True:
        cards = _addable(position, chosen) if phase == THROW_IN else playable(position, phase)
        must_play = phase == ATTACK and position.table == 0
        pick = splitmix_below(stream, count(cards) + (0 if must_play else 1))
        if pick == count(cards):
            return chosen
        for _ in range(pick):
            cards ^= lowest(cards)
        chosen |= lowest(cards)
        if phase != THROW_IN or _addable(position, chosen) == 0:
            return chosen


@inlined
def _opponent_answer(position: Position, phase: int, opponent: int, stream: Stream) -> int:
    if opponent == DUMMY:
        return dummy_answer(position, phase)
    if opponent == SKILLED:
        return skilled_answer(position, phase)
    return _random_answer(position, phase, stream)


@inlined
def _begin(
    game: Games, deck: Decks, stream: Stream, is_shuffled: bool, draws_seat: bool, caps: Games
) -> Position:
    """Deal a game."""
    if is_shuffled:
        for last in range(PACK_SIZE - 1, 0, -1):
            pick = splitmix_below(stream, last + 1)
            deck[last], deck[pick] = deck[pick], deck[last]
        game[LEADER] = lowest_trump_leader(deck)
        if game[LEADER] < 0:
            game[LEADER] = splitmix_below(stream, 2)
        if draws_seat:
            game[SEAT] = splitmix_below(stream, 2)
    game[THROWN], game[KNOWN], game[KNOWN_SECOND] = 0, 0, 0
    return started(deck, game[LEADER], caps[0], caps[1])


@inlined
def _act(game: Games, position: Position, action: int, deck: Decks) -> Position:
    """Do the agent's action; one that is not legal is played as the first legal one."""
    phase, thrown = phase_of(position), game[THROWN]
    cards = _addable(position, thrown) if phase == THROW_IN else playable(position, phase)
    card = (1 << (action - 1)) & cards if action > 0 else 0
    if phase == THROW_IN:
        if card:
            game[THROWN] = thrown | card
            return position
        game[THROWN] = 0
        return _played(game, position, phase, thrown, deck)
    if card == 0 and phase == ATTACK and position.table == 0:
        card = lowest(cards)
    return _played(game, position, phase, card, deck)


@compiled
def _follow(
    game: Games, position: Position, agent: int, opponent: int, deck: Decks, stream: Stream
) -> Position:
    """Let the opponent play, and answer throw-ins to which nothing can be added, until the agent decides or the game is over."""
    while True:
        phase = phase_of(position)
        if phase == OVER:
            return position
        thrown = game[THROWN]
        if phase == THROW_IN and _addable(position, thrown) == 0:
            game[THROWN] = 0
            position = _played(game, position, phase, thrown, deck)
        elif opponent == SELF or seat_in_turn(position, phase) == agent:
            return position
        else:
            cards = _opponent_answer(position, phase, opponent, stream)
            position = _played(game, position, phase, cards, deck)


@inlined
def _show(
    game: Games,
    position: Position,
    agent: int,
    deck: Decks,
    cards: CardsSeen,
    numbers: NumbersSeen,
    mask: Masks,
) -> None:
    """Write down what the agent sees, and what is legal."""
    phase, thrown = phase_of(position), game[THROWN]
    own, other = _hand_of(position, agent) & ~thrown, _hand_of(position, 1 - agent)
    stock = 0
    for number in range(position.drawn, PACK_SIZE):
        stock |= 1 << int(deck[number])
    trump = 1 << int(deck[PACK_SIZE - 1])
    on_table = position.table | thrown
    to_beat = 0 if position.is_taking else position.open_card
    discarded = _ALL_CARDS & ~(own | other | on_table | stock)
    known = game[KNOWN + 1 - agent] | (other & trump)
    legal = _addable(position, thrown) if phase == THROW_IN else playable(position, phase)
    for number in range(PACK_SIZE):
        cards[HAND_SEEN, number] = own >> number & 1
        cards[TABLE_SEEN, number] = on_table >> number & 1
        cards[TO_BEAT_SEEN, number] = to_beat >> number & 1
        cards[DISCARDED_SEEN, number] = discarded >> number & 1
        cards[KNOWN_SEEN, number] = known >> number & 1
        mask[number + 1] = legal >> number & 1
    mask[0] = phase != ATTACK or position.table != 0
    numbers[PHASE_SEEN], numbers[OWN_COUNT], numbers[OTHER_COUNT] = phase, count(own), count(other)
    numbers[STOCK_SEEN], numbers[TRUMP_SEEN] = PACK_SIZE - position.drawn, place(trump)
    numbers[ATTACKER_SEEN] = 0 if position.attacker == agent else 1
    numbers[ROOM_SEEN] = max(0, min(PACK_SIZE, position.room - count(thrown)))


@compiled
def step_games(
    start: int, stop: int, actions: Actions, opponent: int, draws_seat: bool, caps: Games,
    games: Games, decks: Decks, streams: Stream,
    cards: CardsSeen, numbers: NumbersSeen, masks: Masks, rewards: Rewards, has_ended: Flags,
) -> None:  # fmt: skip
    """Do one action in each of some games; where one ends, the next one is dealt at once."""
    for number in range(start, stop):
        game, deck, stream, action = games[number], decks[number], streams[number], actions[number]
        rewards[number], has_ended[number] = 0.0, False
        if action < 0:
            position = _begin(game, deck, stream, action == A_BEGIN, draws_seat, caps)
        else:
            position = _act(game, _position(game), action, deck)
        while True:
            position = _follow(game, position, game[SEAT], opponent, deck, stream)
            if phase_of(position) != OVER:
                break
            score = score_of_first(position)
            rewards[number] = float(score if game[SEAT] == 0 or opponent == SELF else -score)
            has_ended[number] = True
            position = _begin(game, deck, stream, True, draws_seat, caps)
        _keep(game, position)
        agent = game[SEAT]
        if opponent == SELF:
            agent = seat_in_turn(position, phase_of(position))
            game[SEAT] = agent
        _show(game, position, agent, deck, cards[number], numbers[number], masks[number])
