"""Mixing: mixtures and slopes are what the sums say, and a game of circles ends in a mixture."""

from pathlib import Path

import numpy as np
import pytest

from croupier.banluck.engine import BanluckRules
from croupier.banluck.solvers.checkpoint import CheckpointError
from croupier.banluck.solvers.hand_table import Floats
from croupier.banluck.solvers.table.best_replies import CoreState
from croupier.banluck.solvers.table.checkpoint import load_table_run, save_table_run
from croupier.banluck.solvers.table.dealer_mixture import mixture
from croupier.banluck.solvers.table.equilibrium import TableRun
from croupier.banluck.solvers.table.mixing import Cut, Mixing, mixed_core, play_of
from croupier.banluck.solvers.table.small_game import solve_small_game
from croupier.banluck.solvers.table.strategy import DealerPolicy
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


def random_hits(table: TwoSeatGame, seed: int) -> Floats:
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


def meet(table: TwoSeatGame, hits: Floats, policy: DealerPolicy) -> Cut:
    sums = table.seat_sums(play_of(hits))
    start = table.dealer.dealt
    return Cut.of(table, sums, policy, table.seat_values(sums, policy, start), start)


def test_sums_of_play_near_by_are_those_from_scratch(table: TwoSeatGame) -> None:
    hits = random_hits(table, 7)
    near = table.seat_sums(play_of(hits))
    hits[:, ::9] = 0.0
    found, whole = table.seat_sums(play_of(hits), near), table.seat_sums(play_of(hits))
    for number in range(len(whole.settled)):
        assert found.settled[number] == pytest.approx(whole.settled[number], abs=1e-14)
        assert found.weight[number] == pytest.approx(whole.weight[number], abs=1e-14)


def test_a_slope_is_what_one_decision_changes_for_both_seats(table: TwoSeatGame) -> None:
    start = table.dealer.dealt
    hits = random_hits(table, 4)
    policy = CoreState.of(table, play_of(random_hits(table, 5)), start).policy
    cut = meet(table, hits, policy)
    for row in range(5):
        decision = int(np.abs(cut.slope[row]).argmax())
        changed = hits.copy()
        changed[row, decision] = 1.0 - hits[row, decision]
        other = meet(table, changed, policy)
        expected = cut.slope[row, decision] * (changed[row, decision] - hits[row, decision])
        assert abs(expected) > 1e-9
        assert other.total - cut.total == pytest.approx(expected, abs=1e-13)


def circling(table: TwoSeatGame) -> CoreState:
    """Return a state from which best replies go round in circles, if there is one."""
    core = CoreState.of(table, play_of(np.round(random_hits(table, 6))), table.dealer.dealt)
    for _ in range(3):
        core = core.replied()
    return core


def silently(stage: str, gain: float) -> None:
    """Tell nobody."""


@pytest.mark.verify
def test_where_replies_go_round_in_circles_mixing_ends(table: TwoSeatGame, tmp_path: Path) -> None:
    core = circling(table)
    if table.rules.both_bust == "push":
        assert core.gain == 0.0  # settled without mixing
        return
    assert core.replied().replied().gain == pytest.approx(core.gain, abs=1e-15)
    assert core.gain > 1e-3
    kept: list[Mixing] = []
    mixed = mixed_core(core, None, 1e-6, silently, kept.append)
    assert mixed.mixed > 1
    assert mixed.gain <= 1e-6

    path = tmp_path / "run.npz"
    surrender = np.zeros((len(table.dealer.hands), 3, 3))
    half = kept[len(kept) // 2]
    save_table_run(TableRun(core.sums.play, surrender, mixing=half), path, table.rules, "full")
    loaded = load_table_run(path, table.rules, "full").mixing
    assert loaded is not None
    resumed = mixed_core(core, loaded, 1e-6, silently, lambda mixing: None)
    assert resumed.gain == mixed.gain
    assert resumed.rounds == mixed.rounds
    assert np.array_equal(resumed.policy.closed, mixed.policy.closed)


@pytest.fixture
def run(table: TwoSeatGame) -> TableRun:
    return TableRun(play_of(random_hits(table, 8)), np.zeros((len(table.dealer.hands), 3, 3)), 1, 2)


def test_a_run_is_saved_as_it_is(table: TwoSeatGame, run: TableRun, tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    save_table_run(run, path, table.rules, "counts")
    loaded = load_table_run(path, table.rules, "counts")
    assert np.array_equal(loaded.play.first, run.play.first)
    assert np.array_equal(loaded.play.second, run.play.second)
    assert (loaded.surrenders, loaded.rounds, loaded.mixing) == (1, 2, None)


def test_a_run_of_something_else_is_refused(table: TwoSeatGame, run: TableRun, tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    save_table_run(run, path, table.rules, "full")
    with pytest.raises(CheckpointError, match="is of information 'full', not 'counts'"):
        load_table_run(path, table.rules, "counts")
    with pytest.raises(CheckpointError, match="is of other rules"):
        load_table_run(path, table.rules.replaced({"pays_777": 21}), "full")
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(CheckpointError, match="is not a saved run, or is cut off"):
        load_table_run(path, table.rules, "full")


def test_a_small_game_without_decisions_takes_the_cheapest_strategy() -> None:
    found = solve_small_game(np.zeros((2, 0)), np.array([2.0, 1.0]), np.zeros((2, 0)))
    assert found.weights.tolist() == [0.0, 1.0]
    assert found.bound == 1.0


def test_a_small_game_is_an_equilibrium_though_decisions_ignore_what_they_do_to_others() -> None:
    source = np.random.default_rng(1)
    slopes = source.normal(size=(30, 6))
    own = slopes + 0.2 * source.normal(size=slopes.shape)
    offsets = source.normal(size=30)
    found = solve_small_game(own, offsets, slopes)
    wanted = found.weights @ own
    mixes = (found.chances > 0.0) & (found.chances < 1.0)
    assert np.any(mixes)
    assert wanted[mixes] == pytest.approx(0.0, abs=1e-9)
    assert np.all(wanted[found.chances == 1.0] >= -1e-9)
    assert np.all(wanted[found.chances == 0.0] <= 1e-9)
    costs = offsets + slopes @ found.chances
    assert costs[found.weights > 0.0] == pytest.approx(costs.min(), abs=1e-9)
    assert found.bound == pytest.approx(costs.min() - found.shift @ found.chances, abs=1e-9)
