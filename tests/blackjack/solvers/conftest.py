"""Whole games solved once for all tests: the best charts take seconds each."""

from collections.abc import Callable
from functools import lru_cache

import pytest

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.exact import Analysis, analyse
from croupier.blackjack.solvers.total_dependent import TotalDependent, solve_total_dependent


@lru_cache(maxsize=128)
def _analysis(rules: BlackjackRules) -> Analysis:
    return analyse(rules)


@lru_cache(maxsize=32)
def _best_chart(rules: BlackjackRules) -> TotalDependent:
    return solve_total_dependent(rules)


@pytest.fixture(scope="session")
def analysis_of() -> Callable[[BlackjackRules], Analysis]:
    """Return the composition-dependent solution of a full shoe."""
    return _analysis


@pytest.fixture(scope="session")
def best_chart_of() -> Callable[[BlackjackRules], TotalDependent]:
    """Return the best chart of a full shoe."""
    return _best_chart
