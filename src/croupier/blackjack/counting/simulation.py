"""Playing with a count: rounds from real shoes, what they won, and at which counts."""

from dataclasses import dataclass, replace
from typing import Self, Unpack

import numpy as np

from croupier.blackjack.counting import kernel
from croupier.blackjack.counting.people import PersonAtTable
from croupier.blackjack.counting.result import CountingResult, CountingStrategy, counting_result
from croupier.blackjack.counting.system import HI_LO, CountingSystem
from croupier.blackjack.counting.tally import CountingTally
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.simulation import table_kernel
from croupier.blackjack.simulation.count_kernel import LEDGER_FIELDS, Ledger
from croupier.blackjack.simulation.lanes import LanePlay, usual_block_lanes
from croupier.blackjack.simulation.length import Length, verify_length
from croupier.blackjack.simulation.round_terms import Integers
from croupier.blackjack.simulation.shoe_kernel import IS_EXHAUSTED
from croupier.blackjack.simulation.single_seat import shoe_size
from croupier.blackjack.simulation.table_setup import Seating, setup_of, shoe_of, verify_seating
from croupier.errors import InputError
from croupier.numerics.devices import Device, StreamName, verify_device
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
    system: CountingSystem = HI_LO

    def __call__(self, block: int) -> CountingTally:
        """Play a block."""
        return self.play(block, self.length.of_block(block)[0])

    @property
    def somebody(self) -> tuple[PersonAtTable, int, Integers]:
        """Who plays, and what is bet by a count that the seating does not know: the one with aces, from its first count on."""
        system, play = self.system, self.seating.play
        if not system.aces:
            return PersonAtTable(self.seating, system, 1), 0, np.ones(1, dtype=np.int64)
        flat = replace(self.seating, play=replace(play, ramp=(1,)))
        return PersonAtTable(flat, system, 1), play.ramp_start, np.array(play.ramp, dtype=np.int64)

    def play(self, block: int, rounds: int) -> CountingTally:
        """Play so many rounds on the stream of a block."""
        somebody, lowest, ramp = self.somebody
        records, tally = somebody.records(self.seed, block), CountingTally.empty()
        kernel.play_and_count(
            rounds, self.seating.cut, records, tally.by_count, tally.sums, tally.spreads,
            lowest, ramp, somebody.person(),
        )  # fmt: skip
        if records.shoe[IS_EXHAUSTED]:
            raise InputError(
                f"a round has asked for more cards than {self.seating.rules.decks} decks hold; play more decks"
            )
        return tally


@dataclass(frozen=True, slots=True)
class CountedLanes:
    """The same in blocks of lanes, which a GPU plays too. The counts before they were made whole are recorded in steps of 2**-14."""

    lanes: LanePlay

    @classmethod
    def of(cls, seating: Seating, seed: int, length: Length, block_lanes: int, device: Device) -> Self:
        """Return the rounds of a seating."""
        return cls(LanePlay(seating, seed, length, block_lanes, device, has_ledger=True))

    def __call__(self, block: int) -> CountingTally:
        """Play a block."""
        return self.play(*self.lanes.lanes_of(block))

    def play(self, first: int, stop: int) -> CountingTally:
        """Play the lanes from ``first`` to ``stop``, which is not among them."""
        seating, tally = self.lanes.seating, CountingTally.empty()
        ledger = empty_ledger(seating)
        played = self.lanes.play(first, stop, ledger)
        _, shoe = shoe_of(seating)
        kernel.add_ledger(ledger, shoe, tally.by_count, tally.sums, setup_of(seating))
        tally.spreads[kernel.SHOES] = played.spreads[table_kernel.SHOES]
        tally.spreads[kernel.FULL_SHOES] = played.sums[table_kernel.FULL_SHOES]
        tally.spreads[kernel.FULL_SHOE_ROUNDS] = played.sums[table_kernel.FULL_SHOE_ROUNDS]
        tally.spreads[kernel.WON_SQUARED] = played.spreads[table_kernel.RESULT_SQUARED]
        # With a ledger, a round weighs 1 instead of its bet.
        tally.spreads[kernel.WON_TIMES_ROUNDS] = played.spreads[table_kernel.RESULT_TIMES_BETS]
        tally.spreads[kernel.ROUNDS_SQUARED] = played.spreads[table_kernel.BETS_SQUARED]
        return tally


def empty_ledger(seating: Seating) -> Ledger:
    """Return a ledger with room for every count that the cards of a seating can come to.

    >>> from croupier.blackjack.simulation.counted_play import CountedPlay
    >>> from croupier.blackjack.solvers.chart import Chart
    >>> hi_lo = CountedPlay(tags=(1, 1, 1, 1, 1, 0, 0, 0, -1, -1, -1, -1, -1))
    >>> ledger = empty_ledger(Seating(BlackjackRules(), Chart.uniform("S"), play=hi_lo))
    >>> ledger.lowest, ledger.cells.shape
    (-120, (241, 313, 4))
    """
    cards, _ = shoe_of(seating)
    size = shoe_size(seating.rules)
    tags = setup_of(seating).tags[cards[:size]].astype(np.int64)
    lowest = seating.play.initial + int(tags[tags < 0].sum())
    highest = seating.play.initial + int(tags[tags > 0].sum())
    return Ledger(lowest, np.zeros((highest - lowest + 1, size + 1, LEDGER_FIELDS), dtype=np.int64))


def simulate_counting(
    rules: BlackjackRules,
    strategy: CountingStrategy,
    *,
    rounds: int,
    seed: int,
    stream: StreamName = "blocks",
    device: Device = "cpu",
    block_lanes: int | None = None,
    **execution: Unpack[Execution],
) -> CountingResult:
    """Play with a count, alone at the table, and say what it came to.

    The same cards are dealt for a seed on any number of workers, and the same as
    :func:`~croupier.blackjack.simulation.simulator.simulate` deals.

    Parameters
    ----------
    stream, device, block_lanes
        As in :func:`~croupier.blackjack.simulation.simulator.simulate`.
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
    verify_device(stream, device)
    if strategy.system.aces and stream == "lanes":
        raise InputError(
            f"{strategy.system.name} counts aces apart, which lanes and GPUs do not; leave out the stream and the device"
        )
    work = _work(seating, strategy.system, seed, length, stream, device, block_lanes)
    # Compiles, or reads what was compiled before, so that the clock does not see it.
    _work(seating, strategy.system, seed, Length(rounds=1), stream, device, 1)(0)

    def result_of(prefix: Prefix[CountingTally]) -> CountingResult:
        return counting_result(
            prefix.summary,
            rules,
            strategy,
            scale=seating.scale,
            seed=seed,
            seconds=prefix.seconds,
            stream=stream,
        )

    return execute(
        work,
        CountingTally,
        result_of,
        done=lambda tally: (tally.rounds, rounds),
        blocks=work.lanes.blocks if isinstance(work, CountedLanes) else length.blocks,
        **execution,
    )


def _work(
    seating: Seating,
    system: CountingSystem,
    seed: int,
    length: Length,
    stream: StreamName,
    device: Device,
    block_lanes: int | None,
) -> CountedRounds | CountedLanes:
    if stream == "blocks":
        return CountedRounds(seating, seed, length, system)
    return CountedLanes.of(seating, seed, length, block_lanes or usual_block_lanes(device), device)
