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
from croupier.banluck.solvers.table.counts_regrets import HELD_OUT, TRAINING, Table, summed
from croupier.banluck.solvers.table.counts_strategy import CountsStrategy
from croupier.banluck.solvers.table.dealer_sample import DealerSample
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
    deals
        Deals for each seat and for the dealer, both halves together.
    """

    values: tuple[Estimate, ...]
    gains: tuple[Gain, ...]
    dealer_gain: Gain
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
    tell(0, table.players + 1)
    dealer_gain = _dealer_gain(table, strategy, blocks, executor, stage)
    heads_up = certify(table.player, table.dealer, table.rules).value
    values, gains = [], []
    for seat in range(table.players):
        tell(seat + 1, table.players + 1)
        value, gain = _seat_gain(table, strategy, seat, blocks, executor, stage)
        values.append(Estimate(heads_up + value.mean, value.stderr))
        gains.append(gain)
    return CountsCertificate(tuple(values), tuple(gains), dealer_gain, 2 * blocks * table.block_deals)


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


def _seat_gain(
    table: Table, strategy: CountsStrategy, seat: int, blocks: int, executor: SizedExecutor, stage: int
) -> tuple[Estimate, Gain]:
    """Return what a seat earns more than heads-up, and what it could gain."""
    rules, own = table.rules, strategy.hit[strategy.rows_of(seat)]

    def dealt(half: int, block: int) -> SeatSample:
        return table.seat_sample(seat, strategy, half, stage, block)

    def gained(sample: SeatSample, reply: Floats) -> float:
        return sample.value(rules, reply) - sample.value(rules, own)

    def judged(block: int) -> tuple[float, float]:
        sample = dealt(HELD_OUT, block)
        return sample.difference(rules, own, table.player.hit), gained(sample, best)

    training = summed(lambda block: dealt(TRAINING, block), blocks, executor)
    best = np.array([reply.hit for reply in training.replies(rules, own, best=True)])
    held_out = list(executor.map(judged, range(blocks)))
    value = Estimate.of([difference for difference, _ in held_out])
    trained = training.difference(rules, own, table.player.hit)
    return (
        Estimate((value.mean + trained) / 2, value.stderr / math.sqrt(2)),
        Gain(gained(training, best), Estimate.of([gain for _, gain in held_out])),
    )
