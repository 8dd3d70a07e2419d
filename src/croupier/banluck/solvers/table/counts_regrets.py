"""Regret minimisation at a table of several, on sampled deals.

Every iteration deals a sample, values every decision of everybody in it, and shifts each one towards what was better (regret matching with
regrets cut off at zero). The strategies are the averages over the iterations, later ones weighing more. With more than two sides
this need not end in an equilibrium; what it ended in is measured afterwards
(:mod:`~croupier.banluck.solvers.table.counts_certificate`).
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from croupier.banluck.engine.multisets import MULTISETS
from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.hand_table import Floats
from croupier.banluck.solvers.strategy import DealerStrategy, PlayerStrategy
from croupier.banluck.solvers.table.counts_dealer import CountsDealer, CountsPolicy
from croupier.banluck.solvers.table.counts_strategy import CountsStrategy
from croupier.banluck.solvers.table.dealer_sample import DealerSample
from croupier.banluck.solvers.table.dealt_hands import first_rows
from croupier.banluck.solvers.table.seat_hands import seat_hands
from croupier.banluck.solvers.table.seat_sample import SeatSample
from croupier.runs.executors import SizedExecutor

#: Streams of random numbers: of the iterations, of the deals on which best replies are found, and of those that judge them.
LEARNING, TRAINING, HELD_OUT = 0, 1, 2

_WEIGHT_POWER = 3

Sample = TypeVar("Sample", DealerSample, SeatSample)


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Who sits where under which rules, and the heads-up solution to begin with.

    Attributes
    ----------
    block_deals
        Deals of one block; blocks are dealt in parallel, each on its own stream.
    """

    rules: BanluckRules
    players: int
    seed: int
    player: PlayerStrategy
    dealer: DealerStrategy
    block_deals: int

    def dealer_sample(self, hit: Floats, *path: int, memories: int = 1) -> DealerSample:
        """Deal one block for the dealer."""
        return DealerSample.dealt(
            self.rules,
            self.players,
            hit,
            self.block_deals,
            self.seed,
            *path,
            self.players,
            memories=memories,
        )

    def seat_sample(self, seat: int, strategy: CountsStrategy, *path: int, memories: int = 1) -> SeatSample:
        """Deal one block for a seat."""
        return SeatSample.dealt(
            self.rules,
            self.players,
            seat,
            strategy.hit,
            strategy.dealer,
            self.dealer,
            self.block_deals,
            self.seed,
            *path,
            seat,
            memories=memories,
        )


def summed(work: Callable[[int], Sample], blocks: int, executor: SizedExecutor) -> Sample:
    """Deal blocks on all workers and add them up in order; only a few are held at a time, because they are large."""
    waiting = deque(executor.submit(work, block) for block in range(min(blocks, executor.in_flight)))
    submitted = len(waiting)
    total: Sample | None = None
    try:
        while waiting:
            found = waiting.popleft().result()
            if submitted < blocks:
                waiting.append(executor.submit(work, submitted))
                submitted += 1
            if total is None:
                total = found
            else:
                total.add(found)
    finally:
        for future in waiting:
            future.cancel()
    assert total is not None, "at least one block is dealt"
    return total


@dataclass(slots=True)
class CountsRun:
    """A run of regret minimisation, from the heads-up solution on.

    Attributes
    ----------
    hit, hit_regrets, hit_sum, hit_mass
        The seats: how they play now, what hitting and standing would have brought more, and the sums of the average.
    policy, regrets, policy_sum
        The same for the dealer.
    surrender_regrets, surrender_sum
        And for the surrender.
    weight
        The sum of the iterations' weights.
    """

    table: Table
    side: CountsDealer = field(init=False)
    iterations: int = 0
    weight: float = 0.0
    seconds: float = 0.0
    hit: Floats = field(init=False)
    hit_regrets: Floats = field(init=False)
    hit_sum: Floats = field(init=False)
    hit_mass: Floats = field(init=False)
    policy: CountsPolicy = field(init=False)
    regrets: Floats = field(init=False)
    policy_sum: Floats = field(init=False)
    surrender_regrets: Floats = field(init=False)
    surrender_sum: Floats = field(init=False)

    def __post_init__(self) -> None:
        table = self.table
        self.side = CountsDealer(table.rules, table.players)
        rows = int(first_rows(table.players)[-1])
        self.hit = np.repeat(seat_hands(table.rules).effective(table.player.hit)[None], rows, axis=0)
        self.hit_regrets = np.zeros((2, rows, len(MULTISETS)))
        self.hit_sum, self.hit_mass = np.zeros_like(self.hit), np.zeros_like(self.hit)
        self.policy = self.side.first_policy()
        self.regrets = np.zeros(self.side.policy_shape)
        self.policy_sum = np.zeros(self.side.policy_shape)
        self.surrender_regrets = np.zeros((2, *self.policy.surrender.shape))
        self.surrender_sum = np.zeros_like(self.policy.surrender)

    def iterate(self, dealer_blocks: int, seat_blocks: int, executor: SizedExecutor) -> None:
        """Learn from one sample: the dealer first, then the seats, against the dealer who has just learnt."""
        self.iterations += 1
        path = (LEARNING, self.iterations)
        sample = summed(
            lambda block: self.table.dealer_sample(self.hit, *path, block), dealer_blocks, executor
        )
        self._learn_dealer(sample)
        current = CountsStrategy(self.table.players, self.hit.copy(), self.policy)
        for seat in range(self.table.players):
            dealt = summed(
                lambda block, seat=seat: self.table.seat_sample(seat, current, *path, block),  # type: ignore[misc]
                seat_blocks,
                executor,
            )
            self._learn_seat(seat, dealt)
        self.weight += self._weight

    @property
    def _weight(self) -> float:
        """The weight of the present iteration: early ones have seen few deals."""
        return float(self.iterations**_WEIGHT_POWER)

    def _learn_dealer(self, sample: DealerSample) -> None:
        side = self.side
        if self.iterations == 1:
            self.policy = side.best_reply(sample)
        policy = self.policy
        worth, units = side.action_values(sample, policy)
        allowed = side.situations.allowed[:, None, :]
        value = (policy.closed * worth).sum(axis=2, keepdims=True)
        self.regrets = np.where(allowed, np.maximum(self.regrets + (value - worth) / sample.deals, 0.0), 0.0)
        total = self.regrets.sum(axis=2, keepdims=True)
        best = np.where(allowed, worth, np.inf).argmin(axis=2)
        pure = np.zeros_like(policy.closed)
        np.put_along_axis(pure, best[..., None], 1.0, axis=2)
        policy.closed = np.where(total > 0.0, self.regrets / np.where(total > 0.0, total, 1.0), pure)
        units = units / sample.deals
        voids = policy.surrender
        self.surrender_regrets[0] = np.maximum(self.surrender_regrets[0] + (1.0 - voids) * units, 0.0)
        self.surrender_regrets[1] = np.maximum(self.surrender_regrets[1] - voids * units, 0.0)
        policy.surrender = _matched(self.surrender_regrets, voids) * side.hands.may_void[:, None]
        self.policy_sum += self._weight * side.reach(policy)[0][..., None] * policy.closed
        self.surrender_sum += self._weight * policy.surrender

    def _learn_seat(self, seat: int, sample: SeatSample) -> None:
        rules, hands = self.table.rules, seat_hands(self.table.rules)
        rows = CountsStrategy(self.table.players, self.hit, self.policy).rows_of(seat)
        replies = sample.replies(rules, self.hit[rows], best=False)
        difference = np.array([reply.difference for reply in replies]) / sample.deals
        hit, regrets = self.hit[rows], self.hit_regrets[:, rows]
        regrets[0] = np.maximum(regrets[0] + (1.0 - hit) * difference, 0.0)
        regrets[1] = np.maximum(regrets[1] - hit * difference, 0.0)
        self.hit[rows] = np.where(hands.acts & ~hands.must_hit, _matched(regrets, hit), hands.effective(hit))
        for row in range(rows.start, rows.stop):
            masses = self._weight * hands.masses(self.hit[row])
            self.hit_sum[row] += masses * self.hit[row]
            self.hit_mass[row] += masses

    def average(self) -> CountsStrategy:
        """Return the average strategies; where nobody ever came, what would be done there now."""
        if self.iterations == 0:
            return CountsStrategy(self.table.players, self.hit.copy(), self.policy)
        hit = np.where(
            self.hit_mass > 0.0, self.hit_sum / np.where(self.hit_mass > 0.0, self.hit_mass, 1.0), self.hit
        )
        total = self.policy_sum.sum(axis=2, keepdims=True)
        closed = np.where(
            total > 0.0, self.policy_sum / np.where(total > 0.0, total, 1.0), self.policy.closed
        )
        surrender = self.surrender_sum / self.weight
        return CountsStrategy(
            self.table.players, np.clip(hit, 0.0, 1.0), CountsPolicy(closed, np.clip(surrender, 0.0, 1.0))
        )


def _matched(regrets: Floats, current: Floats) -> Floats:
    """Return how often the first of two actions is taken, by regrets; as before where there are none."""
    total = regrets.sum(axis=0)
    matched: Floats = np.where(total > 0.0, regrets[0] / np.where(total > 0.0, total, 1.0), current)
    return matched
