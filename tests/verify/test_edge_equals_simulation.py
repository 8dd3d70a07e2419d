"""The exact value of the best chart against 100 million dealt rounds, for rule sets that cover every value of every option.

The exact value is that of a freshly shuffled shoe. A cut card makes the average of a whole shoe differ from it (docs/methods/blackjack.md), so
shoes are shuffled every round here, or the cut card lies so high that a shoe has one round, or packs are infinite.
"""

from itertools import islice

import pytest

from croupier import blackjack
from tests.blackjack.rule_sets import option_values, rule_sets, solvable

RULE_SETS = 60
ROUNDS = 100_000_000

#: The cut card is reached by the first four cards of any shoe.
ONE_ROUND_PER_SHOE = 0.005


def without_cut_card_effect(rules: blackjack.Rules) -> blackjack.Rules:
    """Change how the shoe ends, and nothing else, so that every round has the value of the first one."""
    if rules.shuffle == "continuous" or rules.decks == "infinite":
        return rules
    return rules.replaced({"penetration": ONE_ROUND_PER_SHOE})


COMPARED = [without_cut_card_effect(solvable(rules)) for rules in islice(rule_sets("edge"), RULE_SETS)]


def test_the_rule_sets_cover_every_value_of_every_option() -> None:
    for name, values in option_values().items():
        assert set(values) <= {getattr(rules, name) for rules in COMPARED}, name


@pytest.mark.parametrize("number", range(RULE_SETS))
def test_the_exact_value_is_the_simulated_one(number: int) -> None:
    rules = COMPARED[number]
    best = blackjack.analyse(rules)
    result = blackjack.simulate(rules, best.chart, rounds=ROUNDS, seed=number)
    error = (result.value - best.chart_edge) / result.stderr
    print(f"{number}: exact {best.chart_edge:+.6%}, dealt {result.value:+.6%}, {error:+.2f} standard errors")
    assert abs(error) < 4
