"""How every command ends: its own exit code, or one clear line for what a person got wrong."""

import os
import sys

import typer
from typer.exceptions import TyperException

from croupier.errors import InputError

USAGE_ERROR = 2
INTERRUPTED = 130


def run_command(application: typer.Typer, name: str) -> None:
    """Run a command line and exit; bad input ends in one line on stderr and exit code 2."""
    try:
        status = application(standalone_mode=False, prog_name=name)
        sys.stdout.flush()
    except InputError as error:
        status = _refuse(name, str(error))
    except TyperException as error:
        status = _refuse(name, error.format_message())
    except (BrokenPipeError, SystemExit):
        # The reader (head, less) has gone, which Rich turns into an exit: nothing more can be written, nothing is wrong.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 0
    if status == INTERRUPTED:
        print(f"{name}: interrupted", file=sys.stderr)
    sys.exit(status)


def _refuse(name: str, message: str) -> int:
    line = " ".join(message.replace("Value error, ", "").split())
    print(f"{name}: error: {line}", file=sys.stderr)
    return USAGE_ERROR
