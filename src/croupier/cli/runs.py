"""``croupier runs``: the saved runs, listed, shown, compared and removed."""

from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.json_output import print_json
from croupier.cli.option_groups import Commands
from croupier.cli.options import JsonOption, StoreOption
from croupier.errors import InputError

if TYPE_CHECKING:
    from croupier.runs.run import Run

app = Commands(
    "List, show, compare and remove what was saved with --save.",
    epilog="Example: croupier runs list --kind 'banluck simulate'",
)

RunArgument = Annotated[
    int, typer.Argument(min=1, help="The number of the run; `croupier runs list` shows them.", metavar="ID")
]


@app.command("list", epilog="Example: croupier runs list --kind 'banluck simulate'")
def list_runs(
    kind: Annotated[
        str | None,
        typer.Option("--kind", help="Only runs of this command, such as 'banluck simulate'.", metavar="NAME"),
    ] = None,
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the saved runs, the oldest first."""
    from croupier.cli.run_tables import print_list
    from croupier.runs.database import has_database
    from croupier.runs.store import open_store

    found: tuple[Run, ...] = ()
    if store is not None or has_database():
        with open_store(store) as opened:
            found = opened.runs(kind)
    if as_json:
        print_json({"runs": [run.to_dict() for run in found]})
    elif found:
        print_list(found)
    else:
        typer.echo("No runs are saved." if kind is None else f"No runs of `{kind}` are saved.")


@app.command(epilog="Example: croupier runs show 1")
def show(run_id: RunArgument, store: StoreOption = None, as_json: JsonOption = False) -> None:
    """Show a run: its settings, its rules and its result."""
    from croupier.cli.run_tables import print_run
    from croupier.runs.store import open_store

    with open_store(store) as opened:
        run = opened.find(run_id)
    if as_json:
        print_json(run.to_dict())
    else:
        print_run(run)


@app.command(epilog="Example: croupier runs compare 1 2")
def compare(
    run_ids: Annotated[list[int], typer.Argument(min=1, help="Two runs or more.", metavar="ID ID...")],
    store: StoreOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compare runs: the settings that differ, the results, and whether they differ by more than chance."""
    from croupier.cli.run_tables import print_comparison
    from croupier.runs.comparison import compare_runs
    from croupier.runs.store import open_store

    if len(set(run_ids)) < 2:
        raise InputError("name two different runs or more, such as `croupier runs compare 1 2`")
    with open_store(store) as opened:
        comparison = compare_runs([opened.find(run_id) for run_id in dict.fromkeys(run_ids)])
    if as_json:
        print_json(comparison.to_dict())
    else:
        print_comparison(comparison)


@app.command(epilog="Example: croupier runs remove 1 --yes")
def remove(
    run_id: RunArgument,
    store: StoreOption = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Remove a run from the store for good."""
    from croupier.cli.run_tables import outcome_in_short
    from croupier.runs.store import open_store

    with open_store(store) as opened:
        run = opened.find(run_id)
        if not yes and not _is_confirmed(
            f"Remove run {run_id} ({run.kind}, {outcome_in_short(run)}) for good?"
        ):
            typer.echo("Nothing was removed.")
            return
        opened.remove(run_id)
    typer.echo(f"Run {run_id} is removed.")


def _is_confirmed(question: str) -> bool:
    try:
        return typer.confirm(question)
    except typer.Abort:
        typer.echo()  # the question's line has not ended
        raise InputError("nothing was removed: no answer; --yes removes without being asked") from None
