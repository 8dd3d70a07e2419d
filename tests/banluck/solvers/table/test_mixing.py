"""Mixing: mixtures and slopes are what the sums say, and a game of circles ends in a mixture."""

import numpy as np
import pytest

from croupier.banluck.engine import BanluckRules
from croupier.banluck.solvers.table.best_replies import CoreState
from croupier.banluck.solvers.table.dealer_mixture import mixture
from croupier.banluck.solvers.table.mixing import Cut, mixed_core, play_of
from croupier.banluck.solvers.table.small_game import solve_small_game
from croupier.banluck.solvers.table.two_seats import TwoSeatGame
from tests.banluck.solvers.table.random_strategies import pack_of

DECK = {2: 3, 5: 4, 8: 8, 9: 3}
RULES = {
    "busts are shown": BanluckRules(dealer_choice_max=18),
    "busts stay closed": BanluckRules(both_bust="push", dealer_choice_max=18, below_minimum="must_hit"),
}


@pytest.fixture(scope="module", params=RULES)
def table(request: pytest.FixtureRequest) -> TwoSeatGame:
    return TwoSeatGame(RULES[request.param], pack_of(DECK))


def random_hits(table: TwoSeatGame, seed: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.random.default_rng(seed).random((5, len(table.seats.acts)))


def test_a_mixture_is_worth_the_mean_of_its_parts(table: TwoSeatGame) -> None:
    start = table.dealer.dealt
    states = [CoreState.of(table, play_of(random_hits(table, seed)), start) for seed in (1, 2)]
    sums = table.seat_sums(play_of(random_hits(table, 3)))
    mixed = mixture(table, [state.policy.packed() for state in states], [0.3, 0.7], states[0].policy, start)
    parts = [table.seat_values(sums, state.policy, start) for state in states]
    whole = table.seat_values(sums, mixed, start)
    assert whole.first_stand == pytest.approx(
        0.3 * parts[0].first_stand + 0.7 * parts[1].first_stand, abs=1e-12
    )
    assert whole.second_stand == pytest.approx(
        0.3 * parts[0].second_stand + 0.7 * parts[1].second_stand, abs=1e-12
    )


def test_a_slope_is_what_one_decision_changes_for_both_seats(table: TwoSeatGame) -> None:
    start = table.dealer.dealt
    hits = random_hits(table, 4)
    policy = CoreState.of(table, play_of(random_hits(table, 5)), start).policy
    cut = Cut.of(table, table.seat_sums(play_of(hits)), policy, start)
    for row in range(5):
        decision = int(np.abs(cut.slope[row]).argmax())
        changed = hits.copy()
        changed[row, decision] = 1.0 - hits[row, decision]
        other = Cut.of(table, table.seat_sums(play_of(changed)), policy, start)
        expected = cut.slope[row, decision] * (changed[row, decision] - hits[row, decision])
        assert abs(expected) > 1e-9
        assert other.total - cut.total == pytest.approx(expected, abs=1e-13)


@pytest.mark.verify
def test_where_replies_go_round_in_circles_mixing_ends(table: TwoSeatGame) -> None:
    core = CoreState.of(table, play_of(np.round(random_hits(table, 6))), table.dealer.dealt)
    for _ in range(3):
        core = core.replied()
    if table.rules.both_bust == "push":
        assert core.gain == 0.0  # settled without mixing
        return
    assert core.replied().replied().gain == pytest.approx(core.gain, abs=1e-15)
    assert core.gain > 1e-3
    mixed = mixed_core(core, 1e-5, lambda stage, gain: None)
    assert mixed.mixed > 1
    assert mixed.gain <= 1e-5


def test_a_small_game_without_decisions_takes_the_cheapest_strategy() -> None:
    _, weights = solve_small_game(np.zeros((2, 0)), np.array([2.0, 1.0]), np.zeros((2, 0)), np.zeros(0))
    assert weights.tolist() == [0.0, 1.0]
