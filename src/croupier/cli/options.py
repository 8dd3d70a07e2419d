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
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]


def help_without_command(context: typer.Context) -> None:
    """Print the help of a group of commands that was called without one of them."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
