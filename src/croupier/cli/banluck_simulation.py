"""``croupier banluck simulate``: from names of strategies to counted hands, saved and resumed if asked to."""

import typer

from croupier.banluck.analysis.runs import SimulationRun
from croupier.banluck.analysis.simulator import simulate_strategies
from croupier.cli.banluck_solving import solve_with_status
from croupier.cli.json_output import print_json
from croupier.cli.progress import progress_bar
from croupier.cli.saving import Saving
from croupier.runs.executors import open_executor, verify_workers


def show_simulation(
    run: SimulationRun, saving: Saving, workers: int | None, cluster: str | None, *, as_json: bool
) -> None:
    """Deal hands between two strategies and print what was counted; a saved run is resumed with what it was started with."""
    verify_workers(workers, cluster)
    saved = saving.saved_run()
    if saved is not None:
        run = SimulationRun.of(saved)
    player, dealer = run.strategies(solve_with_status)
    parameters = run.parameters(player, dealer)
    with (
        saving.recording(run.rules.model_dump(mode="json"), parameters, run.seed) as recording,
        open_executor(workers, cluster, threads=True) as executor,
        progress_bar("dealing", unit="hands") as report,
    ):
        result = simulate_strategies(
            player,
            dealer,
            run.rules,
            hands=run.hands,
            seed=run.seed,
            progress=report,
            executor=executor,
            recording=recording,
        )
    if as_json:
        number = {"run": None if recording is None else recording.run.id}
        print_json(result.to_dict() | {"player": run.player, "dealer": run.dealer} | number)
    else:
        typer.echo(str(result))
