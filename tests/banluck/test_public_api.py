"""The names of ``croupier.banluck``: all there, documented, light to import, and plain about bad input."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from croupier import banluck
from croupier.banluck.analysis.runs import SimulationPlan
from croupier.errors import InputError
from croupier.runs.resuming import interrupted_run, open_recording


@pytest.mark.parametrize("name", banluck.__all__)
def test_every_public_name_is_there_and_documented(name: str) -> None:
    found = getattr(banluck, name)
    assert name in dir(banluck)
    if name != "presets":
        assert found.__doc__
        assert "Parameters\n" not in found.__doc__ or "Examples\n" in found.__doc__


def test_a_name_that_is_not_there_is_said_not_to_be() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'sovle'"):
        banluck.sovle  # type: ignore[attr-defined]  # noqa: B018


def test_importing_the_game_loads_nothing_heavy() -> None:
    program = "import sys, croupier.banluck; print(*sorted({'numpy', 'numba', 'pydantic', 'rich'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_rules_come_from_presets_old_names_and_changes() -> None:
    assert (
        banluck.rules("prd") == banluck.rules("reference") == banluck.Rules() == banluck.presets["reference"]
    )
    assert banluck.rules("singapore", pays_777=21).pays_777 == 21
    assert "prd" not in banluck.presets


@pytest.fixture(scope="module")
def solution() -> banluck.Solution:
    return banluck.solve(banluck.Rules(surrender="none"))


def test_a_solution_carries_what_made_it_and_shows_itself(solution: banluck.Solution) -> None:
    lower, upper = solution.interval
    assert lower <= solution.value <= upper
    data = json.loads(solution.to_json())
    assert data["rules"]["surrender"] == "none"
    assert {"value", "lower", "upper", "std", "version", "algorithm"} <= set(data)
    assert "reference with surrender" in str(solution)
    shown = solution._repr_html_()
    assert shown.count("<table>") == 2
    assert "NaN" not in shown
    assert len(repr(solution)) < 1000


def test_charts_books_and_explanations_agree(solution: banluck.Solution) -> None:
    for hand in ("T-6", "A-6", "9-7", "5-5-6"):
        decision = solution.book[hand]
        assert solution.chart[hand] == decision.best == ("hit" if decision.hit > decision.stand else "stand")
        assert solution.explain(hand).advice == decision
    drawn = solution.book["T-7", 4]
    assert solution.dealer_chart["T-7", 4] == drawn.best
    assert drawn.draw > drawn.reveal
    assert str(solution.explain("T-7", player_cards=4)).startswith("The dealer holds T-7")


@pytest.mark.parametrize("show", [str, lambda chart: chart._repr_html_()])
def test_a_chart_shows_every_cell(solution: banluck.Solution, show: object) -> None:
    assert callable(show)
    text = show(solution.chart.grid)
    letters = [letter for _, row in solution.chart.grid.rows for letter in row if letter]
    assert len(letters) == len(solution.chart.hits)
    assert text.count("2 cards, hard") == 1


@pytest.mark.parametrize(
    ("refused", "complaint"),
    [
        (lambda s: s.chart["A-T"], "leaves no decision"),
        (lambda s: s.book["1X"], "1X"),
        (lambda s: s.book["T-6"].draw, "'draw' is not possible with T-6; it is stand or hit"),
        (lambda s: s.plot("dealers"), "no plot 'dealers'; choose player, dealer, outcomes"),
        (lambda s: s.to_frame("bank"), "no side 'bank'; choose player, dealer"),
        (lambda s: banluck.simulate(s, player="lucky", hands=1), "player 'lucky': choose equilibrium"),
        (lambda s: banluck.simulate(s, hands=0, seed=1), "at least 1 hand"),
        (lambda s: banluck.solve(algorithm="simplex"), "no algorithm 'simplex'; choose cfr"),
        (lambda s: banluck.solve(tolerance=0), "a tolerance is a number above 0"),
        (lambda s: banluck.sensitivity(options=["revael"]), "no option 'revael'; choose ace_values"),
        (lambda s: banluck.compare(), "nothing to compare"),
        (lambda s: banluck.compare("sinagpore"), "did you mean 'singapore'"),
    ],
)
def test_bad_input_gets_one_line_that_says_what_is_right(
    solution: banluck.Solution, refused: object, complaint: str
) -> None:
    assert callable(refused)
    with pytest.raises(InputError) as refusal:
        refused(solution)
    assert complaint in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_prices_simulations_and_the_solution_say_the_same(solution: banluck.Solution) -> None:
    price = banluck.price(solution)
    assert (price.value, price.at_least, price.at_most) == pytest.approx(
        (solution.value, solution.lower, solution.upper), abs=1e-6
    )
    dealt = banluck.simulate(solution, hands=500_000, seed=3, workers=1)
    assert dealt == banluck.simulate(solution, hands=500_000, seed=3, workers=2)
    assert abs(dealt.value - solution.value) < 4 * dealt.stderr
    assert set(dealt.to_frame()["outcome"]) == {str(row.outcome) for row in dealt.outcomes}
    reply = banluck.baseline(solution.rules)
    assert reply.value == pytest.approx(
        banluck.price(solution.rules, dealer="classic", player="baseline").value
    )


def test_a_saved_simulation_is_resumed_with_the_same_strategies_only(tmp_path: Path) -> None:
    store = str(tmp_path / "runs.sqlite")
    plan = SimulationPlan(banluck.Rules(), "stand-on-16", "classic", hands=1000, seed=1).prepared()
    with open_recording(store, plan):
        pass
    assert SimulationPlan.of_run(interrupted_run(store, plan.kind, 1)) == plan
    other = SimulationPlan(banluck.Rules(), "stand-on-17", "classic", hands=1000, seed=1).prepared()
    changed = replace(plan, strategies=other.strategies)
    with (
        pytest.raises(InputError, match=r"^run 1 was saved with different strategies; start a new run$"),
        open_recording(store, changed, resume=1),
    ):
        pass
