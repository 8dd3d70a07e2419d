"""What the compiled rounds go by, as numbers: rules, chart, count and hands; and what is recorded of seats and hands."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.blackjack.engine.moves import Allowed
from croupier.blackjack.simulation.shoe_kernel import Tags
from croupier.blackjack.solvers.chart import ROWS

Integers = NDArray[np.int64]
Plans = NDArray[np.uint8]
Indices = NDArray[np.int16]
Table = NDArray[np.uint8]

#: What is allowed, as numbers.
MAY_SPLIT, MAY_SURRENDER, MAY_HIT = int(Allowed.SPLIT), int(Allowed.SURRENDER), int(Allowed.HIT)

#: How a hand ended: the rows of ``outcomes``, in the order of the engine's Outcome.
(
    NATURAL,
    TWENTY_ONE,
    CHARLIE,
    WIN,
    DEALER_BUST,
    PUSH,
    RETURNED,
    GIVEN_UP,
    LOSS,
    BUST,
    DEALER_NATURAL,
) = range(11)
OUTCOME_COUNT = 11

#: What is recorded of a seat: its bet, what it won and staked, in how many hands, the chart's row of its first two cards and its
#: first move, the insurance, these two cards, and what becomes of them before the first turn.
BET, RESULT, STAKED, HANDS, ROW, MOVE, PREMIUM, FIRST, SECOND, DEALT_STATUS = range(10)
SEAT_FIELDS = 10

#: What is recorded of a hand that has been played: whose it is, its bets (1, twice that each time it is doubled), its total, what it
#: waits for, and how many of the bets are the player's: the others are free.
SEAT, BETS, TOTAL, STATUS, RISK = range(5)
HAND_FIELDS = 5
MOST_HANDS = 8

#: What a hand waits for: nothing, the dealer's total, or only the news whether the dealer has a natural.
SETTLED, LIVE, NATURAL_WAITS, BUST_WAITS, SURRENDER_WAITS = range(5)

#: A hand is its total, and this much more if it is soft.
SOFT = 32
HAND_STATES = 64

#: Columns of the table of hands, behind those of the point classes: whether two cards may be hit, doubled and, where hands of any number of
#: cards may, given up: as dealt, after a split, and after a split of aces; and the same of longer hands, in higher bits.
LONGER_HANDS = 4
ALLOWED_FIRST, ALLOWED_AFTER_SPLIT, ALLOWED_WITH_SPLIT_ACE = 10, 11, 12

#: Further columns, by point class instead of hand: how many hands a pair may become, and whether first hands may be given up against it.
HANDS_OF_PAIR, ALLOWED_AGAINST = 13, 14

#: The chart's row of two cards of 21.
ROW_OF_21 = ROWS.index("soft 21")

#: A count that is never reached.
NEVER = 32767

#: Which 21s are paid more: see the engine's ``bonuses``.
NO_BONUS, SPANISH_21, SUPER_FUN_21 = range(3)

#: Ways to take a quotient to a whole number.
FLOOR, TRUNCATE, NEAREST = range(3)

#: Point classes of ten-value cards and aces.
TEN_POINT, ACE_POINT = 8, 9


class Terms(NamedTuple):
    """The rules as numbers."""

    seats: int
    scale: int  # a bet of one unit in whole numbers, so that half a bet and a natural are whole too
    natural_pays: int
    natural_beats_21: bool
    peeks: bool  # a second card is dealt to the dealer, and a natural is known before the players act
    shows_both: bool  # that card lies open
    takes_original_bet_only: bool
    hits_soft_17: bool
    pair_mask: int  # the bits in which the two cards of a pair are alike
    surrenders_late: bool
    surrender_costs: int  # of a bet of one unit
    offers_insurance: bool
    pays_21: bool
    charlie: int
    pushes_22: bool
    ties_lose: int  # 1 where equal totals lose, else 0
    natural_always_wins: bool
    bonus: int  # which 21s are paid more
    longer_hands_choose: bool  # hands of more than two cards may be doubled or given up
    goes_on_doubled: bool  # a doubled hand may be doubled again or given up
    free_doubles: bool
    free_splits: bool


class Counting(NamedTuple):
    """How the count becomes bets and decisions."""

    is_true: bool  # divided by the packs that are left
    rounding: int
    cards_a_step: int  # the cards that are left are estimated to this many, 1: exactly
    lowest_in_ramp: int
    insurance_index: int
    layers: int


class Setup(NamedTuple):
    """All that a round is played by."""

    terms: Terms
    counting: Counting
    plans: Plans  # [layer, allowed, row, column]: the chart, then what it becomes where an index is reached
    indices: Indices  # [layer, row, column]: the count at which that happens
    ramp: Integers  # bets in units, from the lowest count of the ramp up
    tags: Tags  # by card
    after: Table  # [hand, point class]: the hand after a card; and, in further columns, what is allowed with two cards
    doubled: Table  # [doubles before, hand, column]: what a doubled hand does


def empty_records(seats: int) -> tuple[Integers, Integers, Integers]:
    """Return what a round writes into: the records of seats and hands, and the cards that wait for a hand after a split."""
    return (
        np.zeros((seats, SEAT_FIELDS), dtype=np.int64),
        np.zeros((seats * MOST_HANDS, HAND_FIELDS), dtype=np.int64),
        np.zeros(MOST_HANDS, dtype=np.int64),
    )


def hands_after_cards() -> Table:
    """Tabulate which hand a card makes of a hand."""
    after = np.zeros((HAND_STATES, 16), dtype=np.uint8)
    for total in range(SOFT):
        for is_soft in (False, True):
            for point in range(10):
                after[total + SOFT * is_soft, point] = _hand_after(total, is_soft, point)
    return after


def _hand_after(total: int, is_soft: bool, point: int) -> int:
    lowest = (total - 10 if is_soft else total) + (1 if point == ACE_POINT else point + 2)
    becomes_soft = (is_soft or point == ACE_POINT) and lowest <= 11
    return min(lowest, SOFT - 1) + (10 + SOFT if becomes_soft else 0)
