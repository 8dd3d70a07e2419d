"""Many rounds with a count, as compiled code: the rounds of the simulator, recorded by the count before the deal."""

import math

import numpy as np
from numpy.typing import NDArray

from croupier.blackjack.counting.person_kernel import (
    Person,
    Records,
    count_before_bet,
    open_table,
    play_person,
)
from croupier.blackjack.simulation.count_kernel import (
    NOTED_INSURED,
    NOTED_ROUNDS,
    NOTED_SQUARED,
    NOTED_WON,
    Ledger,
)
from croupier.blackjack.simulation.decision_kernel import bet_by_count, measured_count
from croupier.blackjack.simulation.round_terms import BET, PREMIUM, RESULT, Counting, Integers, Setup
from croupier.blackjack.simulation.shoe_kernel import (
    HOLE_CARD,
    IS_EXHAUSTED,
    POSITION,
    RUNNING_COUNT,
    SIZE,
    Shoe,
    needs_shuffle,
)
from croupier.numerics.compiled import compiled_lean, inlined_lean

Floats = NDArray[np.float64]

#: Counts lie between -COUNT_RANGE and COUNT_RANGE; larger ones are recorded with the last.
COUNT_RANGE = 200
COUNTS = 2 * COUNT_RANGE + 1

#: What is recorded for a count as integers, and as floats: squared results, the count before rounding, and one divided by the packs not
#: yet seen.
ROUNDS, BETS, WON, INSURED = range(4)
COUNT_FIELDS = 4
SQUARED, EXACT_COUNT, PER_PACK = range(3)
COUNT_SUMS = 3

#: Sums over shoes, which are independent: all shoes; those dealt to the cut card, and their rounds; squares and products of results and
#: rounds.
SHOES, FULL_SHOES, FULL_SHOE_ROUNDS, WON_SQUARED, WON_TIMES_ROUNDS, ROUNDS_SQUARED = range(6)
SHOE_FIELDS = 6

_PACK = 52.0

#: What is not whole is added up in these parts of one where the order must not matter: its mean is off by far less than its error.
_STEPS = 2.0**14


@inlined_lean
def _measured(count: int, shoe: Shoe, counting: Counting) -> tuple[int, float, float]:
    """Return the place of the count before a deal, the count before it was made whole, and one divided by the packs not yet seen."""
    place = min(max(count, -COUNT_RANGE), COUNT_RANGE) + COUNT_RANGE
    per_pack = _PACK / float(shoe[SIZE] - shoe[POSITION])
    return place, float(shoe[RUNNING_COUNT]) * (per_pack if counting.is_true else 1.0), per_pack


@compiled_lean
def _close_shoe(won: int, rounds: int, is_full: bool, spreads: Floats) -> None:
    spreads[SHOES] += 1.0
    spreads[WON_SQUARED] += float(won) * float(won)
    spreads[WON_TIMES_ROUNDS] += float(won) * float(rounds)
    spreads[ROUNDS_SQUARED] += float(rounds) * float(rounds)
    if is_full:
        spreads[FULL_SHOES] += 1.0
        spreads[FULL_SHOE_ROUNDS] += float(rounds)


@compiled_lean
def play_and_count(
    rounds: int, cut: int, records: Records, by_count: Integers, sums: Floats, spreads: Floats,
    lowest: int, ramp: Integers, person: Person,
) -> None:  # fmt: skip
    """Play this many rounds with one seat; stop early if a round runs out of cards.

    Bets are those of the person's setup times those of ``ramp``, which begins at the count ``lowest``.
    """
    shoe, seats = records.shoe, records.seats
    open_table(records, person)
    shoe_won, shoe_rounds, played = 0, 0, 0
    while played < rounds and not shoe[IS_EXHAUSTED]:
        count = count_before_bet(records, person)
        place, exact, per_pack = _measured(count, shoe, person.setup.counting)
        units = ramp[min(max(count - lowest, 0), len(ramp) - 1)]
        play_person(records, person)
        won = seats[0, RESULT] * units
        by_count[place, ROUNDS] += 1
        by_count[place, BETS] += seats[0, BET] * units
        by_count[place, WON] += won
        if seats[0, PREMIUM] > 0:
            by_count[place, INSURED] += 1
        sums[place, SQUARED] += float(won) * float(won)
        sums[place, EXACT_COUNT] += exact
        sums[place, PER_PACK] += per_pack
        shoe_won += won
        shoe_rounds += 1
        played += 1
        if needs_shuffle(shoe, cut):
            _close_shoe(shoe_won, shoe_rounds, True, spreads)
            shoe_won, shoe_rounds = 0, 0
            open_table(records, person)
    if shoe_rounds > 0:
        _close_shoe(shoe_won, shoe_rounds, False, spreads)


@inlined_lean
def _in_steps(value: float) -> float:
    """Round a number so that sums of such numbers are the same in any order, as long as they stay below 2**39."""
    return math.floor(value * _STEPS + 0.5) / _STEPS


@compiled_lean
def add_ledger(ledger: Ledger, shoe: Shoe, by_count: Integers, sums: Floats, setup: Setup) -> None:
    """Sort the rounds of a ledger by count."""
    shoe[HOLE_CARD] = -1
    for row in range(ledger.cells.shape[0]):
        for unseen in range(1, ledger.cells.shape[1]):
            noted = ledger.cells[row, unseen]
            if noted[NOTED_ROUNDS] > 0:
                shoe[RUNNING_COUNT] = ledger.lowest + row
                shoe[POSITION] = shoe[SIZE] - unseen
                count = measured_count(shoe, setup.counting)
                place, exact, per_pack = _measured(count, shoe, setup.counting)
                by_count[place, ROUNDS] += noted[NOTED_ROUNDS]
                by_count[place, BETS] += noted[NOTED_ROUNDS] * bet_by_count(shoe, setup)
                by_count[place, WON] += noted[NOTED_WON]
                by_count[place, INSURED] += noted[NOTED_INSURED]
                sums[place, SQUARED] += float(noted[NOTED_SQUARED])
                sums[place, EXACT_COUNT] += float(noted[NOTED_ROUNDS]) * _in_steps(exact)
                sums[place, PER_PACK] += float(noted[NOTED_ROUNDS]) * _in_steps(per_pack)
