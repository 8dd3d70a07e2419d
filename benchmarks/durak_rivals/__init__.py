"""Rivals of ``durak-master``: four engines and a solver in C, written apart from the package so that they can find its faults."""

import shutil
import subprocess
import sys
from pathlib import Path

#: The engines, weakest first.
CHARACTERS = ("greedy", "thumb", "carlo", "tree")

_SOURCES = Path(__file__).parent


def build(folder: Path) -> Path:
    """Compile the rivals and return their program: ``rival greedy|thumb|carlo|tree|solve``."""
    compiler = ["cc"] if shutil.which("cc") else [sys.executable, "-m", "ziglang", "cc"]
    program = folder / "rival"
    options = ("-std=gnu11", "-O2", "-march=native", "-Wall", "-Wextra", "-Werror")
    subprocess.run([*compiler, *options, "-o", program, *sorted(_SOURCES.glob("*.c")), "-lm"], check=True)
    return program
