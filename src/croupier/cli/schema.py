"""``croupier schema``: the JSON Schema of what a command prints with ``--json``."""

import json
from typing import Annotated

import typer


def show_schema(
    name: Annotated[
        list[str] | None,
        typer.Argument(help="A command, such as banluck solve; all names without it.", metavar="[COMMAND]"),
    ] = None,
) -> None:
    """Print the JSON Schema of a command's --json output, or of a JSON file such as a saved hand."""
    from croupier.schemas import FILES, OUTPUTS, schema_of

    if name:
        typer.echo(json.dumps(schema_of(" ".join(name)), indent=2))
    else:
        typer.echo("\n".join(OUTPUTS | FILES))
