"""Real bets by count as compiled code: coming and going, cover limits, bankrolls that last or do not.

The table is that of a count profile: every place is played in every round. What is not bet on is somebody else's.
"""

import math
from typing import NamedTuple

from croupier.blackjack.counting.kernel import Floats
from croupier.blackjack.counting.person_kernel import (
    Person,
    Records,
    count_before_bet,
    open_table,
    play_person,
)
from croupier.blackjack.simulation.round_terms import RESULT, Integers
from croupier.blackjack.simulation.shoe_kernel import IS_EXHAUSTED, needs_shuffle
from croupier.numerics.compiled import compiled_lean, inlined_lean

#: What a player remembers: being in, having been in since the shuffle, and what the last bet came to (-1, 0 or 1).
IS_IN, HAS_BEEN_IN, LAST_RESULT = range(3)
MEMORY = 3

#: Sums over all rounds: played rounds, and money bet.
PLAYED, BET = range(2)
SUMS = 2

#: What is added up of a shoe: one, its rounds, what they won, and the squares of what each won. Shoes are independent, rounds of one shoe
#: are not: large bets come together. So products of all pairs are added up over shoes.
ONE, ROUNDS, WON, SQUARED = range(4)
OF_SHOE = 4

#: How a bankroll ended: lost, grown to its goal, or still there at the end of the trip; and by how much losses went past its end.
RUINED, REACHED, LEFT, OVERSHOOT = range(4)
ENDS = 4


class Betting(NamedTuple):
    """How a player bets."""

    lowest: int  # the count of the first bet
    bets: Floats  # money on each place, by count
    spots: Integers  # places played, by count
    enter: int  # the count from which the player is in
    leave: int  # the count at and below which the player leaves
    returns: bool  # whether the player enters again before the next shuffle
    factors: Floats  # after a lost, even, won round: the next bet is at most so many times the last
    chip: float  # resized bets are whole multiples of this; 0 for any bets
    least: float  # and not smaller than this
    most: float  # nor larger than that


class Purse(NamedTuple):
    """What may be lost and won, in the whole numbers of the table, and how bets follow it."""

    bankroll: float
    most_lost: float  # the loss that ends a trip
    goal: float  # the win that ends a trip
    rounds: int  # the length of a trip
    resizes: bool  # whether bets follow the bankroll
    resize_step: float  # they do when it has changed by this part since the last time
    tip: float  # what a round costs in tips


@inlined_lean
def _is_in(count: int, memory: Integers, betting: Betting) -> bool:
    """Let the player come and go before a round; tell whether the player is in."""
    if count >= betting.enter and (betting.returns or not memory[HAS_BEEN_IN]):
        memory[IS_IN] = 1
        memory[HAS_BEEN_IN] = 1
    if count <= betting.leave:
        memory[IS_IN] = 0
    return bool(memory[IS_IN])


@inlined_lean
def _resized(bet: float, size: float, betting: Betting) -> float:
    """Return a bet that follows the bankroll, in whole chips and inside the limits of the table; nothing stays nothing."""
    if size == 1.0 or bet == 0.0:
        return bet
    changed = bet * size
    if betting.chip > 0.0:
        changed = math.floor(changed / betting.chip + 0.5) * betting.chip
    return min(max(changed, betting.least), betting.most)


@inlined_lean
def _play(
    last_bet: float, size: float, records: Records, memory: Integers, betting: Betting, person: Person
) -> tuple[float, int, float]:  # fmt: skip
    """Play a round; return the bet on each place, the number of places, and what they won together, in the whole numbers of the table.

    Bets are those of the count times ``size``; resized ones are whole chips, and not smaller than the least bet.
    """
    count = count_before_bet(records, person)
    place = min(max(count - betting.lowest, 0), len(betting.bets) - 1)
    bet, places = 0.0, 0
    if _is_in(count, memory, betting):
        bet, places = _resized(betting.bets[place], size, betting), betting.spots[place]
        if last_bet > 0.0:
            bet = min(bet, last_bet * betting.factors[memory[LAST_RESULT] + 1])
    play_person(records, person)
    won = 0
    for seat in range(places):
        won += records.seats[seat, RESULT]
    if bet > 0.0:
        memory[LAST_RESULT] = (1 if won > 0 else 0) - (1 if won < 0 else 0)
    return bet, places, bet * float(won)


@compiled_lean
def play_bets(
    rounds: int, cut: int, records: Records, memory: Integers, sums: Floats, of_shoe: Floats, products: Floats,
    betting: Betting, person: Person,
) -> None:  # fmt: skip
    """Play at least this many rounds, and the last shoe to its cut card; stop early if a round runs out of cards."""
    shoe, played, last_bet = records.shoe, 0, 0.0
    while played < rounds and not shoe[IS_EXHAUSTED]:
        open_table(records, person)
        memory[IS_IN] = 0
        memory[HAS_BEEN_IN] = 0
        of_shoe[:] = 0.0
        of_shoe[ONE] = 1.0
        is_open = True
        while is_open and not shoe[IS_EXHAUSTED]:
            bet, places, won = _play(last_bet, 1.0, records, memory, betting, person)
            if bet > 0.0:
                last_bet = bet
                sums[PLAYED] += 1.0
            sums[BET] += bet * float(places)
            of_shoe[ROUNDS] += 1.0
            of_shoe[WON] += won
            of_shoe[SQUARED] += won * won
            played += 1
            is_open = not needs_shuffle(shoe, cut)
        for one in range(OF_SHOE):
            for other in range(OF_SHOE):
                products[one, other] += of_shoe[one] * of_shoe[other]


@inlined_lean
def _next_size(size: float, won: float, purse: Purse) -> float:
    """Return by how much all bets are multiplied once so much is won."""
    now = 1.0 + won / purse.bankroll
    return now if purse.resizes and abs(now - size) >= purse.resize_step * size else size


@compiled_lean
def play_bankrolls(
    trips: int, cut: int, records: Records, memory: Integers, ends: Floats,
    purse: Purse, betting: Betting, person: Person,
) -> None:  # fmt: skip
    """Play bankrolls, each from a new shoe on, until they are lost, have won the goal, or so many rounds are dealt; count how they ended.

    The last bets may be larger than what is left.
    """
    shoe = records.shoe
    for _ in range(trips):
        won, last_bet, size, end, dealt = 0.0, 0.0, 1.0, LEFT, 0
        open_table(records, person)
        memory[:] = 0
        while dealt < purse.rounds and end == LEFT and not shoe[IS_EXHAUSTED]:
            bet, _, result = _play(last_bet, size, records, memory, betting, person)
            if bet > 0.0:
                last_bet = bet
            won += result - purse.tip
            dealt += 1
            if won <= -purse.most_lost:
                end = RUINED
                ends[OVERSHOOT] += -purse.most_lost - won
            elif won >= purse.goal:
                end = REACHED
            size = _next_size(size, won, purse)
            if needs_shuffle(shoe, cut):
                open_table(records, person)
                memory[IS_IN] = 0
                memory[HAS_BEEN_IN] = 0
        ends[end] += 1.0
