"""One round of blackjack as compiled code: any rules, one to seven seats, with or without a count.

The readable engine is the definition of the game; this is an independent reading of the same rules, tested against it card by
card. Hands are numbers (see ``round_terms``), money is whole numbers (see ``Terms.scale``).
"""

import numpy as np

from croupier.blackjack.engine.moves import DOUBLE, HIT, NONE, SPLIT, SURRENDER
from croupier.blackjack.simulation.decision_kernel import (
    allowed_after_split,
    allowed_first,
    allowed_longer,
    bet_by_count,
    chosen_move,
    measured_count,
    row_of,
    row_of_cards,
)
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
    MOVE,
    NO_BONUS,
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
    Table,
)
from croupier.blackjack.simulation.settlement_kernel import (
    bonus_halves,
    compare,
    dealt_status,
    hear_of_no_natural,
    is_waited_for,
    lose_to_natural,
    mark_of,
    played_status,
    record_hand,
    settle,
    settle_insurance,
)
from croupier.blackjack.simulation.shoe_kernel import (
    CHOSEN,
    HOLE_CARD,
    POINT_MASK,
    POSITION,
    ROUND_START,
    RUNNING_COUNT,
    Bytes,
    Shoe,
    draw,
    prepare_cards,
)
from croupier.numerics.compiled import called_lean, inlined_lean
from croupier.numerics.random_kernels import Stream


@inlined_lean
def _seat_cards(seats: Integers, seat: int, bet: int, first: int, second: int, after: Table) -> None:
    """Begin the record of a seat."""
    hand = int(after[after[0, first & POINT_MASK], second & POINT_MASK])
    seats[seat, BET] = bet
    seats[seat, RESULT] = 0
    seats[seat, STAKED] = 0
    seats[seat, HANDS] = 1
    seats[seat, ROW] = row_of_cards(first, second, hand)
    seats[seat, MOVE] = NONE
    seats[seat, PREMIUM] = 0
    seats[seat, FIRST] = first
    seats[seat, SECOND] = second


@inlined_lean
def is_dealer_natural(up: int, second: int) -> bool:
    """Tell whether the dealer's first two cards are a natural."""
    return up + (second & POINT_MASK) == TEN_POINT + ACE_POINT


@inlined_lean
def column_of_open(up: int, hole_card: int, after: Table) -> int:
    """Return the chart's column of two open dealer's cards: hard 4 to 20, then soft 12 to 21."""
    dealer = int(after[after[0, up], hole_card & POINT_MASK])
    return dealer - 4 if dealer < SOFT else dealer - SOFT + 5


@inlined_lean
def _allowed_with_two(
    hands: int, first: int, second: int, hand: int, may_surrender: bool, setup: Setup
) -> int:
    if hands == 1:
        return allowed_first(hand, first, second, may_surrender, setup)
    return allowed_after_split(hand, first, second, hands, setup)


@inlined_lean
def _play_hand(
    seat: int, first: int, second: int, hand: int, wait_count: int, column: int, may_surrender: bool,
    cards: Bytes, shoe: Shoe, stream: Stream, seats: Integers, waiting: Integers, setup: Setup,
) -> tuple[int, int, int, int, int, int, int]:  # fmt: skip
    """Play a hand to its end.

    Return its last move, its final state, its number of cards, how many hands wait, how many bets lie on it and how many of them are
    the player's, and the marks of its first three cards where there are bonuses.

    A hand from a split starts with one card. The second card of a split waits on a stack, so hands are played from left to right.
    """
    after, terms = setup.after, setup.terms
    card_count, move = 2 if seats[seat, HANDS] == 1 else 1, NONE
    bets, risk, marks = int(np.int64(1)), int(np.int64(1)), int(np.int64(0))
    while True:
        if card_count == 1:
            second = draw(cards, shoe, stream, setup.tags)
            hand, card_count = int(after[hand, second & POINT_MASK]), 2
        if (hand & (SOFT - 1)) >= 21 or card_count >= terms.charlie:
            break
        allowed, row = MAY_HIT, row_of(hand)
        if card_count == 2:
            row = row_of_cards(first, second, hand)
            allowed = _allowed_with_two(seats[seat, HANDS], first, second, hand, may_surrender, setup)
        elif terms.longer_hands_choose:
            allowed = allowed_longer(hand, first, seats[seat, HANDS], setup)
        if allowed == 0:
            break
        move = chosen_move(allowed, row, hand, column, shoe, setup)
        if seats[seat, MOVE] == NONE:
            seats[seat, MOVE] = move
        if move == SPLIT:
            waiting[wait_count] = second
            wait_count += 1
            seats[seat, HANDS] += 1
            hand, card_count = int(after[0, first & POINT_MASK]), 1
            continue
        if move not in (HIT, DOUBLE):
            break
        card = draw(cards, shoe, stream, setup.tags)
        is_free = terms.free_doubles and card_count == 2 and 9 <= hand <= 11
        hand = int(after[hand, card & POINT_MASK])
        card_count += 1
        if card_count == 3 and terms.bonus != NO_BONUS:
            marks = mark_of(first) | mark_of(second) | mark_of(card)
        if move == DOUBLE:
            bets, risk = 2, 1 if is_free else 2
            break
    if terms.goes_on_doubled and risk > 1:
        move, hand, bets = _play_doubled(hand, column, cards, shoe, stream, setup)
        risk = bets
    return move, hand, card_count, wait_count, bets, risk, marks


@called_lean
def _play_doubled(
    hand: int, column: int, cards: Bytes, shoe: Shoe, stream: Stream, setup: Setup
) -> tuple[int, int, int]:
    """Play a hand on that has been doubled once; return its last move, its final state, and how many bets lie on it."""
    move, doubles = DOUBLE, int(np.int64(1))
    while move == DOUBLE and (hand & (SOFT - 1)) < 21:
        move = int(setup.doubled[doubles - 1, hand, column])
        if move == DOUBLE:
            hand = int(setup.after[hand, draw(cards, shoe, stream, setup.tags) & POINT_MASK])
            doubles += 1
    return move, hand, 1 << doubles


@inlined_lean
def play_seat(
    seat: int, hand_count: int, column: int, may_surrender: bool, is_decided: bool,
    cards: Bytes, shoe: Shoe, stream: Stream, seats: Integers, hands: Integers, waiting: Integers, outcomes: Integers,
    setup: Setup,
) -> int:  # fmt: skip
    """Play all hands of a seat and record them after those already recorded; return the new number of records."""
    terms, after = setup.terms, setup.after
    first, second = seats[seat, FIRST], seats[seat, SECOND]
    hand = int(after[after[0, first & POINT_MASK], second & POINT_MASK])
    wait_count, is_first_hand = int(np.int64(0)), True
    while True:
        move, hand, card_count, wait_count, bets, risk, marks = _play_hand(
            seat, first, second, hand, wait_count, column, may_surrender,
            cards, shoe, stream, seats, waiting, setup,
        )  # fmt: skip
        from_split = seats[seat, HANDS] > 1
        if terms.free_splits and from_split and not is_first_hand and (first & POINT_MASK) != TEN_POINT:
            risk -= 1
        is_first_hand = False
        bonus = int(np.int64(0))
        if terms.bonus != NO_BONUS and bets == 1:
            bonus = bonus_halves(hand & (SOFT - 1), card_count, marks, terms.bonus)
        status = played_status(
            seats, outcomes, seat, move, hand, card_count, bets, risk, bonus, from_split, is_decided, terms
        )
        record_hand(hands, hand_count, seat, bets, risk, hand & (SOFT - 1), status)
        seats[seat, STAKED] += risk * seats[seat, BET] * terms.scale
        hand_count += 1
        if wait_count == 0:
            return hand_count
        wait_count -= 1
        first = waiting[wait_count]
        hand = int(after[0, first & POINT_MASK])


@inlined_lean
def deal(
    cards: Bytes, shoe: Shoe, stream: Stream, seats: Integers, bet: int, setup: Setup
) -> tuple[int, int]:
    """Deal a card to each seat and to the dealer, twice; return the up-card's point class and the hole card, if there is one."""
    terms, tags = setup.terms, setup.tags
    shoe[ROUND_START] = shoe[POSITION]
    size = 2 * terms.seats + (2 if terms.peeks else 1)
    if shoe[POSITION] + size > shoe[CHOSEN]:
        prepare_cards(cards, shoe, stream, tags, size)
    start, hole_card = shoe[POSITION], -1
    up_card = int(cards[start + terms.seats])
    shoe[RUNNING_COUNT] += tags[up_card]
    for seat in range(terms.seats):
        first, second = int(cards[start + seat]), int(cards[start + terms.seats + 1 + seat])
        shoe[RUNNING_COUNT] += tags[first] + tags[second]
        _seat_cards(seats, seat, bet, first, second, setup.after)
    if terms.peeks:
        shoe[HOLE_CARD] = start + size - 1
        hole_card = int(cards[start + size - 1])
        if terms.shows_both:
            shoe[HOLE_CARD] = -1
            shoe[RUNNING_COUNT] += tags[hole_card]
    shoe[POSITION] = start + size
    return up_card & POINT_MASK, hole_card


@inlined_lean
def decide_by_deal(
    up: int,
    may_be_natural: bool,
    asks_early: bool,
    shoe: Shoe,
    seats: Integers,
    outcomes: Integers,
    setup: Setup,
) -> None:
    """Pay the naturals that nothing can beat any more, take early surrenders and insurance."""
    terms, counting, after = setup.terms, setup.counting, setup.after
    for seat in range(terms.seats):
        first, second = seats[seat, FIRST], seats[seat, SECOND]
        hand = int(after[after[0, first & POINT_MASK], second & POINT_MASK])
        seats[seat, DEALT_STATUS] = dealt_status(seats, outcomes, seat, hand, not may_be_natural, terms)
        if asks_early and hand != 21 + SOFT:
            allowed = allowed_first(hand, first, second, True, setup)
            if chosen_move(allowed, seats[seat, ROW], hand, up, shoe, setup) == SURRENDER:
                seats[seat, MOVE] = SURRENDER
                seats[seat, DEALT_STATUS] = SETTLED
                settle(seats, outcomes, seat, GIVEN_UP, -seats[seat, BET] * terms.surrender_costs)
    if terms.offers_insurance and may_be_natural and up == ACE_POINT:
        count = measured_count(shoe, counting)
        for seat in range(terms.seats):
            if count >= counting.insurance_index and seats[seat, DEALT_STATUS] != SETTLED:
                seats[seat, PREMIUM] = seats[seat, BET] * terms.scale // 2


@inlined_lean
def _play_dealer(up: int, hole_card: int, cards: Bytes, shoe: Shoe, stream: Stream, setup: Setup) -> int:
    """Draw the dealer's cards; return the total."""
    after = setup.after
    dealer = int(after[after[0, up], hole_card & POINT_MASK])
    while (dealer & (SOFT - 1)) < 17 or (dealer == 17 + SOFT and setup.terms.hits_soft_17):
        dealer = int(after[dealer, draw(cards, shoe, stream, setup.tags) & POINT_MASK])
    return dealer & (SOFT - 1)


@inlined_lean
def finish_round(
    up: int, hole_card: int, hand_count: int,
    cards: Bytes, shoe: Shoe, stream: Stream, seats: Integers, hands: Integers, outcomes: Integers, setup: Setup,
) -> None:  # fmt: skip
    """Open or draw the dealer's second card, play the dealer, and settle everything that is still open."""
    terms = setup.terms
    may_be_natural = terms.natural_beats_21 and up >= TEN_POINT
    is_natural = terms.peeks and may_be_natural and is_dealer_natural(up, hole_card)
    if terms.peeks and not terms.shows_both:
        shoe[HOLE_CARD] = -1
        shoe[RUNNING_COUNT] += setup.tags[hole_card]
    elif not terms.peeks and is_waited_for(seats, hands, hand_count, terms.seats):
        hole_card = draw(cards, shoe, stream, setup.tags)
        is_natural = may_be_natural and is_dealer_natural(up, hole_card)
    if is_natural:
        lose_to_natural(seats, hands, hand_count, outcomes, terms)
    elif hear_of_no_natural(seats, hands, hand_count, outcomes, terms):
        total = _play_dealer(up, hole_card, cards, shoe, stream, setup)
        compare(total, seats, hands, hand_count, outcomes, terms)
    settle_insurance(seats, is_natural, terms.seats)


@inlined_lean
def play_round(
    cards: Bytes, shoe: Shoe, stream: Stream, seats: Integers, hands: Integers, waiting: Integers, outcomes: Integers,
    setup: Setup,
) -> int:  # fmt: skip
    """Play a round from the shoe as it is; the results are in ``seats`` and ``outcomes``. Return the chart's column."""
    terms = setup.terms
    bet = bet_by_count(shoe, setup)
    up, hole_card = deal(cards, shoe, stream, seats, bet, setup)
    may_be_natural = terms.natural_beats_21 and up >= TEN_POINT
    may_surrender = setup.after[up, ALLOWED_AGAINST] != 0
    asks_early = may_surrender and may_be_natural and terms.peeks and not terms.surrenders_late
    decide_by_deal(up, may_be_natural, asks_early, shoe, seats, outcomes, setup)
    is_natural = terms.peeks and may_be_natural and is_dealer_natural(up, hole_card)
    is_decided = terms.peeks or not may_be_natural
    column = column_of_open(up, hole_card, setup.after) if terms.shows_both else up
    hand_count = int(np.int64(0))  # a literal 0 would have a type of its own, and all would be compiled twice
    for seat in range(terms.seats):
        if is_natural or seats[seat, DEALT_STATUS] != LIVE or seats[seat, ROW] == ROW_OF_21:
            record_hand(hands, hand_count, seat, 1, 1, 21, seats[seat, DEALT_STATUS])
            seats[seat, STAKED] = bet * terms.scale
            hand_count += 1
        else:
            hand_count = play_seat(
                seat, hand_count, column, may_surrender and not asks_early, is_decided, cards, shoe, stream,
                seats, hands, waiting, outcomes, setup,
            )  # fmt: skip
    finish_round(up, hole_card, hand_count, cards, shoe, stream, seats, hands, outcomes, setup)
    return column
