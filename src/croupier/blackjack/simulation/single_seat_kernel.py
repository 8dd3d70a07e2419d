"""Rounds of a single player, as compiled code that follows the arrows of a ``round_automaton``; with or without a count.

The loops are written so that a GPU runs them well too: its lanes choose cards together, deal together and end together, and
those that have nothing to do meanwhile wait.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.blackjack.simulation.count_kernel import (
    Count,
    Ledger,
    bet_and_insure,
    chosen_arrow,
    count_card,
    count_hole,
    note_round,
    paid,
    weight_of,
)
from croupier.blackjack.simulation.length import NO_LIMIT
from croupier.blackjack.simulation.round_kernel import play_round
from croupier.blackjack.simulation.round_terms import PREMIUM, Integers, Setup, Table
from croupier.blackjack.simulation.shoe_kernel import (
    CHOSEN,
    INITIAL_COUNT,
    IS_INFINITE,
    POSITION,
    REFILLS,
    REUSED,
    RUNNING_COUNT,
    SIZE,
    STRIDE,
    Bytes,
    Shoe,
    choose_ahead,
    open_shoe,
)
from croupier.blackjack.simulation.table_kernel import (
    BETS_SQUARED,
    FULL_SHOE_CARDS,
    FULL_SHOE_ROUNDS,
    FULL_SHOES,
    RESULT_SQUARED,
    RESULT_TIMES_BETS,
    ROUNDS,
    SHOES,
    Squares,
    record_seats,
)
from croupier.blackjack.solvers.chart import ROWS
from croupier.numerics.compiled import called_lean, compiled_lean, inlined_lean
from croupier.numerics.random_kernels import Stream
from croupier.numerics.together import add_to, in_any_lane, runs_alone

Arrows = NDArray[np.uint16]

#: As in ``round_automaton``; a row of the histogram has a place for each ending.
_ENDING_BITS = np.uint64(5)
_DEALER_DONE = np.uint64(32)
_SPLIT = np.uint64(63)
_HAND_DONE = np.uint64(64)
_FIRST_STATE = np.uint64(128)

#: As in ``split_states``.
_HAND_BITS = np.uint64(6)
_HAND_MASK = np.uint64(63)
_FLAG_SHIFT = np.uint64(4)
_FLAGS_KEPT = np.uint64(48)
_TAKES_BET = np.uint64(128)
_NATURAL_AND_PAID = np.uint64(9)

#: Rounds with a split are counted by pair, up-card and what they won in bets, from -32 to 31.
SPLIT_RESULTS, EVEN_SPLIT = 64, 32
_SPLIT_RESULT_BITS = np.uint64(6)

#: The number that stands for a round which the general kernel has to play.
_NOT_HERE = np.uint64(30)

_NO_LIMIT = np.uint64(NO_LIMIT)
_POINT = np.uint64(15)
_ZERO, _ONE, _TWO, _THREE, _FOUR = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
_TEN = np.uint64(10)
_CELLS, _PAIR_CELLS = np.uint64(len(ROWS) * 10), np.uint64(100)


class Paths(NamedTuple):
    """A round automaton as compiled code reads it, with what endings win, as whole numbers and in bets, and the rows of two cards."""

    deal: Arrows
    step: Arrows
    split: Arrows
    dealer: Arrows
    settle: Table
    most_hands: Table
    row_of_two: Table
    won: Integers
    won_bets: Integers


class Dealing(NamedTuple):
    """How rounds are dealt.

    A round begins while so many chosen cards (``reserve``) are left; and by the automaton up to ``last_start``, from where on the
    cards may run out.
    """

    peeks: bool
    scale: int
    cut: int
    reserve: int
    last_start: int


class Counts(NamedTuple):
    """What is counted: rounds without a split by cell and ending, rounds with one by cell and result, their hands by ending; sums.

    With a count there are several of each: see :class:`~croupier.blackjack.simulation.count_kernel.Count`.
    """

    histogram: Integers
    splits: Integers
    split_hands: Integers
    sums: Integers
    spreads: Squares


class Totals(NamedTuple):
    """Sums over shoes: their number, rounds and cards, and squares and products of results and bets."""

    shoes: int
    rounds: int
    cards: int
    won_squared: int
    won_times_bets: int
    bets_squared: int


class General(NamedTuple):
    """What the general kernel needs, and counts."""

    seats: Integers
    hands: Integers
    waiting: Integers
    outcomes: Integers
    cells: Integers
    squares: Squares
    setup: Setup


@inlined_lean
def _more_cards(position: np.uint64, cards: Bytes, shoe: Shoe, stream: Stream) -> tuple[np.uint64, np.uint64]:
    """Choose further cards; return where the next card is and where the chosen cards end.

    Where an infinite shoe has no more places, the cards that are left move to its front.
    """
    if shoe[IS_INFINITE] and shoe[CHOSEN] + shoe[STRIDE] > shoe[SIZE]:
        left = np.uint64(shoe[CHOSEN]) - position
        for place in range(left):
            cards[np.uint64(place)] = cards[position + np.uint64(place)]
        shoe[REUSED] += np.int64(position)
        shoe[CHOSEN] = np.int64(left)
        position = _ZERO
    return position, np.uint64(choose_ahead(cards, shoe, stream))


@inlined_lean
def settle_split(
    dealer: np.uint64, codes: np.uint64, hands: np.uint64, cell: np.uint64, step: np.uint64,
    paths: Paths, counts: Counts,
) -> int:  # fmt: skip
    """Settle the hands of a split, the first one first, and count them; return what they won in bets."""
    result = np.int64(0)
    for _ in range(hands):
        ending = np.uint64(paths.settle[(dealer << _HAND_BITS) + (codes & _HAND_MASK)])
        codes >>= _HAND_BITS
        if ending >= _TAKES_BET:
            ending -= _TAKES_BET
            dealer = _NATURAL_AND_PAID
        result += paths.won_bets[ending]
        add_to(counts.split_hands, (step << _ENDING_BITS) + ending, 1)
    add_to(counts.splits, (cell << _SPLIT_RESULT_BITS) + np.uint64(EVEN_SPLIT + result), 1)
    return int(result)


@inlined_lean
def _dealt(
    position: np.uint64, peeks: bool, cards: Bytes, paths: Paths
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64, np.uint64]:
    """Return where the deal leads, and the point classes of the player's cards, the up-card and the hole card (0: none)."""
    first = np.uint64(cards[position]) & _POINT
    up = np.uint64(cards[position + _ONE]) & _POINT
    second = np.uint64(cards[position + _TWO]) & _POINT
    hole = _ZERO
    place = (first * _TEN + up) * _TEN + second
    if peeks:
        hole = np.uint64(cards[position + _THREE]) & _POINT
        place = place * _TEN + hole
    return np.uint64(paths.deal[place]), first, up, second, hole


@inlined_lean
def _look_ahead(
    arrow: np.uint64, position: np.uint64, chosen: np.uint64, cards: Bytes, paths: Paths, count: Count | None
) -> tuple[np.uint64, np.uint64]:
    """Take up to two cards for a round that waits for them; return where they lead, and the place of the next card.

    Both are looked up in any case, and put back if the round is over or a pair is split, so that there is no branch. A processor would
    often guess that branch wrong, which takes longer than two cards. Arrows to choices by a count are no places of ``step``.
    """
    if count is None and runs_alone() and position + _TWO <= chosen:
        for _ in range(2):
            after = np.uint64(paths.step[arrow + (np.uint64(cards[position]) & _POINT)])
            is_taken = arrow >= _FIRST_STATE
            arrow = after if is_taken else arrow
            position += np.uint64(is_taken)
    return arrow, position


@inlined_lean
def _after_card(
    arrow: np.uint64, position: np.uint64, chosen: np.uint64, size: np.uint64,
    cards: Bytes, shoe: Shoe, stream: Stream, paths: Paths, general: General | None,
) -> tuple[np.uint64, np.uint64, np.uint64]:  # fmt: skip
    """Return where the next card leads, the place of the one after it, and the end of the chosen cards."""
    if position == chosen:
        if chosen < size:
            position, chosen = _more_cards(position, cards, shoe, stream)
        elif general is not None:
            return _NOT_HERE, position, chosen
    return np.uint64(paths.step[arrow + (np.uint64(cards[position]) & _POINT)]), position + _ONE, chosen


@inlined_lean
def next_hand(
    arrow: np.uint64, hands: np.uint64, done: np.uint64, codes: np.uint64,
    first: np.uint64, up: np.uint64, hole: np.uint64, paths: Paths,
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:  # fmt: skip
    """Split a pair, or put a finished hand of a split away; begin the next hand, or let the dealer begin after the last one.

    Return where that leads, how many hands there are, how many of them are done, and their codes. The flags of all codes are
    kept above them.
    """
    if arrow == _SPLIT:
        hands += _ONE
    else:
        code = arrow - _HAND_DONE
        codes |= code << (_HAND_BITS * done)
        codes |= (code >> _FLAG_SHIFT) << _FLAGS_KEPT
        done += _ONE
    if done == hands:
        return (
            np.uint64(paths.dealer[((up << _TWO) + (codes >> _FLAGS_KEPT)) * _TEN + hole]),
            hands,
            done,
            codes,
        )
    again = _ONE if hands < np.uint64(paths.most_hands[first]) else _ZERO
    return np.uint64(paths.split[((first * _TEN + up) << _ONE) + again]), hands, done, codes


@called_lean
def _play_slowly(
    start: np.uint64, running: int, cards: Bytes, shoe: Shoe, stream: Stream, counts: Counts, general: General,
    ledger: Ledger | None,
) -> tuple[int, int, np.uint64, np.uint64, int, bool]:  # fmt: skip
    """Let the general kernel play a round.

    Return what it won and bet, the next card, the end of the chosen cards, the running count, and if the shoe is over.
    """
    shoe[POSITION], shoe[RUNNING_COUNT] = start, running
    up = play_round(
        cards, shoe, stream, general.seats, general.hands, general.waiting, general.outcomes, general.setup
    )
    result, bet = record_seats(up, general.seats, 1, counts.sums, general.cells, general.squares)
    note_round(running, shoe[SIZE] - np.int64(start), result, general.seats[0, PREMIUM] > 0, ledger)
    is_over = bool(shoe[REFILLS] > 0 and not shoe[IS_INFINITE])
    return (
        result, bet, np.uint64(shoe[POSITION]), np.uint64(shoe[CHOSEN]), shoe[RUNNING_COUNT], is_over
    )  # fmt: skip


@inlined_lean
def close_shoe(result: int, bets: int, rounds: int, dealt: int, totals: Totals) -> Totals:
    """Add a shoe to the totals."""
    return Totals(
        totals.shoes + 1,
        totals.rounds + rounds,
        totals.cards + dealt,
        totals.won_squared + result * result,
        totals.won_times_bets + result * bets,
        totals.bets_squared + bets * bets,
    )


@inlined_lean
def add_totals(full: Totals, result: int, bets: int, rounds: int, played: int, counts: Counts) -> None:
    """Add the shoes of a lane to the sums: the full ones, and one that was dealt in part."""
    add_to(counts.sums, FULL_SHOES, full.shoes)
    add_to(counts.sums, FULL_SHOE_ROUNDS, full.rounds)
    add_to(counts.sums, FULL_SHOE_CARDS, full.cards)
    add_to(counts.sums, ROUNDS, played)
    every = close_shoe(result, bets, rounds, 0, full)
    add_to(counts.spreads, SHOES, float(every.shoes if rounds > 0 else full.shoes))
    add_to(counts.spreads, RESULT_SQUARED, float(every.won_squared))
    add_to(counts.spreads, RESULT_TIMES_BETS, float(every.won_times_bets))
    add_to(counts.spreads, BETS_SQUARED, float(every.bets_squared))


@inlined_lean
def _record(
    arrow: np.uint64, first: np.uint64, up: np.uint64, second: np.uint64, done: np.uint64, codes: np.uint64,
    step: np.uint64, is_insured: np.uint64, variant: np.uint64, scale: int, paths: Paths, counts: Counts, count: Count | None,
    ledger: Ledger | None,
) -> int:  # fmt: skip
    """Count a round that the automaton has played; return what it won, for a bet of one unit and without insurance.

    With a ledger, only splits are counted here.
    """
    group = (step << _ONE) + is_insured
    if arrow >= _DEALER_DONE:
        cell = group * _PAIR_CELLS + first * _TEN + up
        return settle_split(arrow - _DEALER_DONE, codes, done, cell, step, paths, counts) * scale
    cell = np.uint64(paths.row_of_two[first * _TEN + second]) * _TEN + up
    if count is not None:
        cell += (group * np.uint64(count.variants) + variant) * _CELLS
    if ledger is None:
        add_to(counts.histogram, (cell << _ENDING_BITS) + arrow, 1)
    return int(paths.won[arrow])


@compiled_lean
def play_alone(
    rounds: int, shoes: int, dealing: Dealing, paths: Paths, counts: Counts,
    cards: Bytes, shoe: Shoe, stream: Stream, general: General | None, count: Count | None,
    ledger: Ledger | None,
) -> None:  # fmt: skip
    """Play this many rounds or shoes, whichever comes first; every bet is one unit unless there is a count, and a ledger needs one.

    A round that might run out of cards is played by the general kernel, and recorded as it does. Without ``general`` there is none:
    the caller knows that the cards behind the cut card are enough.
    """
    cut, reserve = np.uint64(dealing.cut), np.uint64(dealing.reserve)
    last_start, size = np.uint64(dealing.last_start), np.uint64(shoe[SIZE])
    if shoe[IS_INFINITE]:
        last_start, size = _NO_LIMIT, _NO_LIMIT
    deal_size, unseen_hole = (_FOUR, _ONE) if dealing.peeks else (_THREE, _ZERO)
    full, played, shoe_result, shoe_bets, shoe_rounds = Totals(0, 0, 0, 0, 0, 0), 0, 0, 0, 0
    open_shoe(shoe)
    position, chosen, running = _ZERO, _ZERO, shoe[INITIAL_COUNT]
    is_playing = rounds > 0 and shoes > 0
    while in_any_lane(is_playing):
        if is_playing:
            position, chosen = _more_cards(position, cards, shoe, stream)
        is_ready = is_playing
        while in_any_lane(is_ready):
            start, arrow, is_over, running_before = position, _NOT_HERE, False, running
            first, up, second, hole = _ZERO, _ZERO, _ZERO, _ZERO
            step, is_insured, variant = _ZERO, _ZERO, _ZERO
            if is_ready and (general is None or position <= last_start):
                arrow, first, up, second, hole = _dealt(position, dealing.peeks, cards, paths)
                step, is_insured, running = bet_and_insure(position, up, running, size, cards, count)
                arrow, position = _look_ahead(arrow, position + deal_size, chosen, cards, paths, count)
            hands, done, codes = _ONE, _ZERO, _ZERO
            while in_any_lane(arrow >= _SPLIT):
                arrow, variant = chosen_arrow(arrow, variant, running, size - position + unseen_hole, count)
                if arrow >= _FIRST_STATE:
                    arrow, position, chosen = _after_card(
                        arrow, position, chosen, size, cards, shoe, stream, paths, general
                    )
                    running = count_card(running, cards, position - _ONE, count)
                elif arrow >= _SPLIT:
                    arrow, hands, done, codes = next_hand(arrow, hands, done, codes, first, up, hole, paths)
            if is_ready:
                if general is not None and arrow == _NOT_HERE:
                    won, bet, position, chosen, running, is_over = _play_slowly(
                        start, running_before, cards, shoe, stream, counts, general, ledger
                    )
                else:
                    won = _record(
                        arrow, first, up, second, done, codes, step, is_insured, variant, dealing.scale,
                        paths, counts, count, ledger,
                    )  # fmt: skip
                    won, bet = paid(won, step, is_insured, hole, dealing.scale, count)
                    note_round(running_before, np.int64(size - start), won, is_insured > _ZERO, ledger)
                    running = count_hole(running, cards, start + _THREE, dealing.peeks, count)
                shoe_result += won
                shoe_bets += weight_of(bet, ledger)
                shoe_rounds += 1
                played += 1
                if position + np.uint64(shoe[REUSED]) >= cut or is_over:
                    full = close_shoe(
                        shoe_result, shoe_bets, shoe_rounds, np.int64(position) + shoe[REUSED], full
                    )
                    shoe_result, shoe_bets, shoe_rounds = 0, 0, 0
                    open_shoe(shoe)
                    position, chosen, running = _ZERO, _ZERO, shoe[INITIAL_COUNT]
                is_playing = played < rounds and full.shoes < shoes
                is_ready = bool(is_playing and (position + reserve <= chosen or chosen == size))
    add_totals(full, shoe_result, shoe_bets, shoe_rounds, played, counts)
