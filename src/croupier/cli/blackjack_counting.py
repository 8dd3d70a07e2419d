"""``croupier blackjack count``: indices of a counting system, and what playing by it comes to."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Self

import typer
from rich.console import Console
from rich.table import Table

from croupier.blackjack.counting.bankroll import SCORE_RISK, bankroll_for_risk
from croupier.blackjack.counting.bet_ramp import BetRamp, parse_ramp, usual_ramp
from croupier.blackjack.counting.correlations import correlations
from croupier.blackjack.counting.indices import (
    FAB_FOUR,
    ILLUSTRIOUS,
    NO_INDICES,
    CountIndices,
    compute_indices,
    indices_of,
)
from croupier.blackjack.counting.result import CountingResult, CountingStrategy
from croupier.blackjack.counting.simulation import simulate_counting
from croupier.blackjack.counting.system import (
    HI_LO,
    CountingSystem,
    find_system,
    read_system,
    system_of,
    verify_countable,
)
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.simulation.counted_play import Rounding
from croupier.blackjack.solvers.chart import Chart
from croupier.blackjack.solvers.total_dependent import solve_total_dependent
from croupier.cli.progress import progress_bar, status_line
from croupier.cli.saving import Saving
from croupier.errors import InputError
from croupier.runs.executors import open_executor, verify_workers
from croupier.runs.run import Run

#: Counts of fewer rounds than this part of all are not listed on a terminal; ``--json`` lists all.
_LISTED_SHARE = 0.001


#: Which indices are played.
IndexChoice = Literal["all", "illustrious", "none"]


@dataclass(frozen=True, slots=True)
class CountingPlan:
    """What to count with and for how long. ``strategy`` is None until it is worked out."""

    rules: BlackjackRules
    system: CountingSystem
    ramp: BetRamp
    choice: IndexChoice
    rounding: Rounding
    estimate: int
    rounds: int
    bankroll: float
    seed: int
    strategy: CountingStrategy | None = None

    @classmethod
    def of_run(cls, run: Run) -> Self:
        """Read the plan that a saved run was begun with."""
        names: Mapping[str, Any] = run.parameters
        rules, system, ramp = (
            BlackjackRules.create(run.rules),
            system_of(names["system"]),
            parse_ramp(names["ramp"]),
        )
        strategy = CountingStrategy(
            system, ramp, indices_of(names["indices"]), names["chart"], names["rounding"], names["estimate"]
        )
        return cls(
            rules, system, ramp, names["choice"], names["rounding"], names["estimate"],
            names["rounds"], names["bankroll"], run.seed, strategy,
        )  # fmt: skip

    def parameters(self, strategy: CountingStrategy) -> dict[str, Any]:
        """Return what it takes, beside rules and seed, to play the same again."""
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
        }

    def worked_out(self) -> CountingStrategy:
        """Return the strategy: the best chart of the rules, and where the count changes it."""
        if self.strategy is not None:
            return self.strategy
        with status_line("computing the chart"):
            table = solve_total_dependent(self.rules).chart
        return CountingStrategy(
            self.system, self.ramp, self._indices(table), table, self.rounding, self.estimate
        )

    def _indices(self, table: Chart) -> CountIndices:
        if self.choice == "none":
            return NO_INDICES
        with status_line("computing the indices"):
            indices = compute_indices(self.rules, self.system, table, self.rounding)
        return indices if self.choice == "all" else indices.only((*ILLUSTRIOUS, *FAB_FOUR))


def system_from_options(name: str | None, tags: Path | None) -> CountingSystem:
    """Return the system of the options: one that is known by its name, or one's own; Hi-Lo if neither is given."""
    if name is not None and tags is not None:
        raise InputError("--system and --tags: name one of them")
    return read_system(tags) if tags is not None else find_system(name or HI_LO.name)


def ramp_from_options(ramp: str | None, rules: BlackjackRules, system: CountingSystem) -> BetRamp:
    """Return the ramp of the options, or the usual one of the system."""
    verify_countable(rules)
    return usual_ramp(rules, system) if ramp is None else parse_ramp(ramp)


def show_indices(plan: CountingPlan, *, as_json: bool) -> None:
    """Print the indices, from the exact solver alone."""
    strategy = plan.worked_out()
    agreement = correlations(plan.rules, plan.system)
    if as_json:
        shown = {
            "system": plan.system.to_dict(),
            "correlations": agreement.to_dict(),
            "rounding": plan.rounding,
            "indices": strategy.indices.to_dict(),
            "rules": plan.rules.model_dump(mode="json"),
        }
        typer.echo(json.dumps(shown))
        return
    console = Console()
    console.print(f"[bold]{plan.system.name}[/bold]  {_tags(plan.system)}", highlight=False)
    console.print(
        f"Betting correlation {agreement.betting:.3f}, insurance correlation {agreement.insurance:.3f}",
        highlight=False,
    )
    _print_indices(console, strategy.indices, plan.system)


def show_counting(
    plan: CountingPlan, saving: Saving, workers: int | None, cluster: str | None, *, as_json: bool
) -> None:
    """Play with the count, and print what it came to."""
    verify_workers(workers, cluster)
    saved = saving.saved_run()
    plan = plan if saved is None else CountingPlan.of_run(saved)
    strategy = plan.worked_out()
    parameters = plan.parameters(strategy)
    with (
        saving.recording(plan.rules.model_dump(mode="json"), parameters, plan.seed) as recording,
        open_executor(workers, cluster, threads=True) as executor,
        progress_bar("playing", unit="rounds") as report,
    ):
        result = simulate_counting(
            plan.rules,
            strategy,
            rounds=plan.rounds,
            seed=plan.seed,
            executor=executor,
            progress=report,
            recording=recording,
        )
    if as_json:
        number = {} if recording is None else {"run": recording.run.id}
        risk = {"bankroll": plan.bankroll, "risk_of_ruin": result.risk_of_ruin(plan.bankroll)}
        typer.echo(json.dumps(result.to_dict() | risk | number))
    else:
        _show_result(result, plan.bankroll)


def _tags(system: CountingSystem) -> str:
    return "  ".join(f"{rank}:{tag:+d}" for rank, tag in system.to_dict()["tags"].items())


def _print_indices(console: Console, indices: CountIndices, system: CountingSystem) -> None:
    kind = "true count" if system.is_balanced else "running count"
    if indices.insurance is not None:
        console.print(
            f"Insurance from a {kind} of {indices.insurance:+d} on (breaks even at {indices.insurance_exact:+.2f})",
            highlight=False,
        )
    table = Table(title=f"Plays that change with the {kind}")
    for heading in ("hand", "up-card", "below", "from there on"):
        table.add_column(heading)
    for heading in ("count", "exact"):
        table.add_column(heading, justify="right")
    for play in indices.plays:
        table.add_row(play.row, play.up_card, play.below, play.code, f"{play.count:+d}", f"{play.exact:+.2f}")
    console.print(table)


def _show_result(result: CountingResult, bankroll: float) -> None:
    console = Console()
    strategy = result.strategy
    low, high = result.confidence_interval()
    console.print(
        f"[bold]{100 * result.value:+.3f} units per 100 rounds[/bold] (95 %: {100 * low:+.3f} to {100 * high:+.3f}); "
        f"standard deviation of a round {result.std:.3f}",
        highlight=False,
    )
    console.print(
        f"{result.per_bet:+.4%} of the initial bet; {result.mean_bet:.3f} units bet per round; "
        f"{strategy.system.name}, bets {strategy.ramp}, {len(strategy.indices.plays)} index plays",
        highlight=False,
    )
    ruin = f"risk of ruin with {bankroll:,.0f} units {result.risk_of_ruin(bankroll):.2%}"
    needed = bankroll_for_risk(result.value, result.std, SCORE_RISK)
    if result.n0 is None or needed is None:
        console.print(f"It does not win: no N0, no SCORE; {ruin}", highlight=False)
    else:
        console.print(
            f"N0 {result.n0:,.0f} rounds; c-SCORE {result.score:.2f}; DI {result.desirability:.2f}; {ruin} "
            f"({SCORE_RISK:.1%} with {needed:,.0f})",
            highlight=False,
        )
    console.print(_count_table(result))
    console.print(
        f"[dim]{result.rounds:,} rounds, seed {result.seed}, {result.seconds:.1f} s[/dim]", highlight=False
    )


def _count_table(result: CountingResult) -> Table:
    table = Table()
    for heading in ("count", "share", "bet", "per bet", "± error", "rounds"):
        table.add_column(heading, justify="right")
    for line in result.by_count:
        if line.share >= _LISTED_SHARE:
            error = "" if line.stderr is None else f"{line.stderr:.3%}"
            table.add_row(
                f"{line.count:+d}", f"{line.share:.2%}", f"{line.bet:g}", f"{line.value:+.3%}", error,
                f"{line.rounds:,}",
            )  # fmt: skip
    return table
