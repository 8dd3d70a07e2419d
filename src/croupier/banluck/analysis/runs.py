"""Simulations by name and as saved runs: what a run of the kind ``banluck simulate`` is made of, defined once.

Whoever starts, saves or resumes such a run (the command line, a program) goes through :class:`SimulationRun`.
"""

from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from croupier.banluck.analysis.named_strategies import (
    DealerName,
    PlayerName,
    Solver,
    strategies_of,
    verify_names,
)
from croupier.banluck.analysis.simulator import (
    Progress,
    SimulationResult,
    simulate_strategies,
    strategy_digest,
)
from croupier.banluck.analysis.solution import Solution
from croupier.banluck.analysis.solving import solve
from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.algorithm import Algorithm
from croupier.banluck.solvers.strategy import DealerStrategy, PlayerStrategy
from croupier.numerics.streams import fresh_seed

if TYPE_CHECKING:  # only a run that is saved pays for the database behind it
    from croupier.runs.run import Run
    from croupier.runs.store import Recording


def _solve_by_regrets(rules: BanluckRules) -> Solution:
    return solve(rules, algorithm=Algorithm.PCFR_PLUS)


@dataclass(frozen=True, slots=True)
class SimulationRun:
    """What to deal: everything that decides the counts.

    Attributes
    ----------
    player
        ``equilibrium``, ``baseline``, ``chart``, or ``stand-on-16`` (any total from 2 to 21).
    dealer
        ``equilibrium`` or ``classic``.

    Examples
    --------
    >>> run = SimulationRun(BanluckRules(), "stand-on-16", "classic", hands=1000, seed=1)
    >>> sorted(run.parameters(*run.strategies()))
    ['dealer', 'hands', 'player', 'strategies']
    >>> SimulationRun(BanluckRules(), "stand-on-16", "lucky", hands=1000, seed=1)
    Traceback (most recent call last):
    croupier.errors.InputError: dealer 'lucky': choose equilibrium or classic
    """

    #: What the store calls runs of this kind: the command that makes them.
    kind: ClassVar[str] = "banluck simulate"

    rules: BanluckRules
    player: str
    dealer: str
    hands: int
    seed: int

    def __post_init__(self) -> None:
        verify_names(self.player, self.dealer)

    @classmethod
    def of(cls, run: "Run") -> Self:
        """Read what a saved run was started with."""
        names = run.parameters
        return cls(BanluckRules.create(run.rules), names["player"], names["dealer"], names["hands"], run.seed)

    def parameters(self, player: PlayerStrategy, dealer: DealerStrategy) -> dict[str, Any]:
        """Return what is saved beside the rules and the seed; a resumed run must come out with the same."""
        return {
            "player": self.player,
            "dealer": self.dealer,
            "hands": self.hands,
            "strategies": strategy_digest(player, dealer),
        }

    def strategies(self, solver: Solver = _solve_by_regrets) -> tuple[PlayerStrategy, DealerStrategy]:
        """Find the strategies by their names; the game is solved only if one of them needs it.

        A run that is resumed must find the strategies that it was saved with, so the algorithm is always the same.
        """
        return strategies_of(self.rules, self.player, self.dealer, solver)


def simulate(
    game: Solution | BanluckRules,
    *,
    player: PlayerName = "equilibrium",
    dealer: DealerName = "equilibrium",
    hands: int = 10_000_000,
    seed: int | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
    executor: Executor | None = None,
    recording: "Recording | None" = None,
) -> SimulationResult:
    """Deal real cards between two strategies and count what happens.

    The same seed deals the same hands, and gives the same counts, on any number of workers.

    Parameters
    ----------
    game
        A solved game, or rules: these are solved if a strategy needs it.
    player
        ``equilibrium``, ``baseline`` (best play against the classic dealer), ``chart``, ``stand-on-16`` (any total), or a
        strategy of one's own.
    dealer
        ``equilibrium``, ``classic``, or a strategy of one's own.
    hands
        How many hands to play, at least 1.
    seed
        A whole number from 0 on; a fresh one if there is none. The result names it.
    workers
        How many threads to play on, one per processor by default.
    progress
        Called with the hands played so far and the hands to play.
    executor
        Where to play instead of on threads, such as a cluster; see :func:`croupier.runs.executors.open_executor`.
    recording
        Where to save how far it is; blocks that are saved there are not played again.

    Raises
    ------
    InputError
        If a name or a number is none of those above.

    Examples
    --------
    >>> from croupier import banluck
    >>> result = banluck.simulate(banluck.Rules(), player="stand-on-16", dealer="classic", hands=100_000, seed=1)
    >>> print(f"{result.value:+.4f} ± {result.stderr:.4f}")
    -0.0123 ± 0.0032
    """
    return simulate_strategies(
        *strategies_of(game, player, dealer),
        game.rules if isinstance(game, Solution) else game,
        hands=hands,
        seed=fresh_seed() if seed is None else seed,
        workers=workers,
        progress=progress,
        executor=executor,
        recording=recording,
    )
