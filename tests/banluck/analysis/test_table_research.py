"""Answers for a table of two: exact prices against dealt cards, and questions that are answered with what was solved."""

import re
from dataclasses import replace
from functools import cache

import pytest

from croupier.banluck.analysis.action_prices import sampled_prices
from croupier.banluck.analysis.counts_plan import plan_of
from croupier.banluck.analysis.dealer_rules import CARELESS, Closed, DealerWay, Habit, Kind
from croupier.banluck.analysis.solution import Solution
from croupier.banluck.analysis.solving import solve, solve_table
from croupier.banluck.analysis.table_explanation import explain_table
from croupier.banluck.analysis.table_prices import SampledPrices, counted_results
from croupier.banluck.analysis.table_research import research_table
from croupier.banluck.analysis.table_simulator import simulate_table
from croupier.banluck.analysis.table_solution import TableSolution
from croupier.banluck.analysis.two_player_prices import TwoPlayerPrices
from croupier.banluck.engine import Action, ActionKind, BanluckRules, Observation
from croupier.banluck.engine.observation import SeenHand
from croupier.banluck.solvers.fixed import stand_on
from croupier.banluck.solvers.table.strategy import TableStrategy
from croupier.cards import parse_cards
from croupier.errors import InputError
from croupier.texts import Texts

#: The dealer has a choice on 4 to 6 only: solved in some seconds, with everything in it.
SMALL = BanluckRules(dealer_minimum=4, dealer_choice_max=6)

#: All of it takes a minute, so `make test` looks at the first check alone, at a table whose dealer has one hand of choice.
LITTLE = BanluckRules(dealer_minimum=2, dealer_choice_max=4)


@cache
def solved(rules: BanluckRules = SMALL) -> TableSolution:
    return solve_table(rules, 2)


@cache
def prices() -> TwoPlayerPrices:
    return TwoPlayerPrices(solved())


@cache
def alone() -> Solution:
    return solve(SMALL)


def other_dealer(habit: Habit) -> TableStrategy:
    """Return the solved strategies with a dealer of a habit."""
    strategy = prices().strategy
    remaining = {
        known: (hit, prices()._known_draws(habit, draws))
        for known, (hit, draws) in strategy.remaining.items()
    }
    return replace(strategy, dealer=prices()._policy(habit), remaining=remaining)


def as_solved(_kind: Kind, _closed: Closed, _can_open: bool) -> DealerWay | None:
    return None


def test_a_dealer_who_plays_as_solved_earns_the_solved_value() -> None:
    little = solved(LITTLE)
    found = TwoPlayerPrices(little)
    assert found.habit_value(as_solved).value == pytest.approx(little.dealer_value, abs=1e-12)
    assert found.habit_value(CARELESS["always draws"]).value <= little.dealer_value + 1e-9


@pytest.mark.verify
@pytest.mark.parametrize("name", CARELESS)
def test_careless_dealers_earn_what_dealt_cards_say_and_less_than_the_solution(name: str) -> None:
    worth = prices().habit_value(CARELESS[name]).value
    found = simulate_table(other_dealer(CARELESS[name]), SMALL, hands=1_000_000, seed=4)
    assert abs(worth - found.dealer_value) < 4 * found.dealer_stderr
    assert worth <= solved().dealer_value + 1e-9


@pytest.mark.verify
def test_dealt_hands_price_a_habit_and_a_seat_as_sums_do() -> None:
    sampled = SampledPrices(solved(), plan_of(solved(), alone()), group_hands=1500)
    for habit in (CARELESS["always draws"], CARELESS["always opens, then plays well"]):
        found, exact = sampled.habit_value(habit), prices().habit_value(habit)
        assert abs(found.value - exact.value) < max(4 * found.error, 1e-9)
    hits = stand_on(18, SMALL).hit
    for found, exact in zip(sampled.seat_values(hits), prices().seat_values(hits), strict=True):
        assert abs(found.value - exact.value) < 4 * found.error
    rule = sampled.best_rule()
    assert {closed for _, closed in rule.ways} >= {Closed.of([2]), Closed.of([2, 3]), Closed.of([3])}
    assert "Measured on 30,000 hands" in sampled.how


@pytest.mark.verify
def test_a_rule_and_a_forgetful_dealer_earn_no_more_than_the_solution() -> None:
    rule = prices().best_rule()
    assert prices().habit_value(rule).value <= solved().dealer_value + 1e-9
    assert prices().habit_value(rule).value >= max(
        prices().habit_value(habit).value for habit in CARELESS.values()
    )
    assert prices().forgetful_value().value <= solved().dealer_value + 1e-9


@pytest.mark.verify
def test_a_seat_that_keeps_to_one_player_earns_no_more_and_what_dealt_cards_say() -> None:
    hit = alone().player.hit
    strategy = prices().strategy
    seat = replace(strategy.seats, first=hit)
    remaining = {
        known: (hit if len(known) == 2 else own, draws)  # after the second one's Ban hand
        for known, (own, draws) in strategy.remaining.items()
    }
    changed = replace(strategy, seats=seat, remaining=remaining)
    found = simulate_table(changed, SMALL, hands=1_000_000, seed=5)
    first, second = prices().seat_values(hit)
    assert abs(first.value - found.values[0]) < 4 * found.stderrs[0]
    for worth, value in zip((first, second), solved().values, strict=True):
        assert worth.value <= value + 1e-9


@pytest.mark.verify
def test_counted_results_have_the_solved_means() -> None:
    results = counted_results(plan_of(solved(), alone()), solved())
    for found, value in zip(results, (*solved().values, solved().dealer_value), strict=True):
        assert sum(found.distribution.values()) == pytest.approx(1.0)
        mean = sum(units * share for units, share in found.distribution.items())
        assert mean == pytest.approx(value, abs=1e-9)
    assert results[-1].std > results[0].std


@pytest.mark.verify
def test_a_hand_is_priced_as_sampled_deals_price_it() -> None:
    explanation = explain_table(solved(), "T-6", heads_up=alone(), prices=prices())
    first, *seconds, one = explanation.choices
    assert one.who == "player, alone"
    plan = plan_of(solved(), alone())
    own, closed = SeenHand(parse_cards("TH 6D")), SeenHand((None, None))
    seen = Observation(0, closed, (own, closed), (), (Action(ActionKind.HIT, 0), Action(ActionKind.STAND, 0)))
    sampled = sampled_prices(seen, plan, group_deals=1000)
    for action, units in sampled.worth.items():
        assert units == pytest.approx(first.worth[str(action.kind)], abs=0.06)
    stood = (Action(ActionKind.STAND, 0),)
    three = SeenHand((None, None, None))
    actions = (Action(ActionKind.HIT, 1), Action(ActionKind.STAND, 1))
    sampled = sampled_prices(Observation(1, closed, (three, own), stood, actions), plan, group_deals=1000)
    for action, units in sampled.worth.items():
        assert units == pytest.approx(seconds[1].worth[str(action.kind)], abs=0.06)
    dealer = explain_table(solved(), "2-3", counts=(2, 3), heads_up=alone(), prices=prices())
    assert dealer.choices[0].frequencies.keys() == dealer.choices[0].worth.keys()
    with pytest.raises(InputError, match="leaves no decision to the dealer"):
        explain_table(solved(), "T-9", counts=(2, 3), heads_up=alone(), prices=prices())
    with pytest.raises(InputError, match="two numbers from 2 to 5"):
        explain_table(solved(), "2-3", counts=(2, 6), heads_up=alone(), prices=prices())


@pytest.mark.verify
def test_all_questions_are_answered_from_what_was_solved() -> None:
    told: list[str] = []
    findings = research_table(
        solved(),
        heads_up=alone(),
        solved=lambda rules, _: solved(rules),
        progress=lambda stage, done, total: told.append(stage),
    )
    keys = [finding.key for finding in findings]
    assert len(set(keys)) == len(keys) == len(told) - 1
    figures = {finding.key: finding.figures for finding in findings}
    reveal = figures["table-reveal"]
    assert reveal["dealer_value_optional_2"] == solved().dealer_value
    assert reveal["dealer_value_none_2"] == solved(SMALL.replaced({"reveal": "none"})).dealer_value
    assert reveal["dealer_value_optional_1"] == -alone().value
    assert figures["table-value"]["value_1"] == solved().values[0]
    careless = figures["table-careless"]
    assert len(careless) == len(CARELESS)
    assert min(careless.values()) > -1e-9
    rows = next(finding.table for finding in findings if finding.key == "table-open")
    assert all(list(row) == list(rows[0]) for row in rows)
    chinese = Texts("zh")
    for finding in findings:
        said = [
            finding.question,
            finding.answer,
            *(text for row in finding.table for text in (*row, *row.values())),
        ]
        shown = [chinese.shown(text) for text in said if isinstance(text, str)]
        assert [text for text in shown if re.search(r"[a-z]{3}", text)] == []
