"""Playing with a count: against the simulator, the exact solver, and other numbers of workers."""

from pathlib import Path

import pytest

from croupier.blackjack.counting.bankroll import (
    SCORE_BANKROLL,
    SCORE_RISK,
    SCORE_ROUNDS,
    bankroll_for_risk,
    custom_score,
    desirability_index,
    risk_of_ruin,
    rounds_to_overcome,
)
from croupier.blackjack.counting.bet_ramp import parse_ramp
from croupier.blackjack.counting.indices import NO_INDICES, CountIndex, CountIndices
from croupier.blackjack.counting.result import CountingStrategy
from croupier.blackjack.counting.simulation import simulate_counting
from croupier.blackjack.counting.system import HI_LO, KO, ZEN, CountingSystem
from croupier.blackjack.counting.values import chart_value_at_count
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.simulation.length import BLOCK_ROUNDS
from croupier.blackjack.simulation.simulator import simulate
from croupier.blackjack.solvers.chart import Chart, Code
from croupier.blackjack.solvers.total_dependent import solve_total_dependent
from croupier.errors import InputError
from croupier.numerics.statistics import adjustment_coefficient, moments
from croupier.runs.store import open_store

RULES = BlackjackRules(decks=2)
SOME_INDICES = CountIndices(
    3,
    2.4,
    (
        CountIndex("13", "2", Code.HIT, Code.STAND, -1, -0.8),
        CountIndex("16", "T", Code.HIT, Code.STAND, 0, 0.2),
    ),
)


@pytest.fixture(scope="module")
def chart() -> Chart:
    return solve_total_dependent(RULES).chart


def hi_lo(chart: Chart, ramp: str, indices: CountIndices = NO_INDICES) -> CountingStrategy:
    return CountingStrategy(HI_LO, parse_ramp(ramp), indices, chart)


def test_flat_bets_give_what_simulate_gives(chart: Chart) -> None:
    counted = simulate_counting(RULES, hi_lo(chart, "0:1"), rounds=300_000, seed=5)
    plain = simulate(RULES, chart, rounds=300_000, seed=5)
    assert (counted.value, counted.std, counted.rounds) == (plain.value, plain.std, plain.rounds)
    assert counted.stderr == pytest.approx(plain.stderr)
    assert counted.mean_bet == 1.0


@pytest.mark.parametrize("system", [HI_LO, KO, ZEN], ids=lambda system: system.name)
def test_bets_and_index_plays_give_what_simulate_gives(chart: Chart, system: CountingSystem) -> None:
    strategy = CountingStrategy(system, parse_ramp("1:1,2:3,4:9"), SOME_INDICES, chart)
    counted = simulate_counting(RULES, strategy, rounds=200_000, seed=6)
    plain = simulate(RULES, strategy.lowest_chart, rounds=200_000, seed=6, play=strategy.play(RULES))
    assert counted.per_bet == pytest.approx(plain.value, abs=1e-12)
    assert counted.mean_bet == pytest.approx(plain.mean_bet)
    assert counted.std == pytest.approx(plain.std)


def test_each_count_bets_by_the_ramp_and_insures_from_its_index(chart: Chart) -> None:
    strategy = hi_lo(chart, "1:1,2:3,4:9", SOME_INDICES)
    result = simulate_counting(RULES, strategy, rounds=300_000, seed=7)
    assert sum(line.rounds for line in result.by_count) == 300_000
    assert sum(line.share for line in result.by_count) == pytest.approx(1.0)
    for line in result.by_count:
        assert line.bet == strategy.ramp.bet(line.count)
        assert line.count <= line.mean_count < line.count + 1
    total = sum(line.share * line.bet * line.value for line in result.by_count)
    assert result.value == pytest.approx(total)
    # Insurance goes by the count with the ace and the hand seen, which are at most two or three points away.
    assert all(line.insured == 0 for line in result.by_count if line.count < -3)
    assert all(line.insured > 0.05 for line in result.by_count if line.count > 5 and line.rounds > 1000)


def test_workers_change_nothing(chart: Chart) -> None:
    strategy, rounds = hi_lo(chart, "1:1,2:4"), BLOCK_ROUNDS + 1000
    alone = simulate_counting(RULES, strategy, rounds=rounds, seed=8, workers=1)
    assert alone == simulate_counting(RULES, strategy, rounds=rounds, seed=8, workers=2)


def test_a_run_that_was_interrupted_goes_on_to_the_same_result(chart: Chart, tmp_path: Path) -> None:
    strategy, rounds = hi_lo(chart, "1:1,2:4"), BLOCK_ROUNDS + 1000
    whole = simulate_counting(RULES, strategy, rounds=rounds, seed=9)

    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with open_store(str(tmp_path / "runs.sqlite"), create=True) as store:
        with pytest.raises(KeyboardInterrupt), store.begin("count", rules={}, parameters={}, seed=9) as first:
            simulate_counting(
                RULES, strategy, rounds=rounds, seed=9, workers=1, progress=interrupt, recording=first
            )
        assert store.find(first.run.id).blocks == 1
        with store.resume(first.run.id, kind="count") as second:
            assert simulate_counting(RULES, strategy, rounds=rounds, seed=9, recording=second) == whole


@pytest.mark.verify
def test_the_value_at_each_count_is_the_exact_one() -> None:
    """The exact solver on expected compositions, against real shoes: within four errors and the effect of the cut card."""
    rules = BlackjackRules(decks=6)
    chart = solve_total_dependent(rules).chart
    result = simulate_counting(rules, hi_lo(chart, "0:1"), rounds=3_000_000, seed=10)
    lines = [line for line in result.by_count if line.rounds > 50_000]
    assert len(lines) >= 10
    for line in lines:
        exact = chart_value_at_count(rules, HI_LO, chart, line.mean_count, line.packs_left)
        assert line.stderr is not None
        assert abs(line.value - exact) < 4 * line.stderr + 0.0005, line


def test_what_cannot_be_played_is_refused(chart: Chart) -> None:
    with pytest.raises(InputError, match="rounds = 0"):
        simulate_counting(RULES, hi_lo(chart, "1:1"), rounds=0, seed=1)
    with pytest.raises(InputError, match="a bet of 5000; this table takes 1 to 1000"):
        simulate_counting(RULES, hi_lo(chart, "1:1,2:5000"), rounds=1, seed=1)
    with pytest.raises(InputError, match="leaves nothing to count"):
        simulate_counting(BlackjackRules(shuffle="continuous"), hi_lo(chart, "1:1"), rounds=1, seed=1)


def test_measures_of_a_bankroll_agree_with_each_other() -> None:
    mean, std = 0.012, 2.6
    score, n0 = custom_score(mean, std), rounds_to_overcome(mean, std)
    assert n0 is not None
    assert score * n0 == pytest.approx(1e6)
    assert desirability_index(mean, std) ** 2 == pytest.approx(score)
    bankroll = bankroll_for_risk(mean, std, SCORE_RISK)
    assert bankroll is not None
    assert risk_of_ruin(mean, std, bankroll) == pytest.approx(0.1353, abs=1e-4)
    unit = SCORE_BANKROLL / bankroll
    assert SCORE_ROUNDS * mean * unit == pytest.approx(score)


def test_the_risk_of_ruin_is_that_of_a_walk() -> None:
    """The exact risk of a walk by single units is ((1 - p) / p) ** bankroll."""
    walk = {1.0: 0.505, -1.0: 0.495}
    mean, std = moments(walk)
    assert risk_of_ruin(mean, std, 100) == pytest.approx((0.495 / 0.505) ** 100, rel=1e-3)
    assert adjustment_coefficient(walk) == pytest.approx(2 * mean / std**2, rel=1e-3)


def test_a_game_that_loses_ruins_and_has_no_n0() -> None:
    assert risk_of_ruin(-0.01, 1.0, 1e6) == 1.0
    assert rounds_to_overcome(-0.01, 1.0) is None
    assert bankroll_for_risk(0.0, 1.0, 0.05) is None
    assert custom_score(-0.01, 1.0) == 0.0
