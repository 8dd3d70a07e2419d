import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.durak.arena.rating import PairCounts, elo_of_score, estimate_elo, expected_score
from croupier.errors import InputError

#: A field of kinds of pairs that two equal engines make: many even pairs, as many wins as losses.
EQUAL = (0.05, 0.2, 0.5, 0.2, 0.05)


@given(st.floats(-1500, 1500))
def test_a_score_and_its_elo_say_the_same(elo: float) -> None:
    assert elo_of_score(expected_score(elo)) == pytest.approx(elo, abs=1e-6)


def test_elo_is_the_logistic_one() -> None:
    assert expected_score(400) == pytest.approx(10 / 11)
    assert elo_of_score(0.75) == pytest.approx(190.85, abs=0.01)


def test_a_draw_is_half_a_point() -> None:
    drawn, split = PairCounts.of([0.5 + 0.5] * 10), PairCounts.of([1.0 + 0.0] * 10)
    assert estimate_elo(drawn) == estimate_elo(split)
    assert estimate_elo(PairCounts.of([1.5, 0.5] * 10)).elo == 0


def test_the_error_comes_from_pairs_not_from_games() -> None:
    """Pairs that always split say that the engines are equal; the same games in pairs of two wins or two losses do not."""
    split, streaky = PairCounts.of([1.0] * 100), PairCounts.of([2.0, 0.0] * 50)
    assert estimate_elo(split).elo == estimate_elo(streaky).elo == 0
    assert estimate_elo(split).error < 10
    assert estimate_elo(streaky).error > 60


def test_swapped_results_give_the_opposite_elo() -> None:
    counts = (3, 20, 40, 31, 6)
    ours, theirs = estimate_elo(PairCounts(counts)), estimate_elo(PairCounts(counts[::-1]))
    assert ours.elo == pytest.approx(-theirs.elo)
    assert (ours.low, ours.high) == pytest.approx((-theirs.high, -theirs.low))
    assert ours.los == pytest.approx(1 - theirs.los)


def test_the_interval_of_equal_engines_holds_zero_95_times_in_100() -> None:
    samples = np.random.default_rng(1).multinomial(200, EQUAL, size=4000)
    estimates = [estimate_elo(PairCounts(tuple(int(n) for n in row))) for row in samples]
    held = sum(estimate.low <= 0 <= estimate.high for estimate in estimates)
    assert held / len(estimates) == pytest.approx(0.95, abs=0.012)
    superior = sum(estimate.los > 0.95 for estimate in estimates)
    assert superior / len(estimates) == pytest.approx(0.05, abs=0.012)


def test_the_interval_of_unequal_engines_holds_the_true_difference() -> None:
    shares = (0.02, 0.08, 0.3, 0.35, 0.25)
    true = elo_of_score(
        sum(share * score for share, score in zip(shares, (0, 0.25, 0.5, 0.75, 1), strict=True))
    )
    samples = np.random.default_rng(2).multinomial(150, shares, size=4000)
    estimates = [estimate_elo(PairCounts(tuple(int(n) for n in row))) for row in samples]
    held = sum(estimate.low <= true <= estimate.high for estimate in estimates)
    assert held / len(estimates) == pytest.approx(0.95, abs=0.012)


def test_an_engine_that_won_every_game_has_a_bound_and_plain_json() -> None:
    estimate = estimate_elo(PairCounts.of([2.0] * 20))
    assert math.isinf(estimate.high)
    assert 0 < estimate.low < estimate.elo < math.inf
    data = estimate.to_dict()
    assert data["elo_high"] is None
    assert data["elo_error"] == pytest.approx(estimate.elo - estimate.low)
    assert "or more" in str(estimate)
    assert "or less" in str(estimate_elo(PairCounts.of([0.0] * 20)))


def test_one_pair_alone_proves_nothing() -> None:
    assert estimate_elo(PairCounts.of([2.0])).los < 0.95
    assert estimate_elo(PairCounts.of([1.0])).error > 30


def test_no_pair_and_no_such_confidence_are_refused() -> None:
    with pytest.raises(InputError, match="at least 1"):
        estimate_elo(PairCounts())
    with pytest.raises(InputError, match="between 0 and 1"):
        estimate_elo(PairCounts((1, 1, 1, 1, 1)), confidence=95)
