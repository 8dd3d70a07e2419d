"""Playing with a count: rounds from real shoes, what they won, and at which counts."""

from dataclasses import dataclass
from typing import Unpack

import numpy as np

from croupier.blackjack.counting.kernel import play_and_count
from croupier.blackjack.counting.result import CountingResult, CountingStrategy, counting_result
from croupier.blackjack.counting.tally import CountingTally
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.simulation import round_terms
from croupier.blackjack.simulation.length import Length, verify_length
from croupier.blackjack.simulation.shoe_kernel import IS_EXHAUSTED
from croupier.blackjack.simulation.simulator import block_stream
from croupier.blackjack.simulation.table_setup import Seating, setup_of, shoe_of, verify_seating
from croupier.errors import InputError
from croupier.numerics.streams import verify_seed
from croupier.runs.blocks import Prefix
from croupier.runs.execution import Execution, execute
from croupier.runs.executors import verify_workers


@dataclass(frozen=True, slots=True)
class CountedRounds:
    """The rounds of a simulation with a count, in the blocks and on the streams of the simulator."""

    seating: Seating
    seed: int
    length: Length

    def __call__(self, block: int) -> CountingTally:
        """Play a block."""
        return self.play(block, self.length.of_block(block)[0])

    def play(self, block: int, rounds: int) -> CountingTally:
        """Play so many rounds on the stream of a block."""
        cards, shoe = shoe_of(self.seating)
        tally = CountingTally.empty()
        play_and_count(
            rounds, self.seating.cut, cards, shoe, block_stream(self.seed, block),
            *round_terms.empty_records(1),
            np.zeros((round_terms.OUTCOME_COUNT, 2), dtype=np.int64),
            tally.by_count, tally.sums, tally.spreads, setup_of(self.seating),
        )  # fmt: skip
        if shoe[IS_EXHAUSTED]:
            raise InputError(
                f"a round has asked for more cards than {self.seating.rules.decks} decks hold; play more decks"
            )
        return tally


def simulate_counting(
    rules: BlackjackRules,
    strategy: CountingStrategy,
    *,
    rounds: int,
    seed: int,
    **execution: Unpack[Execution],
) -> CountingResult:
    """Play with a count, alone at the table, and say what it came to.

    The same cards are dealt for a seed on any number of workers, and the same as
    :func:`~croupier.blackjack.simulation.simulator.simulate` deals.

    Parameters
    ----------
    execution
        See :class:`~croupier.runs.execution.Execution`.

    Raises
    ------
    InputError
        If a number is out of its range, or the table cannot be counted.

    Examples
    --------
    >>> from croupier.blackjack.counting.bet_ramp import parse_ramp
    >>> from croupier.blackjack.counting.indices import NO_INDICES
    >>> from croupier.blackjack.counting.system import HI_LO
    >>> from croupier.blackjack.solvers.total_dependent import solve_total_dependent
    >>> rules = BlackjackRules(decks=1)
    >>> chart = solve_total_dependent(rules).chart
    >>> counter = CountingStrategy(HI_LO, parse_ramp("1:1,2:4"), NO_INDICES, chart)
    >>> result = simulate_counting(rules, counter, rounds=200_000, seed=1)
    >>> 1 < result.mean_bet < 4, 0 < result.value < 0.05
    (True, True)
    """
    length = Length(rounds=rounds)
    seating = Seating(rules, strategy.lowest_chart, play=strategy.play(rules))
    verify_workers(execution.get("workers"))
    verify_length(length)
    verify_seating(seating)
    verify_seed(seed)
    work = CountedRounds(seating, seed, length)
    work.play(0, 1)  # compiles, or reads what was compiled before, so that the clock does not see it

    def result_of(prefix: Prefix[CountingTally]) -> CountingResult:
        return counting_result(
            prefix.summary, rules, strategy, scale=seating.scale, seed=seed, seconds=prefix.seconds
        )

    return execute(
        work,
        CountingTally,
        result_of,
        done=lambda tally: (tally.rounds, rounds),
        blocks=length.blocks,
        **execution,
    )
