"""The command itself: its sub-commands, and one clear line for everything that a person gets wrong."""

import os
import sys
from typing import Annotated

import typer
from typer.exceptions import TyperException

from croupier import __version__
from croupier.cli import banluck, blackjack, rules
from croupier.cli.options import help_without_command
from croupier.errors import InputError

USAGE_ERROR = 2
INTERRUPTED = 130

app = typer.Typer(
    name="croupier",
    epilog="Example: croupier banluck play --preset singapore",
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("rules", epilog="Example: croupier rules banluck")(rules.show_rules)
app.add_typer(banluck.app, name="banluck")
app.add_typer(blackjack.app, name="blackjack")


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
    """Run the command line; bad input ends in one line on stderr and exit code 2."""
    try:
        status = app(standalone_mode=False)
        sys.stdout.flush()
    except InputError as error:
        status = _refuse(str(error))
    except TyperException as error:
        status = _refuse(error.format_message())
    except (BrokenPipeError, SystemExit):
        # The reader (head, less) has gone, which Rich turns into an exit: nothing more can be written, nothing is wrong.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 0
    if status == INTERRUPTED:
        print("croupier: interrupted", file=sys.stderr)
    sys.exit(status)


def _refuse(message: str) -> int:
    line = " ".join(message.replace("Value error, ", "").split())
    print(f"croupier: error: {line}", file=sys.stderr)
    return USAGE_ERROR
