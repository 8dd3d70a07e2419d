from collections.abc import Callable
from functools import cache

import pytest

from croupier.banluck.analysis.strategy_book import StrategyBook
from croupier.banluck.engine import BANLUCK
from croupier.banluck.solvers.equilibrium import solve_equilibrium
from croupier.banluck.solvers.solution import Solution

Solved = tuple[Solution, StrategyBook]


@cache
def _solved(preset: str) -> Solved:
    solution = solve_equilibrium(BANLUCK.preset(preset).rules, tolerance=1e-9)
    return solution, StrategyBook(solution.player, solution.dealer, solution.rules)


@pytest.fixture(scope="session")
def solved() -> Callable[[str], Solved]:
    """Solve a preset once a session."""
    return _solved
