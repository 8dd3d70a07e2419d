"""A plain loop, written from the rules, plays the bets of a counter: the second method behind win rates and SCOREs of a profile."""

import math

import pytest

from benchmarks.plain_counter import Habits, play_counter
from croupier import blackjack

ROUNDS = 20_000_000


@pytest.mark.verify
@pytest.mark.parametrize("surrender", ["none", "late"])
def test_a_profile_and_a_plain_loop_win_the_same(surrender: str) -> None:
    rules = blackjack.Rules(decks=6, surrender=surrender)
    ramp = "-2:0,-1:1,2:4,3:6,4:9,5:12"
    table = blackjack.profile(rules, indices="illustrious", rounds=ROUNDS, seed=1)
    answer = table.answer(ramp)
    mean, deviation = play_counter(
        ramp, is_late=surrender == "late", penetration=0.75, rounds=ROUNDS, seed=2, habits=Habits()
    )
    assert answer.win_rate.stderr is not None
    error = math.hypot(answer.win_rate.stderr, deviation / math.sqrt(ROUNDS))
    assert abs(mean - answer.win_rate.value) < 4 * error
    assert deviation == pytest.approx(answer.std.value, rel=0.004)


@pytest.mark.verify
def test_a_closed_card_that_is_never_counted_costs() -> None:
    """Another simulator forgets the dealer's closed card after a natural; the large bets are then rarer, and so is the swing."""
    ramp = "1:1,2:3,3:4,4:6,5:8"
    (_, seen), (_, forgotten) = (
        play_counter(
            ramp,
            is_late=False,
            penetration=0.75,
            rounds=ROUNDS,
            seed=1,
            habits=Habits(sees_all_cards=sees, splits_tens=False),
        )
        for sees in (True, False)
    )
    assert forgotten < seen
