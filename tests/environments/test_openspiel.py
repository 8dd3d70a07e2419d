"""The games for OpenSpiel keep its contract, and its algorithms confirm our solver."""

from collections.abc import Callable
from typing import Any

import pyspiel
import pytest
from open_spiel.python.algorithms.generate_playthrough import playthrough
from open_spiel.python.observation import make_observation

import croupier.environments.openspiel as games
from croupier import banluck
from croupier.environments.openspiel.banluck import read_pack
from croupier.errors import InputError

GAMES = {
    "banluck": "python_croupier_banluck",
    "banluck-singapore": "python_croupier_banluck(rules=singapore)",
    "blackjack": "python_croupier_blackjack",
    "blackjack-european": "python_croupier_blackjack(rules=european)",
    "durak-quick": "python_croupier_durak(rules=quick)",
}

#: Sixes, tens and an ace: every kind of decision comes up, and the whole game can be walked through.
SHORT = (0, 0, 0, 0, 4, 0, 0, 0, 5, 1)


@pytest.mark.parametrize("name", GAMES.values())
def test_openspiel_finds_nothing_wrong(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize("name", GAMES)
def test_recorded_playthroughs(name: str, compare_with_golden: Callable[[str, str], None]) -> None:
    """As OpenSpiel records them, without the tensors."""
    lines = playthrough(GAMES[name], None, seed=7).split("\n")
    kept = [line for line in lines if "Tensor" not in line and not line.startswith(("◯", "◉", "["))]
    compare_with_golden(f"openspiel/{name}.txt", "\n".join(kept) + "\n")


def value_of(state: Any) -> list[float]:
    """Return what everybody gets if all play at random."""
    if state.is_terminal():
        return list(state.returns())
    outcomes = (
        state.chance_outcomes()
        if state.is_chance_node()
        else [(action, 1 / len(state.legal_actions())) for action in state.legal_actions()]
    )
    values = [(share, value_of(state.child(action))) for action, share in outcomes]
    return [sum(share * value[player] for share, value in values) for player in range(2)]


def test_the_compressed_game_is_worth_as_much_as_the_game_card_by_card() -> None:
    rules = {"surrender": "blind", "dealer_choice_max": 17}
    whole = pyspiel.load_game("python_croupier_banluck", {"pack": ",".join(map(str, SHORT))})
    small = games.compressed_banluck(banluck.Rules(**rules), SHORT)
    value = value_of(whole.new_initial_state())
    uniform = pyspiel.UniformRandomPolicy(small.game)
    found = pyspiel.expected_returns(small.game.new_initial_state(), uniform, -1, True, 0.0)
    assert found == pytest.approx(value, abs=1e-12)


def test_openspiel_cannot_exploit_our_strategy() -> None:
    """A dealer who stands on all 16s and decides on the surrender only: 54,605 nodes; the reference game is in `make verify`."""
    rules = banluck.Rules(dealer_choice_max=15)
    small, solution = games.compressed_banluck(rules), banluck.solve(rules)
    policy = small.policy(solution.player, solution.dealer)
    assert small.tree.nodes == 54_605
    assert pyspiel.exploitability(small.game, policy) < 1e-6
    assert pyspiel.nash_conv(small.game, policy) == pytest.approx(
        solution.interval[1] - solution.interval[0], abs=1e-9
    )


@pytest.mark.verify
def test_openspiel_cannot_exploit_our_strategy_in_the_reference_game() -> None:
    small, solution = games.compressed_banluck(), banluck.solve()
    assert small.tree.nodes == 2_099_774
    policy = small.policy(solution.player, solution.dealer)
    assert pyspiel.exploitability(small.game, policy) < 1e-6


@pytest.mark.verify
def test_openspiel_arrives_at_our_value() -> None:
    rules = banluck.Rules(dealer_choice_max=15)
    small, solution = games.compressed_banluck(rules), banluck.solve(rules)
    solver = pyspiel.CFRPlusSolver(small.game)
    for _ in range(120):
        solver.evaluate_and_update_policy()
    value, _ = pyspiel.expected_returns(
        small.game.new_initial_state(), solver.average_policy(), -1, True, 0.0
    )
    assert abs(value - solution.value) < 1e-4


def test_observations_hide_the_other_cards() -> None:
    game = pyspiel.load_game("python_croupier_banluck")
    texts = []
    for dealer in (6, 7):
        state = game.new_initial_state()
        for card in (8, 4, 8, dealer):
            state.apply_action(card)
        observation = make_observation(game)
        observation.set_from(state, 0)
        texts.append((observation.string_from(state, 0), observation.tensor.tolist()))
    assert texts[0] == texts[1]
    assert texts[0][0] == "player T6 dealer ?? player"


def test_bad_parameters_are_refused() -> None:
    with pytest.raises(InputError, match="write ten numbers"):
        read_pack("5,4,4,4,4,4,4,4,16,4")
    games.register()  # a second time changes nothing
