"""What make would do is shell that can be read, whatever is installed already."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TARGETS = re.findall(r"^([a-z]+):.*##", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


def test_the_two_commands_are_there() -> None:
    assert {"run", "test", "verify"} <= set(TARGETS)


def test_every_target_is_correct_shell() -> None:
    """A comma in a call of make's own once cut an installation command in two."""
    told = subprocess.run(
        ["make", "--no-print-directory", "--dry-run", "--always-make", *TARGETS],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    read = subprocess.run(["sh", "-n"], input=told.stdout, capture_output=True, text=True, check=False)
    assert (read.returncode, read.stderr) == (0, ""), told.stdout


#: What make leaves in the folder of the project.
MADE = shutil.ignore_patterns(".git", ".venv", ".*_cache", ".hypothesis", "build", "dist", "__pycache__")


@pytest.mark.verify
def test_pip_installs_where_uv_cannot(tmp_path: Path) -> None:
    """A registry that only pip's settings name is out of uv's reach."""
    project = shutil.copytree(ROOT, tmp_path / "project", ignore=MADE)
    without_uv = os.environ | {"UV_OFFLINE": "1", "UV_CACHE_DIR": str(tmp_path / "empty")}
    subprocess.run(
        ["make", ".venv/installed-run"], cwd=project, env=without_uv, check=True, capture_output=True
    )
    (installer,) = project.glob(".venv/lib/python*/site-packages/numpy-*.dist-info/INSTALLER")
    assert installer.read_text().strip() == "pip"
    solved = subprocess.run(
        [project / ".venv/bin/croupier", "banluck", "solve"], capture_output=True, text=True, check=False
    )
    assert solved.returncode == 0, solved.stderr
    assert "units a hand" in solved.stdout
