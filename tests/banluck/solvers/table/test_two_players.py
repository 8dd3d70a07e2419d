"""Two players, exactly: against the whole tree of small decks, against the heads-up solver, and against the engine's table."""

import numpy as np
import pytest

from croupier.banluck.engine import BANLUCK, Action, BanluckRules, GameState
from croupier.banluck.solvers.best_response import best_dealer, best_player, certify
from croupier.banluck.solvers.hand_table import deals
from croupier.banluck.solvers.regret_minimisation import solve_equilibrium
from croupier.banluck.solvers.table.choice import TablePlay
from croupier.banluck.solvers.table.remaining_player import RemainingGame
from croupier.banluck.solvers.table.strategy import Information, TableStrategy
from croupier.banluck.solvers.table.team import team_value
from croupier.banluck.solvers.table.two_players import TwoPlayerGame
from croupier.banluck.solvers.table.two_seats import TwoSeatGame
from tests.banluck.rule_sets import COVERING, VALUES, random_rules
from tests.banluck.solvers.table.full_tree import DEALER, TEAM, FullTree
from tests.banluck.solvers.table.random_strategies import pack_of, random_strategy, small_deck
from tests.long_cases import cases

#: Sixteen cards: sevens, ten-values and aces make every class of hands but a plain five-card hand's lowest totals.
SIXTEEN = {5: 4, 8: 9, 9: 3}

#: Numbers of random rule sets: every value of reveal, surrender and both_bust is among them.
DRAWN = (1, 3, 4, 6, 9, 12)

RULE_SETS: dict[str, BanluckRules] = {
    **{name: BANLUCK.rules(name) for name in ("reference", "mandatory-reveal")},
    **{f"random {number}": random_rules(number) for number in DRAWN},
    **{f"covering {number}": rules for number, rules in enumerate(COVERING)},
}

#: Rule sets on which a table with one player is compared with the heads-up solver.
ALONE: dict[str, BanluckRules] = {
    **{preset.name: preset.rules for preset in BANLUCK.presets},
    **{f"random {number}": random_rules(number) for number in range(20)},
}

#: Rule sets whose trees are left to `make verify`.
LONG = ["mandatory-reveal", *(f"random {number}" for number in DRAWN)] + [
    f"covering {number}" for number in range(len(COVERING))
]

INFORMATION: tuple[Information, ...] = ("full", "counts")

CASES = [
    pytest.param(
        name,
        information,
        id=f"{name}, {information}",
        marks=[pytest.mark.verify] * (name in LONG or (information == "counts" and name != "reference")),
    )
    for information in INFORMATION
    for name in RULE_SETS
]


def test_the_rule_sets_hold_every_value_of_every_option() -> None:
    for name, values in VALUES.items():
        assert {getattr(rules, name) for rules in RULE_SETS.values()} >= set(values), name


def tree_of(rules: BanluckRules, strategy: TableStrategy, information: Information) -> FullTree:
    """Return the whole tree of the small deck, with everybody playing by a strategy."""
    play = TablePlay(rules, strategy)

    def choose(state: GameState, legal: tuple[Action, ...]) -> list[float]:
        chances = play.probabilities(state)
        return [chances.get(action, 0.0) for action in legal]

    tree = FullTree(rules, small_deck(SIXTEEN), players=2, information=information)
    tree.play_by(choose)
    return tree


@pytest.mark.parametrize(("name", "information"), CASES)
def test_values_and_best_replies_are_those_of_the_whole_tree(name: str, information: Information) -> None:
    rules = RULE_SETS[name]
    game = TwoPlayerGame(rules, pack_of(SIXTEEN), information)
    strategy = random_strategy(game, seed=1)
    tree = tree_of(rules, strategy, information)
    values = tree.values()
    found = game.certify(strategy)
    assert found.values == pytest.approx(values, abs=1e-12)
    assert found.dealer_value == pytest.approx(-sum(values), abs=1e-12)
    for seat in (0, 1):
        assert found.gains[seat] == pytest.approx(tree.best_reply(seat) - values[seat], abs=1e-12)
    assert found.dealer_gain == pytest.approx(tree.best_reply(DEALER) + sum(values), abs=1e-12)
    assert found.dealer_gain > -1e-12
    assert max(found.gains) > 0.01  # random play can be improved, so that the comparison means something


@pytest.mark.verify
@pytest.mark.parametrize("name", RULE_SETS)
def test_a_team_wins_what_the_whole_tree_says(name: str) -> None:
    rules = RULE_SETS[name]
    game = TwoPlayerGame(rules, pack_of(SIXTEEN), "full")
    strategy = random_strategy(game, seed=1)
    tree = tree_of(rules, strategy, "full")
    assert team_value(game, strategy) == pytest.approx(tree.best_reply(TEAM), abs=1e-12)


@pytest.mark.parametrize("name", cases(ALONE, long=[name for name in ALONE if name.startswith("random")]))
def test_with_nothing_known_one_player_is_the_heads_up_game(name: str) -> None:
    """The play of the heads-up solver, valued and answered by sums instead of by its own matrices."""
    rules = ALONE[name].replaced({"surrender": "none"})
    solved = solve_equilibrium(rules, tolerance=1e-6, max_iterations=200)
    table = TwoSeatGame(rules)
    game = RemainingGame(table, np.zeros(10, dtype=np.int64))
    hands = table.dealer.hands[table.dealer.choices]
    found = game.play(solved.player.hit, solved.dealer.draw[hands], table.dealer.dealt)
    specials = certify(solved.player, solved.dealer, rules).value - found.value
    upper, _ = best_player(solved.dealer, rules)
    lower, _ = best_dealer(solved.player, rules)
    least = float(table.dealer.dealt @ found.dealer_best)
    assert found.value + found.gain + specials == pytest.approx(upper, abs=1e-12)
    assert least + specials == pytest.approx(lower, abs=1e-12)


def test_known_cards_leave_a_heads_up_game_of_the_other_cards() -> None:
    """Best replies and PCFR+ on matrices agree about what is left after a bust."""
    rules = BanluckRules()
    table = TwoSeatGame(rules)
    game = RemainingGame(table, deals().counts[int(table.seats.bust[100])])
    hit = solve_equilibrium(rules, tolerance=1e-4).player.hit
    by_replies = game.solve(hit, table.dealer.dealt, 1e-9)
    by_regrets = game._by_regrets(table.dealer.dealt, 1e-7)
    assert by_replies.value == pytest.approx(by_regrets.value, abs=1e-7)
    assert by_replies.gain <= 1e-9
    assert float(table.dealer.dealt @ (by_replies.dealer_value - by_replies.dealer_best)) <= 1e-9
