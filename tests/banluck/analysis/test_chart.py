from collections.abc import Callable

import numpy as np
import pytest

from croupier.banluck.analysis.chart import Cell, dealer_chart_strategy
from croupier.banluck.analysis.solution import Solution
from croupier.banluck.engine import BANLUCK
from croupier.banluck.engine.multisets import multiset_index
from croupier.banluck.solvers.best_response import best_dealer, certify
from croupier.banluck.solvers.strategy import PlayerStrategy
from tests.long_cases import cases

PRESETS = [preset.name for preset in BANLUCK.presets]
Solved = Callable[[str], Solution]


@pytest.mark.parametrize("preset", cases(PRESETS, long=["singapore", "xi-dach"]))
def test_the_chart_costs_what_it_says(solved: Solved, preset: str) -> None:
    solution = solved(preset)
    chart = solution.chart
    against_equilibrium = certify(chart.strategy, solution.dealer, solution.rules).value
    against_best, _ = best_dealer(chart.strategy, solution.rules)
    assert chart.cost_against_equilibrium == pytest.approx(
        max(solution.value - against_equilibrium, 0), abs=1e-12
    )
    assert chart.cost_against_best == pytest.approx(max(solution.value - against_best, 0), abs=1e-12)
    assert chart.cost_against_best >= chart.cost_against_equilibrium - 1e-12


@pytest.mark.parametrize("preset", cases(PRESETS, long=["singapore", "xi-dach"]))
def test_no_single_cell_improves_the_chart_against_its_best_answer(solved: Solved, preset: str) -> None:
    solution = solved(preset)
    book = solution.book
    chart = solution.chart
    worth, _ = best_dealer(chart.strategy, solution.rules)
    for cell, hits in chart.hits.items():
        hit = chart.strategy.hit.copy()
        members = [advice for advice in book.player_decisions if _cell(advice.value) == cell]
        if members[0].ev_stop is None:
            continue
        hit[[multiset_index(advice.hand) for advice in members]] = not hits
        changed, _ = best_dealer(PlayerStrategy(hit), solution.rules)
        assert changed <= worth + 1e-12


def _cell(value: object) -> Cell:
    return Cell(value.card_count, value.is_soft, value.total)  # type: ignore[attr-defined]


def test_the_reference_chart_is_the_whole_equilibrium(solved: Solved) -> None:
    """Under the reference rules a pure chart by total, cards and softness loses nothing."""
    solution = solved("reference")
    chart = solution.chart
    assert chart.cost_against_best < 1e-9
    assert not chart.hits[Cell(2, False, 16)]
    assert chart.hits[Cell(2, True, 18)]
    assert chart.hits[Cell(4, False, 17)]


def test_a_chart_is_pure(solved: Solved) -> None:
    solution = solved("singapore")
    assert set(np.unique(solution.chart.strategy.hit)) <= {0.0, 1.0}


@pytest.mark.parametrize("preset", cases(PRESETS, long=["singapore", "xi-dach"]))
def test_the_dealers_chart_is_a_legal_strategy_worth_no_more_than_the_equilibrium(
    solved: Solved, preset: str
) -> None:
    solution = solved(preset)
    book = solution.book
    certificate = certify(solution.player, dealer_chart_strategy(book), solution.rules)
    assert certificate.upper >= solution.lower
    assert {cell.total for cell in solution.dealer_chart.draws} <= set(
        range(solution.rules.dealer_minimum, solution.rules.dealer_choice_max + 1)
    )
