"""``croupier blackjack simulate``: plays a plan and prints what was counted."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import typer
from rich.console import Console
from rich.table import Table

from croupier.blackjack.simulation.chart_play import remarks_on
from croupier.blackjack.simulation.result import Share, SimulationResult
from croupier.blackjack.simulation.runs import SimulationPlan
from croupier.blackjack.solvers.chart import ChartError
from croupier.blackjack.solvers.chart_check import Remark
from croupier.cli.blackjack_rules import print_rules
from croupier.cli.devices import saving_on
from croupier.cli.json_output import print_json
from croupier.cli.progress import status_line
from croupier.cli.saving import Saving, run_number
from croupier.files import write_text

#: Remarks that are listed on a terminal; ``--json`` lists all.
_LISTED_REMARKS = 12


def show_simulation(
    plan: SimulationPlan,
    saving: Saving,
    cells: Path | None,
    *,
    strict: bool,
    as_json: bool,
) -> None:
    """Play, and print what was counted."""
    plan = replace(saving.chosen(plan), device=plan.device)
    plan.verify()
    saving = saving_on(plan.device, saving)
    with status_line("computing the chart"):
        plan = plan.prepared()
    assert plan.chart is not None, "a prepared plan has a chart"
    remarks = remarks_on(plan.chart, plan.rules)
    if strict and remarks:
        raise ChartError(f"chart: {len(remarks)} entries cannot be played; the first: {remarks[0]}")
    if not as_json:
        _show_remarks(remarks)
    with saving.execution(plan, doing="playing", unit="rounds") as execution:
        result = plan.run(**execution)
    if cells is not None:
        write_text(cells, result.cells_csv(), what="cells")
    if as_json:
        advice = {"remarks": [str(remark) for remark in remarks]}
        print_json(result.to_dict() | advice | run_number(execution["recording"]))
    else:
        _show_result(result)


def _show_remarks(remarks: list[Remark]) -> None:
    for remark in remarks[:_LISTED_REMARKS]:
        typer.echo(str(remark), err=True)
    if len(remarks) > _LISTED_REMARKS:
        typer.echo(f"... and {len(remarks) - _LISTED_REMARKS} more; --json lists all", err=True)


def _show_result(result: SimulationResult) -> None:
    console = Console(highlight=False)
    low, high = result.interval
    print_rules(console, result.rules)
    console.print(
        f"[bold]Value [green]{result.value:+.5%}[/green] ± {result.stderr:.5%} of the initial bet[/bold] "
        f"(95 %: {low:+.5%} to {high:+.5%})"
    )
    console.print(
        f"Standard deviation of a round {result.std:.4f} initial bets; {result.staked:.4f} initial bets staked; "
        f"{result.hands:.4f} hands"
    )
    if result.rounds_per_shoe is not None:
        console.print(
            f"{result.rounds_per_shoe:.2f} rounds a shoe, {result.cards_per_round:.3f} cards a round"
        )
    rows = {str(outcome): share for outcome, share in result.outcomes.items()}
    console.print(_share_table("how hands ended", "hands", rows))
    first = {move.name.lower(): share for move, share in result.moves.items()}
    console.print(_share_table("first move", "rounds", first))
    for name, bet in result.side_bets.items():
        console.print(f"{name}: {bet.value:+.4%} ± {bet.stderr:.4%} a unit, standard deviation {bet.std:.2f}")
    console.print(
        f"[dim]{result.rounds:,} rounds, {result.seats} seat{'' if result.seats == 1 else 's'}, seed {result.seed}, "
        f"{result.seconds:.1f} s, {result.rounds_per_second:,.0f} rounds/s[/dim]"
    )


def _share_table(title: str, counted: str, shares: Mapping[str, Share]) -> Table:
    table = Table()
    table.add_column(title)
    for heading in ("share", "mean units", counted):
        table.add_column(heading, justify="right")
    for name, share in shares.items():
        table.add_row(name, f"{share.share:.4%}", f"{share.mean:+.4f}", f"{share.count:,}")
    return table
