import math
from collections.abc import Callable

import pytest

from croupier.banluck.analysis.solution import Solution
from croupier.banluck.analysis.strategy_book import StrategyBook
from croupier.banluck.engine import BANLUCK, BanluckRules
from croupier.banluck.engine.multisets import multiset_index, parse_multiset
from croupier.banluck.solvers.baseline import solve_baseline
from croupier.banluck.solvers.best_response import best_dealer, certify
from croupier.banluck.solvers.fixed import classic_dealer, stand_on
from croupier.banluck.solvers.strategy import DealerStrategy
from croupier.errors import InputError
from tests.long_cases import cases

PRESETS = [preset.name for preset in BANLUCK.presets]
Solved = Callable[[str], Solution]


@pytest.mark.parametrize("preset", cases(PRESETS, long=["singapore", "xi-dach"]))
def test_the_players_values_are_those_of_the_backward_induction(solved: Solved, preset: str) -> None:
    solution = solved(preset)
    book = solution.book
    baseline = solve_baseline(solution.rules, solution.dealer)
    for advice in book.player_decisions:
        hand = multiset_index(advice.hand)
        assert advice.ev_go == pytest.approx(baseline.hit[hand], abs=1e-12)
        if advice.ev_stop is None:
            assert math.isnan(baseline.stand[hand])
        else:
            assert advice.ev_stop == pytest.approx(baseline.stand[hand], abs=1e-12)


@pytest.mark.parametrize("preset", cases(PRESETS, long=["singapore", "xi-dach"]))
def test_in_equilibrium_no_reached_decision_is_worth_changing(solved: Solved, preset: str) -> None:
    solution = solved(preset)
    book = solution.book
    for advice in (*book.player_decisions, *book.dealer_decisions):
        if advice.ev_stop is not None and advice.reach > 0:
            wrong = 1 - advice.go_frequency if advice.ev_go > advice.ev_stop else advice.go_frequency
            assert wrong * advice.cost_of_mistake * advice.reach <= solution.exploitability + 1e-15


def test_a_dealers_mistake_costs_its_reach_times_its_cost(solved: Solved) -> None:
    """Turning one dealer decision around changes the value by exactly what the book says."""
    solution = solved("reference")
    _, best = best_dealer(solution.player, solution.rules)
    base = certify(solution.player, best, solution.rules).value
    perfect = StrategyBook(solution.player, best, solution.rules)
    for (hand, cards), advice in list(perfect.dealer_lookup.items())[::13]:
        draw = best.draw.copy()
        draw[multiset_index(hand), cards - 2] = 1 - draw[multiset_index(hand), cards - 2]
        changed = certify(solution.player, DealerStrategy(draw, best.surrender), solution.rules).value
        assert changed - base == pytest.approx(advice.reach * advice.cost_of_mistake, abs=1e-12)


@pytest.mark.parametrize("preset", cases(PRESETS, long=["singapore", "xi-dach"]))
def test_the_two_card_decisions_come_up_as_often_as_hands_are_played(solved: Solved, preset: str) -> None:
    """The player decides with two cards unless somebody holds a Ban hand or the dealer surrenders a hard 15."""
    book = solved(preset).book
    reach = sum(advice.reach for advice in book.player_decisions if advice.value.card_count == 2)
    ban = (6 + 4 * 16) / 1326
    no_ban = 1 - 2 * ban + _probability_that_both_hold_a_ban_hand()
    surrendered = sum(
        advice.reach * (1 - advice.go_frequency) for advice in book.dealer_decisions if advice.go == "keep"
    )
    player_ban_against_15 = (
        surrendered * ban
    )  # roughly: the 15's cards change the chance of a Ban hand by under a tenth
    assert reach == pytest.approx(
        no_ban - surrendered + player_ban_against_15, abs=surrendered * ban / 10 + 1e-12
    )


@pytest.mark.parametrize("preset", ["reference", "mandatory-reveal", "symmetric"])
def test_giving_up_the_surrender_costs_its_reach_times_its_cost(solved: Solved, preset: str) -> None:
    solution = solved(preset)
    book = solution.book
    kept = DealerStrategy(solution.dealer.draw, solution.dealer.surrender * 0)
    before, after = (
        certify(solution.player, dealer, solution.rules).value for dealer in (solution.dealer, kept)
    )
    cost = sum(
        advice.reach * advice.cost_of_mistake for advice in book.dealer_decisions if advice.go == "keep"
    )
    assert after - before == pytest.approx(cost, abs=1e-9)


def _probability_that_both_hold_a_ban_hand() -> float:
    """Count pairs of two-card hands: aces and ten-values out of 52 cards."""
    ways = 0
    for own_aces, own_ways in ((2, 6), (1, 4 * 16)):
        aces, tens = 4 - own_aces, 16 - (2 - own_aces)
        ways += own_ways * (aces * (aces - 1) // 2 + aces * tens)
    return ways / (1326 * 1225)


def test_looking_up_a_hand_that_leaves_no_decision_says_so(solved: Solved) -> None:
    book = solved("reference").book
    with pytest.raises(InputError, match=r"A-A \(Ban Ban\) leaves no decision to the player"):
        book.player_advice(parse_multiset("A-A"))
    with pytest.raises(
        InputError, match=r"T-8 \(18\) leaves no decision to the dealer against a player of 2 cards"
    ):
        book.dealer_advice(parse_multiset("T-8"), 2)
    with pytest.raises(InputError, match="leaves no decision to the dealer's surrender"):
        book.surrender_advice(parse_multiset("A-4"))


def test_an_action_that_is_not_there_is_refused(solved: Solved) -> None:
    book = solved("reference").book
    with pytest.raises(InputError, match="'double' is not possible with T-6; it is stand or hit"):
        book.player_advice(parse_multiset("T-6")).expected("double")


def test_the_actions_are_named_as_the_table_sees_them(solved: Solved) -> None:
    book = solved("reference").book
    assert book.dealer_advice(parse_multiset("T-7"), 2).stop == "stand"
    assert book.dealer_advice(parse_multiset("T-7"), 3).stop == "reveal"
    assert book.surrender_advice(parse_multiset("9-6")).stop == "surrender"


def test_under_reveal_none_one_decision_serves_all_card_counts() -> None:
    rules = BanluckRules(reveal="none")
    book = StrategyBook(stand_on(16, rules), classic_dealer(rules), rules)
    assert book.dealer_advice(parse_multiset("T-7"), 2) is book.dealer_advice(parse_multiset("T-7"), 5)
    decisions = book.dealer_decisions
    assert len(decisions) == len({(advice.hand, advice.against) for advice in decisions})
