"""Rounds of a single player with flat bets, as compiled code that follows the arrows of a ``round_automaton``.

The loops are nested so that a GPU runs them well too: many lanes in step choose cards together, then play rounds together.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.blackjack.simulation.round_kernel import play_round
from croupier.blackjack.simulation.round_terms import Integers, Setup, Table
from croupier.blackjack.simulation.shoe_kernel import (
    CHOSEN,
    IS_INFINITE,
    POSITION,
    REFILLS,
    REUSED,
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
from croupier.numerics.compiled import compiled_lean, inlined_lean
from croupier.numerics.random_kernels import Stream
from croupier.numerics.sums import add_to

Arrows = NDArray[np.uint16]

#: As in ``round_automaton``; a row of the histogram has a place for each ending.
_ENDING_BITS = np.uint64(5)
_SPLIT = np.uint64(31)
_DEALER_DONE = np.uint64(32)
_HAND_DONE = np.uint64(64)
_FIRST_STATE = np.uint64(128)

#: As in ``split_states``.
_HAND_BITS = np.uint64(6)
_HAND_MASK = np.uint64(63)
_FLAG_SHIFT = np.uint64(4)
_TAKES_BET = np.uint64(128)
_NATURAL_AND_PAID = np.uint64(9)

#: Rounds with a split are counted by pair, up-card and what they won in bets, from -32 to 31.
SPLIT_RESULT_BITS = 6
EVEN_SPLIT = 32
_SPLIT_RESULT_BITS = np.uint64(SPLIT_RESULT_BITS)

#: The number that stands for a round which the general kernel has to play.
_NOT_HERE = np.uint64(30)

_NO_LIMIT = np.uint64(2**62)
_POINT = np.uint64(15)
_ZERO, _ONE, _TWO, _THREE, _TEN = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(10)


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
    """What is counted: rounds without a split by cell and ending, rounds with one by cell and result, their hands by ending; sums."""

    histogram: Integers
    splits: Integers
    split_hands: Integers
    sums: Integers
    spreads: Squares


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
def _more_cards(
    position: np.uint64, cards: Bytes, shoe: Shoe, stream: Stream
) -> tuple[np.uint64, np.uint64]:
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
def _settle_split(
    dealer: np.uint64, codes: np.uint64, hands: np.uint64, cell: np.uint64, paths: Paths, counts: Counts
) -> int:
    """Settle the hands of a split, the first one first, and count them; return what they won in bets."""
    result = np.int64(0)
    for _ in range(hands):
        ending = np.uint64(paths.settle[(dealer << _HAND_BITS) + (codes & _HAND_MASK)])
        codes >>= _HAND_BITS
        if ending >= _TAKES_BET:
            ending -= _TAKES_BET
            dealer = _NATURAL_AND_PAID
        result += paths.won_bets[ending]
        add_to(counts.split_hands, ending, 1)
    add_to(counts.splits, (cell << _SPLIT_RESULT_BITS) + np.uint64(EVEN_SPLIT + result), 1)
    return int(result)


@compiled_lean
def play_alone(
    rounds: int, shoes: int, dealing: Dealing, paths: Paths, counts: Counts,
    cards: Bytes, shoe: Shoe, stream: Stream, general: General | None,
) -> None:  # fmt: skip
    """Play this many rounds or shoes, whichever comes first.

    A round that might run out of cards is played by the general kernel, and recorded as it does. Without ``general`` there is none:
    the caller knows that the cards behind the cut card are enough.
    """
    deal_size = np.uint64(4 if dealing.peeks else 3)
    cut, reserve = np.uint64(dealing.cut), np.uint64(dealing.reserve)
    last_start, size = np.uint64(dealing.last_start), np.uint64(shoe[SIZE])
    if shoe[IS_INFINITE]:
        last_start, size = _NO_LIMIT, _NO_LIMIT
    played, full_shoes, full_rounds, full_cards = 0, 0, 0, 0
    won_squared, won_times_rounds, rounds_squared = 0, 0, 0
    shoe_result, shoe_rounds = 0, 0
    open_shoe(shoe)
    position, chosen = _ZERO, _ZERO
    while played < rounds and full_shoes < shoes:
        position, chosen = _more_cards(position, cards, shoe, stream)
        while (position + reserve <= chosen or chosen == size) and played < rounds:
            start, arrow, is_over = position, _NOT_HERE, False
            if general is None or position <= last_start:
                first = np.uint64(cards[position]) & _POINT
                up = np.uint64(cards[position + _ONE]) & _POINT
                second = np.uint64(cards[position + _TWO]) & _POINT
                hole = _ZERO
                place = (first * _TEN + up) * _TEN + second
                if dealing.peeks:
                    hole = np.uint64(cards[position + _THREE]) & _POINT
                    place = place * _TEN + hole
                arrow = np.uint64(paths.deal[place])
                position += deal_size
                hands, waiting, done, codes, flags = _ONE, _ZERO, _ZERO, _ZERO, _ZERO
                while arrow >= _SPLIT:
                    if arrow >= _FIRST_STATE:
                        if position == chosen:
                            if general is not None and chosen == size:
                                arrow = _NOT_HERE
                                break
                            position, chosen = _more_cards(position, cards, shoe, stream)
                        arrow = np.uint64(paths.step[arrow + (np.uint64(cards[position]) & _POINT)])
                        position += _ONE
                    elif arrow < _HAND_DONE and arrow != _SPLIT:
                        break
                    else:
                        is_done = arrow >= _HAND_DONE
                        if is_done:
                            code = arrow - _HAND_DONE
                            codes |= code << (_HAND_BITS * done)
                            flags |= code >> _FLAG_SHIFT
                            done += _ONE
                        else:
                            hands += _ONE
                        if is_done and done == hands:
                            arrow = np.uint64(paths.dealer[((up << _TWO) + flags) * _TEN + hole])
                        else:
                            again = _ONE if hands < np.uint64(paths.most_hands[first]) else _ZERO
                            arrow = np.uint64(paths.split[((first * _TEN + up) << _ONE) + again])
                if arrow >= _DEALER_DONE:
                    bets = _settle_split(arrow - _DEALER_DONE, codes, done, first * _TEN + up, paths, counts)
                    shoe_result += bets * dealing.scale
                elif general is None or arrow != _NOT_HERE:
                    row = np.uint64(paths.row_of_two[first * _TEN + second])
                    add_to(counts.histogram, ((row * _TEN + up) << _ENDING_BITS) + arrow, 1)
                    shoe_result += paths.won[arrow]
            if general is not None and arrow == _NOT_HERE:
                shoe[POSITION] = start
                slow_up = play_round(
                    cards, shoe, stream, general.seats, general.hands, general.waiting, general.outcomes,
                    general.setup,
                )  # fmt: skip
                result, _ = record_seats(
                    slow_up, general.seats, 1, counts.sums, general.cells, general.squares
                )
                shoe_result += result
                position, chosen = np.uint64(shoe[POSITION]), np.uint64(shoe[CHOSEN])
                is_over = shoe[REFILLS] > 0 and not shoe[IS_INFINITE]
            shoe_rounds += 1
            played += 1
            if position + np.uint64(shoe[REUSED]) >= cut or is_over:
                full_shoes += 1
                full_rounds += shoe_rounds
                full_cards += np.int64(position) + shoe[REUSED]
                won_squared += shoe_result * shoe_result
                won_times_rounds += shoe_result * shoe_rounds
                rounds_squared += shoe_rounds * shoe_rounds
                shoe_result, shoe_rounds = 0, 0
                open_shoe(shoe)
                position, chosen = _ZERO, _ZERO
                break
    add_to(counts.sums, FULL_SHOES, full_shoes)
    add_to(counts.sums, FULL_SHOE_ROUNDS, full_rounds)
    add_to(counts.sums, FULL_SHOE_CARDS, full_cards)
    add_to(counts.sums, ROUNDS, played)
    add_to(counts.spreads, SHOES, float(full_shoes + (1 if shoe_rounds > 0 else 0)))
    add_to(counts.spreads, RESULT_SQUARED, float(won_squared + shoe_result * shoe_result))
    add_to(counts.spreads, RESULT_TIMES_BETS, float(won_times_rounds + shoe_result * shoe_rounds))
    add_to(counts.spreads, BETS_SQUARED, float(rounds_squared + shoe_rounds * shoe_rounds))
