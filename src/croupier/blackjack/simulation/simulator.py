"""Automatic play: any chart under any rules, from real shoes, with or without a count.

The third answer, beside the exact values and the readable engine: the kernels share the rules record and the charts with them, and
nothing else.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Unpack

import numpy as np

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.simulation.counted_play import FLAT, CountedPlay
from croupier.blackjack.simulation.lanes import LanePlay, usual_block_lanes
from croupier.blackjack.simulation.length import Length, out_of_cards, verify_length
from croupier.blackjack.simulation.result import SimulationResult, result_of, standard_error
from croupier.blackjack.simulation.round_terms import empty_records
from croupier.blackjack.simulation.shoe_kernel import IS_EXHAUSTED
from croupier.blackjack.simulation.single_seat import (
    add_counts,
    count_of,
    dealing_of,
    empty_counts,
    is_simple,
    never_runs_out,
    paths_of,
)
from croupier.blackjack.simulation.single_seat_kernel import General, play_alone
from croupier.blackjack.simulation.table_kernel import SHOES, play_table
from croupier.blackjack.simulation.table_setup import Seating, setup_of, shoe_of, verify_seating
from croupier.blackjack.simulation.tally import Tally
from croupier.blackjack.solvers.chart import Chart
from croupier.numerics.devices import Device, StreamName, verify_device
from croupier.numerics.random_kernels import Stream
from croupier.numerics.streams import verify_seed
from croupier.runs.execution import Execution, execute
from croupier.runs.executors import verify_workers


@dataclass(frozen=True, slots=True)
class TablePlay:
    """The rounds of a simulation in blocks, each on the stream that belongs to it and to nothing else.

    ``uses_automaton`` is False in tests that compare the kernels: they give the same counts.
    """

    seating: Seating
    seed: int
    length: Length
    uses_automaton: bool = True

    @property
    def blocks(self) -> int | None:
        """In how many blocks it is played, where that is known before."""
        return self.length.blocks

    def __call__(self, block: int) -> Tally:
        """Play a block."""
        rounds, shoes = self.length.of_block(block)
        return self.play(block, rounds, shoes)

    def play(self, block: int, rounds: int, shoes: int) -> Tally:
        """Play so many rounds or shoes, whichever is reached first, on the stream of a block."""
        seating, setup = self.seating, setup_of(self.seating)
        cards, shoe = shoe_of(seating)
        records = empty_records(seating.seats)
        tally, stream = Tally.empty(len(seating.chart.columns)), block_stream(self.seed, block)
        if self.uses_automaton and is_simple(seating):
            count = count_of(seating)
            counts = empty_counts(tally, count)
            general = None  # a smaller kernel, and a faster one, where every round has cards enough
            if not never_runs_out(seating.rules, seating.cut):
                general = General(*records, tally.outcomes, tally.cells, tally.squares, setup)
            play_alone(
                rounds,
                shoes,
                dealing_of(seating),
                paths_of(seating),
                counts,
                cards,
                shoe,
                stream,
                general,
                count,
                None,
            )
            add_counts(tally, counts, seating)
        else:
            play_table(
                rounds, shoes, seating.cut, seating.counts_side_bets, cards, shoe, stream, *records,
                tally.outcomes, tally.side_kinds, tally.sums, tally.cells, tally.squares, tally.spreads, setup, None,
            )  # fmt: skip
        if shoe[IS_EXHAUSTED]:
            raise out_of_cards(seating)
        return tally


def block_stream(seed: int, block: int) -> Stream:
    """Return the state of the random stream that belongs to a block.

    >>> block_stream(7, 0).tolist() == block_stream(7, 1).tolist()
    False
    """
    return np.random.SeedSequence(seed, spawn_key=(block,)).generate_state(4, np.uint64).astype(np.uint64)


def simulate(
    rules: BlackjackRules,
    chart: Chart,
    *,
    rounds: int | None = None,
    shoes: int | None = None,
    target_stderr: float | None = None,
    seed: int,
    seats: int = 1,
    play: CountedPlay = FLAT,
    is_paired: bool = False,
    counts_side_bets: bool = False,
    stream: StreamName = "blocks",
    device: Device = "cpu",
    block_lanes: int | None = None,
    watch: Callable[[SimulationResult], None] | None = None,
    **execution: Unpack[Execution],
) -> SimulationResult:
    """Play a chart, and say what it came to.

    The same cards are dealt and the same counts come back for a seed on any number of workers.

    Parameters
    ----------
    rules, chart
        The rules, and the chart that every seat plays; entries that the rules do not allow are played by their second choice, see
        :func:`~croupier.blackjack.simulation.chart_play.remarks_on`.
    rounds, shoes, target_stderr
        One of them: play so many rounds, so many shoes to their cut card, or whole blocks until the standard error of the value
        is no larger. Rounds are played in blocks that begin with a new shoe; the shoe in which a block ends is not finished.
    seed
        A whole number from 0 on.
    seats
        How many players, 1 to 7.
    play
        Bets, and a count that changes bets and decisions.
    is_paired
        Whether another chart with the same seed is to see the same cards; see :class:`~croupier.blackjack.simulation.table_setup.Seating`.
    counts_side_bets
        Whether the side bets are counted too, as bets of one unit of their own.
    stream
        How the rounds are cut into random streams: long ones on ``"blocks"``, short ones on ``"lanes"``
        (:mod:`~croupier.blackjack.simulation.lanes`). They deal different cards.
    device, block_lanes
        For lanes: ``"cuda"`` plays them on a GPU, or here where there is none; and how many make a block. The counts are the same.
    watch
        Called from the calling thread as blocks finish, with what all blocks so far came to.
    execution
        See :class:`~croupier.runs.execution.Execution`.

    Raises
    ------
    InputError
        If a number is out of its range, the chart gives advice that cannot be followed and names no second choice, or a
        round asks for more cards than there are.

    Examples
    --------
    >>> from croupier.blackjack.solvers.total_dependent import solve_total_dependent
    >>> rules = BlackjackRules(decks="infinite", split_hands=1)
    >>> chart = solve_total_dependent(rules).chart
    >>> result = simulate(rules, chart, rounds=100_000, seed=1)
    >>> result.rounds, result.rounds_per_shoe is not None, abs(result.value + 0.01) < 4 * result.stderr
    (100000, True, True)
    """
    length = Length(rounds, shoes, target_stderr)
    seating = Seating(rules, chart, seats, play, is_paired, counts_side_bets)
    verify_workers(execution.get("workers"))
    verify_length(length)
    verify_seating(seating)
    verify_seed(seed)
    verify_device(stream, device)
    work: TablePlay | LanePlay = TablePlay(seating, seed, length)
    if stream == "lanes":
        work = LanePlay(seating, seed, length, block_lanes or usual_block_lanes(device), device)
    replace(work, length=Length(rounds=1))(
        0
    )  # compiles, or reads what was compiled before, so that the clock does not see it
    return execute(
        work,
        Tally,
        lambda prefix: result_of(prefix.summary, seating, seed, prefix.seconds, stream),
        done=lambda tally: _progress(tally, work),
        blocks=work.blocks,
        stop=None if target_stderr is None else lambda tally: standard_error(tally, seating) <= target_stderr,
        watch=watch,
        **execution,
    )


def _progress(tally: Tally, work: TablePlay | LanePlay) -> tuple[int, int]:
    """Say how many rounds are played, of how many by the present estimate."""
    length = work.length
    if length.rounds is not None:
        return tally.rounds, length.rounds
    if length.target_stderr is not None:
        error = standard_error(tally, work.seating)
        return tally.rounds, max(tally.rounds, round(tally.rounds * (error / length.target_stderr) ** 2))
    return tally.rounds, round(tally.rounds / tally.spreads[SHOES] * (length.shoes or 0))
