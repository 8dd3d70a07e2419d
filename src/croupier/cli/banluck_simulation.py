"""``croupier banluck simulate``: from names of strategies to counted hands, saved and resumed if asked to."""

import typer

from croupier.banluck.analysis.runs import SimulationPlan
from croupier.cli.banluck_solving import solve_with_status
from croupier.cli.json_output import print_json
from croupier.cli.progress import progress_bar
from croupier.cli.saving import Saving, run_number
from croupier.runs.executors import open_executor, verify_workers


def show_simulation(
    plan: SimulationPlan, saving: Saving, workers: int | None, cluster: str | None, *, as_json: bool
) -> None:
    """Deal hands between two strategies and print what was counted; a saved run is resumed with what it was started with."""
    verify_workers(workers, cluster)
    plan = saving.chosen(plan).prepared(solve_with_status)
    with (
        saving.recording(plan) as recording,
        open_executor(workers, cluster, threads=True) as executor,
        progress_bar("dealing", unit="hands") as report,
    ):
        result = plan.run(executor=executor, progress=report, recording=recording)
    if as_json:
        names = {"player": plan.player, "dealer": plan.dealer}
        print_json(result.to_dict() | names | run_number(recording))
    else:
        typer.echo(str(result))
