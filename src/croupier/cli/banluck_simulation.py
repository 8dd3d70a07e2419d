"""``croupier banluck simulate``: from names of strategies to counted hands, saved and resumed if asked to."""

from dataclasses import replace

import typer

from croupier.banluck.analysis.runs import SimulationPlan
from croupier.cli.banluck_solving import solve_with_status
from croupier.cli.devices import saving_on
from croupier.cli.json_output import print_json
from croupier.cli.saving import Saving, run_number


def show_simulation(plan: SimulationPlan, saving: Saving, *, as_json: bool) -> None:
    """Deal hands between two strategies and print what was counted; a saved run is resumed with what it was started with."""
    plan = replace(saving.chosen(plan), device=plan.device)
    saving = saving_on(plan.device, saving)
    plan = plan.prepared(solve_with_status)
    with saving.execution(plan, doing="dealing", unit="hands") as execution:
        result = plan.run(**execution)
    if as_json:
        names = {"player": plan.player, "dealer": plan.dealer}
        print_json(result.to_dict() | names | run_number(execution["recording"]))
    else:
        typer.echo(str(result))
