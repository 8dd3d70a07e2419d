"""What one way to play wins over another on the same cards, round by round: the second method behind the values of indices and mistakes."""

import math
from dataclasses import dataclass

import numpy as np

from croupier.blackjack.counting import replay_kernel as kernel
from croupier.blackjack.counting.answers import Figure
from croupier.blackjack.counting.result import CountingStrategy
from croupier.blackjack.counting.sums import Sums
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.simulation import round_terms
from croupier.blackjack.simulation.length import BLOCK_ROUNDS
from croupier.blackjack.simulation.result import error_over_shoes
from croupier.blackjack.simulation.simulator import block_stream
from croupier.blackjack.simulation.table_setup import Seating, setup_of, shoe_of, verify_seating
from croupier.errors import InputError
from croupier.numerics.streams import verify_seed
from croupier.runs.blocks import run_blocks
from croupier.runs.executors import open_executor


@dataclass(frozen=True, slots=True)
class _TwiceRounds:
    """Rounds in blocks, each on a stream of its own."""

    seating: Seating
    other: Seating
    up_card: int
    rounds: int
    seed: int

    def __call__(self, block: int) -> Sums:
        cards, shoe = shoe_of(self.seating)
        sums = np.zeros(kernel.SUMS)
        kernel.play_twice(
            min(BLOCK_ROUNDS, self.rounds - block * BLOCK_ROUNDS), self.seating.cut, self.up_card,
            cards, shoe, shoe.copy(), shoe.copy(), block_stream(self.seed, block), *round_terms.empty_records(1),
            np.zeros((round_terms.OUTCOME_COUNT, 2), dtype=np.int64), sums, setup_of(self.seating), setup_of(self.other),
        )  # fmt: skip
        return Sums(sums)


def gain_over(
    rules: BlackjackRules,
    strategy: CountingStrategy,
    other: CountingStrategy,
    *,
    rounds: int,
    seed: int,
    up_card: int = kernel.ANY_UP_CARD,
    workers: int | None = None,
) -> Figure:
    """Return what a strategy wins per round more than another, in units, with its error over shoes.

    Every round is dealt once and played both ways. Luck with the cards hits both alike, so that the error is that of the difference alone.

    Parameters
    ----------
    up_card
        If the two differ against one up-card only: its point class. Other rounds are then not played twice.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from croupier.blackjack.counting.bet_ramp import parse_ramp
    >>> from croupier.blackjack.counting.indices import NO_INDICES
    >>> from croupier.blackjack.counting.system import HI_LO
    >>> from croupier.blackjack.solvers.total_dependent import solve_total_dependent
    >>> rules = BlackjackRules(decks=1)
    >>> right = CountingStrategy(HI_LO, parse_ramp("0:1"), NO_INDICES, solve_total_dependent(rules).chart)
    >>> wrong = replace(right, chart=right.chart.replace({("16", "7"): "S"}))
    >>> gain = gain_over(rules, right, wrong, rounds=100_000, seed=1, workers=1)
    >>> 0 < gain.value < 0.002
    True
    """
    if rounds < 1:
        raise InputError(f"rounds = {rounds}: at least 1 round has to be played")
    verify_seed(seed)
    seating, others = (Seating(rules, way.lowest_chart, play=way.play(rules)) for way in (strategy, other))
    for each in (seating, others):
        verify_seating(each)
    with open_executor(workers, threads=True) as executor:
        sums = run_blocks(
            _TwiceRounds(seating, others, up_card, rounds, seed),
            executor,
            blocks=math.ceil(rounds / BLOCK_ROUNDS),
        ).summary.sums
    dealt = int(sums[kernel.ROUNDS])
    mean = float(sums[kernel.GAIN]) / (seating.scale * dealt)
    over_shoes = sums[
        [kernel.SHOES, kernel.GAIN_SQUARED, kernel.GAIN_TIMES_ROUNDS, kernel.ROUNDS_SQUARED]
    ].tolist()
    return Figure(mean, error_over_shoes(over_shoes, mean, seating.scale, dealt))
