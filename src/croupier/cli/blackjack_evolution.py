"""``croupier blackjack evolve``: charts bred before one's eyes, kept and gone on with if asked to, and judged exactly at the end."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.evolution.breeding import Breeding, Fitness, Population, evolve, first_population
from croupier.blackjack.evolution.evolved_chart import EvolvedChart, Judge
from croupier.blackjack.evolution.fitness import ExactFitness
from croupier.blackjack.evolution.genome import GenePool, Genes
from croupier.blackjack.evolution.simulated_fitness import SimulatedFitness
from croupier.cli.blackjack_analysis import chart_view
from croupier.cli.saving import Saving
from croupier.errors import InputError
from croupier.files import write_text
from croupier.runs.blocks import Prefix
from croupier.runs.run import Run

_MOST_DIFFERENCES = 20

#: Kinds of fitness, and the population and the generations that they usually need.
_USUAL = {"exact": (80, 150), "simulated": (40, 48)}


@dataclass(frozen=True, slots=True)
class EvolutionPlan:
    """What to breed: everything that decides the outcome."""

    rules: BlackjackRules
    fitness: str
    rounds: int
    breeding: Breeding
    seed: int

    @classmethod
    def of_run(cls, run: Run) -> "EvolutionPlan":
        """Read the plan that a saved run was begun with."""
        values: dict[str, Any] = dict(run.parameters)
        fitness, rounds = values.pop("fitness"), values.pop("rounds")
        return cls(BlackjackRules.create(run.rules), fitness, rounds, Breeding(**values), run.seed)

    def parameters(self) -> dict[str, Any]:
        """Return what a saved run remembers of the plan."""
        return {"fitness": self.fitness, "rounds": self.rounds, **asdict(self.breeding)}

    def make_fitness(self) -> "ExactFitness | SimulatedFitness":
        """Return what judges columns while they are bred."""
        if self.fitness == "exact":
            return ExactFitness(self.rules)
        return SimulatedFitness(self.rules, self.rounds, self.seed, self.breeding.generations)


def breeding_of(
    fitness: str,
    population: int | None,
    generations: int | None,
    tournament: int,
    elite: int,
    mutations: float,
    patience: int,
) -> Breeding:
    """Read how to breed; how many columns and generations that takes depends on the fitness."""
    if fitness not in _USUAL:
        raise InputError(f"fitness '{fitness}': choose {' or '.join(_USUAL)}")
    columns, length = _USUAL[fitness]
    return Breeding(population or columns, generations or length, tournament, elite, mutations, patience)


@dataclass(frozen=True, slots=True)
class Outputs:
    """Where the results go, beside the screen."""

    chart: Path | None = None
    plot: Path | None = None
    animation: Path | None = None

    def verify(self) -> None:
        """Raise if a name cannot be, before hours of work."""
        from croupier.blackjack.evolution.plots import verify_animation, verify_picture

        if self.plot is not None:
            verify_picture(self.plot)
        if self.animation is not None:
            verify_animation(self.animation)

    def write(self, evolved: EvolvedChart) -> None:
        """Write what was asked for."""
        from croupier.blackjack.evolution.plots import save_animation, save_history

        if self.chart is not None:
            write_text(self.chart, evolved.table.to_csv(), what="chart")
        if self.plot is not None:
            save_history(evolved, self.plot)
        if self.animation is not None:
            save_animation(evolved, self.animation)


def show_evolution(plan: EvolutionPlan, saving: Saving, outputs: Outputs, *, as_json: bool) -> None:
    """Breed charts, and print what came of it."""
    outputs.verify()
    saved = saving.saved_run()
    plan = plan if saved is None else EvolutionPlan.of_run(saved)
    fitness = plan.make_fitness()
    judge = Judge(plan.rules)
    started = time.perf_counter()
    with saving.recording(plan.rules.model_dump(mode="json"), plan.parameters(), plan.seed) as recording:
        kept = None if recording is None else recording.prefix(Population)
        before = 0.0 if kept is None else kept.seconds
        population = first_population(plan.rules, plan.breeding, plan.seed) if kept is None else kept.summary

        def prefix(population: Population) -> Prefix[Population]:
            return Prefix(population, population.generation, before + time.perf_counter() - started)

        with _live_view(plan, judge) as show:

            def on_generation(population: Population) -> None:
                show(population)
                if recording is not None:
                    recording.keep(prefix(population))

            population = evolve(plan.rules, fitness, plan.breeding, population, on_generation)
            winner = _winner(fitness, population)
        end = prefix(population)
        evolved = judge.judged(population, winner, plan.breeding, plan.fitness, end.seconds)
        if recording is not None:
            recording.finish(end, evolved.to_dict())
    outputs.write(evolved)
    if as_json:
        number = {} if recording is None else {"run": recording.run.id}
        typer.echo(json.dumps(evolved.to_dict() | {"rules": plan.rules.model_dump(mode="json")} | number))
    else:
        _print(evolved)


def _winner(fitness: Fitness, population: Population) -> Genes:
    """Return the chart to judge: the leader, or the finalist that does best with hands that nobody has seen."""
    if isinstance(fitness, SimulatedFitness):
        return fitness.winner(population)
    return population.history[-1].leader


@contextmanager
def _live_view(plan: EvolutionPlan, judge: Judge) -> Iterator[Callable[[Population], None]]:
    """Show each generation on a terminal: its figures and its chart."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _show_nothing
        return
    pool = GenePool(plan.rules)
    with Live(console=console, transient=True, refresh_per_second=4) as live:

        def show(population: Population) -> None:
            line = population.history[-1]
            score = "" if plan.fitness == "exact" else " (with the hands of training)"
            figures = Text(
                f"generation {line.number} of at most {plan.breeding.generations}: best {line.best:+.6f}, "
                f"mean {line.mean:+.6f}{score}; the leader is {judge.loss(line.leader):.6f} bets below the exact optimum"
            )
            live.update(Group(figures, chart_view(pool.table(line.leader), "Leader")))

        yield show


def _show_nothing(_: Population) -> None:
    """Stay quiet where nobody looks."""


def _print(evolved: EvolvedChart) -> None:
    console = Console()
    console.print(chart_view(evolved.table, "Evolved chart"))
    console.print(
        f"[bold]Worth exactly {evolved.value:+.6%}[/bold] of the initial bet, "
        f"{evolved.loss:.7f} bets a round below the best chart ({evolved.optimum:+.6%})"
    )
    if evolved.differences:
        table = Table(title="Cells that differ from the best chart", title_justify="left")
        for heading in ("hand", "up-card", "evolved", "best", "costs, bets a round"):
            table.add_column(heading, justify="right" if heading.startswith("costs") else "left")
        for difference in evolved.differences[:_MOST_DIFFERENCES]:
            table.add_row(
                difference.row,
                difference.up_card,
                difference.code,
                difference.best_code,
                f"{difference.cost:.7f}",
            )
        console.print(table)
        rest = len(evolved.differences) - _MOST_DIFFERENCES
        if rest > 0:
            console.print(f"and {rest} more, each cheaper; --json lists all")
    else:
        console.print("No cell differs from the best chart at any cost.")
    if evolved.free_differences:
        console.print(
            f"[dim]{len(evolved.free_differences)} further cells differ for nothing: they do not come up, or both codes play alike.[/dim]"
        )
    console.print(
        f"[dim]{len(evolved.history)} generations by {evolved.fitness} fitness, "
        f"{sum(line.evaluated for line in evolved.history):,} columns evaluated, seed {evolved.seed}, "
        f"{evolved.seconds:.1f} s[/dim]"
    )
