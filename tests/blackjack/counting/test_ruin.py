"""Risks of ruin against a game of shoes that can be computed exactly."""

import math

import numpy as np
import pytest

from croupier.blackjack.counting.bankroll import goal_risk, risk_of_ruin, trip_risk
from croupier.blackjack.counting.profile_kernel import LOWEST_COUNT
from croupier.blackjack.counting.ruin import RuinRisks
from croupier.blackjack.counting.shoe_paths import Passage, ShoePaths, ShoeSample
from croupier.blackjack.counting.shoe_sample_kernel import Bettor

#: Rounds of a shoe, and its counts: a win takes one from the count and a loss adds one, as cards that helped are gone.
ROUNDS = 12
COUNTS = np.arange(-ROUNDS, ROUNDS + 1)

#: One unit, and four from a count of 1 on; and the chance to win at each count.
BETS = np.where(COUNTS >= 1, 4.0, 1.0)
WINS = np.clip(0.502 + 0.006 * COUNTS, 0.0, 1.0)


def moments() -> tuple[float, float]:
    """Return the exact mean and mean square of a round."""
    mean = square = 0.0
    chances = (COUNTS == 0).astype(float)
    for _ in range(ROUNDS):
        mean += float(chances @ (BETS * (2 * WINS - 1)))
        square += float(chances @ BETS**2)
        chances = np.append((chances * WINS)[1:], 0.0) + np.append(0.0, (chances * (1 - WINS))[:-1])
    return mean / ROUNDS, square / ROUNDS


def exact(bankroll: int, rounds: int, goal: int) -> float:
    """Return the chance to lose a bankroll within so many rounds, and before a goal."""
    money = np.zeros((len(COUNTS), bankroll + goal + 1))  # from lost to won
    ruined, at_start = 0.0, np.zeros(bankroll + goal + 1)
    at_start[bankroll] = 1.0
    for number in range(rounds):
        if number % ROUNDS == 0:
            money = np.zeros_like(money)
            money[ROUNDS] = at_start
        after = np.zeros_like(money)
        for count, bet in enumerate(BETS.astype(int).tolist()):
            here = money[count]
            if not here.any():
                continue
            if count > 0:
                after[count - 1, bet:] += WINS[count] * here[:-bet]
            if count < len(COUNTS) - 1:
                after[count + 1, :-bet] += (1 - WINS[count]) * here[bet:]
                ruined += float((1 - WINS[count]) * here[1:bet].sum())
        ruined += float(after[:, 0].sum())
        after[:, 0] = 0.0
        after[:, -1] = 0.0
        money, at_start = after, after.sum(axis=0)
    return ruined


@pytest.fixture(scope="module")
def risks() -> RuinRisks:
    """Those of a sample of shoes."""
    generator, shoes = np.random.default_rng(1), 40_000
    counts, won = np.zeros((shoes, ROUNDS), dtype=np.int16), np.zeros((shoes, ROUNDS), dtype=np.int16)
    now = np.full(shoes, ROUNDS)
    for number in range(ROUNDS):
        counts[:, number] = now
        won[:, number] = np.where(generator.random(shoes) < WINS[now], 1, -1)
        now = now - won[:, number]
    mean, square = moments()
    sample = ShoeSample(
        counts.ravel(), np.zeros(shoes * ROUNDS, dtype=np.int16), won.reshape(-1, 1), np.arange(1, shoes + 1) * ROUNDS
    )  # fmt: skip
    bettor = Bettor(
        int(COUNTS[0]), BETS, BETS * (2 * WINS - 1), np.ones(len(COUNTS), dtype=np.int64),
        LOWEST_COUNT, LOWEST_COUNT, True, 1, mean, 1.0,
    )  # fmt: skip
    return RuinRisks(mean, math.sqrt(square - mean**2), sample.paths(bettor, square)[0])


@pytest.mark.parametrize(("bankroll", "rounds"), [(40, 600), (60, 1200), (80, 2400)])
def test_a_trip_is_lost_as_often_as_exact_arithmetic_says(
    risks: RuinRisks, bankroll: int, rounds: int
) -> None:
    """Taken as independent, the rounds of a shoe with such bets are far off."""
    truth = exact(bankroll, rounds, goal=600)
    assert risks.trip(bankroll, rounds) == pytest.approx(truth, abs=0.0015)
    past = risks.paths.down.overshoot
    assert abs(trip_risk(risks.mean, risks.std, bankroll + past, rounds) - truth) > 0.005


def test_a_goal_is_missed_as_often_as_exact_arithmetic_says(risks: RuinRisks) -> None:
    truth = exact(60, 6000, goal=80)
    assert risks.goal(60, 80) == pytest.approx(truth, abs=0.0015)
    past = risks.paths.down.overshoot
    assert abs(goal_risk(risks.mean, risks.std, 60 + past, 80 + past) - truth) > 0.005


def test_risks_of_ruin_agree_with_each_other(risks: RuinRisks) -> None:
    assert risks.trip(60, 1e9) == pytest.approx(risks.ever(60), abs=1e-3)
    assert risks.goal(60, 1e6) == pytest.approx(risks.ever(60), abs=1e-9)
    trips = [risks.trip(60, rounds) for rounds in (1, 5, 12, 30, 100, 300, 1000, 10_000)]
    assert trips == sorted(trips)
    assert 0 <= trips[0] < trips[-1] < risks.ever(60)
    assert risks.trip(60, 0) == 0
    assert 0 < risks.drawdown(2, 0.9) <= 1, "an end within a bet"
    assert 0 < risks.ever(1) < 1
    assert risks.drawdown(1000, 0.5) > risks.drawdown(2000, 0.5)
    assert risks.drawdown(1000, 0.5, growth=2.0) < risks.drawdown(1000, 0.5)


def test_single_rounds_are_a_brownian_motion() -> None:
    nothing = Passage(0.0, 0.0, 0.0, 0.0)
    plain = RuinRisks(0.012, 2.6, ShoePaths(0.0, 0.0, 0.0, 0.0, nothing, nothing, 1e-6))
    assert plain.ever(300) == pytest.approx(risk_of_ruin(0.012, 2.6, 300))
    assert plain.trip(300, 5000) == pytest.approx(trip_risk(0.012, 2.6, 300, 5000))
    assert plain.goal(300, 200) == pytest.approx(goal_risk(0.012, 2.6, 300, 200))
    losing = RuinRisks(-0.012, 2.6, plain.paths)
    assert losing.ever(300) == losing.drawdown(300, 0.5) == 1.0
