"""Engine processes start by the thousand: what they import stays light."""

import subprocess
import sys

import pytest

HEAVY = ["numba", "numpy", "pandas", "pydantic", "rich", "typer", "asyncio", "dataclasses", "inspect"]


@pytest.mark.parametrize("module", ["base", "dummy", "random_player"])
def test_an_engine_imports_nothing_heavy(module: str) -> None:
    program = f"import sys, croupier.durak.players.{module}; print([n for n in {HEAVY} if n in sys.modules])"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
