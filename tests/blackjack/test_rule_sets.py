"""The rule sets of the cross-tests leave nothing out, and are the same every time."""

from itertools import islice

from croupier.blackjack.engine.rules import BlackjackRules
from tests.blackjack.rule_sets import option_values, rule_sets, solvable


def test_every_value_of_every_option_comes_up() -> None:
    dealt = list(islice(rule_sets("coverage"), 24))
    for name, values in option_values().items():
        assert {getattr(rules, name) for rules in dealt} == set(values), name
    assert set(option_values()) == set(BlackjackRules.model_fields)


def test_they_also_do_where_the_solver_refuses_some() -> None:
    dealt = [solvable(rules) for rules in islice(rule_sets("solvable"), 40)]
    for name, values in option_values().items():
        assert {getattr(rules, name) for rules in dealt} == set(values), name


def test_a_seed_deals_the_same_rule_sets() -> None:
    one, same, other = (list(islice(rule_sets(seed), 5)) for seed in (1, 1, 2))
    assert one == same != other
