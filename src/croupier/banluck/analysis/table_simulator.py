"""Monte Carlo for a table of several: real cards, the strategies of a solution, results by seat."""

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import numpy as np

from croupier import __version__
from croupier.banluck.analysis import seats_kernel, table_lane_kernel
from croupier.banluck.analysis import table_kernel as kernel
from croupier.banluck.analysis.dealing import Tally, dealing_of
from croupier.banluck.analysis.simulation_kernel import Histogram, Options, Totals, Tree, units_by_column
from croupier.banluck.engine.rules import BANLUCK, BanluckRules
from croupier.banluck.solvers.table.counts_strategy import CountsStrategy
from croupier.banluck.solvers.table.strategy import TableStrategy
from croupier.errors import InputError
from croupier.extras import needs
from croupier.numerics.devices import Device, StreamName
from croupier.numerics.random_kernels import Stream
from croupier.numerics.streams import verify_seed
from croupier.results import Result
from croupier.runs.blocks import Prefix
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
    stream
        How the hands were cut into random streams, ``blocks`` or ``lanes``; a seed deals other cards on each.
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
    stream: StreamName = "blocks"
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
            "stream": self.stream,
            "seconds": self.seconds,
            "hands_per_second": self.hands_per_second,
        }


@dataclass(frozen=True, slots=True)
class TwoSeats:
    """A table of two that was solved exactly, in the form that compiled code reads; hands are counted by what each seat was paid."""

    gpu_waves: ClassVar[int] = 4

    setup: tuple[Options, Totals, Tree]
    policy: kernel.TablePolicy

    def play_block(self, hands: int, stream: Stream) -> Histogram:
        """Play so many hands on a stream."""
        return kernel.play_table_block(hands, *self.setup, self.policy, stream)

    def play_lanes(self, first: int, stop: int, key: np.uint64, hands: int) -> Histogram:
        """Play lanes of a run of so many hands here."""
        return table_lane_kernel.play_table_lanes(first, stop, key, hands, *self.setup, self.policy)

    def play_on_gpu(self, first: int, stop: int, key: np.uint64, hands: int, block: int) -> Histogram:
        """Play lanes on a GPU."""
        from croupier.banluck.analysis import gpu_table_play  # noqa: PLC0415 - needs a GPU

        return gpu_table_play.play_two(self.setup, self.policy, first, stop, key, hands, block)

    def moments(self, histogram: Histogram) -> "_Moments":
        """Return what the seats and the dealer won, from the counts of pairs of results."""
        units = units_by_column(self.setup[0])
        hands = int(histogram.sum())
        of_dealer = -(units[:, None] + units[None, :]).ravel()
        return [
            _moments(histogram.sum(axis=1), units, hands),
            _moments(histogram.sum(axis=0), units, hands),
            _moments(histogram.ravel(), of_dealer, hands),
        ]


@dataclass(frozen=True, slots=True)
class Seats:
    """A table whose strategies go by card counts; hands are counted by what each pair of seats was paid."""

    gpu_waves: ClassVar[int] = 1

    setup: tuple[Options, Totals, Tree]
    policy: seats_kernel.SeatsPolicy

    def play_block(self, hands: int, stream: Stream) -> Histogram:
        """Play so many hands on a stream."""
        return seats_kernel.play_seats_block(hands, self._room(), *self.setup, self.policy, stream)

    def play_lanes(self, first: int, stop: int, key: np.uint64, hands: int) -> Histogram:
        """Play lanes of a run of so many hands here."""
        return table_lane_kernel.play_seats_lanes(
            first, stop, key, hands, self._room(), *self.setup, self.policy
        )

    def play_on_gpu(self, first: int, stop: int, key: np.uint64, hands: int, block: int) -> Histogram:
        """Play lanes on a GPU."""
        from croupier.banluck.analysis import gpu_table_play  # noqa: PLC0415 - needs a GPU

        return gpu_table_play.play_seats(self.setup, self.policy, first, stop, key, hands, block)

    def moments(self, histogram: Histogram) -> "_Moments":
        """Return what the seats and the dealer won; the dealer's standard deviation is that of a sum."""
        units, players = units_by_column(self.setup[0]), self.policy.players
        hands = int(histogram[0, 0].sum())
        values = [float(units @ histogram[seat, seat].sum(axis=1)) / hands for seat in range(players)]
        products = np.einsum("ijab,a,b->ij", histogram, units, units) / hands
        products = np.tril(products) + np.tril(products, -1).T
        covariances = products - np.outer(values, values)
        stds = [math.sqrt(max(covariances[seat, seat], 0.0)) for seat in range(players)]
        dealer_std = math.sqrt(max(float(covariances.sum()), 0.0))
        return [*zip(values, stds, strict=True), (-math.fsum(values), dealer_std)]

    def _room(self) -> seats_kernel.SeatsRoom:
        return seats_kernel.seats_room(self.policy.players)


#: Mean and standard deviation by seat, the dealer last.
_Moments = list[tuple[float, float]]


def table_game(strategy: TableStrategy | CountsStrategy, rules: BanluckRules) -> TwoSeats | Seats:
    """Write rules and strategies in the form that compiled code reads."""
    setup = kernel.table_setup(rules)
    if isinstance(strategy, CountsStrategy):
        return Seats(setup, seats_kernel.seats_policy(strategy, rules))
    return TwoSeats(setup, kernel.table_policy(strategy, rules))


def simulate_table(
    strategy: TableStrategy | CountsStrategy,
    rules: BanluckRules,
    *,
    hands: int,
    seed: int,
    stream: StreamName = "blocks",
    device: Device = "cpu",
    **execution: Unpack[Execution],
) -> TableSimulation:
    """Play hands of several players against the dealer, every one from a freshly shuffled deck.

    The same hands are dealt and the same counts come back for a seed on any number of workers.

    Parameters
    ----------
    stream
        How the hands are cut into random streams: long ones on ``"blocks"``, short ones on ``"lanes"``. They deal different cards.
    device
        For lanes: ``"cuda"`` plays them on a GPU, or here where there is none. The counts are the same.
    execution
        See :class:`~croupier.runs.execution.Execution`.

    Raises
    ------
    InputError
        If a number is out of its range, or a GPU is to play blocks.
    """
    verify_workers(execution.get("workers"))
    if hands < 1:
        raise InputError(f"hands = {hands}: at least 1 hand has to be played")
    verify_seed(seed)
    game = table_game(strategy, rules)
    work = dealing_of(game, hands, seed, stream, device)
    # Compiles, or reads what was compiled before, so that the clock does not see it.
    replace(work, hands=1)(0)

    def result_of(prefix: Prefix[Tally]) -> TableSimulation:
        *seats, dealer = game.moments(prefix.summary.histogram)
        played = prefix.summary.hands
        root = math.sqrt(played)
        return TableSimulation(
            rules,
            tuple(value for value, _ in seats),
            tuple(std for _, std in seats),
            tuple(std / root for _, std in seats),
            dealer[0],
            dealer[1],
            dealer[1] / root,
            played,
            seed,
            prefix.seconds,
            stream,
        )

    return execute(
        work,
        Tally,
        result_of,
        done=lambda tally: (tally.hands, hands),
        blocks=work.blocks,
        **execution,
    )


def _moments(
    counts: np.ndarray[tuple[int, ...], np.dtype[np.int64]],
    units: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    hands: int,
) -> tuple[float, float]:
    """Return the mean and the standard deviation of counted results."""
    mean = math.fsum(counts * units) / hands
    return mean, math.sqrt(math.fsum(counts * (units - mean) ** 2) / hands)
