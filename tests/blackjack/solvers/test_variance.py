"""The standard deviation of a round by formula, beside that of rounds that were dealt."""

import pytest

from croupier import blackjack

#: Of so many rounds the standard deviation has a standard error of about 0.0005.
ROUNDS = 2_000_000


@pytest.mark.parametrize("preset", blackjack.presets)
def test_rounds_that_are_dealt_deviate_as_the_formula_says(preset: str) -> None:
    """The formula leaves out what the hands of a split take from each other: one or two thousandths with four hands."""
    rules = blackjack.rules(preset, shuffle="continuous")
    chart = blackjack.analyse(rules).chart
    dealt = blackjack.simulate(rules, chart, rounds=ROUNDS, seed=3)
    assert blackjack.price(rules, chart).standard_deviation == pytest.approx(dealt.std, rel=0.0025)


def test_hands_of_a_free_split_risk_nothing() -> None:
    rules = blackjack.rules("free-bet", shuffle="continuous", split_hands=2)
    chart = blackjack.analyse(rules).chart
    dealt = blackjack.simulate(rules, chart, rounds=ROUNDS, seed=3)
    assert blackjack.price(rules, chart).standard_deviation == pytest.approx(dealt.std, rel=0.0015)
