"""Tables of two, solved from the whole pack: all presets, and rule sets that hold every value of every option."""

import numpy as np
import pytest

from croupier.banluck.engine import BANLUCK, BanluckRules
from croupier.banluck.solvers.table.equilibrium import TableRun, solve_two_players
from croupier.banluck.solvers.table.strategy import Information
from croupier.banluck.solvers.table.two_players import TwoPlayerGame
from tests.banluck.rule_sets import COVERING, VALUES, random_rules

PRESETS = {preset.name: preset.rules for preset in BANLUCK.presets}
RULE_SETS: dict[str, BanluckRules] = {
    **PRESETS,
    **{f"covering {number}": rules for number, rules in enumerate(COVERING)},
    **{f"random {number}": random_rules(number) for number in range(max(10 - len(COVERING), 3))},
}

#: Dealer's units per hand from both players, as published.
DEALER_VALUES = {
    "reference": 0.023393,
    "mandatory-reveal": -0.018791,
    "symmetric": 0.154980,
    "singapore": 0.021740,
}


def test_the_rule_sets_hold_every_value_of_every_option() -> None:
    for name, values in VALUES.items():
        assert {getattr(rules, name) for rules in RULE_SETS.values()} >= set(values), name


@pytest.mark.verify
@pytest.mark.parametrize("name", RULE_SETS)
def test_nobody_at_a_solved_table_can_gain(name: str) -> None:
    solved = solve_two_players(RULE_SETS[name])
    found = solved.certificate
    assert found.largest_gain <= 1e-6
    assert min(*found.gains, found.dealer_gain) > -1e-12
    assert found.dealer_value == pytest.approx(-sum(found.values), abs=1e-12)
    if name in DEALER_VALUES:
        assert found.dealer_value == pytest.approx(DEALER_VALUES[name], abs=2e-6)


@pytest.mark.verify
@pytest.mark.parametrize("name", PRESETS)
def test_a_dealer_who_forgets_opened_cards_earns_no_more(name: str) -> None:
    """Against the same seats: what is remembered can only help. And nobody gains at the table of those who forget."""
    solved = solve_two_players(PRESETS[name], information="counts")
    assert solved.certificate.largest_gain <= 1e-6
    knows = TwoPlayerGame(PRESETS[name]).certify(solved.strategy)
    assert knows.values == pytest.approx(solved.certificate.values, abs=1e-12)
    assert knows.dealer_gain >= solved.certificate.dealer_gain - 1e-12


class Stopped(Exception):  # noqa: N818 - a person's wish
    """Somebody pressed Ctrl-C."""


@pytest.mark.verify
@pytest.mark.parametrize("information", ["full", "counts"])
def test_a_stopped_solve_is_resumed_as_if_it_had_not_been_stopped(information: Information) -> None:
    rules = PRESETS["mandatory-reveal"]
    kept: list[TableRun] = []

    def keep(run: TableRun) -> None:
        kept.append(run)
        if run.mixing is not None and len(run.mixing.cuts) == 4:
            raise Stopped

    whole = solve_two_players(rules, information=information)
    assert whole.mixed > 1
    with pytest.raises(Stopped):
        solve_two_players(rules, information=information, keep=keep)
    resumed = solve_two_players(rules, information=information, run=kept[-1])
    assert resumed.certificate.values == whole.certificate.values
    assert resumed.certificate.gains == whole.certificate.gains
    assert np.array_equal(resumed.strategy.dealer.closed, whole.strategy.dealer.closed)
