"""Whole shoes as compiled code: dealt and kept round by round, then summed up for any bets.

What a bankroll does depends on how the rounds of a shoe follow each other. :mod:`~croupier.blackjack.counting.shoe_paths` says what the sums
are for.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.blackjack.counting.kernel import Floats
from croupier.blackjack.counting.person_kernel import (
    Person,
    Records,
    count_before_bet,
    open_table,
    play_person,
)
from croupier.blackjack.counting.profile_kernel import Bins
from croupier.blackjack.simulation.round_terms import RESULT, Integers
from croupier.blackjack.simulation.shoe_kernel import IS_EXHAUSTED, POSITION, needs_shuffle
from croupier.numerics.compiled import compiled_lean, inlined_lean

Small = NDArray[np.int16]

#: Sums over shoes. N is the number of rounds of a shoe, Z what it won beyond the mean, Q the sum of the squares of its rounds. CROSS is the sum
#: over pairs of rounds of what the first won beyond the mean, times what the count of the second is worth beyond it.
SHOES, N, N2, CROSS, Z, ZN, Z2N, Z3, Z4, ZQ = range(10)
OF_SHOES = 10

#: Sums over the rounds in which a shoe goes below all before (or above, for a goal), over the places of the end that this round passes. PLACES
#: counts them, OVER is by how much they are passed, AFTER what the rest of the shoe then moves in the same direction by its counts, REST its rounds,
#: and SQUARE the square of where the shoe ends beyond the end. Each is followed by the same with the distance of the end as weight.
PLACES, OVER, AFTER, REST, SQUARE = range(0, 10, 2)
OF_END = 10

#: Ends: below and above, for shoes played forwards and backwards.
DOWN, UP = range(2)
FORWARDS, BACKWARDS = range(2)


class Bettor(NamedTuple):
    """How a player bets on shoes that were dealt."""

    lowest: int  # the first count
    bets: Floats  # money on each place, by count, per whole number of the table
    worth: Floats  # what a round is worth with these bets, by count
    spots: Integers  # places played, by count
    enter: int
    leave: int
    returns: bool
    steps: int  # depth steps in front of the cut card
    mean: float  # what a round wins
    grid: float  # the distance of the places at which a bankroll can be


@compiled_lean
def deal_shoes(
    cut: int, records: Records, counts: Small, steps: Small, won: Small, ends: Integers, bins: Bins, person: Person
) -> int:  # fmt: skip
    """Deal whole shoes until the records are full; return how many there are. ``ends`` holds the number of rounds up to the end of each."""
    shoe, played, shoes = records.shoe, 0, 0
    while shoes < len(ends) and not shoe[IS_EXHAUSTED]:
        open_table(records, person)
        is_open = True
        while is_open and not shoe[IS_EXHAUSTED]:
            if played == len(counts):
                return shoes
            counts[played] = min(max(count_before_bet(records, person) - bins.lowest, 0), bins.counts - 1)
            steps[played] = min(shoe[POSITION] // bins.step_cards, bins.steps - 1)
            play_person(records, person)
            together = np.int64(0)
            for spot in range(bins.spots):
                together += records.seats[spot, RESULT]
                won[played, spot] = together
            played += 1
            is_open = not needs_shuffle(shoe, cut)
        if not shoe[IS_EXHAUSTED]:
            ends[shoes] = played
            shoes += 1
    return shoes


@inlined_lean
def _bet_on(
    first: int, end: int, counts: Small, steps: Small, won: Small, results: Floats, worth: Floats, bettor: Bettor
) -> int:  # fmt: skip
    """Write down what each round of a shoe wins and is worth; return how many there are in front of the cut card."""
    is_in, has_been_in, rounds = False, False, 0
    for number in range(first, end):
        if steps[number] >= bettor.steps:
            break
        place = counts[number]
        count = place + bettor.lowest
        if count >= bettor.enter and (bettor.returns or not has_been_in):
            is_in = True
            has_been_in = True
        if count <= bettor.leave:
            is_in = False
        results[rounds] = 0.0
        worth[rounds] = 0.0
        if is_in:
            results[rounds] = bettor.bets[place] * won[number, bettor.spots[place] - 1]
            worth[rounds] = bettor.worth[place]
        rounds += 1
    return rounds


@inlined_lean
def _add_shoe(rounds: int, results: Floats, worth: Floats, mean: float, sums: Floats) -> None:
    total, squares, later, cross = 0.0, 0.0, 0.0, 0.0
    for number in range(rounds - 1, -1, -1):
        total += results[number]
        squares += results[number] * results[number]
        cross += (results[number] - mean) * later
        later += worth[number] - mean
    length = float(rounds)
    beyond = total - mean * length
    sums[SHOES] += 1.0
    sums[N] += length
    sums[N2] += length * length
    sums[CROSS] += cross
    sums[Z] += beyond
    sums[ZN] += beyond * length
    sums[Z2N] += beyond * beyond * length
    sums[Z3] += beyond**3
    sums[Z4] += beyond**4
    sums[ZQ] += beyond * squares


@inlined_lean
def _add_passage(
    moved: float, furthest: float, rest: float, after: float, left: float, grid: float, sums: Floats
) -> None:
    """Add up the ends that a round passes, between how far the shoe had moved and has. On a grid the sums over ends have closed forms."""
    width, inner = moved - furthest, moved - furthest - grid
    weight = width * (moved + furthest + grid) / 2.0
    over = width * inner / 2.0
    squared = width * inner * (width + inner) / 6.0
    weighted_over = moved * over - squared
    weighted_squared = moved * squared - over * over
    sums[PLACES] += width
    sums[PLACES + 1] += weight
    sums[OVER] += over
    sums[OVER + 1] += weighted_over
    sums[AFTER] += width * after
    sums[AFTER + 1] += weight * after
    sums[REST] += width * left
    sums[REST + 1] += weight * left
    sums[SQUARE] += squared + (2.0 * over + width * rest) * rest
    sums[SQUARE + 1] += weighted_squared + (2.0 * weighted_over + weight * rest) * rest


@inlined_lean
def _add_ends(
    rounds: int, is_backwards: bool, results: Floats, worth: Floats, bettor: Bettor, down: Floats, up: Floats
) -> None:  # fmt: skip
    """Add up where a shoe passes ends below and above."""
    rest, after = 0.0, 0.0
    for number in range(rounds):
        rest += results[number] - bettor.mean
        after += worth[number] - bettor.mean
    moved, lowest, highest = 0.0, 0.0, 0.0
    for turn in range(rounds):
        number = rounds - 1 - turn if is_backwards else turn
        moved += results[number]
        rest -= results[number] - bettor.mean
        after -= worth[number] - bettor.mean
        if moved < lowest:
            _add_passage(-moved, -lowest, -rest, -after, float(rounds - 1 - turn), bettor.grid, down)
            lowest = moved
        elif moved > highest:
            _add_passage(moved, highest, rest, after, float(rounds - 1 - turn), bettor.grid, up)
            highest = moved


@compiled_lean
def sum_shoes(
    counts: Small, steps: Small, won: Small, ends: Integers, results: Floats, worth: Floats, of_shoes: Floats,
    of_ends: Floats, bettor: Bettor,
) -> None:  # fmt: skip
    """Sum up shoes with the bets of a player, in as many groups as there are rows of sums."""
    groups, first = len(of_shoes), 0
    for shoe in range(len(ends)):
        group = shoe * groups // len(ends)
        rounds = _bet_on(first, ends[shoe], counts, steps, won, results, worth, bettor)
        first = ends[shoe]
        _add_shoe(rounds, results, worth, bettor.mean, of_shoes[group])
        ends_of = of_ends[group]
        _add_ends(rounds, False, results, worth, bettor, ends_of[DOWN, FORWARDS], ends_of[UP, FORWARDS])
        _add_ends(rounds, True, results, worth, bettor, ends_of[DOWN, BACKWARDS], ends_of[UP, BACKWARDS])
