"""Automatic play: any chart under any rules, from real shoes, with or without a count.

The third answer, beside the exact values and the readable engine: the kernels share the rules record and the charts with them, and
nothing else.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Unpack

import numpy as np

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.simulation.counted_play import FLAT, CountedPlay
from croupier.blackjack.simulation.result import SimulationResult, result_of, standard_error
from croupier.blackjack.simulation.round_terms import empty_records
from croupier.blackjack.simulation.shoe_kernel import IS_EXHAUSTED, Shoe
from croupier.blackjack.simulation.single_seat import (
    automaton_of,
    dealing_of,
    empty_counts,
    is_simple,
    paths_of,
)
from croupier.blackjack.simulation.single_seat_kernel import General, play_alone
from croupier.blackjack.simulation.table_kernel import SHOES, play_table
from croupier.blackjack.simulation.table_setup import Seating, setup_of, shoe_of, verify_seating
from croupier.blackjack.simulation.tally import Tally
from croupier.blackjack.solvers.chart import Chart
from croupier.errors import InputError
from croupier.numerics.random_kernels import Stream
from croupier.numerics.streams import verify_seed
from croupier.runs.execution import Execution, execute
from croupier.runs.executors import verify_workers

#: Rounds and shoes of one random stream. Part of what a seed means: another size deals other cards.
BLOCK_ROUNDS = 2**20
BLOCK_SHOES = 2**14

_NO_LIMIT = 2**62


@dataclass(frozen=True, slots=True)
class Length:
    """How long to play: so many rounds, so many shoes, or until the standard error is small enough.

    Examples
    --------
    >>> Length(rounds=3_000_000).blocks, Length(shoes=1).blocks, Length(target_stderr=1e-4).blocks
    (3, 1, None)
    """

    rounds: int | None = None
    shoes: int | None = None
    target_stderr: float | None = None

    @property
    def blocks(self) -> int | None:
        """In how many blocks it is played, where that is known before."""
        if self.rounds is not None:
            return math.ceil(self.rounds / BLOCK_ROUNDS)
        return None if self.shoes is None else math.ceil(self.shoes / BLOCK_SHOES)

    def of_block(self, block: int) -> tuple[int, int]:
        """Return how many rounds or shoes end a block, whichever is reached first."""
        if self.shoes is not None:
            return _NO_LIMIT, min(BLOCK_SHOES, self.shoes - block * BLOCK_SHOES)
        left = _NO_LIMIT if self.rounds is None else self.rounds - block * BLOCK_ROUNDS
        return min(BLOCK_ROUNDS, left), _NO_LIMIT


def verify_length(length: Length) -> None:
    """Raise unless exactly one end is named, and it can be reached.

    >>> verify_length(Length(rounds=1, shoes=1))
    Traceback (most recent call last):
    croupier.errors.InputError: how long to play: name one of rounds, shoes and target standard error
    """
    named = [end for end in (length.rounds, length.shoes, length.target_stderr) if end is not None]
    if len(named) != 1:
        raise InputError("how long to play: name one of rounds, shoes and target standard error")
    if length.rounds is not None and length.rounds < 1:
        raise InputError(f"rounds = {length.rounds}: at least 1 round has to be played")
    if length.shoes is not None and length.shoes < 1:
        raise InputError(f"shoes = {length.shoes}: at least 1 shoe has to be played")
    if length.target_stderr is not None and not length.target_stderr > 0:
        raise InputError(
            f"target standard error = {length.target_stderr}: it must be above 0, such as 0.0001"
        )


@dataclass(frozen=True, slots=True)
class TablePlay:
    """The rounds of a simulation in blocks, each on the stream that belongs to it and to nothing else.

    ``uses_automaton`` is False in tests that compare the kernels: they give the same counts.
    """

    seating: Seating
    seed: int
    length: Length
    uses_automaton: bool = True

    def __call__(self, block: int) -> Tally:
        """Play a block."""
        rounds, shoes = self.length.of_block(block)
        return self.play(block, rounds, shoes)

    def play(self, block: int, rounds: int, shoes: int) -> Tally:
        """Play so many rounds or shoes, whichever is reached first, on the stream of a block."""
        seating, setup = self.seating, setup_of(self.seating)
        cards, shoe = shoe_of(seating)
        records = empty_records(seating.seats)
        tally, stream = Tally.empty(), block_stream(self.seed, block)
        if self.uses_automaton and is_simple(seating):
            counts = empty_counts(tally)
            general = General(*records, tally.outcomes, tally.cells, tally.squares, setup)
            play_alone(
                rounds, shoes, dealing_of(seating), paths_of(seating), counts, cards, shoe, stream, general
            )
            tally.add_counts(counts, automaton_of(seating), seating.scale, peeks=setup.terms.peeks)
        else:
            play_table(
                rounds, shoes, seating.cut, seating.counts_side_bets, cards, shoe, stream, *records,
                tally.outcomes, tally.side_kinds, tally.sums, tally.cells, tally.squares, tally.spreads, setup,
            )  # fmt: skip
        _verify_cards(shoe, seating)
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
        Whether perfect pairs and 21+3 are counted too, as bets of one unit of their own.
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
    work = TablePlay(seating, seed, length)
    work.play(0, 1, 1)  # compiles, or reads what was compiled before, so that the clock does not see it
    return execute(
        work,
        Tally,
        lambda prefix: result_of(prefix.summary, seating, seed, prefix.seconds),
        done=lambda tally: _progress(tally, work),
        blocks=length.blocks,
        stop=None if target_stderr is None else lambda tally: standard_error(tally, seating) <= target_stderr,
        watch=watch,
        **execution,
    )


def _progress(tally: Tally, work: TablePlay) -> tuple[int, int]:
    """Say how many rounds are played, of how many by the present estimate."""
    length = work.length
    if length.rounds is not None:
        return tally.rounds, length.rounds
    if length.target_stderr is not None:
        error = standard_error(tally, work.seating)
        return tally.rounds, max(tally.rounds, round(tally.rounds * (error / length.target_stderr) ** 2))
    return tally.rounds, round(tally.rounds / tally.spreads[SHOES] * (length.shoes or 0))


def _verify_cards(shoe: Shoe, seating: Seating) -> None:
    if shoe[IS_EXHAUSTED]:
        raise InputError(
            f"{seating.seats} seats: a round has asked for more cards than {seating.rules.decks} decks hold; "
            "play fewer seats or more decks"
        )
