"""What the strategies of a table of several are worth, and what anybody could gain, measured on fresh deals.

A best reply is found on one half of the deals. On that half its gain is too high on average, because it answers the luck of these deals too:
the *in-sample* gain. On the other half the same reply can only do worse than the true best one: the *held-out* gain. The
true gain, for a side that decides on what the strategies decide on, lies between the two means.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from croupier.banluck.solvers.best_response import certify
from croupier.banluck.solvers.hand_table import Floats
from croupier.banluck.solvers.table.counts_dealer import CountsDealer
from croupier.banluck.solvers.table.counts_memory import DealerMemory
from croupier.banluck.solvers.table.counts_regrets import HELD_OUT, TRAINING, Table, summed
from croupier.banluck.solvers.table.counts_strategy import CountsStrategy
from croupier.banluck.solvers.table.dealer_sample import DealerSample
from croupier.banluck.solvers.table.dealt_hands import MEMORIES
from croupier.banluck.solvers.table.seat_sample import SeatSample
from croupier.runs.executors import SizedExecutor

#: Told how many samples are dealt, and how many there are to deal.
Steps = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and its standard error."""

    mean: float
    stderr: float

    @classmethod
    def of(cls, blocks: list[float]) -> "Estimate":
        """Estimate from the means of equal blocks."""
        return cls(math.fsum(blocks) / len(blocks), float(np.std(blocks, ddof=1)) / math.sqrt(len(blocks)))


@dataclass(frozen=True, slots=True)
class Gain:
    """What a side could gain: on the deals on which its best reply was found, and on others."""

    in_sample: float
    held_out: Estimate


@dataclass(frozen=True, slots=True)
class CountsCertificate:
    """Values by seat, and what anybody could gain.

    Attributes
    ----------
    values, gains
        By seat.
    dealer_gain
        The dealer's; its value is what the seats lose.
    memory_gains, dealer_memory_gain
        What each seat and the dealer could gain at least if they also remembered how many low cards are left of those not shown or opened
        (:mod:`~croupier.banluck.solvers.table.counts_memory`).
    deals
        Deals for each seat and for the dealer, both halves together.
    """

    values: tuple[Estimate, ...]
    gains: tuple[Gain, ...]
    dealer_gain: Gain
    memory_gains: tuple[Gain, ...]
    dealer_memory_gain: Gain
    deals: int

    @property
    def largest_gain(self) -> float:
        """The largest in-sample gain."""
        return max(*(gain.in_sample for gain in self.gains), self.dealer_gain.in_sample)


def certify_counts(
    table: Table,
    strategy: CountsStrategy,
    blocks: int,
    executor: SizedExecutor,
    tell: Steps,
    *,
    stage: int = 0,
) -> CountsCertificate:
    """Measure values and gains.

    Parameters
    ----------
    blocks
        Blocks of each half.
    stage
        Different stages use different deals.
    """
    sides = table.players + 2
    tell(0, sides)
    dealer_gain = _dealer_gain(table, strategy, blocks, executor, stage)
    tell(1, sides)
    dealer_memory = _memory_gain(table, strategy, blocks, executor, stage)
    heads_up = certify(table.player, table.dealer, table.rules).value
    values, gains, memory_gains = [], [], []
    for seat in range(table.players):
        tell(seat + 2, sides)
        value, gain, memory = _seat_gain(table, strategy, seat, blocks, executor, stage)
        values.append(Estimate(heads_up + value.mean, value.stderr))
        gains.append(gain)
        memory_gains.append(memory)
    return CountsCertificate(
        tuple(values),
        tuple(gains),
        dealer_gain,
        tuple(memory_gains),
        dealer_memory,
        2 * blocks * table.block_deals,
    )


def _dealer_gain(
    table: Table, strategy: CountsStrategy, blocks: int, executor: SizedExecutor, stage: int
) -> Gain:
    side = CountsDealer(table.rules, table.players)

    def dealt(half: int, block: int) -> DealerSample:
        return table.dealer_sample(strategy.hit, half, stage, block)

    def gained(sample: DealerSample) -> float:
        return side.value(sample, strategy.dealer) - side.value(sample, best)

    training = summed(lambda block: dealt(TRAINING, block), blocks, executor)
    best = side.best_reply(training)
    held_out = executor.map(lambda block: gained(dealt(HELD_OUT, block)), range(blocks))
    return Gain(gained(training), Estimate.of(list(held_out)))


def _memory_gain(
    table: Table, strategy: CountsStrategy, blocks: int, executor: SizedExecutor, stage: int
) -> Gain:
    side = CountsDealer(table.rules, table.players)
    memory = DealerMemory(side, strategy.dealer.closed)
    all_open = side.reach(strategy.dealer)[1]

    def dealt(half: int, block: int) -> DealerSample:
        return table.dealer_sample(strategy.hit, half, stage, block, memories=MEMORIES)

    training = summed(lambda block: dealt(TRAINING, block), blocks, executor)
    draw = memory.best_draws(training)
    held_out = executor.map(
        lambda block: memory.gained(dealt(HELD_OUT, block), draw, all_open), range(blocks)
    )
    return Gain(memory.gained(training, draw, all_open), Estimate.of(list(held_out)))


def _seat_gain(
    table: Table, strategy: CountsStrategy, seat: int, blocks: int, executor: SizedExecutor, stage: int
) -> tuple[Estimate, Gain, Gain]:
    """Return what a seat earns more than heads-up, and what it could gain without and with a memory."""
    rules, own = table.rules, strategy.hit[strategy.rows_of(seat)]
    split = np.repeat(own, MEMORIES, axis=0)

    def dealt(half: int, block: int) -> SeatSample:
        return table.seat_sample(seat, strategy, half, stage, block, memories=MEMORIES)

    def judged(sample: SeatSample) -> tuple[float, float, float]:
        played = sample.value(rules, split)
        return (
            sample.forgotten(MEMORIES).difference(rules, own, table.player.hit),
            sample.value(rules, np.repeat(best, MEMORIES, axis=0)) - played,
            sample.value(rules, remembered) - played,
        )

    training = summed(lambda block: dealt(TRAINING, block), blocks, executor)
    best = _best_hits(training.forgotten(MEMORIES), own, table)
    remembered = _best_hits(training, split, table)
    held_out = executor.map(lambda block: judged(dealt(HELD_OUT, block)), range(blocks))
    values, gains, memory_gains = (Estimate.of(list(column)) for column in zip(*held_out, strict=True))
    trained_value, in_sample, memory_in_sample = judged(training)
    value = Estimate((values.mean + trained_value) / 2, values.stderr / math.sqrt(2))
    return value, Gain(in_sample, gains), Gain(memory_in_sample, memory_gains)


def _best_hits(sample: SeatSample, hit: Floats, table: Table) -> Floats:
    return np.array([reply.hit for reply in sample.replies(table.rules, hit, best=True)])
