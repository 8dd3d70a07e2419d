"""Monte Carlo for a table of several: real cards, the strategies of a solution, results by seat."""

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from croupier import __version__
from croupier.banluck.analysis import seats_kernel
from croupier.banluck.analysis import table_kernel as kernel
from croupier.banluck.analysis.simulation_kernel import Options, Totals, Tree
from croupier.banluck.analysis.simulator import BLOCK_HANDS, Tally
from croupier.banluck.engine.rules import BANLUCK, BanluckRules
from croupier.banluck.solvers.table.counts_strategy import CountsStrategy
from croupier.banluck.solvers.table.strategy import TableStrategy
from croupier.errors import InputError
from croupier.extras import needs
from croupier.numerics.random_kernels import Stream
from croupier.numerics.streams import verify_seed
from croupier.results import Result
from croupier.runs.execution import Execution, execute
from croupier.runs.executors import verify_workers

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class TableSimulation(Result):
    """What a simulated table of several players found, in units of the bet, per hand.

    Attributes
    ----------
    values, stds, stderrs
        By seat: the mean, the standard deviation of one hand, and the standard error of the mean.
    dealer_value, dealer_std, dealer_stderr
        The same for the dealer, who plays against all seats at once.
    """

    rules: BanluckRules
    values: tuple[float, ...]
    stds: tuple[float, ...]
    stderrs: tuple[float, ...]
    dealer_value: float
    dealer_std: float
    dealer_stderr: float
    hands: int
    seed: int
    seconds: float = field(compare=False)
    version: str = __version__

    @property
    def players(self) -> int:
        """How many players were seated."""
        return len(self.values)

    @property
    def hands_per_second(self) -> float:
        """The speed, over all workers; a hand of all players counts once."""
        return self.hands / self.seconds

    def facts(self) -> dict[str, str]:
        """Return what to print, the most important first."""
        facts = {"Rules": f"{BANLUCK.describe(self.rules)}, {self.players} players"}
        for row in self.rows():
            facts[str(row["side"]).capitalize()] = (
                f"{row['value']:+.6f} ± {row['stderr']:.6f} units a hand, standard deviation {row['std']:.4f}"
            )
        speed = f"{self.hands:,} hands, seed {self.seed}, {self.seconds:.1f} s, {self.hands_per_second:,.0f} hands/s"
        return {**facts, "Dealt": speed}

    def rows(self) -> list[dict[str, Any]]:
        """Return the figures as rows, a row a seat, the dealer last."""
        figures = [*zip(self.values, self.stds, self.stderrs, strict=True)]
        figures.append((self.dealer_value, self.dealer_std, self.dealer_stderr))
        names = [*(f"player {seat + 1}" for seat in range(self.players)), "dealer"]
        return [
            {"side": name, "value": value, "std": std, "stderr": stderr}
            for name, (value, std, stderr) in zip(names, figures, strict=True)
        ]

    def to_frame(self) -> "pd.DataFrame":
        """Return the figures as a table, a row a seat, the dealer last."""
        needs("plots")
        import pandas as pd  # noqa: PLC0415 - only tables need it

        return pd.DataFrame(self.rows())

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        return {**self.figures(), "rules": self.rules.model_dump(mode="json"), "version": self.version}

    def figures(self) -> dict[str, Any]:
        """Return what came out as plain values, without what went in."""
        return {
            "players": self.players,
            "values": list(self.values),
            "stds": list(self.stds),
            "stderrs": list(self.stderrs),
            "dealer_value": self.dealer_value,
            "dealer_std": self.dealer_std,
            "dealer_stderr": self.dealer_stderr,
            "hands": self.hands,
            "seed": self.seed,
            "seconds": self.seconds,
            "hands_per_second": self.hands_per_second,
        }


class PairTally(Tally):
    """How often each pair of seats was paid what: the summary of a block for any number of seats."""

    @property
    def hands(self) -> int:
        """How many hands were counted."""
        return int(self.histogram[0, 0].sum())


def _stream(seed: int, block: int) -> Stream:
    return np.random.SeedSequence(seed, spawn_key=(block,)).generate_state(4, np.uint64).astype(np.uint64)


@dataclass(frozen=True, slots=True)
class _TableDealing:
    """The hands of a simulation in blocks, each on the stream that belongs to it and to nothing else."""

    setup: tuple[Options, Totals, Tree]
    policy: kernel.TablePolicy
    hands: int
    seed: int

    def __call__(self, block: int) -> Tally:
        return self.play(block, min(BLOCK_HANDS, self.hands - block * BLOCK_HANDS))

    def play(self, block: int, hands: int) -> Tally:
        return Tally(kernel.play_table_block(hands, *self.setup, self.policy, _stream(self.seed, block)))


@dataclass(frozen=True, slots=True)
class _SeatsDealing:
    """The same for strategies that go by card counts."""

    setup: tuple[Options, Totals, Tree]
    policy: seats_kernel.SeatsPolicy
    hands: int
    seed: int

    def __call__(self, block: int) -> PairTally:
        return self.play(block, min(BLOCK_HANDS, self.hands - block * BLOCK_HANDS))

    def play(self, block: int, hands: int) -> PairTally:
        room = seats_kernel.seats_room(self.policy.players)
        stream = _stream(self.seed, block)
        return PairTally(seats_kernel.play_seats_block(hands, room, *self.setup, self.policy, stream))


def simulate_table(
    strategy: TableStrategy | CountsStrategy,
    rules: BanluckRules,
    *,
    hands: int,
    seed: int,
    **execution: Unpack[Execution],
) -> TableSimulation:
    """Play hands of several players against the dealer, every one from a freshly shuffled deck.

    The same hands are dealt and the same counts come back for a seed on any number of workers.

    Parameters
    ----------
    execution
        See :class:`~croupier.runs.execution.Execution`.

    Raises
    ------
    InputError
        If a number is out of its range.
    """
    verify_workers(execution.get("workers"))
    if hands < 1:
        raise InputError(f"hands = {hands}: at least 1 hand has to be played")
    verify_seed(seed)
    setup = kernel.table_setup(rules)
    if isinstance(strategy, CountsStrategy):
        seats = _SeatsDealing(setup, seats_kernel.seats_policy(strategy, rules), hands, seed)
        seats.play(0, 0)  # compiles, or reads what was compiled before, so that the clock does not see it
        return execute(
            seats,
            PairTally,
            lambda prefix: _seats_result(prefix.summary.histogram, seats, rules, prefix.seconds),
            done=lambda tally: (tally.hands, hands),
            blocks=math.ceil(hands / BLOCK_HANDS),
            **execution,
        )
    work = _TableDealing(setup, kernel.table_policy(strategy, rules), hands, seed)
    work.play(0, 0)
    return execute(
        work,
        Tally,
        lambda prefix: _result(prefix.summary.histogram, work, rules, prefix.seconds),
        done=lambda tally: (tally.hands, hands),
        blocks=math.ceil(hands / BLOCK_HANDS),
        **execution,
    )


def _result(
    histogram: np.ndarray[tuple[int, ...], np.dtype[np.int64]],
    work: _TableDealing,
    rules: BanluckRules,
    seconds: float,
) -> TableSimulation:
    prices = np.array(work.setup[0].prices)
    units = np.concatenate([-prices[:0:-1], prices])
    hands = int(histogram.sum())
    results = [
        _moments(histogram.sum(axis=1), units, hands),
        _moments(histogram.sum(axis=0), units, hands),
        _moments(histogram.ravel(), -(units[:, None] + units[None, :]).ravel(), hands),
    ]
    values, stds = [value for value, _ in results], [std for _, std in results]
    errors = [std / math.sqrt(hands) for std in stds]
    return TableSimulation(
        rules,
        tuple(values[:-1]),
        tuple(stds[:-1]),
        tuple(errors[:-1]),
        values[-1],
        stds[-1],
        errors[-1],
        hands,
        work.seed,
        seconds,
    )


def _seats_result(
    histogram: np.ndarray[tuple[int, ...], np.dtype[np.int64]],
    work: _SeatsDealing,
    rules: BanluckRules,
    seconds: float,
) -> TableSimulation:
    """Read means and standard deviations off the counts of pairs; the dealer's is that of a sum."""
    prices = np.array(work.setup[0].prices)
    units = np.concatenate([-prices[:0:-1], prices])
    players = work.policy.players
    hands = int(histogram[0, 0].sum())
    values = [float(units @ histogram[seat, seat].sum(axis=1)) / hands for seat in range(players)]
    products = np.einsum("ijab,a,b->ij", histogram, units, units) / hands
    products = np.tril(products) + np.tril(products, -1).T
    covariances = products - np.outer(values, values)
    stds = [math.sqrt(max(covariances[seat, seat], 0.0)) for seat in range(players)]
    dealer_std = math.sqrt(max(float(covariances.sum()), 0.0))
    root = math.sqrt(hands)
    return TableSimulation(
        rules,
        tuple(values),
        tuple(stds),
        tuple(std / root for std in stds),
        -math.fsum(values),
        dealer_std,
        dealer_std / root,
        hands,
        work.seed,
        seconds,
    )


def _moments(
    counts: np.ndarray[tuple[int, ...], np.dtype[np.int64]],
    units: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    hands: int,
) -> tuple[float, float]:
    """Return the mean and the standard deviation of counted results."""
    mean = math.fsum(counts * units) / hands
    return mean, math.sqrt(math.fsum(counts * (units - mean) ** 2) / hands)
