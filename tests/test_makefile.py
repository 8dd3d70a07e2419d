"""What make would do is shell that can be read, whatever is installed already."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TARGETS = re.findall(r"^([a-z]+):.*##", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


def test_the_two_commands_are_there() -> None:
    assert {"run", "test", "verify"} <= set(TARGETS)


@pytest.mark.parametrize("target", TARGETS)
def test_a_target_is_correct_shell(target: str) -> None:
    """A comma in a call of make's own once cut an installation command in two."""
    told = subprocess.run(
        ["make", "--no-print-directory", "--dry-run", "--always-make", target],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    read = subprocess.run(["sh", "-n"], input=told.stdout, capture_output=True, text=True, check=False)
    assert (read.returncode, read.stderr) == (0, ""), told.stdout
