"""What a dealer could gain by remembering cards: a lower bound, measured on sampled deals.

The strategies forget the cards of hands that were shown or opened. A dealer who has opened everything that may be opened knows these
cards. Here that dealer remembers one thing about them: how many low cards are left, in five steps. From then on it only draws or
stands, so the best way to use the memory is backward induction for each step by itself.
"""

import numpy as np

from croupier.banluck.solvers.hand_table import Floats
from croupier.banluck.solvers.payoff_kernel import CHOICE, ENDS
from croupier.banluck.solvers.table.counts_dealer import CountsDealer, DealerTree
from croupier.banluck.solvers.table.dealer_sample import DealerSample
from croupier.banluck.solvers.table.dealt_hands import MEMORIES
from croupier.banluck.solvers.table.situations import DRAW
from croupier.numerics.compiled import compiled


class DealerMemory:
    """A dealer who draws or stands after everything was opened, with and without a memory."""

    def __init__(self, side: CountsDealer, closed: Floats) -> None:
        self._side = side
        first = side.situations.first_state[:-1]
        self._draw = np.repeat(closed[first, :, DRAW], MEMORIES, axis=0)

    def best_draws(self, sample: DealerSample) -> Floats:
        """Return when to draw, by situation, memory and hand of choice, after the deals of a sample."""
        draw = self._draw.copy()
        self._values(sample, draw, is_best=True)
        return draw

    def gained(self, sample: DealerSample, draw: Floats, all_open: Floats) -> float:
        """Return what these draws gain the dealer a deal, where ``all_open`` says how often it gets so far."""
        without = self._values(sample, self._draw, is_best=False)
        remembered = self._values(sample, draw, is_best=False)
        difference = (without - remembered).reshape(len(all_open), MEMORIES, -1).sum(axis=1)
        return float(np.sum(difference * all_open)) / sample.deals

    def _values(self, sample: DealerSample, draw: Floats, *, is_best: bool) -> Floats:
        value = np.zeros((len(sample.settled), sample.settled.shape[2]))
        never_opened = np.repeat(self._side.situations.never_opened, MEMORIES)
        stop = np.array(
            [rows[:held].sum(axis=0) for rows, held in zip(sample.settled, never_opened, strict=True)]
        )
        memory_values(value, stop, self._side.tree, draw, is_best)
        return value


@compiled
def memory_values(value: Floats, stop: Floats, tree: DealerTree, draw: Floats, is_best: bool) -> None:
    """Value the dealer's hands once nothing is left to open, row by row; write the best draws if ``is_best``."""
    for row in range(len(value)):
        for hand in range(value.shape[1] - 1, -1, -1):
            value[row, hand] = stop[row, hand]
            if tree.by_total[hand] == ENDS:
                continue
            drawn = 0.0
            for child in tree.child[hand]:
                if child >= 0:
                    drawn += value[row, child]
            if tree.by_total[hand] != CHOICE:
                value[row, hand] = drawn
                continue
            choice = tree.choice_of[hand]
            if is_best:
                draw[row, choice] = 1.0 if drawn < stop[row, hand] else 0.0
            value[row, hand] += draw[row, choice] * (drawn - stop[row, hand])
