"""``blackjack count``: what playing with a count is made of, how it is saved and resumed, and how it is run."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, Unpack, get_args

from croupier.blackjack.counting.bet_ramp import BetRamp, parse_ramp, usual_ramp
from croupier.blackjack.counting.index_values import best_indices, computed_values
from croupier.blackjack.counting.indices import (
    NO_INDICES,
    CountIndices,
    compute_indices,
    illustrious_cells,
    indices_of,
)
from croupier.blackjack.counting.result import CountingResult, CountingStrategy
from croupier.blackjack.counting.simulation import simulate_counting
from croupier.blackjack.counting.system import (
    CountingSystem,
    find_system,
    system_of,
    verify_countable,
    verify_indexed,
)
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.simulation.counted_play import Rounding
from croupier.blackjack.simulation.lanes import usual_block_lanes
from croupier.blackjack.simulation.runs import USUAL_ROUNDS
from croupier.blackjack.solvers.chart import Chart
from croupier.blackjack.solvers.total_dependent import best_chart
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
from croupier.runs.execution import Execution, Progress
from croupier.runs.plan import Plan

if TYPE_CHECKING:  # only a run that is saved pays for the database behind it
    from croupier.runs.run import Run

#: Which plays change with the count: by name, or so many of those that earn most.
IndexName = Literal["all", "illustrious", "none"]
IndexChoice = IndexName | int


def read_index_choice(text: str) -> IndexChoice:
    """Read a choice of index plays: a name, or a number.

    >>> read_index_choice("18"), read_index_choice("all")
    (18, 'all')
    """
    choice = int(text) if text.isdecimal() else text
    verify_index_choice(choice)
    return choice  # type: ignore[return-value]  # verified


def verify_index_choice(choice: object) -> None:
    """Raise unless a choice of index plays is a name that there is, or a number from 0 on."""
    is_number = isinstance(choice, int) and not isinstance(choice, bool) and choice >= 0
    if not is_number and choice not in get_args(IndexName):
        raise InputError(
            f"indices '{choice}': choose all, illustrious, none, or how many of those that earn most, such as 18"
        )


@dataclass(frozen=True, slots=True)
class CountingPlan(Plan):
    """Everything that decides what playing with a count comes to.

    Attributes
    ----------
    rules, system, ramp
        The rules, what each card counts, and what is bet at which count.
    choice, rounding, estimate
        Which index plays are made, how a true count becomes whole, and to how many cards the cards left are estimated.
    rounds, seed, bankroll
        How long to play, the cards, and the units that may be lost, for the risk of ruin.
    strategy
        Chart and indices; None until :meth:`prepared` works them out.
    stream, block_lanes
        How the rounds are cut into random streams; and how many lanes make a block, see :meth:`prepared`.
    device
        Where lanes are played; not part of what is saved, because the counts do not depend on it.
    """

    kind: ClassVar[str] = "blackjack count"

    rules: BlackjackRules
    system: CountingSystem
    ramp: BetRamp
    choice: IndexChoice = "all"
    rounding: Rounding = "floor"
    estimate: int = 1
    rounds: int = USUAL_ROUNDS
    bankroll: float = 1000
    seed: int = field(default_factory=fresh_seed)
    strategy: CountingStrategy | None = None
    stream: StreamName = "blocks"
    block_lanes: int | None = None
    device: Device = "cpu"

    def __post_init__(self) -> None:
        verify_device(self.stream, self.device)

    def prepared(self, step: Callable[[str], object] = lambda _: None) -> Self:
        """Return the plan with its strategy, the best chart of the rules and where the count changes it; and with the size of its blocks.

        Parameters
        ----------
        step
            Told what is computed next.
        """
        lanes = self.block_lanes
        if self.stream == "lanes" and lanes is None:
            lanes = usual_block_lanes(self.device)
        if self.strategy is not None:
            return replace(self, block_lanes=lanes)
        step("computing the chart")
        chart = best_chart(self.rules).chart
        if self.choice != "none":
            step("computing the indices")
        strategy = CountingStrategy(
            self.system, self.ramp, self._indices(chart), chart, self.rounding, self.estimate
        )
        return replace(self, strategy=strategy, block_lanes=lanes)

    def _indices(self, chart: Chart) -> CountIndices:
        if self.choice == "none":
            return NO_INDICES
        indices = compute_indices(self.rules, self.system, chart, self.rounding)
        if isinstance(self.choice, int):
            values = computed_values(self.rules, self.system, chart, self.rounding, self.ramp)
            return best_indices(indices, values, self.choice)
        return indices if self.choice == "all" else indices.only(illustrious_cells(self.rules))

    def parameters(self) -> dict[str, Any]:
        """Return the system, what it makes of bets and plays, and how long it is played."""
        strategy = self.prepared().strategy
        assert strategy is not None, "a prepared plan has a strategy"
        return {
            "system": self.system.to_dict(),
            "ramp": str(self.ramp),
            "choice": self.choice,
            "indices": strategy.indices.to_dict(),
            "chart": strategy.chart.to_csv(),
            "rounding": self.rounding,
            "estimate": self.estimate,
            "rounds": self.rounds,
            "bankroll": self.bankroll,
            **({"block_lanes": self.block_lanes} if self.stream == "lanes" else {}),
        }

    @classmethod
    def of_run(cls, run: "Run") -> Self:
        """Read the plan of a saved run."""
        saved = run.parameters
        system, ramp = system_of(saved["system"]), parse_ramp(saved["ramp"])
        strategy = CountingStrategy(
            system,
            ramp,
            indices_of(saved["indices"]),
            Chart.from_csv(saved["chart"]),
            saved["rounding"],
            saved["estimate"],
        )
        return cls(
            BlackjackRules.create(run.rules), system, ramp, saved["choice"], saved["rounding"], saved["estimate"],
            saved["rounds"], saved["bankroll"], run.seed, strategy,
            "lanes" if "block_lanes" in saved else "blocks", saved.get("block_lanes"),
        )  # fmt: skip

    def run(self, **execution: Unpack[Execution]) -> CountingResult:
        """Play; see :func:`croupier.blackjack.counting.simulation.simulate_counting` for the parameters."""
        plan = self.prepared()
        assert plan.strategy is not None, "a prepared plan has a strategy"
        return simulate_counting(
            self.rules,
            plan.strategy,
            rounds=self.rounds,
            seed=self.seed,
            stream=self.stream,
            device=self.device,
            block_lanes=plan.block_lanes,
            **execution,
        )


def counting_plan(
    rules: BlackjackRules,
    system: CountingSystem | str = "hi-lo",
    *,
    spread: int = 8,
    ramp: BetRamp | str | None = None,
    choice: IndexChoice = "all",
    **others: Any,
) -> CountingPlan:
    """Put a plan together from what a person names.

    Parameters
    ----------
    system
        A counting system or the name of one.
    spread, ramp
        The largest bet in units, reached in the usual steps; or every step of the bets.
    choice
        Which plays change with the count: all, illustrious, none, or how many of those that earn most with these bets.
    others
        The other attributes of :class:`CountingPlan`.

    Examples
    --------
    >>> str(counting_plan(BlackjackRules(), "hi-lo", spread=12).ramp)
    '1:1,2:2,3:5,4:12'
    """
    verify_index_choice(choice)
    verify_countable(rules)
    if choice != "none":
        verify_indexed(rules)
    chosen = find_system(system) if isinstance(system, str) else system
    if ramp is None:
        ramp = usual_ramp(rules, chosen, spread)
    return CountingPlan(rules, chosen, parse_ramp(ramp) if isinstance(ramp, str) else ramp, choice, **others)


def count(
    rules: BlackjackRules | None = None,
    system: CountingSystem | str = "hi-lo",
    *,
    spread: int = 8,
    ramp: BetRamp | str | None = None,
    indices: IndexChoice = "all",
    rounding: Rounding = "floor",
    estimate: int = 1,
    rounds: int = USUAL_ROUNDS,
    seed: int | None = None,
    stream: StreamName | None = None,
    device: Device = "cpu",
    workers: int | None = None,
    progress: Progress | None = None,
) -> CountingResult:
    """Count cards: bet and play by the count, and see what it wins, at which counts, and what it risks.

    Parameters
    ----------
    rules
        The rules; the default ones if none are given. They must leave something to count: a shoe of some decks.
    system
        ``hi-lo``, ``ko``, ``omega-ii``, ``zen``, ``hi-opt-i``, ``hi-opt-ii``, ``halves``, or a :class:`~croupier.blackjack.counting.system.CountingSystem` of your own.
    spread
        The largest bet in units; the smallest is 1.
    ramp
        Every step of the bets instead, such as ``1:1,2:2,3:4,4:8``.
    indices
        Which plays change with the count: all, the best known ones (illustrious), none, or how many of those that earn most.
    rounding, estimate
        How a true count becomes whole, and to how many cards the cards left are estimated before dividing.
    rounds, seed, stream, device, workers, progress
        As in :func:`~croupier.blackjack.simulation.runs.simulate`.

    Examples
    --------
    >>> counted = count(BlackjackRules(decks=1), spread=4, indices="none", rounds=200_000, seed=1)
    >>> 1 < counted.mean_bet < 4, counted.risk_of_ruin(bankroll=100) <= 1
    (True, True)
    """
    plan = counting_plan(
        BlackjackRules() if rules is None else rules,
        system,
        spread=spread,
        ramp=ramp,
        choice=indices,
        rounding=rounding,
        estimate=estimate,
        rounds=rounds,
        seed=fresh_seed() if seed is None else seed,
        stream=chosen_stream(stream, device),
        device=device,
    )
    missing = missing_gpu(device)
    if missing is not None:
        warnings.warn(missing, stacklevel=2)
    return plan.run(workers=usual_workers(device) if workers is None else workers, progress=progress)
