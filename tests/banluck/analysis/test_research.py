import json
import math
from collections.abc import Callable

import pytest

from croupier.banluck.analysis.findings import Finding
from croupier.banluck.analysis.research import research, sensitivity_finding
from croupier.banluck.analysis.sensitivity import (
    ALTERNATIVES,
    game_value,
    pair_sensitivity,
    sensitivity,
    strongest_changes,
)
from croupier.banluck.analysis.solution import Solution
from croupier.banluck.engine import BANLUCK, BanluckRules
from tests.long_cases import cases

Solved = Callable[[str], Solution]
PRESETS = [preset.name for preset in BANLUCK.presets]


def by_key(findings: tuple[Finding, ...]) -> dict[str, Finding]:
    return {finding.key: finding for finding in findings}


@pytest.mark.parametrize("preset", cases(PRESETS, long=["singapore", "xi-dach"]))
def test_every_question_is_answered_with_figures_or_a_table(solved: Solved, preset: str) -> None:
    solution = solved(preset)
    findings = research(solution)
    assert len(by_key(findings)) == len(findings) == 12
    for finding in findings:
        assert finding.figures or finding.table, finding.key
        assert "nan" not in finding.answer
        assert all(math.isfinite(figure) for figure in finding.figures.values())
        json.dumps(finding.to_dict())


def test_the_reveal_and_the_surrender_are_worth_the_difference_of_two_games(solved: Solved) -> None:
    found = by_key(research(solved("reference")))
    mandatory = game_value(BanluckRules(reveal="mandatory"))
    assert found["reveal"].figures["reveal_worth"] == pytest.approx(
        mandatory - game_value(BanluckRules()), abs=1e-6
    )
    without = game_value(BanluckRules(surrender="none"))
    assert found["surrender"].figures["surrender_worth"] == pytest.approx(
        without - game_value(BanluckRules()), abs=1e-6
    )


def test_no_figure_of_one_player_is_multiplied_by_the_number_of_players(solved: Solved) -> None:
    """The dealer's one draw serves all closed hands; only a dealer who ignores card counts plays k separate games."""
    finding = by_key(research(solved("reference")))["several-players"]
    without_counts = game_value(BanluckRules(reveal="none"))
    assert finding.figures == {
        "bank_worth_per_player_without_card_counts": pytest.approx(-without_counts, abs=1e-6)
    }
    assert "not simply multiplied" in finding.answer


def test_do_i_hit_16_lists_every_composition(solved: Solved) -> None:
    book = solved("reference").book
    rows = by_key(research(solved("reference")))["hit-16"].table
    assert len(rows) == sum(advice.value.total == 16 for advice in book.player_decisions)


def test_every_option_has_alternatives_that_include_its_default() -> None:
    defaults = BanluckRules()
    assert set(ALTERNATIVES) == set(BanluckRules.model_fields)
    for option, values in ALTERNATIVES.items():
        assert getattr(defaults, option) in values


def test_a_single_change_is_the_difference_of_two_certified_values() -> None:
    base = BanluckRules()
    for row in sensitivity(base, options=["surrender", "pays_ban_luck"]).rows:
        assert row.change == pytest.approx(
            game_value(base.replaced({row.option: row.value})) - game_value(base), abs=1e-12
        )


def test_an_extra_unit_on_ban_luck_is_worth_its_probability() -> None:
    """Ban Luck is settled at the deal, so paying one more is worth exactly how often it wins unvoided."""
    rows = {
        row.value: row for row in sensitivity(BanluckRules(surrender="none"), options=["pays_ban_luck"]).rows
    }
    wins = 2 * 4 * 16 / (52 * 51) * (1 - (3 * 2 / 2 + 3 * 15) / 1225)
    assert rows[3].change == pytest.approx(wins, abs=2e-7)


def test_pairs_leave_out_what_the_rules_forbid_and_add_up_where_options_do_not_touch() -> None:
    rows = sensitivity(options=["pays_ban_ban", "five_card_mirror", "reveal"]).rows
    pairs = pair_sensitivity(BanluckRules(), strongest_changes(rows))
    assert {frozenset((pair.first.option, pair.second.option)) for pair in pairs} == {
        frozenset(("pays_ban_ban", "five_card_mirror")),
        frozenset(("pays_ban_ban", "reveal")),
        frozenset(("five_card_mirror", "reveal")),
    }
    for pair in pairs:
        assert pair.interaction == pytest.approx(
            pair.change - pair.first.change - pair.second.change, abs=1e-15
        )
        if pair.first.option == "pays_ban_ban" or pair.second.option == "pays_ban_ban":
            assert abs(pair.interaction) < 3e-7, "Ban Ban is settled before anybody decides"


def test_the_sensitivity_finding_names_idle_options() -> None:
    finding = sensitivity_finding(sensitivity(options=["surrender", "below_minimum"]))
    assert 'surrender = "none"' in finding.answer
    assert 'below_minimum = "must_hit"' in finding.answer.split("change nothing")[1]
