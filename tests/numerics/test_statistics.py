import math
import random

import pytest

from croupier.errors import InputError
from croupier.numerics.statistics import (
    adjustment_coefficient,
    bankroll_for_ruin,
    bankroll_to_survive,
    chance_ahead,
    moments,
)

FAVOURABLE = {2.0: 0.2, 1.0: 0.35, 0.0: 0.05, -1.0: 0.4}


def test_the_adjustment_coefficient_is_the_root_of_its_equation() -> None:
    rate = adjustment_coefficient(FAVOURABLE)
    assert rate > 0
    assert math.fsum(p * math.exp(-rate * x) for x, p in FAVOURABLE.items()) == pytest.approx(1, abs=1e-12)


def test_the_risk_of_ruin_is_the_gamblers_for_even_bets() -> None:
    """Ruin from B units at even money with p > 1/2 has probability (q/p)^B exactly."""
    bankroll = bankroll_for_ruin({1.0: 0.55, -1.0: 0.45}, risk=(0.45 / 0.55) ** 10)
    assert bankroll == pytest.approx(10, abs=1e-9)


@pytest.mark.parametrize("distribution", [{1.0: 0.4, -1.0: 0.6}, {1.0: 0.5, -1.0: 0.5}, {1.0: 1.0}])
def test_a_game_that_is_not_favourable_or_cannot_lose_has_no_coefficient(
    distribution: dict[float, float],
) -> None:
    with pytest.raises(InputError, match="must be favourable and can lose"):
        adjustment_coefficient(distribution)


def test_the_bankroll_for_an_evening_survives_as_often_as_it_says() -> None:
    hands, risk = 400, 0.1
    bankroll = bankroll_to_survive(FAVOURABLE, hands, risk)
    generator = random.Random(3)
    units, weights = list(FAVOURABLE), list(FAVOURABLE.values())
    ruined = 0
    for _ in range(2000):
        fortune = bankroll
        for result in generator.choices(units, weights, k=hands):
            fortune += result
            if fortune <= 0:
                ruined += 1
                break
    assert ruined / 2000 == pytest.approx(risk, abs=0.03)


def test_chance_ahead_grows_with_hands_for_a_favourable_game() -> None:
    mean, std = moments(FAVOURABLE)
    assert chance_ahead(FAVOURABLE, 100) == pytest.approx(
        0.5 * (1 + math.erf(10 * mean / std / math.sqrt(2))), abs=1e-12
    )
    assert chance_ahead(FAVOURABLE, 1000) > chance_ahead(FAVOURABLE, 100) > 0.5
