"""A round by a person, as compiled code: who counts aces apart, miscounts and misplays, beside others with a chart of their own."""

from typing import NamedTuple

import numpy as np

from croupier.blackjack.simulation.decision_kernel import bet_by_count, measured_count
from croupier.blackjack.simulation.round_kernel import (
    column_of_open,
    deal,
    decide_by_deal,
    finish_round,
    is_dealer_natural,
    play_round,
    play_seat,
)
from croupier.blackjack.simulation.round_terms import (
    ACE_POINT,
    ALLOWED_AGAINST,
    DEALT_STATUS,
    LIVE,
    NEAREST,
    ROW,
    ROW_OF_21,
    STAKED,
    TEN_POINT,
    TRUNCATE,
    Integers,
    Setup,
)
from croupier.blackjack.simulation.settlement_kernel import record_hand
from croupier.blackjack.simulation.shoe_kernel import (
    POINT_MASK,
    POSITION,
    RUNNING_COUNT,
    SIZE,
    Bytes,
    Shoe,
    open_shoe,
)
from croupier.numerics.compiled import compiled_lean, inlined_lean
from croupier.numerics.random_kernels import Stream, fraction, xoshiro_word

#: What a person keeps in mind beside the running count: aces that are left.
ACES_LEFT = 0
MIND = 1

#: Of 52 cards one in so many is an ace.
_RANKS = 13


class Records(NamedTuple):
    """What rounds are dealt from and written into."""

    cards: Bytes
    shoe: Shoe
    stream: Stream
    slips: Stream  # decides on mistakes, so that the cards stay the same
    seats: Integers
    hands: Integers
    waiting: Integers
    outcomes: Integers
    mind: Integers


class Person(NamedTuple):
    """How a person plays: right, wrong, and beside whom."""

    is_plain: bool  # nothing of what follows: a round without mistakes, by one setup, with one count
    aces: int  # what an ace beyond the expected number adds before a bet; 0: not counted
    all_aces: int  # in a new shoe
    miscounts: float  # the chance that the running count is off by one after a round
    misplays: float  # the chance that a round is played by the wrong setup
    own: int  # the first seats; the others play by their setup
    setup: Setup
    wrong: Setup
    others: Setup


@inlined_lean
def open_table(records: Records, person: Person) -> None:
    """Begin a new shoe, with a clear head."""
    open_shoe(records.shoe)
    records.mind[ACES_LEFT] = person.all_aces


@inlined_lean
def count_before_bet(records: Records, person: Person) -> int:
    """Return the count that decides on the bet. Aces beyond a thirteenth of the unseen cards are added to the running count."""
    shoe, counting = records.shoe, person.setup.counting
    if person.aces == 0:
        return measured_count(shoe, counting)
    unseen = shoe[SIZE] - shoe[POSITION]
    beyond = _RANKS * records.mind[ACES_LEFT] - unseen
    # In thirteenths of a card: 52 / 13 = 4.
    numerator = 4 * (_RANKS * shoe[RUNNING_COUNT] + person.aces * beyond)
    step = max(counting.cards_a_step, 1)
    denominator = max((2 * unseen + step) // (2 * step), 1) * step
    if counting.rounding == NEAREST:
        return int((2 * numerator + denominator) // (2 * denominator))
    if counting.rounding == TRUNCATE and numerator < 0:
        return int(-(-numerator // denominator))
    return int(numerator // denominator)


@compiled_lean
def play_beside(records: Records, own: int, setup: Setup, others: Setup) -> None:
    """Play a round in which the first seats go by one setup and the others by another, as ``play_round`` does for one.

    Rules, bets and the count are those of the first. Others surrender early, where that is possible, as the first seats do.
    """
    cards, shoe, stream, seats = records.cards, records.shoe, records.stream, records.seats
    hands, waiting, outcomes, terms = records.hands, records.waiting, records.outcomes, setup.terms
    bet = bet_by_count(shoe, setup)
    up, hole_card = deal(cards, shoe, stream, seats, bet, setup)
    may_be_natural = terms.natural_beats_21 and up >= TEN_POINT
    may_surrender = setup.after[up, ALLOWED_AGAINST] != 0
    asks_early = may_surrender and may_be_natural and terms.peeks and not terms.surrenders_late
    decide_by_deal(up, may_be_natural, asks_early, shoe, seats, outcomes, setup)
    is_natural = terms.peeks and may_be_natural and is_dealer_natural(up, hole_card)
    column = column_of_open(up, hole_card, setup.after) if terms.shows_both else up
    hand_count = int(np.int64(0))  # a literal 0 would have a type of its own
    for seat in range(terms.seats):
        if is_natural or seats[seat, DEALT_STATUS] != LIVE or seats[seat, ROW] == ROW_OF_21:
            record_hand(hands, hand_count, seat, 1, 1, 21, seats[seat, DEALT_STATUS])
            seats[seat, STAKED] = bet * terms.scale
            hand_count += 1
        else:
            hand_count = play_seat(
                seat, hand_count, column, may_surrender and not asks_early, terms.peeks or not may_be_natural,
                cards, shoe, stream, seats, hands, waiting, outcomes, setup if seat < own else others,
            )  # fmt: skip
    finish_round(up, hole_card, hand_count, cards, shoe, stream, seats, hands, outcomes, setup)


@inlined_lean
def _play_alone(records: Records, setup: Setup) -> None:
    play_round(
        records.cards, records.shoe, records.stream,
        records.seats, records.hands, records.waiting, records.outcomes, setup,
    )  # fmt: skip


@inlined_lean
def play_person(records: Records, person: Person) -> None:
    """Play a round, and keep it in mind."""
    if person.is_plain:
        _play_alone(records, person.setup)
    else:
        _play_humanly(records, person)


@compiled_lean
def _play_humanly(records: Records, person: Person) -> None:
    shoe, start = records.shoe, records.shoe[POSITION]
    is_wrong = person.misplays > 0.0 and fraction(xoshiro_word(records.slips)) < person.misplays
    if person.own < person.setup.terms.seats:
        play_beside(records, person.own, person.wrong if is_wrong else person.setup, person.others)
    elif is_wrong:
        _play_alone(records, person.wrong)
    else:
        _play_alone(records, person.setup)
    if person.aces != 0:
        for place in range(start, shoe[POSITION]):
            if records.cards[place] & POINT_MASK == ACE_POINT:
                records.mind[ACES_LEFT] -= 1
    if person.miscounts > 0.0 and fraction(xoshiro_word(records.slips)) < person.miscounts:
        shoe[RUNNING_COUNT] += 1 if fraction(xoshiro_word(records.slips)) < 0.5 else -1
