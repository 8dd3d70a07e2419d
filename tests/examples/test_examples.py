"""Every program of examples/ runs as a person would run it: copied into an empty folder."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.long_cases import cases

EXAMPLES = Path(__file__).parents[2] / "examples"
PROGRAMS = sorted(path.name for path in EXAMPLES.glob("*.py"))
LONG = [
    "banluck_compare_rules.py",
    "blackjack_counting.py",
    "rl_banluck.py",
    "rl_blackjack.py",
    "rl_durak.py",
]
PATIENCE = 600


def test_there_are_examples() -> None:
    assert PROGRAMS


@pytest.mark.parametrize("name", cases(PROGRAMS, long=LONG))
def test_an_example_runs_in_an_empty_folder(name: str, tmp_path: Path) -> None:
    shutil.copy(EXAMPLES / name, tmp_path)
    environment = os.environ | {"MPLBACKEND": "agg"}
    run = subprocess.run(
        [sys.executable, name],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.strip()
