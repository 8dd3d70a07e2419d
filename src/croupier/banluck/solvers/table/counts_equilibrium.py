"""Solving a table of several on sampled deals: learn, measure, and learn on until nobody could gain much."""

import math
import time
from dataclasses import dataclass
from pathlib import Path

from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.regret_minimisation import solve_equilibrium
from croupier.banluck.solvers.table.counts_certificate import CountsCertificate, certify_counts
from croupier.banluck.solvers.table.counts_checkpoint import load_counts_run, save_counts_run
from croupier.banluck.solvers.table.counts_regrets import CountsRun, Table
from croupier.banluck.solvers.table.counts_strategy import CountsStrategy
from croupier.banluck.solvers.table.equilibrium import Progress
from croupier.files import FileError
from croupier.runs.executors import SizedExecutor, open_executor
from croupier.texts import say

_SECONDS_BETWEEN_SAVES = 30.0

#: The tolerance that the efforts are made for, and one that is good for a quick look only.
_FINE, _COARSE = 1e-4, 1e-2


@dataclass(frozen=True)
class Effort:
    """How much is dealt.

    Attributes
    ----------
    block_deals
        Deals of a block.
    dealer_blocks, seat_blocks
        Blocks of an iteration, for the dealer and for each seat.
    check_blocks
        Blocks of each half of a certificate, for each side.
    first_check
        Gains are measured after so many iterations, and whenever these have doubled.
    most_iterations
        Nothing more is learnt after these.
    """

    block_deals: int = 1 << 15
    dealer_blocks: int = 8
    seat_blocks: int = 2
    check_blocks: int = 64
    first_check: int = 16
    most_iterations: int = 128

    @classmethod
    def of(cls, tolerance: float) -> "Effort":
        """Return how much is dealt for a tolerance: the finer it is, the more deals measure it."""
        if tolerance >= _COARSE:
            return cls(block_deals=1 << 12, dealer_blocks=2, check_blocks=4, first_check=1)
        blocks = math.ceil(cls.check_blocks * math.sqrt(_FINE / tolerance))
        return cls(check_blocks=min(blocks, 4 * cls.check_blocks))


@dataclass(frozen=True, slots=True, eq=False)
class CountsEquilibrium:
    """Strategies of all seats and the dealer, and what was measured of them."""

    rules: BanluckRules
    strategy: CountsStrategy
    certificate: CountsCertificate
    iterations: int
    seed: int
    seconds: float


def solve_counts(
    rules: BanluckRules,
    players: int,
    *,
    tolerance: float,
    seed: int = 0,
    workers: int | None = None,
    save: Path | None = None,
    progress: Progress | None = None,
    effort: Effort | None = None,
) -> CountsEquilibrium:
    """Solve a table of any number of players, who decide on their own cards and on card counts.

    The same seed gives the same strategies on any number of workers.

    Parameters
    ----------
    tolerance
        What anybody may gain at most, as far as that can be measured.
    save
        A file to keep the run in; if it is there, the run is resumed.
    progress
        Told what is being done and how much could still be gained.
    """
    started = time.perf_counter()
    effort = effort or Effort.of(tolerance)
    tell = progress or _silently
    tell(say("several.stage.heads_up"), math.nan)
    heads_up = solve_equilibrium(rules, tolerance=1e-6, max_iterations=2000)
    table = Table(rules, players, seed, heads_up.player, heads_up.dealer, effort.block_deals)
    run = _opened(table, save)
    keeper = _Keeper(run, save, started - run.seconds)
    with open_executor(workers, threads=True) as executor:
        certificate = _learnt(run, effort, tolerance, executor, tell, keeper)
    keeper.save()
    return CountsEquilibrium(
        rules, run.average(), certificate, run.iterations, seed, time.perf_counter() - keeper.started
    )


def _learnt(
    run: CountsRun,
    effort: Effort,
    tolerance: float,
    executor: SizedExecutor,
    tell: Progress,
    keeper: "_Keeper",
) -> CountsCertificate:
    """Learn until nobody could gain more than the tolerance, or the effort is spent."""
    check = effort.first_check
    while check < run.iterations:
        check *= 2
    gain = math.nan
    while True:
        while run.iterations < min(check, effort.most_iterations):
            most = min(check, effort.most_iterations)
            tell(say("several.stage.iteration", number=run.iterations + 1, most=most), gain)
            run.iterate(effort.dealer_blocks, effort.seat_blocks, executor)
            keeper.now_and_then()

        def measuring(done: int, sides: int, gain: float = gain) -> None:
            tell(say("several.stage.measuring", number=done + 1, sides=sides), gain)

        certificate = certify_counts(
            run.table, run.average(), effort.check_blocks, executor, measuring, stage=run.iterations
        )
        gain = certificate.largest_gain
        if gain <= tolerance or run.iterations >= effort.most_iterations:
            return certificate
        check *= 2


def _opened(table: Table, save: Path | None) -> CountsRun:
    """Return the run that the file holds, or a fresh one if there is no file."""
    if save is None:
        return CountsRun(table)
    if not save.parent.is_dir():
        raise FileError(f"save file '{save}': there is no such folder")
    return load_counts_run(save, table) if save.exists() else CountsRun(table)


class _Keeper:
    """Saves a run now and then, and at its end."""

    def __init__(self, run: CountsRun, path: Path | None, started: float) -> None:
        self.started = started
        self._run = run
        self._path = path
        self._saved_at = time.monotonic()

    def now_and_then(self) -> None:
        if time.monotonic() - self._saved_at >= _SECONDS_BETWEEN_SAVES:
            self.save()

    def save(self) -> None:
        if self._path is not None:
            self._run.seconds = time.perf_counter() - self.started
            save_counts_run(self._run, self._path)
            self._saved_at = time.monotonic()


def _silently(stage: str, gain: float) -> None:
    """Tell nobody."""
