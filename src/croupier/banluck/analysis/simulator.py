"""Monte Carlo: deal real cards from a real deck, play two strategies against each other, count what happens.

The third answer, beside the exact solvers: nothing here is shared with them but the strategies.
"""

import math
import os
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import islice
from statistics import NormalDist
from typing import Any

import numpy as np

from croupier import __version__
from croupier.banluck.analysis import simulation_kernel as kernel
from croupier.banluck.engine.hand import evaluate_classes
from croupier.banluck.engine.multisets import MULTISETS, format_multiset
from croupier.banluck.engine.rules import MAX_CARDS, BanluckRules
from croupier.banluck.engine.settlement import Outcome
from croupier.banluck.solvers.strategy import PLAYER_CARD_COUNTS, DealerStrategy, PlayerStrategy
from croupier.errors import InputError

Progress = Callable[[int, int], None]

#: Hands of one random stream. Part of what a seed means: another size deals other hands.
BLOCK_HANDS = 2**18

#: What the rows of the kernel's histogram stand for.
OUTCOME_OF_ROW = {
    kernel.VOID: Outcome.VOID,
    kernel.BAN: Outcome.BAN,
    kernel.BUST: Outcome.BUST,
    kernel.BOTH_BUST: Outcome.BOTH_BUST,
    kernel.FORFEIT: Outcome.FORFEIT,
    kernel.DEALER_BUST: Outcome.DEALER_BUST,
    kernel.WIN: Outcome.WIN,
    kernel.LOSS: Outcome.LOSS,
    kernel.PUSH: Outcome.PUSH,
}


@dataclass(frozen=True, slots=True)
class OutcomeFrequency:
    """How often hands ended in one way, and what they brought the player on average when they did."""

    outcome: Outcome
    probability: float
    mean_units: float
    count: int


@dataclass(frozen=True, slots=True)
class SimulationResult:
    """What a simulation found, in units of the player's bet, from the player's side.

    Attributes
    ----------
    value
        Mean units a hand.
    std
        Standard deviation of one hand.
    stderr
        Standard error of ``value``.
    hands, seed
        How many hands were played, and from which seed.
    seconds
        How long it took, compilation not counted. Two results of the same hands are equal whatever it says.
    outcomes
        Every way in which a hand ended, in the order of :class:`Outcome`; those that never happened are left out.
    rules
        The rules played by.
    """

    value: float
    std: float
    stderr: float
    hands: int
    seed: int
    seconds: float = field(compare=False)
    outcomes: tuple[OutcomeFrequency, ...]
    rules: BanluckRules

    @property
    def hands_per_second(self) -> float:
        """The speed, over all workers."""
        return self.hands / self.seconds

    def confidence_interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the interval that holds the true value with this confidence, by the normal approximation.

        Raises
        ------
        InputError
            If the level does not lie between 0 and 1.
        """
        if not 0 < level < 1:
            raise InputError(f"confidence level {level}: a level lies between 0 and 1, such as 0.95")
        reach = NormalDist().inv_cdf((1 + level) / 2) * self.stderr
        return self.value - reach, self.value + reach

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        return {
            "value": self.value,
            "std": self.std,
            "stderr": self.stderr,
            "hands": self.hands,
            "seed": self.seed,
            "seconds": self.seconds,
            "hands_per_second": self.hands_per_second,
            "outcomes": [
                {
                    "outcome": str(row.outcome),
                    "probability": row.probability,
                    "mean_units": row.mean_units,
                    "count": row.count,
                }
                for row in self.outcomes
            ],
            "rules": self.rules.model_dump(mode="json"),
            "version": __version__,
        }

    def __str__(self) -> str:
        low, high = self.confidence_interval()
        rows = [
            f"{row.outcome:<12} {row.probability:>9.4%} {row.mean_units:>+10.4f} {row.count:>14,}"
            for row in self.outcomes
        ]
        return "\n".join(
            [
                f"value {self.value:+.6f} ± {self.stderr:.6f} units a hand (95 %: {low:+.6f} to {high:+.6f})",
                f"standard deviation {self.std:.4f} units",
                f"{self.hands:,} hands, seed {self.seed}, {self.seconds:.1f} s, {self.hands_per_second:,.0f} hands/s",
                "",
                f"{'outcome':<12} {'share':>9} {'mean units':>10} {'hands':>14}",
                *rows,
            ]
        )


def simulate(
    player: PlayerStrategy,
    dealer: DealerStrategy,
    rules: BanluckRules,
    *,
    hands: int,
    seed: int,
    workers: int | None = None,
    progress: Progress | None = None,
) -> SimulationResult:
    """Play hands heads-up, every one from a freshly shuffled deck of 52 cards.

    What the rules force is done whatever a strategy says; for the rest both sides do as their strategies tell.
    The same hands are dealt and the same counts come back for a seed on any number of workers.

    Parameters
    ----------
    player, dealer
        The strategies, pure or mixed.
    rules
        The rules to play by.
    hands
        How many hands to play, at least 1.
    seed
        A whole number from 0 on.
    workers
        How many threads to play on, by default one a processor.
    progress
        Called with the hands played so far and the hands to play, from the calling thread, as blocks of hands finish.

    Raises
    ------
    InputError
        If a number is out of its range, or if the dealer's strategy uses the player's card count where
        ``reveal = "none"`` forbids it.

    Examples
    --------
    >>> from croupier.banluck.solvers.fixed import classic_dealer, stand_on
    >>> rules = BanluckRules()
    >>> result = simulate(stand_on(16, rules), classic_dealer(rules), rules, hands=100_000, seed=1)
    >>> print(f"{result.value:+.4f} ± {result.stderr:.4f}")
    -0.0123 ± 0.0032
    """
    workers = (os.cpu_count() or 1) if workers is None else workers
    _verify_numbers(hands=hands, seed=seed, workers=workers)
    _verify_reveal(dealer, rules)
    table = kernel.table_of(rules, player, dealer)
    _play_block(
        table, 0, seed, 0
    )  # compiles, or reads what was compiled before, so that the clock does not see it
    started = time.perf_counter()
    histogram = _play_blocks(table, hands, seed, workers, progress)
    seconds = time.perf_counter() - started
    return _result(histogram, table, rules, seed, seconds)


def _verify_numbers(*, hands: int, seed: int, workers: int) -> None:
    if hands < 1:
        raise InputError(f"hands = {hands}: at least 1 hand has to be played")
    if seed < 0:
        raise InputError(f"seed = {seed}: a seed is a whole number from 0 on")
    if workers < 1:
        raise InputError(f"workers = {workers}: at least 1 worker is needed")


def _verify_reveal(dealer: DealerStrategy, rules: BanluckRules) -> None:
    """Refuse a dealer who looks at the player's card count where the rules forbid it."""
    if rules.reveal != "none":
        return
    for index in np.flatnonzero(np.ptp(dealer.draw, axis=1)):
        hand = evaluate_classes(MULTISETS[index], rules)
        if not hand.is_ban and hand.card_count < MAX_CARDS and rules.is_dealer_choice(hand.total):
            draws = ", ".join(
                f"{draw:g} against {count}"
                for draw, count in zip(dealer.draw[index], PLAYER_CARD_COUNTS, strict=True)
            )
            raise InputError(
                f"dealer's strategy at {format_multiset(MULTISETS[index])}: draws {draws} cards; under "
                'reveal = "none" the dealer must draw equally often whatever the player\'s card count'
            )


def _play_block(table: kernel.Table, block: int, seed: int, hands: int) -> kernel.Histogram:
    """Play one block on the stream that belongs to it and to nothing else."""
    stream = np.random.SeedSequence(seed, spawn_key=(block,)).generate_state(4, np.uint64).astype(np.uint64)
    return kernel.play_block(hands, *table, stream)


def _play_blocks(
    table: kernel.Table, hands: int, seed: int, workers: int, progress: Progress | None
) -> kernel.Histogram:
    """Play all blocks, a few ahead of the workers at a time; counts add up the same in whatever order they come."""
    histogram = np.zeros((kernel.OUTCOME_COUNT, kernel.COLUMN_COUNT), dtype=np.int64)
    sizes = (
        (block, min(BLOCK_HANDS, hands - start)) for block, start in enumerate(range(0, hands, BLOCK_HANDS))
    )
    with ThreadPoolExecutor(workers, thread_name_prefix="banluck") as pool:

        def submit(count: int) -> set[Future[kernel.Histogram]]:
            return {
                pool.submit(_play_block, table, block, seed, size) for block, size in islice(sizes, count)
            }

        try:
            pending = submit(2 * workers)
            while pending:
                finished, pending = wait(pending, return_when=FIRST_COMPLETED)
                pending |= submit(len(finished))
                for future in finished:
                    histogram += future.result()
                    if progress is not None:
                        progress(int(histogram.sum()), hands)
        except BaseException:  # Ctrl-C above all: drop what has not begun; a block that has ends in a blink
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return histogram


def _result(
    histogram: kernel.Histogram, table: kernel.Table, rules: BanluckRules, seed: int, seconds: float
) -> SimulationResult:
    prices = np.array(table.options.prices)
    units = np.concatenate([-prices[:0:-1], prices])
    hands = int(histogram.sum())
    counts = histogram.sum(axis=0)
    value = math.fsum(counts * units) / hands
    std = math.sqrt(math.fsum(counts * (units - value) ** 2) / hands)
    outcomes = tuple(
        OutcomeFrequency(OUTCOME_OF_ROW[row], count / hands, math.fsum(cells * units) / count, count)
        for row, cells in enumerate(histogram)
        if (count := int(cells.sum()))
    )
    return SimulationResult(value, std, std / math.sqrt(hands), hands, seed, seconds, outcomes, rules)
