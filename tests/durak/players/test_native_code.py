import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import croupier
from croupier.durak.players.native_code import SOURCES, is_ready, native_code

PACKAGE = Path(croupier.__file__).parent


def imported_by(source: str) -> set[str]:
    """The files of the package that a file imports."""
    tree = ast.parse((PACKAGE / source).read_text(encoding="utf-8"))
    names = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    return {
        str(Path(file).relative_to(PACKAGE))
        for name in names
        if name.startswith("croupier") and (file := import_module(name).__file__)
    }


def test_the_name_of_the_code_depends_on_every_source_that_it_is_compiled_from() -> None:
    found, new = set[str](), {"durak/players/native_entries_kernel.py"}
    while new:
        found |= new
        new = {source for name in new for source in imported_by(name)} - found
    assert found == set(SOURCES)


def test_the_code_is_compiled_once_and_kept() -> None:
    native_code()
    assert is_ready()


def test_code_of_numba_that_comes_after_it_still_finds_numbas_functions() -> None:
    """Symbols are known to the whole process: under Numba's own names, the next kernel that allocates would have ended it."""
    run = subprocess.run(
        [sys.executable, "-c", AFTER_NATIVE_CODE], capture_output=True, text=True, check=False, timeout=300
    )
    assert (run.returncode, run.stdout) == (0, "6.0\n"), run.stderr


AFTER_NATIVE_CODE = """
import numba
import numpy as np
from croupier.durak.players.native_code import native_code

@numba.njit
def total(size):
    return np.ones(size).sum()

total(3)
native_code()

@numba.njit
def total_after(size):
    return np.ones(size).sum()

print(total_after(6))
"""
