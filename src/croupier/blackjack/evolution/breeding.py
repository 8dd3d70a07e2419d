"""Evolution of charts: tournaments, crossover, mutation and elitism, under any rules.

A round is played against one up-card, so what a chart is worth is the sum of what its ten columns are worth. Every up-card therefore
has a population of columns of its own: columns compete, mate and mutate among themselves, and the chart of a generation is made
of the ten best. Each generation has a random stream of its own, (seed, generation), so that a run which is stopped and
resumed is the run that was not.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.evolution.genome import GENE_ROWS, GenePool, Genes
from croupier.blackjack.solvers.chart import PAIR_ROWS, ROWS, UP_CARDS, Code
from croupier.blackjack.solvers.chart_moves import CODES, row_of_total
from croupier.blackjack.solvers.hands import Floats
from croupier.errors import InputError
from croupier.numerics.streams import RandomStream

_COLUMNS, _ROWS = len(UP_CARDS), len(GENE_ROWS)


class Fitness(Protocol):
    """What columns are worth to the selection."""

    def values(self, up_card: int, columns: Sequence[Genes], generation: int) -> list[float]:
        """Return what some columns of one up-card are worth, in bets per round: the up-card's chance is in it."""
        ...

    def is_lasting(self, generation: int) -> bool:
        """Tell whether values of the generation before still hold in this one."""
        ...


@dataclass(frozen=True, slots=True)
class Breeding:
    """How populations go from one generation to the next.

    Attributes
    ----------
    population, generations
        How many columns live at once for each up-card, and how often they breed.
    tournament
        Of how many columns, drawn at random, the best becomes a parent.
    elite
        How many of the best live on unchanged.
    mutations
        How many genes of a child change, on average.
    patience
        End after this many generations without a better chart; 0 means never.

    Examples
    --------
    >>> Breeding(population=2)
    Traceback (most recent call last):
    croupier.errors.InputError: population 2: must be from 4 to 10000
    """

    population: int = 80
    generations: int = 150
    tournament: int = 3
    elite: int = 2
    mutations: float = 1.0
    patience: int = 25

    def __post_init__(self) -> None:
        bounds = {
            "population": (self.population, 4, 10_000),
            "generations": (self.generations, 1, 1_000_000),
            "tournament": (self.tournament, 1, self.population),
            "elite": (self.elite, 1, self.population - 1),
            "mutations": (self.mutations, 0.0, float(_ROWS)),
            "patience": (self.patience, 0, 1_000_000),
        }
        for name, (value, lowest, highest) in bounds.items():
            if not lowest <= value <= highest:
                raise InputError(f"{name} {value:g}: must be from {lowest:g} to {highest:g}")


@dataclass(frozen=True, slots=True, eq=False)
class Generation:
    """What one generation came to: its best chart, and scores as its own fitness sees them, which are no results."""

    number: int
    best: float
    mean: float
    evaluated: int
    leader: Genes


@dataclass(frozen=True, slots=True, eq=False)
class Population:
    """All that is needed to go on breeding.

    Attributes
    ----------
    columns
        ``[up-card, place, row]``: after the first generation the best column of each up-card comes first.
    history
        Every generation so far.
    """

    seed: int
    columns: Genes
    history: tuple[Generation, ...] = ()

    @property
    def generation(self) -> int:
        """How many generations there have been."""
        return len(self.history)

    def merged(self, other: "Population") -> "Population":
        """Return the later one, which stands for all before it."""
        return other

    def to_state(self) -> dict[str, Any]:
        """Return plain values for a store."""
        return {
            "seed": self.seed,
            "codes": [code.value for code in CODES],
            "columns": self.columns.tobytes().hex(),
            "history": [
                [line.number, line.best, line.mean, line.evaluated, line.leader.tobytes().hex()]
                for line in self.history
            ],
        }

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> "Population":
        """Read what :meth:`to_state` wrote, also in version 0.1."""
        read = _genes_of if "codes" in state else genes_of_0_1
        history = tuple(
            Generation(number, best, mean, evaluated, read(leader, _COLUMNS, _ROWS))
            for number, best, mean, evaluated, leader in state["history"]
        )
        return cls(state["seed"], read(state["columns"], _COLUMNS, -1, _ROWS), history)


def _genes_of(text: str, *shape: int) -> Genes:
    return np.frombuffer(bytes.fromhex(text), dtype=np.uint8).reshape(shape)


def genes_of_0_1(text: str, *shape: int) -> Genes:
    """Read genes as version 0.1 wrote them: other numbers, and a pair could go by its total."""
    old = [CODES.index(Code(code)) for code in ("H", "S", "D", "DS", "R", "RS", "P", "RP")]
    by_total = len(old)
    genes = _genes_of(text, *shape)
    read: Genes = np.array([*old, 0], dtype=np.uint8)[genes]
    for point, row in enumerate(PAIR_ROWS):
        pair, total = GENE_ROWS.index(row), GENE_ROWS.index(ROWS[row_of_total(point, point)])
        read[..., pair] = np.where(genes[..., pair] == by_total, read[..., total], read[..., pair])
    return read


def first_population(rules: BlackjackRules, breeding: Breeding, seed: int) -> Population:
    """Draw columns at random, every gene any of its alleles.

    >>> first_population(BlackjackRules(), Breeding(population=20), seed=1).columns.shape
    (10, 20, 36)
    """
    stream = RandomStream((seed, 0))
    columns = [
        [[legal[stream.below(len(legal))] for legal in alleles] for _ in range(breeding.population)]
        for alleles in GenePool(rules).alleles
    ]
    return Population(seed, np.array(columns, dtype=np.uint8))


def evolve(
    rules: BlackjackRules,
    fitness: Fitness,
    breeding: Breeding,
    population: Population,
    on_generation: Callable[[Population], None] | None = None,
) -> Population:
    """Breed until the generations are over or patience has run out.

    Parameters
    ----------
    population
        Where to begin: a first population, or one that was kept.
    on_generation
        Called after each generation: progress, saving.

    Examples
    --------
    >>> from croupier.blackjack.evolution.fitness import ExactFitness
    >>> rules = BlackjackRules(decks="infinite", surrender="none")
    >>> breeding = Breeding(population=12, generations=3)
    >>> bred = evolve(rules, ExactFitness(rules), breeding, first_population(rules, breeding, seed=1))
    >>> bred.generation, bred.history[-1].best > bred.history[0].best
    (3, True)
    """
    nursery = _Nursery(GenePool(rules), fitness, breeding)
    while population.generation < breeding.generations and not is_settled(population, breeding, fitness):
        population = nursery.next_generation(population)
        if on_generation is not None:
            on_generation(population)
    return population


def is_settled(population: Population, breeding: Breeding, fitness: Fitness) -> bool:
    """Tell whether patience has run out: no better chart for so long, by scores that can be compared."""
    if not breeding.patience or population.generation <= breeding.patience:
        return False
    recent = population.history[-breeding.patience - 1 :]
    comparable = all(fitness.is_lasting(line.number) for line in recent[1:])
    return comparable and max(line.best for line in recent[1:]) <= recent[0].best


class _Nursery:
    """Breeds generations, and remembers what columns are worth."""

    def __init__(self, pool: GenePool, fitness: Fitness, breeding: Breeding) -> None:
        self._pool, self._fitness, self._breeding = pool, fitness, breeding
        self._known: list[dict[bytes, float]] = [{} for _ in UP_CARDS]

    def next_generation(self, population: Population) -> Population:
        """Breed every up-card's columns once, and rank them."""
        number = population.generation + 1
        if not self._fitness.is_lasting(number):
            self._known = [{} for _ in UP_CARDS]
        stream = RandomStream((population.seed, number))
        ranked, best, mean, evaluated = [], 0.0, 0.0, 0
        for up_card, columns in enumerate(population.columns):
            bred = self._bred(columns, up_card, stream) if number > 1 else columns
            scores, news = self._scores(bred, up_card, number)
            ranked.append(bred[np.argsort(-scores, kind="stable")])
            best, mean, evaluated = best + scores.max(), mean + scores.mean(), evaluated + news
        columns = np.array(ranked)
        line = Generation(number, float(best), float(mean), evaluated, columns[:, 0])
        return Population(population.seed, columns, (*population.history, line))

    def _bred(self, ranked: Genes, up_card: int, stream: RandomStream) -> Genes:
        """Keep the elite and fill up with children; columns come ranked, so the first of a tournament is its winner."""
        elite = self._breeding.elite
        children = [self._child(ranked, up_card, stream) for _ in range(len(ranked) - elite)]
        return np.concatenate([ranked[:elite], np.array(children)])

    def _child(self, ranked: Genes, up_card: int, stream: RandomStream) -> Genes:
        """Take each gene from one of two winners at random, and change a few."""
        one, other = (ranked[self._winner(len(ranked), stream)] for _ in range(2))
        choice = stream.below(1 << _ROWS)
        child: Genes = np.where([choice >> row & 1 for row in range(_ROWS)], one, other)
        for _ in range(self._mutation_count(stream)):
            row = stream.below(_ROWS)
            legal = self._pool.alleles[up_card][row]
            child[row] = legal[stream.below(len(legal))]
        return child

    def _winner(self, size: int, stream: RandomStream) -> int:
        return min(stream.below(size) for _ in range(self._breeding.tournament))

    def _mutation_count(self, stream: RandomStream) -> int:
        """Draw how many genes change: twice the mean number of tries, each with an even chance."""
        tries = 2 * self._breeding.mutations
        whole = sum(stream.below(2) for _ in range(int(tries)))
        return whole + (stream.uniform() < (tries - int(tries)) / 2)

    def _scores(self, columns: Genes, up_card: int, number: int) -> tuple[Floats, int]:
        known = self._known[up_card]
        keys = [genes.tobytes() for genes in columns]
        news = {key: genes for key, genes in zip(keys, columns, strict=True) if key not in known}
        values = self._fitness.values(up_card, list(news.values()), number)
        known |= dict(zip(news, values, strict=True))
        return np.array([known[key] for key in keys]), len(news)
