from collections.abc import Callable
from functools import cache

import pytest

from croupier.banluck.analysis.solution import Solution
from croupier.banluck.analysis.solving import solve
from croupier.banluck.engine.rules import rules


@cache
def _solved(preset: str) -> Solution:
    return solve(rules(preset), algorithm="pcfr+", tolerance=1e-9)


@pytest.fixture(scope="session")
def solved() -> Callable[[str], Solution]:
    """Solve a preset once a session."""
    return _solved
