from collections.abc import Callable

import pytest

from croupier.banluck.analysis.simulator import simulate_strategies
from croupier.banluck.analysis.solution import Solution
from croupier.banluck.engine import BANLUCK, Outcome
from tests.long_cases import cases

PRESETS = [preset.name for preset in BANLUCK.presets]
HANDS = 20_000_000
Solved = Callable[[str], Solution]


@pytest.mark.parametrize("preset", cases(PRESETS, long=["singapore", "xi-dach"]))
def test_the_exact_mean_is_the_value_of_the_game(solved: Solved, preset: str) -> None:
    solution = solved(preset)
    distribution = solution.outcomes
    assert solution.lower - 1e-12 <= distribution.mean <= solution.upper + 1e-12
    assert sum(row.probability for row in distribution.rows) == pytest.approx(1, abs=1e-12)


@pytest.mark.verify
@pytest.mark.parametrize("preset", PRESETS)
def test_dealing_20_million_hands_agrees_within_4_standard_errors(solved: Solved, preset: str) -> None:
    """Mean, spread and every class of outcome, from real cards and another reading of the rules."""
    solution = solved(preset)
    exact = solution.outcomes
    counted = simulate_strategies(solution.player, solution.dealer, solution.rules, hands=HANDS, seed=20)
    assert abs(counted.value - solution.value) < 4 * counted.stderr
    assert counted.std == pytest.approx(exact.std, rel=1e-3)
    expected = exact.by_outcome()
    assert {row.outcome for row in counted.outcomes} == set(expected)
    for row in counted.outcomes:
        probability = expected[row.outcome]
        error = (probability * (1 - probability) / HANDS) ** 0.5
        assert abs(row.probability - probability) < 4 * error, row.outcome


def test_a_surrendered_hard_15_is_as_frequent_as_the_deal_makes_it(solved: Solved) -> None:
    """T-5, 9-6 and 8-7 out of 1,326 two-card hands, all surrendered under the reference rules."""
    solution = solved("reference")
    exact = solution.outcomes
    assert exact.by_outcome()[Outcome.VOID] == pytest.approx((16 * 4 + 4 * 4 + 4 * 4) / 1326, abs=1e-9)
