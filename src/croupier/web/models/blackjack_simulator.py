"""the blackjack simulator: simulations and evolutions as they run, saved as the command line saves them."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass

from croupier.blackjack.engine import BlackjackRules, verify_bet
from croupier.blackjack.evolution.breeding import Breeding, Population, evolve, first_population
from croupier.blackjack.evolution.evolved_chart import Difference, EvolvedChart, Judge
from croupier.blackjack.evolution.fitness import ExactFitness
from croupier.blackjack.evolution.genome import GENE_ROWS, GenePool, Genes
from croupier.blackjack.evolution.simulated_fitness import SimulatedFitness
from croupier.blackjack.play.cells import chart_book
from croupier.blackjack.simulation.result import SimulationResult
from croupier.blackjack.simulation.simulator import Length, simulate, verify_length
from croupier.blackjack.solvers.chart import UP_CARDS, Chart
from croupier.errors import InputError
from croupier.runs.blocks import Prefix
from croupier.runs.store import Recording, open_store

#: The longest run that a page starts: some minutes.
MOST_ROUNDS = 10_000_000_000

#: Points of a live plot; older ones are thinned out when there are more.
MOST_POINTS = 300

FITNESSES = ("exact", "simulated")


@dataclass(frozen=True, slots=True)
class SimulationPlan:
    """A simulation of the best chart, as a page asks for it.

    Examples
    --------
    >>> SimulationPlan(BlackjackRules(), rounds=0, seed=1).verify()
    Traceback (most recent call last):
    croupier.errors.InputError: rounds = 0: at least 1 round has to be played
    """

    rules: BlackjackRules
    rounds: int
    seed: int
    bet: float = 1.0

    def verify(self) -> None:
        """Raise unless it can be played."""
        verify_length(Length(rounds=self.rounds))
        if self.rounds > MOST_ROUNDS:
            raise InputError(f"rounds = {self.rounds}: a page plays at most {MOST_ROUNDS}")
        if self.seed < 0:
            raise InputError(f"seed = {self.seed}: a seed is a whole number from 0 on")
        verify_bet(self.rules, self.bet)


@dataclass(frozen=True, slots=True)
class Point:
    """How a simulation stood at some moment: rounds, their mean, and its 95 % interval."""

    rounds: int
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, eq=False)
class SimulationShow:
    """What a page shows of a simulation.

    Attributes
    ----------
    plan
        What is played.
    exact
        The exact value of the chart from a fresh shoe, per initial bet.
    points
        How the mean has moved.
    result
        What has been counted so far; None while the chart is being computed.
    run
        Its number in the store.
    """

    plan: SimulationPlan
    exact: float | None = None
    points: tuple[Point, ...] = ()
    result: SimulationResult | None = None
    run: int | None = None

    @property
    def share(self) -> float:
        """How much of it is done."""
        return 0.0 if self.result is None else self.result.rounds / self.plan.rounds


def run_simulation(
    plan: SimulationPlan, store: str | None, report: Callable[[SimulationShow], None]
) -> SimulationShow:
    """Play the best chart of the rules, show how it goes, and save it as ``croupier blackjack simulate --save`` does.

    Parameters
    ----------
    plan
        What to play.
    store
        Where runs are kept.
    report
        Told after every block of rounds; if it raises, the run is saved as interrupted and can be gone on with.
    """
    plan.verify()
    report(SimulationShow(plan))
    book = chart_book(plan.rules)
    points: list[Point] = []
    parameters = {
        "chart": book.table.to_csv(),
        "rounds": plan.rounds,
        "shoes": None,
        "target_stderr": None,
        "seats": 1,
        "side_bets": False,
    }
    with _recording(store, "blackjack simulate", plan.rules, parameters, plan.seed) as recording:

        def shown(result: SimulationResult) -> SimulationShow:
            points.append(Point(result.rounds, result.value, *result.confidence_interval()))
            points[:] = thinned(points)
            return SimulationShow(plan, book.total_dependent, tuple(points), result, recording.run.id)

        result = simulate(
            plan.rules,
            book.table,
            rounds=plan.rounds,
            seed=plan.seed,
            workers=1,
            watch=lambda result: report(shown(result)),
            recording=recording,
        )
    return SimulationShow(plan, book.total_dependent, tuple(points), result, recording.run.id)


def thinned(points: list[Point], most: int = MOST_POINTS) -> list[Point]:
    """Leave out every second point, but not the last, when there are too many.

    >>> points = [Point(rounds, 0.0, 0.0, 0.0) for rounds in range(1, 7)]
    >>> [point.rounds for point in thinned(points, most=5)]
    [2, 4, 6]
    """
    return points if len(points) <= most else points[::-1][::2][::-1]


@dataclass(frozen=True, slots=True)
class EvolutionPlan:
    """An evolution, as a page asks for it; ``rounds`` are those of a race, with simulated fitness.

    Examples
    --------
    >>> EvolutionPlan(BlackjackRules(), "luck", seed=1).verify()
    Traceback (most recent call last):
    croupier.errors.InputError: fitness 'luck': choose exact or simulated
    """

    rules: BlackjackRules
    fitness: str
    seed: int
    population: int = 80
    generations: int = 150
    rounds: int = 1_000_000

    @property
    def breeding(self) -> Breeding:
        """How populations go from one generation to the next."""
        return Breeding(population=self.population, generations=self.generations)

    def verify(self) -> None:
        """Raise unless it can be bred."""
        if self.fitness not in FITNESSES:
            raise InputError(f"fitness '{self.fitness}': choose {' or '.join(FITNESSES)}")
        if self.seed < 0:
            raise InputError(f"seed = {self.seed}: a seed is a whole number from 0 on")
        _ = self.breeding  # which refuses numbers that cannot be


@dataclass(frozen=True, slots=True)
class GenerationShow:
    """One generation: its best and mean as its fitness sees them, and what its leader exactly loses to the best chart."""

    number: int
    best: float
    mean: float
    loss: float


@dataclass(frozen=True, slots=True)
class EvolutionReport:
    """What an evolution came to, exactly."""

    value: float
    optimum: float
    loss: float
    differences: tuple[Difference, ...]
    free_differences: int
    evaluated: int
    seconds: float


@dataclass(frozen=True, slots=True, eq=False)
class EvolutionShow:
    """What a page shows of an evolution.

    Attributes
    ----------
    plan
        What is bred.
    optimum
        The exact value of the best chart.
    generations
        All generations so far.
    table
        The leader's chart.
    differing
        The cells in which it is not the best chart.
    report
        The end, when it is over.
    run
        Its number in the store.
    """

    plan: EvolutionPlan
    optimum: float | None = None
    generations: tuple[GenerationShow, ...] = ()
    table: Chart | None = None
    differing: frozenset[tuple[str, str]] = frozenset()
    report: EvolutionReport | None = None
    run: int | None = None


def run_evolution(
    plan: EvolutionPlan, store: str | None, report: Callable[[EvolutionShow], None]
) -> EvolutionShow:
    """Breed charts, show every generation, and save it as ``croupier blackjack evolve --save`` does.

    Parameters
    ----------
    plan
        What to breed.
    store
        Where runs are kept.
    report
        Told after every generation; if it raises, the run is saved as interrupted and can be gone on with.
    """
    plan.verify()
    report(EvolutionShow(plan))
    fitness = _fitness(plan)
    judge, pool, started = Judge(plan.rules), GenePool(plan.rules), time.perf_counter()
    parameters = {"fitness": plan.fitness, "rounds": plan.rounds, **asdict(plan.breeding)}
    lines: list[GenerationShow] = []
    with _recording(store, "blackjack evolve", plan.rules, parameters, plan.seed) as recording:

        def shown(genome: Genes, ending: EvolutionReport | None = None) -> EvolutionShow:
            return EvolutionShow(
                plan=plan,
                optimum=judge.optimum,
                generations=tuple(lines),
                table=pool.table(genome),
                differing=differing_cells(genome, judge.best),
                report=ending,
                run=recording.run.id,
            )

        def on_generation(population: Population) -> None:
            line = population.history[-1]
            lines.append(GenerationShow(line.number, line.best, line.mean, judge.loss(line.leader)))
            recording.keep(_prefix(population, started))
            report(shown(line.leader))

        first = first_population(plan.rules, plan.breeding, plan.seed)
        population = evolve(plan.rules, fitness, plan.breeding, first, on_generation)
        winner = (
            fitness.winner(population)
            if isinstance(fitness, SimulatedFitness)
            else population.history[-1].leader
        )
        end = _prefix(population, started)
        evolved = judge.judged(population, winner, plan.breeding, plan.fitness, end.seconds)
        recording.finish(end, evolved.to_dict())
    return shown(winner, _ending(evolved))


def differing_cells(genome: Genes, best: Genes) -> frozenset[tuple[str, str]]:
    """Return the cells in which one chart's genes are not another's."""
    return frozenset(
        (GENE_ROWS[row], UP_CARDS[up_card])
        for up_card in range(len(UP_CARDS))
        for row in range(len(GENE_ROWS))
        if genome[up_card, row] != best[up_card, row]
    )


def _fitness(plan: EvolutionPlan) -> ExactFitness | SimulatedFitness:
    if plan.fitness == "exact":
        return ExactFitness(plan.rules)
    return SimulatedFitness(plan.rules, plan.rounds, plan.seed, plan.generations)


def _prefix(population: Population, started: float) -> Prefix[Population]:
    return Prefix(population, population.generation, time.perf_counter() - started)


def _ending(evolved: EvolvedChart) -> EvolutionReport:
    return EvolutionReport(
        evolved.value,
        evolved.optimum,
        evolved.loss,
        evolved.differences,
        len(evolved.free_differences),
        sum(line.evaluated for line in evolved.history),
        evolved.seconds,
    )


@contextmanager
def _recording(
    store: str | None, kind: str, rules: BlackjackRules, parameters: dict[str, object], seed: int
) -> Iterator[Recording]:
    with (
        open_store(store, create=True) as runs,
        runs.begin(kind, rules=rules.model_dump(mode="json"), parameters=parameters, seed=seed) as recording,
    ):
        yield recording
