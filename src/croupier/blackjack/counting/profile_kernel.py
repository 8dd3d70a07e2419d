"""The rounds of a count profile as compiled code: every place bets one unit, and results are recorded by count, depth and who would be in."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.blackjack.counting.person_kernel import (
    Person,
    Records,
    count_before_bet,
    open_table,
    play_person,
)
from croupier.blackjack.simulation.round_terms import RESULT, Integers
from croupier.blackjack.simulation.shoe_kernel import IS_EXHAUSTED, POSITION, needs_shuffle
from croupier.numerics.compiled import compiled_lean, inlined_lean

Cells = NDArray[np.int64]

#: Parts of a run that share no shoe. What differs between them gives the error of every figure.
GROUPS = 32

#: What a cell holds: rounds, then for the first place, the first two places and so on, what they won together and its square.
ROUNDS = 0
FIELDS_PER_SPOT = 2

#: A count that every other one is above: who enters there plays from the shuffle on, and who leaves there never does.
LOWEST_COUNT = -(2**30)


class Bins(NamedTuple):
    """How rounds are sorted, as numbers; see :class:`~croupier.blackjack.counting.profile_layout.ProfileLayout`."""

    lowest: int  # the first count; lower ones are recorded with it
    counts: int
    step_cards: int  # cards of a depth step
    steps: int
    spots: int
    enters: Integers  # for a player who comes back: the entry counts, rising
    leaves: Integers  # the counts for leaving, rising; the first is LOWEST_COUNT
    single_enters: Integers  # for one who does not come back: the entry counts; the first is LOWEST_COUNT
    single_leaves: Integers  # the counts for leaving, rising


@inlined_lean
def _reached(count: int, thresholds: Integers) -> int:
    """Return how many thresholds a count reaches."""
    reached = 0
    for threshold in thresholds:
        if count >= threshold:
            reached += 1
    return reached


@inlined_lean
def _states_of(count: int, peaks: Integers, lows: Integers, states: Integers, bins: Bins) -> int:
    """Note in which states a round with this count is played; return how many there are.

    State 0 is all rounds. A player who comes back is in if the highest count since the last one that meant leaving reaches the
    entry: for each leaving count one number, the highest threshold reached, says it for all entries. A player who does not come back
    is in after entering, as long as no later count was low enough to leave: for each entry one number says it for all leaving counts.
    """
    enters, leaves = len(bins.enters), len(bins.leaves)
    states[0] = 0
    found = 1
    for place in range(leaves):
        if count <= bins.leaves[place]:
            peaks[place] = 0
        else:
            peaks[place] = max(peaks[place], _reached(count, bins.enters))
        if peaks[place] > 0:
            states[found] = place * enters + peaks[place]
            found += 1
    exits = len(bins.single_leaves)
    stays = _reached(count - 1, bins.single_leaves)
    for place in range(len(bins.single_enters)):
        if lows[place] < 0 and count >= bins.single_enters[place]:
            lows[place] = exits
        lows[place] = min(lows[place], stays)
        if lows[place] > 0:
            states[found] = enters * leaves + place * exits + lows[place]
            found += 1
    return found


@inlined_lean
def _record(
    seats: Integers, cells: Cells, states: Integers, found: int, step: int, place: int, spots: int
) -> None:
    for number in range(found):
        state = states[number]
        cells[state, step, place, ROUNDS] += 1
        won = np.int64(0)
        for spot in range(spots):
            won += seats[spot, RESULT]
            cells[state, step, place, 1 + FIELDS_PER_SPOT * spot] += won
            cells[state, step, place, 2 + FIELDS_PER_SPOT * spot] += won * won


@compiled_lean
def play_profile(
    rounds: int, shoes: int, cut: int, records: Records, peaks: Integers, lows: Integers, states: Integers,
    cells: Cells, bins: Bins, person: Person,
) -> None:  # fmt: skip
    """Play at least this many rounds or shoes, each to its cut card, whichever is reached first; stop if a round runs out of cards."""
    shoe, played, opened = records.shoe, 0, 0
    while played < rounds and opened < shoes and not shoe[IS_EXHAUSTED]:
        open_table(records, person)
        opened += 1
        peaks[:] = 0
        lows[:] = -1
        is_open = True
        while is_open and not shoe[IS_EXHAUSTED]:
            count = count_before_bet(records, person)
            place = min(max(count - bins.lowest, 0), bins.counts - 1)
            step = min(shoe[POSITION] // bins.step_cards, bins.steps - 1)
            found = _states_of(count, peaks, lows, states, bins)
            play_person(records, person)
            _record(records.seats, cells, states, found, step, place, bins.spots)
            played += 1
            is_open = not needs_shuffle(shoe, cut)
