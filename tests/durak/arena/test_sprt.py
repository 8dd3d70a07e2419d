import numpy as np
import pytest
from scipy.optimize import minimize

from croupier.durak.arena.rating import PAIR_SCORES, PairCounts, expected_score
from croupier.durak.arena.sprt import Decision, Sprt
from croupier.errors import InputError

TEST = Sprt(elo0=0, elo1=80, alpha=0.05, beta=0.1)


def shares_of(elo: float) -> list[float]:
    """Return the kinds of pairs of two engines so far apart: two independent games with a fifth of draws."""
    score = expected_score(elo)
    win, draw, loss = score - 0.1, 0.2, 0.9 - score
    return [loss**2, 2 * loss * draw, 2 * win * loss + draw**2, 2 * win * draw, win**2]


def decisions(elo: float, runs: int, seed: int) -> tuple[float, float]:
    """Run the test again and again on engines of a known difference: how often elo1 was accepted, and after how many pairs."""
    kinds = iter(
        np.random.default_rng(seed).choice(len(PAIR_SCORES), size=400 * runs, p=shares_of(elo)).tolist()
    )
    accepted, lengths = 0, []
    for _ in range(runs):
        counts = [0] * len(PAIR_SCORES)
        decision = Decision.GO_ON
        while decision is Decision.GO_ON:
            for kind in (next(kinds), next(kinds)):
                counts[kind] += 1
            decision = TEST.decide(PairCounts(tuple(counts)))
        accepted += decision is Decision.ELO1
        lengths.append(sum(counts))
    return accepted / runs, float(np.mean(lengths))


def test_equal_engines_are_taken_for_better_ones_no_more_often_than_alpha() -> None:
    accepted, length = decisions(elo=0, runs=400, seed=1)
    assert accepted < 0.05 + 0.03
    assert length < 150


def test_engines_better_by_elo1_are_missed_no_more_often_than_beta() -> None:
    accepted, length = decisions(elo=80, runs=400, seed=2)
    assert accepted > 0.9 - 0.04
    assert length < 150


def test_engines_in_the_middle_take_longest() -> None:
    _, at_elo0 = decisions(elo=0, runs=100, seed=3)
    _, between = decisions(elo=40, runs=100, seed=3)
    _, far_beyond = decisions(elo=250, runs=100, seed=3)
    assert far_beyond < at_elo0 < between


@pytest.mark.parametrize("counts", [(10, 30, 55, 40, 15), (2, 9, 30, 50, 60), (60, 50, 30, 9, 2)])
def test_the_ratio_is_that_of_the_greatest_likelihoods(counts: tuple[int, ...]) -> None:
    """A second method: a general optimiser finds the likeliest probabilities under each hypothesis."""

    def likelihood(elo: float) -> float:
        bounds = [(1e-9, 1.0)] * len(counts)
        constraints = (
            {"type": "eq", "fun": lambda shares: sum(shares) - 1},
            {"type": "eq", "fun": lambda shares: np.dot(shares, PAIR_SCORES) - expected_score(elo)},
        )
        found = minimize(
            lambda shares: -np.dot(counts, np.log(shares)) / sum(counts),
            np.array(counts) / sum(counts),
            bounds=bounds,
            constraints=constraints,
            options={"ftol": 1e-14, "maxiter": 500},
        )
        return -float(found.fun) * sum(counts)

    expected = likelihood(TEST.elo1) - likelihood(TEST.elo0)
    assert TEST.log_likelihood_ratio(PairCounts(counts)) == pytest.approx(expected, abs=1e-3)


def test_the_opposite_question_has_the_opposite_answer() -> None:
    counts = (5, 20, 50, 30, 12)
    there = Sprt(elo0=-10, elo1=25).log_likelihood_ratio(PairCounts(counts))
    back = Sprt(elo0=-25, elo1=10).log_likelihood_ratio(PairCounts(counts[::-1]))
    assert there == pytest.approx(-back)


def test_pairs_of_one_kind_only_settle_nothing_too_early() -> None:
    assert TEST.decide(PairCounts((0, 0, 3, 0, 0))) is Decision.GO_ON
    assert TEST.decide(PairCounts((0, 0, 0, 0, 60))) is Decision.ELO1
    assert TEST.decide(PairCounts((60, 0, 0, 0, 0))) is Decision.ELO0


@pytest.mark.parametrize(
    ("options", "clue"),
    [
        ({"elo0": 5, "elo1": 5}, "greater"),
        ({"elo0": 0, "elo1": float("nan")}, "finite"),
        ({"elo0": 0, "elo1": 5, "alpha": 0}, "alpha"),
        ({"elo0": 0, "elo1": 5, "beta": 0.5}, "beta"),
    ],
)
def test_a_question_that_makes_no_sense_is_refused(options: dict[str, float], clue: str) -> None:
    with pytest.raises(InputError, match=clue):
        Sprt(**options)
