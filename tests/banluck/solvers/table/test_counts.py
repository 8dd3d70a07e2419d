"""Sampled tables of several: what must come out exactly, and what must agree within its error."""

from pathlib import Path

import numpy as np
import pytest

from croupier.banluck.engine import BanluckRules
from croupier.banluck.solvers.checkpoint import CheckpointError
from croupier.banluck.solvers.hand_table import TWO_CARD_HANDS, deals, hand_table, joint_probability
from croupier.banluck.solvers.table.counts_certificate import certify_counts
from croupier.banluck.solvers.table.counts_checkpoint import load_counts_run, save_counts_run
from croupier.banluck.solvers.table.counts_dealer import CountsDealer
from croupier.banluck.solvers.table.counts_equilibrium import Effort, solve_counts
from croupier.banluck.solvers.table.counts_memory import DealerMemory
from croupier.banluck.solvers.table.counts_regrets import CountsRun
from croupier.banluck.solvers.table.dealt_hands import MEMORIES
from croupier.banluck.solvers.table.two_players import TwoPlayerGame
from croupier.runs.executors import open_executor
from tests.banluck.rule_sets import random_rules
from tests.banluck.solvers.table.counts_tables import (
    as_exact,
    as_heads_up,
    heads_up_table,
    random_counts,
)
from tests.long_cases import cases

DEALS = 4096

#: Random rule sets: each way to reveal and to surrender, and both ways to settle busts.
DRAWN = (0, 4, 15)


def against_ban(rules: BanluckRules) -> float:
    """Return what a seat earns from dealers who hold a Ban hand."""
    facts, two = hand_table(rules), range(TWO_CARD_HANDS)
    return sum(
        float(deals().orders[own])
        * float(deals().orders[dealer])
        * joint_probability(deals().counts[own] + deals().counts[dealer])
        * float(facts.payoff[facts.code[own], facts.code[dealer]])
        for own in two
        for dealer in two
        if facts.is_ban[dealer]
    )


def nothing(done: int, sides: int) -> None:
    """Tell nobody."""


ALONE = {
    **{reveal: BanluckRules.create({"reveal": reveal}) for reveal in ("optional", "mandatory", "none")},
    **{f"random {number}": random_rules(number) for number in range(20)},
}


@pytest.mark.parametrize("name", cases(ALONE, long=[name for name in ALONE if name.startswith("random")]))
def test_a_player_alone_meets_the_heads_up_game(name: str) -> None:
    table = heads_up_table(ALONE[name], 1, DEALS)
    strategy = as_heads_up(table)
    sample = table.seat_sample(0, strategy, 0)
    assert sample.difference(table.rules, strategy.hit, table.player.hit) == pytest.approx(0.0, abs=1e-12)


def test_seats_are_worth_the_heads_up_value_where_the_dealer_may_not_look() -> None:
    table = heads_up_table(BanluckRules(reveal="none"), 3, DEALS)
    strategy = as_heads_up(table)
    for seat in range(3):
        sample = table.seat_sample(seat, strategy, 0)
        own = strategy.hit[strategy.rows_of(seat)]
        assert sample.difference(table.rules, own, table.player.hit) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(
    "number", [DRAWN[0], *(pytest.param(number, marks=pytest.mark.verify) for number in DRAWN[1:])]
)
def test_what_the_seats_win_is_what_the_dealer_loses(number: int) -> None:
    rules = random_rules(number)
    table = heads_up_table(rules, 3, 2 * DEALS)
    strategy = random_counts(rules, 3, number, pure=False)
    side = CountsDealer(rules, 3)
    with open_executor(1) as executor:
        seats = certify_counts(table, strategy, 4, executor, nothing)
    lost = np.array(
        [side.value(table.dealer_sample(strategy.hit, 9, block), strategy.dealer) for block in range(8)]
    )
    found = sum(value.mean for value in seats.values) - 3 * against_ban(rules)
    error = np.hypot(
        lost.std(ddof=1) / np.sqrt(len(lost)), np.hypot.reduce([value.stderr for value in seats.values])
    )
    assert abs(found - lost.mean()) < 4 * error


def test_the_same_seed_learns_the_same_on_any_number_of_workers() -> None:
    rules = BanluckRules(dealer_minimum=15, dealer_choice_max=15)
    one, two = (
        solve_counts(rules, 3, tolerance=1.0, seed=3, workers=workers, effort=Effort(DEALS, 2, 2, 2, 2, 2))
        for workers in (1, 2)
    )
    assert np.array_equal(one.strategy.hit, two.strategy.hit)
    assert np.array_equal(one.strategy.dealer.closed, two.strategy.dealer.closed)
    assert one.certificate == two.certificate


def test_a_resumed_run_learns_what_an_uninterrupted_one_does(tmp_path: Path) -> None:
    rules = BanluckRules(dealer_minimum=15, dealer_choice_max=15)
    table = heads_up_table(rules, 3, DEALS)
    whole, begun = CountsRun(table), CountsRun(table)
    path = tmp_path / "run.npz"
    with open_executor(1) as executor:
        for _ in range(3):
            whole.iterate(1, 1, executor)
        begun.iterate(1, 1, executor)
        save_counts_run(begun, path)
        resumed = load_counts_run(path, table)
        for _ in range(2):
            resumed.iterate(1, 1, executor)
    assert np.array_equal(whole.average().hit, resumed.average().hit)
    assert np.array_equal(whole.average().dealer.closed, resumed.average().dealer.closed)
    assert np.array_equal(whole.average().dealer.surrender, resumed.average().dealer.surrender)
    with pytest.raises(CheckpointError, match="has seed = 5, not 6"):
        load_counts_run(path, heads_up_table(rules, 3, DEALS, seed=6))


@pytest.mark.verify
@pytest.mark.parametrize("reveal", ["optional", "mandatory", "none"])
def test_two_players_earn_what_the_exact_sums_say(reveal: str) -> None:
    rules = BanluckRules.create({"reveal": reveal})
    strategy = as_heads_up(heads_up_table(rules, 2, DEALS))
    table = heads_up_table(rules, 2, 8 * DEALS)
    with open_executor(2, threads=True) as executor:
        sampled = certify_counts(table, strategy, 16, executor, nothing)
    game = TwoPlayerGame(rules)
    exact = game.certify(as_exact(game, strategy))
    for value, estimate in zip(exact.values, sampled.values, strict=True):
        # Where the dealer may not choose whom to open, the deals agree exactly, and rounding is left.
        assert abs(value - estimate.mean) < 4 * estimate.stderr + 1e-12
    # The exact best replies use all that is public, so they gain at least as much.
    assert sampled.dealer_gain.held_out.mean < exact.dealer_gain + 4 * sampled.dealer_gain.held_out.stderr
    for gain, found in zip(exact.gains, sampled.gains, strict=True):
        assert found.held_out.mean < gain + 4 * found.held_out.stderr + 1e-12


def test_a_memory_is_worth_nothing_where_nothing_is_seen() -> None:
    table = heads_up_table(BanluckRules(both_bust="push", reveal="none", surrender="none"), 1, DEALS)
    strategy = as_heads_up(table)
    side = CountsDealer(table.rules, 1)
    best = side.best_reply(table.dealer_sample(strategy.hit, 0))
    sample = table.dealer_sample(strategy.hit, 0, memories=MEMORIES)
    memory = DealerMemory(side, best.closed)
    draw, all_open = memory.best_draws(sample), side.reach(best)[1]
    assert memory.gained(sample, draw, all_open) == pytest.approx(0.0, abs=1e-12)


def test_the_best_use_of_a_memory_gains_on_its_own_deals() -> None:
    table = heads_up_table(BanluckRules(reveal="mandatory"), 4, DEALS)
    strategy = as_heads_up(table)
    side = CountsDealer(table.rules, 4)
    best = side.best_reply(table.dealer_sample(strategy.hit, 0))
    sample = table.dealer_sample(strategy.hit, 0, memories=MEMORIES)
    memory = DealerMemory(side, best.closed)
    assert memory.gained(sample, memory.best_draws(sample), side.reach(best)[1]) > 0.0
