"""``croupier blackjack simulate``: from a chart and rules to counted rounds, saved and gone on with if asked to."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import typer
from rich.console import Console
from rich.table import Table

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.simulation.chart_play import remarks_on
from croupier.blackjack.simulation.result import Share, SimulationResult
from croupier.blackjack.simulation.simulator import Length, simulate, verify_length
from croupier.blackjack.solvers.chart import Chart, ChartError
from croupier.blackjack.solvers.chart_check import Remark
from croupier.blackjack.solvers.total_dependent import solve_total_dependent
from croupier.cli.progress import progress_bar, status_line
from croupier.cli.saving import Saving
from croupier.files import write_text
from croupier.runs.executors import open_executor, verify_workers
from croupier.runs.run import Run

#: Rounds that are played when nothing else is asked for.
_USUAL_ROUNDS = 10_000_000

#: Remarks that are listed on a terminal; ``--json`` lists all.
_LISTED_REMARKS = 12


@dataclass(frozen=True, slots=True)
class SimulationPlan:
    """What to play: everything that decides the counts. No chart means the best one of the rules."""

    rules: BlackjackRules
    chart: str | None
    length: Length
    seats: int
    counts_side_bets: bool
    seed: int

    @classmethod
    def of_run(cls, run: Run) -> Self:
        """Read the plan that a saved run was begun with."""
        names: Mapping[str, Any] = run.parameters
        length = Length(names["rounds"], names["shoes"], names["target_stderr"])
        return cls(
            BlackjackRules.create(run.rules),
            names["chart"],
            length,
            names["seats"],
            names["side_bets"],
            run.seed,
        )

    def table(self) -> Chart:
        """Read the chart, or compute the best one."""
        if self.chart is None:
            with status_line("computing the chart"):
                return solve_total_dependent(self.rules).chart
        return Chart.from_text(self.chart)

    def parameters(self, table: Chart) -> dict[str, Any]:
        """Return what it takes, beside rules and seed, to play the same again."""
        return {
            "chart": table.to_csv(),
            "rounds": self.length.rounds,
            "shoes": self.length.shoes,
            "target_stderr": self.length.target_stderr,
            "seats": self.seats,
            "side_bets": self.counts_side_bets,
        }


def length_of(rounds: int | None, shoes: int | None, target_stderr: float | None) -> Length:
    """Read how long to play from the options; one of them, or none."""
    is_named = any(end is not None for end in (rounds, shoes, target_stderr))
    return Length(rounds, shoes, target_stderr) if is_named else Length(rounds=_USUAL_ROUNDS)


def show_simulation(
    plan: SimulationPlan,
    saving: Saving,
    workers: int | None,
    cluster: str | None,
    cells: Path | None,
    *,
    strict: bool,
    as_json: bool,
) -> None:
    """Play, and print what was counted."""
    verify_workers(workers, cluster)
    saved = saving.saved_run()
    plan = plan if saved is None else SimulationPlan.of_run(saved)
    verify_length(plan.length)
    table = plan.table()
    remarks = remarks_on(table, plan.rules)
    if strict and remarks:
        raise ChartError(f"chart: {len(remarks)} entries cannot be played; the first: {remarks[0]}")
    if not as_json:
        _show_remarks(remarks)
    with (
        saving.recording(plan.rules.model_dump(mode="json"), plan.parameters(table), plan.seed) as recording,
        open_executor(workers, cluster, threads=True) as executor,
        progress_bar("playing", unit="rounds") as report,
    ):
        result = simulate(
            plan.rules,
            table,
            rounds=plan.length.rounds,
            shoes=plan.length.shoes,
            target_stderr=plan.length.target_stderr,
            seed=plan.seed,
            seats=plan.seats,
            counts_side_bets=plan.counts_side_bets,
            executor=executor,
            progress=report,
            recording=recording,
        )
    if cells is not None:
        write_text(cells, result.cells_csv(), what="cells")
    if as_json:
        number = {} if recording is None else {"run": recording.run.id}
        advice = {"remarks": [str(remark) for remark in remarks]}
        typer.echo(json.dumps(result.to_dict() | advice | number))
    else:
        _show_result(result)


def _show_remarks(remarks: list[Remark]) -> None:
    for remark in remarks[:_LISTED_REMARKS]:
        typer.echo(str(remark), err=True)
    if len(remarks) > _LISTED_REMARKS:
        typer.echo(f"... and {len(remarks) - _LISTED_REMARKS} more; --json lists all", err=True)


def _show_result(result: SimulationResult) -> None:
    console = Console()
    low, high = result.confidence_interval()
    console.print(
        f"[bold]Value [green]{result.value:+.5%}[/green] ± {result.stderr:.5%} of the initial bet[/bold] "
        f"(95 %: {low:+.5%} to {high:+.5%})",
        highlight=False,
    )
    console.print(
        f"Standard deviation of a round {result.std:.4f} units; {result.staked:.4f} initial bets staked; "
        f"{result.hands:.4f} hands",
        highlight=False,
    )
    if result.rounds_per_shoe is not None:
        console.print(
            f"{result.rounds_per_shoe:.2f} rounds a shoe, {result.cards_per_round:.3f} cards a round",
            highlight=False,
        )
    rows = {str(outcome): share for outcome, share in result.outcomes.items()}
    console.print(_share_table("how hands ended", "hands", rows))
    first = {move.name.lower(): share for move, share in result.moves.items()}
    console.print(_share_table("first move", "rounds", first))
    for name, bet in result.side_bets.items():
        console.print(
            f"{name}: {bet.value:+.4%} ± {bet.stderr:.4%} a unit, standard deviation {bet.std:.2f}",
            highlight=False,
        )
    console.print(
        f"[dim]{result.rounds:,} rounds, {result.seats} seat{'' if result.seats == 1 else 's'}, seed {result.seed}, "
        f"{result.seconds:.1f} s, {result.rounds_per_second:,.0f} rounds/s[/dim]",
        highlight=False,
    )


def _share_table(title: str, counted: str, shares: Mapping[str, Share]) -> Table:
    table = Table()
    table.add_column(title)
    for heading in ("share", "mean units", counted):
        table.add_column(heading, justify="right")
    for name, share in shares.items():
        table.add_row(name, f"{share.share:.4%}", f"{share.mean:+.4f}", f"{share.count:,}")
    return table
