"""``banluck simulate``: what a simulation is made of, how it is saved and resumed, and how it is run."""

import warnings
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self, Unpack, overload

from croupier.banluck.analysis.dealing import usual_block_lanes
from croupier.banluck.analysis.named_strategies import (
    DealerName,
    PlayerName,
    Solver,
    strategies_of,
    verify_names,
)
from croupier.banluck.analysis.simulator import (
    HeadsUp,
    SimulationResult,
    simulate_strategies,
    strategy_digest,
)
from croupier.banluck.analysis.solution import Solution
from croupier.banluck.analysis.solving import solve
from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.algorithm import Algorithm
from croupier.banluck.solvers.strategy import DealerStrategy, PlayerStrategy
from croupier.errors import InputError
from croupier.numerics.devices import (
    Device,
    StreamName,
    chosen_stream,
    missing_gpu,
    usual_workers,
    verify_device,
)
from croupier.numerics.streams import fresh_seed
from croupier.runs.execution import Execution
from croupier.runs.plan import Plan

if (
    TYPE_CHECKING
):  # only a saved run pays for the database behind it, and only a table of several for its kernels
    from croupier.banluck.analysis.table_simulator import TableSimulation
    from croupier.banluck.analysis.table_solution import TableSolution
    from croupier.runs.run import Run


def _solve_by_regrets(rules: BanluckRules) -> Solution:
    return solve(rules, algorithm=Algorithm.PCFR_PLUS)


@dataclass(frozen=True, slots=True)
class SimulationPlan(Plan):
    """Everything that decides what a simulation counts.

    Attributes
    ----------
    player
        ``equilibrium``, ``baseline``, ``chart``, or ``stand-on-16`` (any total from 2 to 21).
    dealer
        ``equilibrium`` or ``classic``.
    strategies
        What these names stand for; None until :meth:`prepared` finds them.
    stream, block_lanes
        How the hands are cut into random streams; and how many lanes make a block, see :meth:`prepared`.
    device
        Where lanes are played; not part of what is saved, because the counts do not depend on it.

    Examples
    --------
    >>> plan = SimulationPlan(BanluckRules(), "stand-on-16", "classic", hands=1000, seed=1)
    >>> sorted(plan.parameters())
    ['dealer', 'hands', 'player', 'strategies']
    >>> SimulationPlan(BanluckRules(), "stand-on-16", "lucky", hands=1000, seed=1)
    Traceback (most recent call last):
    croupier.errors.InputError: dealer 'lucky': choose equilibrium or classic
    """

    kind: ClassVar[str] = "banluck simulate"

    rules: BanluckRules
    player: str
    dealer: str
    hands: int
    seed: int
    strategies: tuple[PlayerStrategy, DealerStrategy] | None = field(default=None, compare=False)
    stream: StreamName = "blocks"
    block_lanes: int | None = None
    device: Device = "cpu"

    def __post_init__(self) -> None:
        verify_names(self.player, self.dealer)
        verify_device(self.stream, self.device)

    def prepared(self, solver: Solver = _solve_by_regrets) -> Self:
        """Return the plan with its strategies and the size of its blocks; the game is solved only if a strategy needs it.

        A run that is resumed must find the strategies that it was saved with, so the algorithm is always the same.
        """
        if self.strategies is not None:
            return self
        lanes = self.block_lanes
        if self.stream == "lanes" and lanes is None:
            lanes = usual_block_lanes(self.device, HeadsUp.gpu_waves)
        strategies = strategies_of(self.rules, self.player, self.dealer, solver)
        return replace(self, strategies=strategies, block_lanes=lanes)

    def parameters(self) -> dict[str, Any]:
        """Return who plays how long; a resumed run must come out with the same strategies."""
        digest = strategy_digest(*self._found())
        return {
            "player": self.player,
            "dealer": self.dealer,
            "hands": self.hands,
            "strategies": digest,
            **({"block_lanes": self.block_lanes} if self.stream == "lanes" else {}),
        }

    @classmethod
    def of_run(cls, run: "Run") -> Self:
        """Read the plan of a saved run."""
        saved = run.parameters
        return cls(
            BanluckRules.create(run.rules),
            saved["player"],
            saved["dealer"],
            saved["hands"],
            run.seed,
            stream="lanes" if "block_lanes" in saved else "blocks",
            block_lanes=saved.get("block_lanes"),
        )

    def run(self, **execution: Unpack[Execution]) -> SimulationResult:
        """Deal the hands and count."""
        return simulate_strategies(
            *self._found(),
            self.rules,
            hands=self.hands,
            seed=self.seed,
            stream=self.stream,
            device=self.device,
            block_lanes=self.block_lanes,
            **execution,
        )

    def _found(self) -> tuple[PlayerStrategy, DealerStrategy]:
        strategies = self.prepared().strategies
        assert strategies is not None, "a prepared plan has its strategies"
        return strategies


@overload
def simulate(
    game: Solution | BanluckRules,
    *,
    player: PlayerName = "equilibrium",
    dealer: DealerName = "equilibrium",
    hands: int = 10_000_000,
    seed: int | None = None,
    stream: StreamName | None = None,
    device: Device = "cpu",
    **execution: Unpack[Execution],
) -> SimulationResult: ...


@overload
def simulate(
    game: "TableSolution",
    *,
    hands: int = 10_000_000,
    seed: int | None = None,
    stream: StreamName | None = None,
    device: Device = "cpu",
    **execution: Unpack[Execution],
) -> "TableSimulation": ...


def simulate(
    game: "Solution | BanluckRules | TableSolution",
    *,
    player: PlayerName = "equilibrium",
    dealer: DealerName = "equilibrium",
    hands: int = 10_000_000,
    seed: int | None = None,
    stream: StreamName | None = None,
    device: Device = "cpu",
    **execution: Unpack[Execution],
) -> "SimulationResult | TableSimulation":
    """Deal real cards between two strategies and count what happens.

    The same seed deals the same hands, and gives the same counts, on any number of workers.

    Parameters
    ----------
    game
        A solved game, or rules: these are solved if a strategy needs it. A solved table of several plays its own strategies:
        ``player`` and ``dealer`` are for one player.
    player
        ``equilibrium``, ``baseline`` (best play against the classic dealer), ``chart``, ``stand-on-16`` (any total), or a
        strategy of one's own.
    dealer
        ``equilibrium``, ``classic``, or a strategy of one's own.
    hands
        How many hands to play, at least 1.
    seed
        A whole number from 0 on; a fresh one if there is none. The result names it.
    stream, device
        ``device="cuda"`` plays on a GPU; where there is none, a warning says so and the processor plays the same
        hands. A GPU plays the stream ``"lanes"``, short random streams, which the processor can play too; the usual ones are
        ``"blocks"``. The same seed deals other cards on the other stream.
    execution
        ``workers``: how many threads to play on, one per processor by default. ``progress``: called with the hands played so far
        and the hands to play. ``executor`` and ``recording``: see :class:`~croupier.runs.execution.Execution`.

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
    chosen_one = chosen_stream(stream, device)
    verify_device(chosen_one, device)
    if (missing := missing_gpu(device)) is not None:
        warnings.warn(missing, stacklevel=2)
    if device == "cuda" and "executor" not in execution:
        execution = {"workers": usual_workers(device), **execution}
    chosen_seed = fresh_seed() if seed is None else seed
    if not isinstance(game, Solution | BanluckRules):
        from croupier.banluck.analysis.table_simulator import (  # noqa: PLC0415 - only a table of several needs its kernels
            simulate_table,
        )

        if (player, dealer) != ("equilibrium", "equilibrium"):
            raise InputError("player and dealer are for one player; a table of several plays its solution")
        return simulate_table(
            game.strategy,
            game.rules,
            hands=hands,
            seed=chosen_seed,
            stream=chosen_one,
            device=device,
            **execution,
        )
    return simulate_strategies(
        *strategies_of(game, player, dealer),
        game.rules if isinstance(game, Solution) else game,
        hands=hands,
        seed=chosen_seed,
        stream=chosen_one,
        device=device,
        **execution,
    )
