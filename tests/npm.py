"""JavaScript tools for long checks, installed by npm."""

import shutil
import subprocess
from pathlib import Path

import pytest


def install_packages(source: Path, folder: Path) -> Path:
    """Copy scripts to a folder and install the packages that they name; skip the test where that is not possible."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    shutil.copytree(source, folder, dirs_exist_ok=True)
    command = [npm, "install", "--no-audit", "--no-fund", "--loglevel=error"]
    process = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if process.returncode != 0:
        pytest.skip(f"npm cannot install the packages: {process.stderr.strip()[:200]}")
    return folder
