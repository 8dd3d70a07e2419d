"""Counting where both of the dealer's cards lie open: bets follow the count, plays do not."""

from collections.abc import Callable

import pytest

from croupier import blackjack
from croupier.blackjack.counting.mistakes import mistaken_chart
from croupier.blackjack.counting.system import CountingError

RULES = blackjack.presets["double-exposure"]


def test_flat_bets_win_what_the_simulator_says_of_the_same_cards() -> None:
    counted = blackjack.count(RULES, ramp="0:1", indices="none", rounds=60_000, seed=3)
    assert counted.value == pytest.approx(blackjack.simulate(RULES, rounds=60_000, seed=3).value, rel=1e-12)


def test_higher_counts_are_worth_more() -> None:
    table = blackjack.profile(RULES, indices="none", rounds=1_000_000, seed=1)
    values = {line.count: line.value for line in table.by_count}
    assert values[-4] < values[-2] < values[0] < values[2]
    assert table.bets(spread=12, bankroll=1000).win_rate.value > 0


@pytest.mark.parametrize(
    "ask",
    [
        lambda: blackjack.count(RULES, rounds=1000),
        lambda: blackjack.index_values(RULES),
        lambda: blackjack.mistake_prices(RULES),
        lambda: blackjack.profile(RULES, indices="none", misplays=0.1, rounds=1000),
        lambda: mistaken_chart(RULES),
    ],
)
def test_what_goes_by_one_up_card_is_refused(ask: Callable[[], object]) -> None:
    with pytest.raises(CountingError, match="with the indices none only the bets follow the count"):
        ask()
