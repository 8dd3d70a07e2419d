"""Many blackjack tables, each between two decisions of its player, as compiled code.

It is the round of :mod:`croupier.blackjack.simulation.round_kernel`, cut where a player decides: dealing, permissions, settlement and the
shoe are the same functions. Tested equal to the environment of one table, step by step.
"""

import numpy as np
from numpy.typing import NDArray

from croupier.blackjack.engine.moves import DOUBLE, HIT, NONE, SURRENDER, Allowed
from croupier.blackjack.simulation.decision_kernel import allowed_after_split, allowed_first
from croupier.blackjack.simulation.round_kernel import deal, finish_round, is_dealer_natural
from croupier.blackjack.simulation.round_terms import (
    ACE_POINT,
    ALLOWED_AGAINST,
    BET,
    DEALT_STATUS,
    FIRST,
    GIVEN_UP,
    HANDS,
    LIVE,
    MAY_HIT,
    MAY_SPLIT,
    MAY_SURRENDER,
    PREMIUM,
    RESULT,
    ROW,
    ROW_OF_21,
    SECOND,
    SETTLED,
    SOFT,
    STAKED,
    TEN_POINT,
    Integers,
    Setup,
)
from croupier.blackjack.simulation.settlement_kernel import (
    dealt_status,
    played_status,
    record_hand,
    settle,
)
from croupier.blackjack.simulation.shoe_kernel import (
    POINT_MASK,
    Bytes,
    Shoe,
    draw,
    needs_shuffle,
    open_shoe,
)
from croupier.numerics.compiled import compiled_lean, inlined_lean
from croupier.numerics.random_kernels import Stream

#: What a table keeps between two decisions: what is asked; the hand in turn (its state, its number of cards, its first two cards); how many
#: split cards wait; how many hands have been played; the dealer's up-card and hole card; whether a hand can be surrendered in its turn;
#: whether a dealer's natural is ruled out; how many rounds of the episode are over.
STAGE, HAND, CARDS, ONE, TWO, WAITING, PLAYED_HANDS, UP, HOLE, LATE, DECIDED, ROUNDS = range(12)
TABLE_FIELDS = 12

#: What is asked: nothing any more (the deal has decided the round, and a stand ends it), then as in the observation's ``phase``.
DEALT, PLAYERS, INSURANCE, EARLY = range(4)

#: The actions, as in :data:`croupier.environments.blackjack.ACTIONS`.
A_STAND, A_HIT, A_DOUBLE, A_SPLIT, A_SURRENDER, A_INSURE, A_DECLINE = range(7)
ACTION_COUNT = 7

#: Instead of an action: a new episode begins.
A_BEGIN = -1

MAY_DOUBLE = int(Allowed.DOUBLE)

#: What comes next at a table: the player's decision; the hand in turn; the play after surrender and insurance; the dealer; a new round.
#: Each part of a round stands once in the compiled code, because a call with so many arrays costs more than most of the parts.
DECISION, TURN, PLAY, DEALER, DEAL = range(5)

#: No move of the engine's: the hand stands.
_STANDS = -1

#: The columns of an observation, in the order of the environment's keys.
PHASE_SEEN, TOTAL_SEEN, SOFT_SEEN, PAIR_SEEN, CARDS_SEEN, UP_SEEN, HAND_SEEN, HANDS_SEEN = range(8)
SEEN_FIELDS = 8

Observations = NDArray[np.int64]
Masks = NDArray[np.int8]
Actions = NDArray[np.int64]
Rewards = NDArray[np.float64]
Flags = NDArray[np.bool_]


@inlined_lean
def _allowed(table: Integers, seats: Integers, setup: Setup) -> int:
    """Return what the hand in turn may do besides standing."""
    if table[CARDS] != 2:
        return MAY_HIT
    if seats[0, HANDS] == 1:
        return allowed_first(table[HAND], table[ONE], table[TWO], table[LATE] != 0, setup)
    return allowed_after_split(table[HAND], table[ONE], table[TWO], seats[0, HANDS], setup)


@inlined_lean
def _end_hand(
    table: Integers, move: int, seats: Integers, hands: Integers, waiting: Integers, outcomes: Integers, setup: Setup
) -> bool:  # fmt: skip
    """Record the hand in turn; return whether another one is waiting, which is then in turn."""
    bets, hand = 2 if move == DOUBLE else 1, int(table[HAND])
    status = played_status(
        seats, outcomes, 0, move, hand, table[CARDS], bets, bets, 0, seats[0, HANDS] > 1, table[DECIDED] != 0, setup.terms
    )  # fmt: skip
    record_hand(hands, table[PLAYED_HANDS], 0, bets, bets, hand & (SOFT - 1), status)
    seats[0, STAKED] += bets * seats[0, BET] * setup.terms.scale
    table[PLAYED_HANDS] += 1
    if table[WAITING] == 0:
        return False
    table[WAITING] -= 1
    table[ONE] = waiting[table[WAITING]]
    table[HAND] = setup.after[0, table[ONE] & POINT_MASK]
    table[CARDS] = 1
    return True


@inlined_lean
def _ask(
    table: Integers, move: int, cards: Bytes, shoe: Shoe, stream: Stream,
    seats: Integers, hands: Integers, waiting: Integers, outcomes: Integers, setup: Setup,
) -> int:  # fmt: skip
    """Go on from the last move until the player has something to decide, or all hands are played; return what comes next."""
    is_ended = move not in (HIT, NONE)
    while True:
        if not is_ended:
            if table[CARDS] == 1:
                second = draw(cards, shoe, stream, setup.tags)
                table[TWO] = second
                table[HAND] = setup.after[table[HAND], second & POINT_MASK]
                table[CARDS] = 2
            is_ended = (table[HAND] & (SOFT - 1)) >= 21 or table[CARDS] >= setup.terms.charlie
            if not is_ended and _allowed(table, seats, setup) != 0:
                table[STAGE] = PLAYERS
                return DECISION
        if not _end_hand(table, move, seats, hands, waiting, outcomes, setup):
            return DEALER
        is_ended, move = False, NONE


@inlined_lean
def _peek(table: Integers, seats: Integers, hands: Integers, setup: Setup) -> int:
    """Go on when surrender and insurance have been answered; return what comes next."""
    terms, up = setup.terms, int(table[UP])
    may_be_natural = terms.natural_beats_21 and up >= TEN_POINT
    is_natural = terms.peeks and may_be_natural and is_dealer_natural(up, table[HOLE])
    if is_natural or seats[0, DEALT_STATUS] != LIVE or seats[0, ROW] == ROW_OF_21:
        record_hand(hands, 0, 0, 1, 1, 21, seats[0, DEALT_STATUS])
        seats[0, STAKED] = seats[0, BET] * terms.scale
        table[PLAYED_HANDS] = 1
        return DEALER
    return TURN


@inlined_lean
def _asks_insurance(table: Integers, seats: Integers, setup: Setup) -> bool:
    offers = setup.terms.offers_insurance and setup.terms.natural_beats_21 and table[UP] == ACE_POINT
    return bool(offers and seats[0, DEALT_STATUS] != SETTLED)


@inlined_lean
def _begin_round(
    table: Integers, cards: Bytes, shoe: Shoe, stream: Stream, seats: Integers, outcomes: Integers, setup: Setup
) -> int:  # fmt: skip
    """Deal a round; return what comes next."""
    terms = setup.terms
    up, hole = deal(cards, shoe, stream, seats, 1, setup)
    may_be_natural = terms.natural_beats_21 and up >= TEN_POINT
    may_surrender = setup.after[up, ALLOWED_AGAINST] != 0
    asks_early = may_surrender and may_be_natural and terms.peeks and not terms.surrenders_late
    first, second = seats[0, FIRST], seats[0, SECOND]
    hand = int(setup.after[setup.after[0, first & POINT_MASK], second & POINT_MASK])
    table[HAND], table[CARDS], table[ONE], table[TWO] = hand, 2, first, second
    table[WAITING], table[PLAYED_HANDS], table[UP], table[HOLE] = 0, 0, up, hole
    table[LATE] = 1 if may_surrender and not asks_early else 0
    table[DECIDED] = 1 if terms.peeks or not may_be_natural else 0
    seats[0, DEALT_STATUS] = dealt_status(seats, outcomes, 0, hand, not may_be_natural, terms)
    if asks_early and hand != 21 + SOFT:
        table[STAGE] = EARLY
        return DECISION
    if _asks_insurance(table, seats, setup):
        table[STAGE] = INSURANCE
        return DECISION
    return PLAY


@inlined_lean
def _answer(table: Integers, action: int, seats: Integers, outcomes: Integers, setup: Setup) -> int:
    """Take an answer to the question of surrender or insurance; one that is not legal declines. Return what comes next."""
    if table[STAGE] == INSURANCE:
        if action == A_INSURE:
            seats[0, PREMIUM] = seats[0, BET] * setup.terms.scale // 2
        return PLAY
    if action == A_SURRENDER:
        seats[0, DEALT_STATUS] = SETTLED
        settle(seats, outcomes, 0, GIVEN_UP, -seats[0, BET] * setup.terms.surrender_costs)
    elif _asks_insurance(table, seats, setup):
        table[STAGE] = INSURANCE
        return DECISION
    return PLAY


@inlined_lean
def _move(
    table: Integers, action: int, cards: Bytes, shoe: Shoe, stream: Stream, seats: Integers, waiting: Integers, setup: Setup
) -> int:  # fmt: skip
    """Do what can be done at once with the hand in turn; an action that is not legal stands. Return the move."""
    allowed, move = _allowed(table, seats, setup), _STANDS
    if action == A_HIT and allowed & MAY_HIT:
        move = HIT
    elif action == A_DOUBLE and allowed & MAY_DOUBLE:
        move = DOUBLE
    elif action == A_SURRENDER and allowed & MAY_SURRENDER:
        move = SURRENDER
    elif action == A_SPLIT and allowed & MAY_SPLIT:
        waiting[table[WAITING]] = table[TWO]
        table[WAITING] += 1
        seats[0, HANDS] += 1
        table[HAND] = setup.after[0, table[ONE] & POINT_MASK]
        table[CARDS] = 1
        move = NONE
    if move in (HIT, DOUBLE):
        table[HAND] = setup.after[table[HAND], draw(cards, shoe, stream, setup.tags) & POINT_MASK]
        table[CARDS] += 1
    return move


@inlined_lean
def _show(
    table: Integers, seats: Integers, setup: Setup, observations: Observations, place: int, masks: Masks
) -> None:
    """Write down what the player sees, and what is legal."""
    stage, hand = table[STAGE], table[HAND]
    observations[PHASE_SEEN, place] = max(stage - PLAYERS, 0)
    observations[TOTAL_SEEN, place] = hand & (SOFT - 1)
    observations[SOFT_SEEN, place] = 1 if hand >= SOFT else 0
    is_pair = table[CARDS] == 2 and (table[ONE] ^ table[TWO]) & POINT_MASK == 0
    observations[PAIR_SEEN, place] = (table[ONE] & POINT_MASK) + 1 if is_pair else 0
    observations[CARDS_SEEN, place] = table[CARDS]
    observations[UP_SEEN, place] = table[UP]
    observations[HAND_SEEN, place] = table[PLAYED_HANDS] if stage == PLAYERS else 0
    observations[HANDS_SEEN, place] = seats[0, HANDS]
    allowed = _allowed(table, seats, setup) if stage == PLAYERS else 0
    masks[place, A_STAND] = stage <= PLAYERS
    masks[place, A_HIT] = allowed & MAY_HIT != 0
    masks[place, A_DOUBLE] = allowed & MAY_DOUBLE != 0
    masks[place, A_SPLIT] = allowed & MAY_SPLIT != 0
    masks[place, A_SURRENDER] = allowed & MAY_SURRENDER != 0 or stage == EARLY
    masks[place, A_INSURE] = stage == INSURANCE
    masks[place, A_DECLINE] = stage >= INSURANCE


@compiled_lean
def step_tables(  # noqa: PLR0912 - every part of a round, once
    start: int, stop: int, actions: Actions, rounds: int, cut: int,
    tables: Integers, decks: Bytes, shoes: Shoe, streams: Stream,
    all_seats: Integers, all_hands: Integers, all_waiting: Integers, outcomes: Integers, setup: Setup,
    observations: Observations, masks: Masks, rewards: Rewards, has_ended: Flags,
) -> None:  # fmt: skip
    """Do one action at each of some tables; where an episode ends, the next one begins at once, with a new shoe.

    A round that its deal decides waits for a stand.
    """
    scale = float(setup.terms.scale)
    for place in range(start, stop):
        table, shoe, seats, hands = tables[place], shoes[place], all_seats[place], all_hands[place]
        cards, stream, waiting = decks[place], streams[place], all_waiting[place]
        action, stage, move, is_new = actions[place], table[STAGE], NONE, False
        rewards[place], has_ended[place] = 0.0, False
        if action == A_BEGIN:
            table[ROUNDS] = rounds
            following = DEAL
        elif stage == DEALT:
            following = DEAL
        elif stage == PLAYERS:
            move = _move(table, action, cards, shoe, stream, seats, waiting, setup)
            following = TURN
        else:
            following = _answer(table, action, seats, outcomes, setup)
        while following != DECISION:
            if following == DEAL:
                if action != A_BEGIN:
                    rewards[place] = seats[0, RESULT] / scale
                    table[ROUNDS] += 1
                    has_ended[place] = table[ROUNDS] == rounds
                if table[ROUNDS] == rounds or needs_shuffle(shoe, cut):
                    open_shoe(shoe)
                if table[ROUNDS] == rounds:
                    table[ROUNDS] = 0
                following, is_new, move = (
                    _begin_round(table, cards, shoe, stream, seats, outcomes, setup), True, NONE
                )  # fmt: skip
            if following == PLAY:
                following = _peek(table, seats, hands, setup)
            if following == TURN:
                following = _ask(
                    table, move, cards, shoe, stream, seats, hands, waiting, outcomes, setup
                )  # fmt: skip
            if following == DEALER:
                finish_round(
                    table[UP], table[HOLE], table[PLAYED_HANDS],
                    cards, shoe, stream, seats, hands, outcomes, setup,
                )  # fmt: skip
                following = DEAL
                if is_new:
                    table[STAGE] = DEALT
                    following = DECISION
        _show(table, seats, setup, observations, place, masks)
