"""``blackjack evolve``: what an evolution is made of, how it is saved and resumed, and how it is run."""

import time
import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypedDict, Unpack

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.evolution.breeding import Breeding, Population, first_population
from croupier.blackjack.evolution.breeding import evolve as breed
from croupier.blackjack.evolution.evolved_chart import EvolvedChart, Judge
from croupier.blackjack.evolution.fitness import ExactFitness
from croupier.blackjack.evolution.simulated_fitness import SimulatedFitness, verify_rounds
from croupier.errors import InputError
from croupier.numerics.devices import Device, missing_gpu
from croupier.numerics.streams import fresh_seed, verify_seed
from croupier.runs.blocks import Prefix
from croupier.runs.executors import verify_workers
from croupier.runs.plan import Plan

if TYPE_CHECKING:  # only a run that is saved pays for the database behind it
    from croupier.runs.run import Run
    from croupier.runs.store import Recording

#: Kinds of fitness, and the population and the generations that they usually need.
FITNESSES = {"exact": (80, 150), "simulated": (40, 48)}

#: Told after each generation what has been bred, with the judge who prices it exactly.
OnGeneration = Callable[[Population, Judge], None]


@dataclass(frozen=True, slots=True)
class EvolutionPlan(Plan):
    """Everything that decides the outcome of an evolution.

    Attributes
    ----------
    rules
        The rules.
    fitness, rounds
        How columns are judged while they are bred: ``exact``, or ``simulated`` with so many rounds in the last races.
    breeding
        How populations go from one generation to the next.
    seed
        What is drawn.
    refine_rounds
        With simulated fitness: race the winner against every chart that differs in one cell, the closest over so many rounds; 0: do not.

    Examples
    --------
    >>> plan = EvolutionPlan(BlackjackRules(decks="infinite"), breeding=Breeding(population=8, generations=2), seed=1)
    >>> plan.run().loss > 0
    True
    """

    kind: ClassVar[str] = "blackjack evolve"

    rules: BlackjackRules
    fitness: str = "exact"
    rounds: int = 1_000_000
    breeding: Breeding = field(default_factory=Breeding)
    seed: int = field(default_factory=fresh_seed)
    refine_rounds: int = 0

    def verify(self) -> None:
        """Raise an InputError unless fitness, seed and the rounds of refining are possible."""
        verify_fitness(self.fitness)
        verify_seed(self.seed)
        if self.refine_rounds:
            if self.fitness != "simulated":
                raise InputError(f"refine_rounds: only simulated fitness is refined, not {self.fitness}")
            verify_rounds("refine_rounds", self.refine_rounds, 10**11)

    def parameters(self) -> dict[str, Any]:
        """Return the fitness and how columns are bred."""
        refining = {"refine_rounds": self.refine_rounds} if self.refine_rounds else {}
        return {"fitness": self.fitness, "rounds": self.rounds, **asdict(self.breeding), **refining}

    @classmethod
    def of_run(cls, run: "Run") -> Self:
        """Read the plan of a saved run."""
        saved = dict(run.parameters)
        fitness, rounds = saved.pop("fitness"), saved.pop("rounds")
        refining = saved.pop("refine_rounds", 0)
        return cls(BlackjackRules.create(run.rules), fitness, rounds, Breeding(**saved), run.seed, refining)

    def run(
        self,
        *,
        workers: int | None = None,
        device: Device = "cpu",
        on_generation: OnGeneration | None = None,
        recording: "Recording | None" = None,
    ) -> EvolvedChart:
        """Breed, and judge the winner exactly.

        Parameters
        ----------
        workers
            How many threads judge columns; one for each processor if not given. The outcome does not depend on it.
        device
            ``"cuda"``: a GPU plays the races of a simulated fitness, or the processor where there is none. The outcome is the same.
        on_generation
            Called after each generation, and once at the start of a run that is resumed.
        recording
            Where to save each generation; those that are saved there are not bred again.
        """
        self.verify()
        verify_workers(workers)
        if device == "cuda" and self.fitness != "simulated":
            raise InputError(f"device 'cuda': a GPU plays simulated fitness, not {self.fitness}")
        fitness, judge, started = self._fitness(workers, device), Judge(self.rules), time.perf_counter()
        saved = None if recording is None else recording.prefix(Population)
        before = 0.0 if saved is None else saved.seconds

        def prefix(population: Population) -> Prefix[Population]:
            return Prefix(population, population.generation, before + time.perf_counter() - started)

        def show(population: Population) -> None:
            if recording is not None:
                recording.keep(prefix(population))
            if on_generation is not None:
                on_generation(population, judge)

        if saved is None:
            population = first_population(self.rules, self.breeding, self.seed)
        else:
            population = saved.summary
            show(population)
        population = breed(self.rules, fitness, self.breeding, population, show)
        winner = population.history[-1].leader
        if isinstance(fitness, SimulatedFitness):
            winner = fitness.winner(population)
            winner = fitness.refined(winner, self.refine_rounds) if self.refine_rounds else winner
        end = prefix(population)
        evolved = judge.judged(population, winner, self.breeding, self.fitness, end.seconds)
        if recording is not None:
            recording.finish(end, evolved.figures())
        return evolved

    def _fitness(self, workers: int | None, device: Device) -> ExactFitness | SimulatedFitness:
        if self.fitness == "exact":
            return ExactFitness(self.rules, workers)
        generations = self.breeding.generations
        return SimulatedFitness(self.rules, self.rounds, self.seed, generations, workers, device)


def verify_fitness(fitness: str) -> None:
    """Raise unless there is such a kind of fitness.

    >>> verify_fitness("luck")
    Traceback (most recent call last):
    croupier.errors.InputError: fitness 'luck': choose exact or simulated
    """
    if fitness not in FITNESSES:
        raise InputError(f"fitness '{fitness}': choose {' or '.join(FITNESSES)}")


class BreedingOptions(TypedDict, total=False):
    """The attributes of :class:`~croupier.blackjack.evolution.breeding.Breeding` as keyword arguments."""

    population: int | None
    generations: int | None
    tournament: int
    elite: int
    mutations: float
    patience: int


def evolution_plan(
    rules: BlackjackRules,
    *,
    fitness: str = "exact",
    rounds: int = 1_000_000,
    refine_rounds: int = 0,
    seed: int | None = None,
    **breeding: Unpack[BreedingOptions],
) -> EvolutionPlan:
    """Put a plan together; how large a population and how many generations are usual depends on the fitness.

    >>> evolution_plan(BlackjackRules(), fitness="simulated").breeding.population
    40
    """
    verify_fitness(fitness)
    options: dict[str, Any] = dict(zip(("population", "generations"), FITNESSES[fitness], strict=True))
    options |= {name: value for name, value in breeding.items() if value is not None}
    chosen_seed = fresh_seed() if seed is None else seed
    return EvolutionPlan(rules, fitness, rounds, Breeding(**options), chosen_seed, refine_rounds)


def evolve(
    rules: BlackjackRules | None = None,
    *,
    fitness: str = "exact",
    rounds: int = 1_000_000,
    refine_rounds: int = 0,
    seed: int | None = None,
    workers: int | None = None,
    device: Device = "cpu",
    progress: Callable[[int, int], None] | None = None,
    **breeding: Unpack[BreedingOptions],
) -> EvolvedChart:
    """Breed charts by selection, crossover and mutation, and price the winner exactly.

    Parameters
    ----------
    rules
        The rules; the default ones if none are given.
    fitness, rounds
        How charts are judged: ``exact``, or ``simulated`` with so many rounds in the last races.
    refine_rounds
        With simulated fitness: at the end, race the winner against every chart that differs in one cell, the closest over so many rounds.
    seed
        A whole number from 0 on; a fresh one is chosen if none is given.
    workers
        How many threads judge columns; the outcome does not depend on it.
    device
        ``"cuda"`` plays the races of a simulated fitness on a GPU; where there is none, a warning says so and the processor plays.
    progress
        Called with the generations so far and the most there can be.
    breeding
        ``population`` and ``generations``: how many columns live at once for each up-card, and how often they breed; what the
        fitness needs if not given. ``tournament``, ``elite``, ``mutations`` and ``patience``: see
        :class:`~croupier.blackjack.evolution.breeding.Breeding`.

    Examples
    --------
    >>> evolved = evolve(BlackjackRules(decks="infinite"), population=12, generations=4, seed=1)
    >>> evolved.value < evolved.optimum, evolved.seed
    (True, 1)
    """
    chosen = BlackjackRules() if rules is None else rules
    plan = evolution_plan(
        chosen, fitness=fitness, rounds=rounds, refine_rounds=refine_rounds, seed=seed, **breeding
    )

    def report(bred: Population, _: Judge) -> None:
        if progress is not None:
            progress(bred.generation, plan.breeding.generations)

    missing = missing_gpu(device)
    if missing is not None:
        warnings.warn(missing, stacklevel=2)
    return plan.run(workers=workers, device=device, on_generation=report)
