"""Two seats that are both closed: what a seat wins when it is settled, and the other one's cards are not known."""

import numpy as np

from croupier.banluck.solvers.hand_table import Floats
from croupier.banluck.solvers.table.sums import Places
from croupier.numerics.compiled import compiled, inlined


@inlined
def _fill_won(won: Floats, sum_of: Places, units: Floats, weight: Floats) -> None:
    """Fill what a hand wins with the other seat closed, by the dealer's hand, the other's card count, and the other seat."""
    for hand in range(len(sum_of)):
        place = sum_of[hand]
        for count in range(won.shape[1]):
            for other in range(2):
                won[hand, count, other] = units[hand] * weight[place, count, other] if place >= 0 else 0.0


@compiled
def stop_when_closed(
    stop: Floats,
    number: int,
    sum_of: Places,
    units: Floats,
    weight: Floats,
    first_masses: Floats,
    second_masses: Floats,
) -> None:
    """Add what either seat wins if settled while the other is closed too, for own hands of one card count."""
    _, hands, _, counts = stop.shape
    won = np.empty((hands, counts, 2))
    for known in range(len(sum_of)):
        _fill_won(won, sum_of[known], units[known], weight)
        for hand in range(hands):
            for count in range(counts):
                stop[0, hand, number, count] += first_masses[known] * won[hand, count, 1]
                stop[1, hand, count, number] += second_masses[count, known] * won[hand, count, 0]


@compiled
def settle_when_closed(
    worth_first: Floats,
    worth_second: Floats,
    number: int,
    sum_of: Places,
    units: Floats,
    weight: Floats,
    settled: Floats,
) -> None:
    """Add what own hands of one card count win when they are settled while the other seat is closed too.

    The adjoint of :func:`stop_when_closed`: sums over the dealer's hands instead of the own ones.
    """
    _, hands, _, counts = settled.shape
    won = np.empty((hands, counts, 2))
    for known in range(len(sum_of)):
        _fill_won(won, sum_of[known], units[known], weight)
        for hand in range(hands):
            for count in range(counts):
                worth_first[known] += settled[0, hand, number, count] * won[hand, count, 1]
                worth_second[count, known] += settled[1, hand, count, number] * won[hand, count, 0]
