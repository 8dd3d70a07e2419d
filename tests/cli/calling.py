"""``croupier`` called in the tests' own process, through the entry point of the installed command.

What a command prints, writes and refuses is the same as in a process of its own, which takes a second to start; that it is the same,
``test_command_line.py`` shows. Signals, terminals, rights, and readers who have gone need the real thing.
"""

import io
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import pytest

from croupier.cli.main import main

ENVIRONMENT = {"PATH": os.environ["PATH"], "COLUMNS": "200", "LANG": "C.UTF-8", "NO_COLOR": "1"}


def call(
    *words: str | Path,
    answer: str = "",
    environment: Mapping[str, str] = ENVIRONMENT,
    folder: Path | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end; an exception that it lets through is the test's own."""
    output, errors = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    line = ["croupier", *map(str, words)]
    with commanded(line, io.StringIO(answer), output, errors, environment) as patch:
        if folder is not None:
            patch.chdir(folder)
        status = run_to_the_end()
    return subprocess.CompletedProcess(line, status, _text(output), _text(errors))


@contextmanager
def commanded(
    line: list[str], answers: TextIO, output: TextIO, errors: TextIO, environment: Mapping[str, str]
) -> Iterator[pytest.MonkeyPatch]:
    """Give this process the command line, the streams and the environment of a command."""
    with pytest.MonkeyPatch.context() as patch:
        for name in os.environ.keys() - environment.keys():
            patch.delenv(name)
        for name, value in environment.items():
            patch.setenv(name, value)
        patch.setattr(sys, "argv", line)
        patch.setattr(sys, "stdin", answers)
        patch.setattr(sys, "stdout", output)
        patch.setattr(sys, "stderr", errors)
        yield patch


def run_to_the_end() -> int:
    """Run the command and return what the shell would see; a command ends with a number or with nothing."""
    with pytest.raises(SystemExit) as ending:
        main()
    assert ending.value.code is None or isinstance(ending.value.code, int)
    return ending.value.code or 0


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode("utf-8")
