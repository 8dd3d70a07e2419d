"""The rule sets of the cross-tests hold every value of every option, and a new option makes itself felt."""

import pytest
from pydantic import Field, StrictInt

from croupier.durak.engine.rules import DurakRules
from tests.durak.rule_sets import COMPILED_RULE_SETS, RULE_SETS, values_of


def test_every_value_of_every_option_is_in_a_rule_set() -> None:
    for name, field in DurakRules.model_fields.items():
        assert {getattr(rules, name) for rules in RULE_SETS} == set(values_of(name, field))
    assert len({rules.model_dump_json() for rules in RULE_SETS}) == len(RULE_SETS)


def test_a_new_option_without_values_to_try_is_refused() -> None:
    class LargerRules(DurakRules):
        hand_size: StrictInt = Field(default=6, description="cards in a hand")

    with pytest.raises(LookupError, match="option 'hand_size' of durak: say in VALUES"):
        values_of("hand_size", LargerRules.model_fields["hand_size"])


def test_the_compiled_positions_are_used_for_those_rules_only_that_they_know() -> None:
    compiled = {rules.model_dump_json() for rules in COMPILED_RULE_SETS}
    assert len(compiled) == 4
    for rules in RULE_SETS:
        playing = rules.replaced(
            {"lead_after_fool": "lowest_trump", "transfer_in_first_bout": True}
            | ({} if rules.throw_in == "none" else {"throw_in": "all"})
        )
        assert rules.is_compiled is (playing.model_dump_json() in compiled)
