"""Many rounds at one table, as compiled code: shoe after shoe, any number of seats, and their records."""

import numpy as np
from numpy.typing import NDArray

from croupier.blackjack.simulation.count_kernel import Ledger, note_round, weight_of
from croupier.blackjack.simulation.round_kernel import play_round
from croupier.blackjack.simulation.round_terms import (
    ACE_POINT,
    BET,
    HANDS,
    MOVE,
    PREMIUM,
    RESULT,
    ROW,
    STAKED,
    TEN_POINT,
    Integers,
    Setup,
    Terms,
)
from croupier.blackjack.simulation.shoe_kernel import (
    IS_EXHAUSTED,
    POINT_MASK,
    POSITION,
    REUSED,
    ROUND_START,
    RUNNING_COUNT,
    SIZE,
    Bytes,
    Shoe,
    needs_shuffle,
    open_shoe,
)
from croupier.numerics.compiled import compiled_lean, inlined_lean
from croupier.numerics.random_kernels import Stream
from croupier.numerics.together import add_to, in_any_lane

Squares = NDArray[np.float64]

#: Sums over all rounds. Full shoes are those that were dealt to their cut card.
(
    ROUNDS,
    FULL_SHOES,
    FULL_SHOE_ROUNDS,
    FULL_SHOE_CARDS,
    TABLE_STAKED,
    TABLE_HANDS,
    INSURED,
) = range(7)
SUM_COUNT = 7

#: Sums for every cell and first move.
CELL_ROUNDS, CELL_BETS, CELL_RESULT = range(3)
CELL_FIELDS = 3

#: Sums over shoes: their number, and squares and products of results and bets. Rounds of one shoe are not independent; shoes are.
SHOES, RESULT_SQUARED, RESULT_TIMES_BETS, BETS_SQUARED = range(4)
SPREAD_COUNT = 4

#: The results of side bets, each nothing and then its kinds: where they begin, in the order of the engine's SIDE_BETS.
PAIRS_FROM, POKER_FROM, LADIES_FROM, MATCH_FROM, OVER_FROM, UNDER_FROM, LUCKY_FROM = 0, 4, 10, 16, 19, 21, 23
SIDE_KINDS = 32

_ACE_RANK, _QUEEN_RANK = 12, 10
_HEARTS = 2


@inlined_lean
def record_seats(
    up: int, seats: Integers, seat_count: int, sums: Integers, cells: Integers, squares: Squares
) -> tuple[int, int]:
    """Add a round to the records; return what all seats together won and bet."""
    result, bets = 0, 0
    for seat in range(seat_count):
        won, bet = seats[seat, RESULT], seats[seat, BET]
        row, move = seats[seat, ROW], seats[seat, MOVE]
        add_to(cells, (row, up, move, CELL_ROUNDS), 1)
        add_to(cells, (row, up, move, CELL_BETS), bet)
        add_to(cells, (row, up, move, CELL_RESULT), won)
        add_to(squares, (row, up, move), float(won) * float(won))
        add_to(sums, TABLE_STAKED, seats[seat, STAKED])
        add_to(sums, TABLE_HANDS, seats[seat, HANDS])
        if seats[seat, PREMIUM] > 0:
            add_to(sums, INSURED, 1)
        result += won
        bets += bet
    return result, bets


@inlined_lean
def close_shoe(
    result: int, bets: int, rounds: int, shoe: Shoe, is_full: bool, sums: Integers, spreads: Squares
) -> None:
    """Add a shoe to the records."""
    add_to(spreads, SHOES, 1.0)
    add_to(spreads, RESULT_SQUARED, float(result) * float(result))
    add_to(spreads, RESULT_TIMES_BETS, float(result) * float(bets))
    add_to(spreads, BETS_SQUARED, float(bets) * float(bets))
    if is_full:
        add_to(sums, FULL_SHOES, 1)
        add_to(sums, FULL_SHOE_ROUNDS, rounds)
        add_to(sums, FULL_SHOE_CARDS, shoe[POSITION] + shoe[REUSED])


@inlined_lean
def _rank(card: int) -> int:
    point = card & POINT_MASK
    if point == ACE_POINT:
        return _ACE_RANK
    return point + (card >> 6)


@inlined_lean
def _pair_kind(first: int, second: int) -> int:
    """Classify two cards: 0 nothing, then of one suit, of one colour, of one rank."""
    if _rank(first) != _rank(second):
        return 0
    if first == second:
        return 1
    is_red, is_also_red = _is_red(first), _is_red(second)
    return 2 if is_red == is_also_red else 3


@inlined_lean
def _is_red(card: int) -> bool:
    suit = (card >> 4) & 3
    return 1 <= suit <= 2


@inlined_lean
def _poker_kind(first: int, second: int, third: int) -> int:
    """Classify three cards: 0 nothing, then suited trips, straight flush, trips, straight, flush."""
    one, two, three = _rank(first), _rank(second), _rank(third)
    low, high = min(one, two, three), max(one, two, three)
    middle = one + two + three - low - high
    is_flush = (first >> 4) & 3 == (second >> 4) & 3 and (first >> 4) & 3 == (third >> 4) & 3
    if low == high:
        return 1 if is_flush else 3
    follows = middle == low + 1 and high == low + 2
    if follows or (low == 0 and middle == 1 and high == _ACE_RANK):
        return 2 if is_flush else 4
    return 5 if is_flush else 0


@inlined_lean
def _low_points(card: int) -> int:
    point = card & POINT_MASK
    return 1 if point == ACE_POINT else point + 2


@inlined_lean
def _total(low: int, has_ace: bool) -> int:
    return low + 10 if has_ace and low <= 11 else low


@inlined_lean
def _ladies_kind(first: int, second: int, has_natural: bool) -> int:
    """Classify two cards: 0 no 20, then queens of hearts with and without a dealer's natural, alike, of one suit, any."""
    has_ace = first & POINT_MASK == ACE_POINT or second & POINT_MASK == ACE_POINT
    if _total(_low_points(first) + _low_points(second), has_ace) != 20:
        return 0
    if first == second:
        is_queen_of_hearts = _rank(first) == _QUEEN_RANK and (first >> 4) & 3 == _HEARTS
        return (1 if has_natural else 2) if is_queen_of_hearts else 3
    return 4 if (first >> 4) & 3 == (second >> 4) & 3 else 5


@inlined_lean
def _match_kind(first: int, second: int) -> int:
    """Classify two cards: 0 of two suits, then a king and a queen of one suit, others of one suit."""
    if (first >> 4) & 3 != (second >> 4) & 3:
        return 0
    one, two = _rank(first), _rank(second)
    return 1 if min(one, two) == _QUEEN_RANK and max(one, two) == _QUEEN_RANK + 1 else 2


@inlined_lean
def _lucky_kind(first: int, second: int, third: int) -> int:
    """Classify three cards: 0 nothing, then 7-7-7 and 6-7-8 suited, both mixed, 21 suited and mixed, 20, 19."""
    one, two, three = _low_points(first), _low_points(second), _low_points(third)
    low, high = min(one, two, three), max(one, two, three)
    suited = (first >> 4) & 3 == (second >> 4) & 3 and (first >> 4) & 3 == (third >> 4) & 3
    if low == 7 and high == 7:
        return 1 if suited else 3
    if low == 6 and high == 8 and one + two + three == 21:
        return 2 if suited else 4
    total = _total(one + two + three, low == 1)
    if total == 21:
        return 5 if suited else 6
    return 7 if total == 20 else (8 if total == 19 else 0)


@inlined_lean
def record_side_bets(cards: Bytes, shoe: Shoe, terms: Terms, side_kinds: Integers) -> None:
    """Classify the first two cards of every seat, alone and together with the up-card."""
    start, seat_count = shoe[ROUND_START], terms.seats
    up_card, has_natural = int(cards[start + seat_count]), False
    if terms.peeks and terms.natural_beats_21:
        hole_card = int(cards[start + 2 * seat_count + 1])
        has_natural = (up_card & POINT_MASK) + (hole_card & POINT_MASK) == ACE_POINT + TEN_POINT
    for seat in range(seat_count):
        first = int(cards[start + seat])
        second = int(cards[start + seat_count + 1 + seat])
        low = _low_points(first) + _low_points(second)
        add_to(side_kinds, PAIRS_FROM + _pair_kind(first, second), 1)
        add_to(side_kinds, POKER_FROM + _poker_kind(first, second, up_card), 1)
        add_to(side_kinds, LADIES_FROM + _ladies_kind(first, second, has_natural), 1)
        add_to(side_kinds, MATCH_FROM + _match_kind(first, second), 1)
        add_to(side_kinds, OVER_FROM + (1 if low > 13 else 0), 1)
        add_to(side_kinds, UNDER_FROM + (1 if low < 13 else 0), 1)
        add_to(side_kinds, LUCKY_FROM + _lucky_kind(first, second, up_card), 1)


@compiled_lean
def play_table(
    rounds: int, shoes: int, cut: int, counts_side_bets: bool,
    cards: Bytes, shoe: Shoe, stream: Stream,
    seats: Integers, hands: Integers, waiting: Integers, outcomes: Integers, side_kinds: Integers,
    sums: Integers, cells: Integers, squares: Squares, spreads: Squares,
    setup: Setup, ledger: Ledger | None,
) -> None:  # fmt: skip
    """Play this many rounds or shoes, whichever comes first; stop early if a round runs out of cards. A ledger is for one seat."""
    open_shoe(shoe)
    shoe_result, shoe_bets, shoe_rounds = 0, 0, 0
    played, full_shoes = 0, 0
    is_playing = rounds > 0 and shoes > 0
    while in_any_lane(is_playing):
        if is_playing:
            running, unseen = shoe[RUNNING_COUNT], shoe[SIZE] - shoe[POSITION]
            up = play_round(cards, shoe, stream, seats, hands, waiting, outcomes, setup)
            won, bets = record_seats(up, seats, setup.terms.seats, sums, cells, squares)
            if counts_side_bets:
                record_side_bets(cards, shoe, setup.terms, side_kinds)
            note_round(running, unseen, won, seats[0, PREMIUM] > 0, ledger)
            shoe_result += won
            shoe_bets += weight_of(bets, ledger)
            shoe_rounds += 1
            played += 1
            if needs_shuffle(shoe, cut):
                close_shoe(shoe_result, shoe_bets, shoe_rounds, shoe, True, sums, spreads)
                shoe_result, shoe_bets, shoe_rounds = 0, 0, 0
                full_shoes += 1
                open_shoe(shoe)
            is_playing = played < rounds and full_shoes < shoes and not shoe[IS_EXHAUSTED]
    if shoe_rounds > 0:
        close_shoe(shoe_result, shoe_bets, shoe_rounds, shoe, False, sums, spreads)
    add_to(sums, ROUNDS, played)
