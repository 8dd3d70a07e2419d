"""The command itself, and its sub-commands."""

from typing import Annotated

import typer

from croupier import __version__
from croupier.cli import banluck, blackjack, durak, prepare, rules, runs, schema, serve, solana
from croupier.cli.command import HELP_NAMES, run_command
from croupier.cli.option_groups import help_without_command

app = typer.Typer(
    name="croupier",
    epilog="Example: croupier banluck play --preset singapore",
    context_settings=HELP_NAMES,
    pretty_exceptions_enable=False,
)
app.command("rules", epilog="Example: croupier rules banluck")(rules.show_rules)
app.add_typer(banluck.app, name="banluck")
app.add_typer(blackjack.app, name="blackjack")
app.add_typer(durak.app, name="durak")
app.command("prepare", epilog="Example: croupier prepare banluck blackjack")(prepare.prepare_games)
app.add_typer(runs.app, name="runs")
app.add_typer(solana.app, name="solana")
app.command("schema", epilog="Example: croupier schema banluck solve")(schema.show_schema)
app.command("serve", epilog="Example: croupier serve --port 8080 --open")(serve.serve_web)


@app.callback(invoke_without_command=True)
def croupier(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    """Card games played, solved, simulated and explained."""
    if version:
        typer.echo(f"croupier {__version__}")
    else:
        help_without_command(context)


def main() -> None:
    """Run the command line."""
    run_command(app, "croupier")
