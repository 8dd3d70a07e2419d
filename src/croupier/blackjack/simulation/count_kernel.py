"""What a count decides in a single player's rounds, as compiled code: bets, insurance, and arrows of a ``round_automaton``.

A count is only ever compared with whole numbers. So nothing is divided: a quotient, rounded down, is at least an index if the
numerator is at least the index times the denominator.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.blackjack.simulation.round_terms import ACE_POINT, NEAREST, TEN_POINT, TRUNCATE, Integers, Table
from croupier.blackjack.simulation.shoe_kernel import Bytes, Tags
from croupier.numerics.compiled import inlined_lean
from croupier.numerics.together import add_to

#: Arrows from here on lead to a choice by the count.
FIRST_CHOICE = 0xC000

_FIRST_CHOICE = np.uint64(FIRST_CHOICE)
_ACE, _TEN = np.uint64(ACE_POINT), np.uint64(TEN_POINT)
_ZERO, _ONE = np.uint64(0), np.uint64(1)


class Count(NamedTuple):
    """How the count becomes bets and decisions; choices stand for arrows from ``FIRST_CHOICE`` on.

    A round is counted by the step of the ramp, whether it was insured and, without a split, which of the ``variants`` of the first move
    was chosen.
    """

    tags: Tags  # by card
    factor: int  # times the running count, it is the numerator of the count
    denominators: Integers  # by the number of cards not yet seen
    rounding: int
    ramp: Integers  # bets in units, from the lowest count of the ramp up
    lowest_in_ramp: int
    insurance_index: int
    indices: Integers  # by choice: the count from which the second arrow is followed
    below: NDArray[np.uint16]
    reached: NDArray[np.uint16]
    variant: Table  # which first move the second arrow is; 0: the choice is a later one
    variants: int


class Ledger(NamedTuple):
    """What rounds won by what was known before they were dealt.

    ``cells`` are numbered by the running count, from ``lowest`` up, by the cards not yet seen, and by the fields below. A count that is
    made of these two can be worked out later, so no kernel divides.
    """

    lowest: int
    cells: Integers


#: Fields of a ledger: rounds, what they won, that squared, and how many were insured.
NOTED_ROUNDS, NOTED_WON, NOTED_SQUARED, NOTED_INSURED = range(4)
LEDGER_FIELDS = 4


@inlined_lean
def note_round(
    running: int, unseen: int | np.int64, won: int, is_insured: bool | np.bool, ledger: Ledger | None
) -> None:
    """Enter a round that began with this running count and so many cards not yet seen, if there is a ledger."""
    if ledger is None:
        return
    place = running - ledger.lowest
    add_to(ledger.cells, (place, unseen, NOTED_ROUNDS), 1)
    add_to(ledger.cells, (place, unseen, NOTED_WON), won)
    add_to(ledger.cells, (place, unseen, NOTED_SQUARED), won * won)
    if is_insured:
        add_to(ledger.cells, (place, unseen, NOTED_INSURED), 1)


@inlined_lean
def weight_of(bet: int, ledger: Ledger | None) -> int:
    """Return what a round adds to the size of its shoe: its bet; 1 with a ledger, whose results are per round."""
    return bet if ledger is None else 1


@inlined_lean
def _ratio(running: int, unseen: np.uint64, count: Count) -> tuple[int, int]:
    """Return a numerator and a denominator whose quotient, rounded down, is the count."""
    numerator, denominator = running * count.factor, count.denominators[unseen]
    if count.rounding == NEAREST:
        return 2 * numerator + denominator, 2 * denominator
    if count.rounding == TRUNCATE and numerator < 0:
        return numerator + denominator - 1, denominator
    return numerator, denominator


@inlined_lean
def _ramp_step(running: int, unseen: np.uint64, count: Count) -> np.uint64:
    """Return the step of the ramp that the count asks for before the deal."""
    step, last = _ZERO, np.uint64(len(count.ramp) - 1)
    numerator, denominator = _ratio(running, unseen, count)
    left = numerator - count.lowest_in_ramp * denominator
    while step < last and left >= denominator:
        left -= denominator
        step += _ONE
    return step


@inlined_lean
def count_card(running: int, cards: Bytes, place: np.uint64, count: Count | None) -> int:
    """Return the running count after a card that is seen."""
    if count is None:
        return running
    return running + int(count.tags[cards[place]])


@inlined_lean
def count_hole(running: int, cards: Bytes, place: np.uint64, is_there: bool, count: Count | None) -> int:
    """Return the running count after the hole card, if there is one."""
    return count_card(running, cards, place, count) if is_there else running


@inlined_lean
def bet_and_insure(
    start: np.uint64, up: np.uint64, running: int, size: np.uint64, cards: Bytes, count: Count | None
) -> tuple[np.uint64, np.uint64, int]:
    """Return the step of the ramp before a deal, 1 if it is insured or else 0, and the running count after its three open cards.

    Where there is insurance there is a hole card, which nobody has seen.
    """
    if count is None:
        return _ZERO, _ZERO, running
    step = _ramp_step(running, size - start, count)
    for place in range(3):
        running += count.tags[cards[start + np.uint64(place)]]
    if up != _ACE:
        return step, _ZERO, running
    numerator, denominator = _ratio(running, size - start - np.uint64(3), count)
    return step, _ONE if numerator >= count.insurance_index * denominator else _ZERO, running


@inlined_lean
def paid(
    won: int, step: np.uint64, is_insured: np.uint64, hole: np.uint64, scale: int, count: Count | None
) -> tuple[int, int]:
    """Return what a round won that would have won so much for a bet of one unit; and the bet."""
    if count is None:
        return won, 1
    bet = count.ramp[step]
    premium = np.int64(is_insured) * (bet * scale // 2)
    return won * bet + (2 * premium if hole == _TEN else -premium), bet


@inlined_lean
def chosen_arrow(
    arrow: np.uint64, variant: np.uint64, running: int, unseen: np.uint64, count: Count | None
) -> tuple[np.uint64, np.uint64]:
    """Return the arrow that the count chooses where there is a choice, and the variant of the first move."""
    if count is None:
        return arrow, variant
    while arrow >= _FIRST_CHOICE:
        choice = arrow - _FIRST_CHOICE
        numerator, denominator = _ratio(running, unseen, count)
        arrow = np.uint64(count.below[choice])
        if numerator >= count.indices[choice] * denominator:
            arrow = np.uint64(count.reached[choice])
            variant += np.uint64(count.variant[choice])
    return arrow, variant
