"""``croupier blackjack evolve``: breeds charts before one's eyes, and prices the winner exactly."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from croupier.blackjack.evolution.breeding import Population
from croupier.blackjack.evolution.evolved_chart import EvolvedChart, Judge
from croupier.blackjack.evolution.genome import GenePool
from croupier.blackjack.evolution.runs import EvolutionPlan, OnGeneration
from croupier.cli.blackjack_analysis import print_costs
from croupier.cli.blackjack_chart import chart_views
from croupier.cli.blackjack_rules import print_rules
from croupier.cli.devices import tell_of_missing_gpu
from croupier.cli.json_output import print_json
from croupier.cli.saving import Saving, run_number
from croupier.extras import needs
from croupier.files import write_text
from croupier.numerics.devices import Device


@dataclass(frozen=True, slots=True)
class Outputs:
    """Where the results go, beside the screen."""

    chart: Path | None = None
    plot: Path | None = None
    animation: Path | None = None

    def verify(self) -> None:
        """Raise if a name cannot be, before the work begins."""
        if self.plot is None and self.animation is None:
            return
        needs("plots")
        from croupier.blackjack.evolution.plots import verify_animation, verify_picture

        if self.plot is not None:
            verify_picture(self.plot)
        if self.animation is not None:
            verify_animation(self.animation)

    def write(self, evolved: EvolvedChart) -> None:
        """Write what was asked for."""
        if self.chart is not None:
            write_text(self.chart, evolved.chart.to_csv(), what="chart")
        if self.plot is not None:
            from croupier.blackjack.evolution.plots import save_history

            save_history(evolved, self.plot)
        if self.animation is not None:
            from croupier.blackjack.evolution.plots import save_animation

            save_animation(evolved, self.animation)


def show_evolution(
    plan: EvolutionPlan, saving: Saving, outputs: Outputs, device: Device, *, as_json: bool
) -> None:
    """Breed charts, and print what came of it."""
    outputs.verify()
    tell_of_missing_gpu(device)
    plan = saving.chosen(plan)
    with saving.recording(plan) as recording, _live_view(plan) as show:
        evolved = plan.run(workers=saving.workers, device=device, on_generation=show, recording=recording)
    outputs.write(evolved)
    if as_json:
        print_json(evolved.to_dict() | run_number(recording))
    else:
        _print(evolved)


@contextmanager
def _live_view(plan: EvolutionPlan) -> Iterator[OnGeneration | None]:
    """Show each generation on a terminal: its figures and its chart."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    pool = GenePool(plan.rules)
    with Live(console=console, transient=True, refresh_per_second=4) as live:

        def show(population: Population, judge: Judge) -> None:
            line = population.history[-1]
            score = "" if plan.fitness == "exact" else " (with the hands of training)"
            figures = Text(
                f"generation {line.number} of at most {plan.breeding.generations}: best {line.best:+.6f}, "
                f"mean {line.mean:+.6f}{score}; the leader is {judge.loss(line.leader):.6f} bets below the exact optimum"
            )
            live.update(Group(figures, *chart_views(pool.chart(line.leader), "Leader")))

        yield show


def _print(evolved: EvolvedChart) -> None:
    console = Console()
    print_rules(console, evolved.rules)
    console.print(*chart_views(evolved.chart, "Evolved chart"))
    console.print(
        f"[bold]Worth exactly {evolved.value:+.6%}[/bold] of the initial bet, "
        f"{evolved.loss:.7f} bets per round below the best chart ({evolved.optimum:+.6%})"
    )
    if evolved.differences:
        print_costs(console, evolved.differences, "evolved")
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
