"""``blackjack simulate``: what a simulation is made of, how it is saved and resumed, and how it is run."""

import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self, Unpack

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.simulation import simulator
from croupier.blackjack.simulation.lanes import usual_block_lanes
from croupier.blackjack.simulation.length import Length, verify_length
from croupier.blackjack.simulation.result import SimulationResult
from croupier.blackjack.solvers.chart import Chart
from croupier.blackjack.solvers.total_dependent import best_chart
from croupier.numerics.devices import (
    Device,
    StreamName,
    chosen_stream,
    missing_gpu,
    usual_workers,
    verify_device,
)
from croupier.numerics.streams import fresh_seed, verify_seed
from croupier.runs.execution import Execution, Progress
from croupier.runs.plan import Plan

if TYPE_CHECKING:  # only a run that is saved pays for the database behind it
    from croupier.runs.run import Run

#: Rounds that are played when nothing else is asked for.
USUAL_ROUNDS = 10_000_000


@dataclass(frozen=True, slots=True)
class SimulationPlan(Plan):
    """Everything that decides what a simulation counts.

    Attributes
    ----------
    rules, chart
        The rules, and the chart that every seat plays; None is the best chart of the rules, see :meth:`prepared`.
    length
        How long to play.
    seats, side_bets
        How many players, and whether perfect pairs and 21+3 are counted too.
    seed
        The cards.
    stream, block_lanes
        How the rounds are cut into random streams; and how many lanes make a block, see :meth:`prepared`.
    device
        Where lanes are played; not part of what is saved, because the counts do not depend on it.

    Examples
    --------
    >>> plan = SimulationPlan(BlackjackRules(decks="infinite"), length=Length(rounds=100_000), seed=1).prepared()
    >>> sorted(plan.parameters())
    ['chart', 'rounds', 'seats', 'shoes', 'side_bets', 'target_stderr']
    >>> plan.run(workers=1).rounds
    100000
    """

    kind: ClassVar[str] = "blackjack simulate"

    rules: BlackjackRules
    chart: Chart | None = None
    length: Length = field(default_factory=lambda: Length(rounds=USUAL_ROUNDS))
    seats: int = 1
    side_bets: bool = False
    seed: int = field(default_factory=fresh_seed)
    stream: StreamName = "blocks"
    block_lanes: int | None = None
    device: Device = "cpu"

    def verify(self) -> None:
        """Raise an InputError unless the length, the seed and the device are possible."""
        verify_length(self.length)
        verify_seed(self.seed)
        verify_device(self.stream, self.device)

    def prepared(self) -> Self:
        """Return the plan with its chart, the best one of the rules, computed, where none is named; and with the size of its blocks."""
        lanes = self.block_lanes
        if self.stream == "lanes" and lanes is None:
            lanes = usual_block_lanes(self.device)
        chart = best_chart(self.rules).chart if self.chart is None else self.chart
        return replace(self, chart=chart, block_lanes=lanes)

    def parameters(self) -> dict[str, Any]:
        """Return the chart, the length and who plays."""
        return {
            "chart": None if self.chart is None else self.chart.to_csv(),
            **asdict(self.length),
            "seats": self.seats,
            "side_bets": self.side_bets,
            **({"block_lanes": self.block_lanes} if self.stream == "lanes" else {}),
        }

    @classmethod
    def of_run(cls, run: "Run") -> Self:
        """Read the plan of a saved run."""
        saved = run.parameters
        return cls(
            BlackjackRules.create(run.rules),
            Chart.from_csv(saved["chart"]),
            Length(saved["rounds"], saved["shoes"], saved["target_stderr"]),
            saved["seats"],
            saved["side_bets"],
            run.seed,
            "lanes" if "block_lanes" in saved else "blocks",
            saved.get("block_lanes"),
        )

    def run(
        self,
        *,
        watch: Callable[[SimulationResult], None] | None = None,
        **execution: Unpack[Execution],
    ) -> SimulationResult:
        """Play; see :func:`croupier.blackjack.simulation.simulator.simulate` for the parameters."""
        self.verify()
        plan = self.prepared()
        assert plan.chart is not None, "a prepared plan has a chart"
        return simulator.simulate(
            self.rules,
            plan.chart,
            **asdict(self.length),
            seed=self.seed,
            seats=self.seats,
            counts_side_bets=self.side_bets,
            stream=self.stream,
            device=self.device,
            block_lanes=plan.block_lanes,
            watch=watch,
            **execution,
        )


def length_of(
    rounds: int | None = None, shoes: int | None = None, target_stderr: float | None = None
) -> Length:
    """Return how long to play; ten million rounds if no end is named.

    >>> length_of().rounds, length_of(shoes=5)
    (10000000, Length(rounds=None, shoes=5, target_stderr=None))
    """
    is_named = any(end is not None for end in (rounds, shoes, target_stderr))
    return Length(rounds, shoes, target_stderr) if is_named else Length(rounds=USUAL_ROUNDS)


def simulate(
    rules: BlackjackRules | None = None,
    chart: Chart | None = None,
    *,
    rounds: int | None = None,
    shoes: int | None = None,
    target_stderr: float | None = None,
    seed: int | None = None,
    seats: int = 1,
    side_bets: bool = False,
    stream: StreamName | None = None,
    device: Device = "cpu",
    workers: int | None = None,
    progress: Progress | None = None,
) -> SimulationResult:
    """Play a chart over many rounds from real shoes, and say what it came to.

    The same seed deals the same cards and gives the same result on any number of workers.

    Parameters
    ----------
    rules
        The rules; the default ones if none are given.
    chart
        The chart that every seat plays; the best one of the rules if none is given. An entry that the rules do not allow is played by
        its second choice.
    rounds, shoes, target_stderr
        One of them: play so many rounds, so many shoes to their cut card, or until the standard error of the value is no larger.
        Ten million rounds if none is given.
    seed
        A whole number from 0 on; a fresh one is chosen if none is given.
    seats, side_bets
        How many players, 1 to 7, and whether perfect pairs and 21+3 are counted too, as bets of one unit.
    stream, device
        ``device="cuda"`` plays on a GPU; where there is none, a warning says so and the processor plays the same rounds. A GPU plays
        the stream ``"lanes"``, short random streams, which the processor can play too; the usual ones are ``"blocks"``. The same
        seed deals other cards on the other stream.
    workers
        How many threads to play on; one for each processor if not given.
    progress
        Called with the rounds played so far and those to play.

    Raises
    ------
    InputError
        If a number is out of its range, or the chart cannot be played.

    Examples
    --------
    >>> result = simulate(BlackjackRules(decks="infinite"), rounds=1_000_000, seed=1)
    >>> abs(result.value + 0.0051) < 4 * result.stderr, result.seed
    (True, 1)
    """
    plan = SimulationPlan(
        BlackjackRules() if rules is None else rules,
        chart,
        length_of(rounds, shoes, target_stderr),
        seats,
        side_bets,
        fresh_seed() if seed is None else seed,
        chosen_stream(stream, device),
        device=device,
    )
    plan.verify()
    missing = missing_gpu(device)
    if missing is not None:
        warnings.warn(missing, stacklevel=2)
    return plan.run(workers=usual_workers(device) if workers is None else workers, progress=progress)
