"""How every command starts and ends: its own exit code, or one clear line for bad input."""

import atexit
import gc
import os
import sys

import typer
from typer.exceptions import TyperException

from croupier.cli.numbers import read_whole_numbers
from croupier.errors import InputError

USAGE_ERROR = 2
INTERRUPTED = 130

#: Both ways to ask for help; sub-commands take them over.
HELP_NAMES = {"help_option_names": ["-h", "--help"]}


def run_command(application: typer.Typer, name: str) -> None:
    """Run a command line and exit; bad input ends in one line on stderr and exit code 2."""
    # The last thing Python does is to look for garbage in all that was loaded: a quarter of a second for nothing.
    atexit.register(gc.freeze)
    read_whole_numbers(application)
    try:
        status = application(standalone_mode=False, prog_name=name)
        sys.stdout.flush()
    except InputError as error:
        status = _refuse(name, str(error))
    except TyperException as error:
        status = _refuse(name, error.format_message())
    except BrokenPipeError:
        # The reader (head, less) has gone: nothing more can be written, nothing is wrong.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 0
    except SystemExit:
        status = 0  # the shell got its completions, or Rich found that the reader has gone and did the same
    if status == INTERRUPTED:
        print(f"{name}: interrupted", file=sys.stderr)
    sys.exit(status)


def _refuse(name: str, message: str) -> int:
    line = " ".join(message.replace("Value error, ", "").split())
    print(f"{name}: error: {line}", file=sys.stderr)
    return USAGE_ERROR
