"""Compiled kernels, in processes of their own: kept on disk, and forgotten when what they call has changed."""

import subprocess
import sys
from pathlib import Path

CALLED = """
from croupier.numerics.compiled import inlined

@inlined
def step(number: int) -> int:
    return number + {step}
"""
CALLER = """
from croupier.numerics.compiled import compiled
from called import step

@compiled
def twice(number: int) -> int:
    return step(step(number))

print(twice(0), sum(twice._cache_hits.values()))
"""


def run(folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "caller.py"], cwd=folder, capture_output=True, text=True, check=True, timeout=300
    )
    return done.stdout.strip()


def test_a_kernel_is_compiled_once_and_again_when_a_kernel_of_another_file_changes(tmp_path: Path) -> None:
    """Numba alone would go on with the old step: it looks at the caller's file only."""
    (tmp_path / "caller.py").write_text(CALLER)
    (tmp_path / "called.py").write_text(CALLED.format(step=1))
    assert [run(tmp_path), run(tmp_path)] == ["2 0", "2 1"]
    (tmp_path / "called.py").write_text(CALLED.format(step=10))
    assert [run(tmp_path), run(tmp_path)] == ["20 0", "20 1"]
