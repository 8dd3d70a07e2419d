"""The stream of lanes at tables of several players: a processor and a GPU play it alike."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from croupier import banluck
from croupier.banluck.analysis import dealing
from croupier.banluck.analysis.dealing import Game, LaneDealing
from croupier.banluck.analysis.lane_kernel import LANE_HANDS
from croupier.banluck.analysis.table_simulator import TableSimulation, simulate_table, table_game
from croupier.banluck.solvers.table.two_players import TwoPlayerGame
from croupier.errors import InputError
from croupier.numerics import devices
from tests.banluck.rule_sets import random_rules
from tests.banluck.solvers.table.counts_tables import random_counts
from tests.banluck.solvers.table.random_strategies import random_strategy

#: Random rule sets: each way to reveal and to surrender, and both ways to settle busts.
DRAWN = (0, 4, 15)


def seats_game(number: int, players: int) -> Game:
    """Return a table of random rules whose players decide at random."""
    rules = random_rules(number)
    return table_game(random_counts(rules, players, number, pure=False), rules)


def two_seats_game(number: int) -> Game:
    """The same for two players who know what the exact solver lets them know."""
    rules = random_rules(number)
    return table_game(random_strategy(TwoPlayerGame(rules), seed=number), rules)


def games() -> Iterator[Game]:
    for number, players in zip(DRAWN, (3, 7, 4), strict=True):
        yield seats_game(number, players)
        yield two_seats_game(number)


def compare_devices(hands: int, first: int) -> None:
    """Play lanes 0 and 1, or only lane 1, here and on a GPU, and compare all counts."""
    for game in games():
        here = LaneDealing(game, LANE_HANDS + hands, seed=7)
        counted = here.play(0, first, 2)
        assert counted.hands == hands + (1 - first) * LANE_HANDS
        there = replace(here, device="cuda").play(0, first, 2)
        assert counted.histogram.tolist() == there.histogram.tolist(), game


def test_a_gpu_counts_what_the_processor_counts() -> None:
    reason = devices.why_no_gpu()
    if reason is not None:
        pytest.skip(reason)
    compare_devices(LANE_HANDS - 100, 0)


@pytest.mark.parametrize("players", [2, 4])
def test_blocks_of_any_size_count_the_same(players: int) -> None:
    game = two_seats_game(0) if players == 2 else seats_game(4, players)
    many = LaneDealing(game, 5 * LANE_HANDS + 77, seed=3)
    few = replace(many, block_lanes=2)
    assert (few.blocks, many.blocks) == (3, 1)
    added = few(0).merged(few(1)).merged(few(2))
    assert added.hands == many.hands
    assert added.histogram.tolist() == many(0).histogram.tolist()


@pytest.fixture
def of_three() -> TableSimulation:
    """Three players who decide at random, on blocks."""
    rules = random_rules(4)
    return simulate_table(random_counts(rules, 3, 4, pure=False), rules, hands=300_000, seed=5)


def test_lanes_and_blocks_agree(of_three: TableSimulation) -> None:
    strategy = random_counts(of_three.rules, 3, 4, pure=False)
    lanes = simulate_table(strategy, of_three.rules, hands=300_000, seed=5, stream="lanes")
    assert (of_three.stream, lanes.stream) == ("blocks", "lanes")
    assert lanes.to_dict()["stream"] == "lanes"
    for here, there in zip(of_three.rows(), lanes.rows(), strict=True):
        assert here["value"] != there["value"]
        assert abs(here["value"] - there["value"]) < 4 * np.hypot(here["stderr"], there["stderr"])


def test_without_a_gpu_a_line_says_so_and_the_processor_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (dealing, devices):
        monkeypatch.setattr(module, "why_no_gpu", lambda: "no NVIDIA GPU is found")
    # A dealer who always stands on two cards is solved in a second.
    solution = banluck.solve(banluck.Rules(dealer_minimum=2, dealer_choice_max=1), players=2)
    with pytest.warns(UserWarning, match="no NVIDIA GPU is found; the processor plays instead"):
        asked = banluck.simulate(solution, hands=10_000, seed=1, device="cuda")
    assert asked.stream == "lanes"
    assert asked == banluck.simulate(solution, hands=10_000, seed=1, stream="lanes")


def test_a_gpu_plays_no_blocks_of_a_table() -> None:
    rules = random_rules(4)
    with pytest.raises(InputError, match="a GPU plays the stream 'lanes', not 'blocks'"):
        simulate_table(random_counts(rules, 3, 4, pure=False), rules, hands=10, seed=1, device="cuda")
