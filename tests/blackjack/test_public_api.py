"""``croupier.blackjack``: the names that users import, and what the results can do."""

import inspect
import json
import pickle
import subprocess
import sys
from dataclasses import FrozenInstanceError, fields
from typing import Any

import pytest

from croupier import blackjack
from croupier.errors import InputError
from croupier.results import Result

INFINITE = blackjack.Rules(decks="infinite")

#: Loading any of these would make ``import croupier.blackjack`` slow.
HEAVY = ("numpy", "numba", "pydantic", "sqlalchemy", "pandas")


@pytest.fixture(scope="module")
def best() -> blackjack.GameAnalysis:
    return blackjack.analyse(INFINITE)


@pytest.fixture(scope="module")
def results(best: blackjack.GameAnalysis) -> dict[str, Result]:
    rules = blackjack.Rules(decks=1)
    return {
        "analysis": best,
        "price": blackjack.price(INFINITE, best.chart.replace({("12", "3"): "S"})),
        "simulation": blackjack.simulate(INFINITE, best.chart, rounds=50_000, seed=1),
        "counting": blackjack.count(rules, indices="none", rounds=50_000, seed=1),
        "evolution": blackjack.evolve(INFINITE, population=8, generations=2, seed=1),
    }


def test_the_package_loads_nothing_heavy_before_a_name_is_used() -> None:
    code = f"import sys, croupier.blackjack; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_name_loads_and_is_documented_and_listed() -> None:
    assert dir(blackjack) == blackjack.__all__
    for name in blackjack.__all__:
        value = getattr(blackjack, name)
        if name != "presets":
            assert inspect.getdoc(value), name
        if inspect.isfunction(value):
            assert "Examples\n--------" in (inspect.getdoc(value) or ""), name
    with pytest.raises(AttributeError, match="has no attribute 'analyze'"):
        getattr(blackjack, "analyze")  # noqa: B009 - a type checker refuses the attribute itself


@pytest.mark.parametrize("kind", ["analysis", "price", "simulation", "counting", "evolution"])
def test_a_result_is_frozen_shows_itself_and_carries_what_made_it(
    kind: str, results: dict[str, Result]
) -> None:
    result: Any = results[kind]
    data = result.to_dict()
    assert json.loads(json.dumps(data)) == data
    assert blackjack.Rules.create(data["rules"]) == result.rules
    assert data["version"] == result.version
    assert "<table" in result._repr_html_()
    assert "rules" in str(result)
    assert "\n" not in repr(result)
    assert len(result.to_frame()) > 0
    if kind in ("simulation", "counting", "evolution"):
        assert data["seed"] == result.seed == 1
    if kind in ("simulation", "counting"):
        assert list(result.interval) == data["interval"]
    with pytest.raises(FrozenInstanceError):
        setattr(result, fields(result)[0].name, 0.0)


def test_the_value_of_a_hand_is_the_same_however_it_is_written(best: blackjack.GameAnalysis) -> None:
    values = best.values("T-6", up="T")
    assert values == best.values("T,6", up="10") == best.values("T6", up="T") == best.values("10 6", "T")
    assert values["hit"] == values.actions[values.best]
    with pytest.raises(InputError, match="up-card 'T,6': one rank"):
        best.values("T-6", up="T,6")


def test_cards_that_were_seen_change_what_actions_are_worth() -> None:
    best = blackjack.analyse(blackjack.Rules(decks=1))
    assert best.values("T-6", up="T").best == "hit"
    assert best.values("T-6", up="T", seen="5,5,5").best == "stand"
    with pytest.raises(InputError):
        best.values("T-6", up="T", seen="5,5,5,5,5")


def test_a_price_is_the_exact_value_and_names_what_costs(best: blackjack.GameAnalysis) -> None:
    fine = blackjack.price(INFINITE, best.chart)
    assert not fine.cells
    assert fine.loss == pytest.approx(0)
    assert fine.value == pytest.approx(best.chart_edge)
    poor = blackjack.price(INFINITE, blackjack.Chart.from_rule(lambda row, _: "S" if row.total > 11 else "H"))
    costs = [cell.cost for cell in poor.cells]
    assert costs == sorted(costs, reverse=True)
    assert min(costs) > 0
    assert poor.loss == pytest.approx(poor.best_value - poor.value)


def test_an_entry_that_cannot_be_played_is_remarked(best: blackjack.GameAnalysis) -> None:
    priced = blackjack.price(blackjack.Rules(decks="infinite", double="none"), best.chart)
    assert "9 against 3: D cannot be played" in str(priced.remarks[0])


def test_simulation_and_price_agree(best: blackjack.GameAnalysis) -> None:
    mine = best.chart.replace({("16", "2"): "H"})
    result = blackjack.simulate(INFINITE, mine, rounds=2_000_000, seed=3)
    assert abs(result.value - blackjack.price(INFINITE, mine).value) < 4 * result.stderr


def test_workers_change_nothing(best: blackjack.GameAnalysis) -> None:
    alone, together = (
        blackjack.simulate(INFINITE, best.chart, rounds=1_200_000, seed=2, workers=workers)
        for workers in (1, 2)
    )
    assert alone == together
    bred = [
        blackjack.evolve(INFINITE, population=8, generations=3, seed=2, workers=workers) for workers in (1, 2)
    ]
    assert bred[0].chart == bred[1].chart


def test_without_rules_the_default_ones_are_played() -> None:
    assert blackjack.table(seed=1).view.rules == blackjack.Rules()
    assert blackjack.simulate(rounds=1000, seed=1).rules == blackjack.Rules()


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"decks": 9}, "option 'decks': 9 is not allowed; allowed: a whole number from 1 to 8, \"infinite\""),
        ({"deks": 6}, "unknown option 'deks'; did you mean 'decks'?"),
    ],
)
def test_rules_that_cannot_be_are_refused_in_one_line(options: dict[str, Any], complaint: str) -> None:
    for make in (blackjack.Rules, blackjack.rules):
        with pytest.raises(InputError) as refused:
            make(**options)
        assert complaint in str(refused.value)
        assert "\n" not in str(refused.value)


def test_presets_are_rules_by_name() -> None:
    assert blackjack.presets["downtown"] == blackjack.rules("downtown")
    with pytest.raises(InputError, match="unknown preset 'downtwon' for blackjack; did you mean 'downtown'"):
        blackjack.rules("downtwon")


def test_what_users_get_wrong_is_refused_in_one_line(best: blackjack.GameAnalysis) -> None:
    with pytest.raises(InputError, match="rounds = 0"):
        blackjack.simulate(INFINITE, best.chart, rounds=0)
    with pytest.raises(InputError, match="no counting system 'hi-low'"):
        blackjack.count(system="hi-low")
    with pytest.raises(InputError, match="spread 0: a spread is a whole number from 1 to 1000"):
        blackjack.count(spread=0)
    with pytest.raises(InputError, match="fitness 'luck'"):
        blackjack.evolve(fitness="luck")
    with pytest.raises(InputError, match="nothing to count"):
        blackjack.count(INFINITE)


def test_rules_and_charts_travel_to_other_processes(best: blackjack.GameAnalysis) -> None:
    assert pickle.loads(pickle.dumps((INFINITE, best.chart))) == (INFINITE, best.chart)
