"""What several commands share: their options, and help for a command without its sub-command."""

from pathlib import Path
from typing import Annotated

import typer

PresetOption = Annotated[
    str | None,
    typer.Option(
        "--preset", help="Start from this rule set; `croupier rules GAME` lists them.", metavar="NAME"
    ),
]
RulesOption = Annotated[
    Path | None,
    typer.Option("--rules", help="Change the preset by the options in this TOML file.", metavar="FILE"),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set", help="Change one option, such as reveal=none; may be given again.", metavar="KEY=VALUE"
    ),
]
SeedOption = Annotated[
    int | None,
    typer.Option("--seed", min=0, help="Deal these cards again; a new seed is chosen and shown otherwise."),
]
CardsOption = Annotated[
    str,
    typer.Option(
        "--cards",
        help="Deal these cards first in the first hand, one each round the table twice (players, then dealer), then as they are drawn.",
        metavar="'AS 9C ...'",
    ),
]
WorkersOption = Annotated[
    int | None,
    typer.Option("--workers", min=1, help="How many work side by side; one a processor by default."),
]
ClusterOption = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        help="Work on a Dask cluster: tcp://host:port of its scheduler, or local:4 to start one of 4 processes.",
        metavar="ADDRESS",
    ),
]
SaveOption = Annotated[
    bool,
    typer.Option("--save", help="Keep the run in the store, to be gone on with, looked at and compared."),
]
ResumeOption = Annotated[
    int | None,
    typer.Option(
        "--resume",
        min=1,
        help="Go on with this saved run, with the settings it was begun with.",
        metavar="ID",
    ),
]
StoreOption = Annotated[
    str | None,
    typer.Option(
        "--store",
        help="The store of runs: a file or a database URL; $CROUPIER_STORE or a file of the user's by default.",
        metavar="FILE",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]


def help_without_command(context: typer.Context) -> None:
    """Print the help of a group of commands that was called without one of them."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
