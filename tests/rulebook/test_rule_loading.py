import tempfile
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from croupier.banluck.engine import BANLUCK, BanluckRules
from croupier.files import FileError
from croupier.rulebook import Option, Preset, RulesError, as_toml, parse_setting

OPTIONS = BanluckRules.options()
PRESETS = BANLUCK.presets

multiples = st.integers(1, 100) | st.floats(0.5, 100)
option_values = st.fixed_dictionaries(
    {},
    optional={
        "ace_values": st.sampled_from([[[10, 11], [1, 10], [1], [1]], [[11], [1, 11], [1, 11], [1]]]),
        "player_minimum": st.integers(2, 21),
        "below_minimum": st.sampled_from(["forfeit", "must_hit"]),
        "dealer_choice_max": st.integers(15, 20),
        "reveal": st.sampled_from(["optional", "mandatory", "none"]),
        "dealer_collects_multiples": st.booleans(),
        "both_bust": st.sampled_from(["player_loses", "push"]),
        "pays_777": multiples,
        "pays_ban_ban": multiples,
    },
)


def settings_of(options: dict[str, Any]) -> list[str]:
    return [f"{name}={as_toml(value)}" for name, value in options.items()]


def as_rule_file(directory: Path, text: str) -> Path:
    path = directory / "table.toml"
    path.write_text(text, encoding="utf-8")
    return path


def as_lists(value: Any) -> Any:
    return [as_lists(item) for item in value] if isinstance(value, tuple) else value


@given(st.none() | st.sampled_from([preset.name for preset in PRESETS]), option_values, option_values)
def test_settings_come_before_the_file_and_the_file_before_the_preset(
    preset: str | None, in_file: dict[str, Any], settings: dict[str, Any]
) -> None:
    base = BANLUCK.preset(preset or "reference").rules
    with tempfile.TemporaryDirectory() as directory:
        file = as_rule_file(Path(directory), "\n".join(settings_of(in_file)).replace("=", " = "))
        loaded = BANLUCK.load(preset, file, settings_of(settings))
    assert loaded == base.replaced({**in_file, **settings})
    for name in {option.name for option in OPTIONS} - set(in_file) - set(settings):
        assert getattr(loaded, name) == getattr(base, name)


def test_nothing_given_is_the_first_preset_and_the_defaults() -> None:
    assert BANLUCK.load() == PRESETS[0].rules == BanluckRules()


def test_a_later_setting_of_the_same_option_wins() -> None:
    assert BANLUCK.load(settings=["reveal=none", "reveal=mandatory"]).reveal == "mandatory"


@pytest.mark.parametrize("asked", [None, "singapore"])
def test_a_file_may_name_its_own_preset(tmp_path: Path, asked: str | None) -> None:
    file = as_rule_file(tmp_path, 'preset = "singapore"\nreveal = "none"\n')
    assert BANLUCK.load(asked, file) == BANLUCK.preset("singapore").rules.replaced({"reveal": "none"})


def test_a_file_based_on_another_preset_than_the_one_asked_for_is_refused(tmp_path: Path) -> None:
    file = as_rule_file(tmp_path, 'preset = "singapore"\n')
    with pytest.raises(RulesError) as refusal:
        BANLUCK.load("symmetric", file)
    assert (
        str(refusal.value)
        == f"rule file '{file}' is based on preset 'singapore', but preset 'symmetric' was asked for"
    )


@pytest.mark.parametrize("value", ["7", "true", "false", '["reference"]'])
def test_a_preset_that_is_no_name_is_refused(tmp_path: Path, value: str) -> None:
    with pytest.raises(RulesError, match=r"preset = .* must be a name in quotes$"):
        BANLUCK.load(file=as_rule_file(tmp_path, f"preset = {value}\n"))


@pytest.mark.parametrize(("old", "new"), [("prd", "reference"), ("prd-literal", "mandatory-reveal")])
def test_the_old_name_of_a_preset_works_and_is_not_listed(tmp_path: Path, old: str, new: str) -> None:
    rules = BANLUCK.preset(new).rules
    file = as_rule_file(tmp_path, f'preset = "{old}"\n')
    assert BANLUCK.preset(old).name == new
    assert (
        BANLUCK.load(old) == BANLUCK.load(file=file) == BANLUCK.load(new, file) == BANLUCK.rules(old) == rules
    )
    assert BANLUCK.describe(rules) == new
    with pytest.raises(RulesError) as refusal:
        BANLUCK.preset("x")
    assert "prd" not in str(refusal.value)


def test_rules_from_python_are_a_preset_with_changes() -> None:
    assert BANLUCK.rules("singapore", pays_777=21) == BANLUCK.load("singapore", settings=["pays_777=21"])
    assert BANLUCK.rules() == BanluckRules()
    assert BANLUCK.describe(BANLUCK.rules(pays_777=21)) == "reference with pays_777 = 21"


def test_an_empty_preset_name_is_unknown_and_not_the_default(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match="unknown preset ''"):
        BANLUCK.load(file=as_rule_file(tmp_path, 'preset = ""\n'))
    with pytest.raises(RulesError, match="unknown preset ''"):
        BANLUCK.load("")


@pytest.mark.parametrize(
    ("name", "meant"), [("singapur", "singapore"), ("mandatory-revael", "mandatory-reveal")]
)
def test_an_unknown_preset_is_refused_with_the_nearest_and_all_others(name: str, meant: str) -> None:
    with pytest.raises(RulesError) as refusal:
        BANLUCK.load(name)
    message = str(refusal.value)
    assert message.startswith(f"unknown preset '{name}' for banluck; did you mean '{meant}'?")
    assert all(preset.name in message for preset in PRESETS)


def test_a_mistyped_option_is_refused_with_the_one_that_was_meant(tmp_path: Path) -> None:
    file = as_rule_file(tmp_path, 'revael = "none"\n')
    with pytest.raises(RulesError) as in_file:
        BANLUCK.load(file=file)
    assert str(in_file.value).startswith(
        f"rule file '{file}': unknown option 'revael'; did you mean 'reveal'?"
    )
    with pytest.raises(
        RulesError, match=r"^unknown option 'both_burst'; did you mean 'both_bust'\? options are "
    ):
        BANLUCK.load(settings=["both_burst=push"])


def test_an_option_like_no_other_is_refused_with_all_that_exist() -> None:
    with pytest.raises(RulesError) as refusal:
        BANLUCK.load(settings=["zzz=1"])
    assert "did you mean" not in str(refusal.value)
    assert all(option.name in str(refusal.value) for option in OPTIONS)


@pytest.mark.parametrize(
    ("setting", "value", "allowed"),
    [
        ("reveal=perhaps", '"perhaps"', '"optional", "mandatory", "none"'),
        ("reveal=true", "true", '"optional", "mandatory", "none"'),
        ("player_minimum=22", "22", "a whole number from 2 to 21"),
        ("player_minimum=1", "1", "a whole number from 2 to 21"),
        ("player_minimum=true", "true", "a whole number from 2 to 21"),
        ("player_minimum=16.5", "16.5", "a whole number from 2 to 21"),
        ('player_minimum="16"', '"16"', "a whole number from 2 to 21"),
        ("dealer_choice_max=21", "21", "a whole number from 1 to 20"),
        ("five_card_bust_player=3", "3", "a whole number from 1 to 2"),
        ("dealer_collects_multiples=1", "1", "true, false"),
        ("dealer_collects_multiples=yes", '"yes"', "true, false"),
        ("pays_777=0", "0", "a number above 0, to 100"),
        ("pays_777=101", "101", "a number above 0, to 100"),
        ("pays_777=true", "true", "a number above 0, to 100"),
        ("pays_777=nan", "NaN", "a number above 0, to 100"),
        ("pays_777=seven", '"seven"', "a number above 0, to 100"),
        ("ace_values=[[1],[1],[1]]", "[[1], [1], [1]]", "four lists, for hands of 2, 3, 4 and 5 cards"),
        ("ace_values=[[11,10],[1],[1],[1]]", "[[11, 10], [1], [1], [1]]", "in ascending order"),
        ("ace_values=[[1,1],[1],[1],[1]]", "[[1, 1], [1], [1], [1]]", "in ascending order"),
        ("ace_values=[[],[1],[1],[1]]", "[[], [1], [1], [1]]", "four lists"),
        ("ace_values=[[0],[1],[1],[1]]", "[[0], [1], [1], [1]]", "from 1 to 11"),
        ("ace_values=[[12],[1],[1],[1]]", "[[12], [1], [1], [1]]", "from 1 to 11"),
        ("ace_values=[[true],[1],[1],[1]]", "[[true], [1], [1], [1]]", "whole numbers"),
        ("ace_values=11", "11", "four lists"),
    ],
)
def test_a_bad_value_is_refused_with_its_option_and_what_is_allowed(
    setting: str, value: str, allowed: str
) -> None:
    with pytest.raises(RulesError) as refusal:
        BANLUCK.load(settings=[setting])
    message = str(refusal.value)
    assert message.startswith(f"option '{setting.partition('=')[0]}': {value} is not allowed")
    assert allowed in message.partition("; allowed: ")[2]
    assert "\n" not in message


def test_every_bad_value_of_a_file_is_told_at_once(tmp_path: Path) -> None:
    file = as_rule_file(tmp_path, 'reveal = "perhaps"\nplayer_minimum = 30\n')
    with pytest.raises(RulesError) as refusal:
        BANLUCK.load(file=file)
    assert str(refusal.value).startswith(f"rule file '{file}': option '")
    assert "'reveal': \"perhaps\"" in str(refusal.value)
    assert "'player_minimum': 30" in str(refusal.value)


def test_a_range_of_choice_below_the_dealers_minimum_is_refused() -> None:
    with pytest.raises(RulesError) as refusal:
        BANLUCK.load(settings=["dealer_minimum=19"])
    assert "option 'dealer_choice_max': 17" in str(refusal.value)
    assert "dealer_minimum = 19" in str(refusal.value)
    assert str(refusal.value).endswith("allowed: 18 to 20")


def test_a_dealer_may_be_left_without_any_choice() -> None:
    rules = BANLUCK.load(settings=["dealer_minimum=18", "dealer_choice_max=17"])
    assert rules.dealer_choice_max < rules.dealer_minimum


def test_a_typo_in_the_toml_itself_is_refused_with_its_line(tmp_path: Path) -> None:
    file = as_rule_file(tmp_path, 'reveal = "none"\nplayer_minimum 16\n')
    with pytest.raises(RulesError, match=r"is not TOML: .*line 2"):
        BANLUCK.load(file=file)


def test_a_missing_rule_file_is_named_as_one(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"^rule file '.*missing\.toml': there is no such file$"):
        BANLUCK.load(file=tmp_path / "missing.toml")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("key=none", "none"),
        (" key = must_hit ", "must_hit"),
        ('key="none"', "none"),
        ("key=mandatory-reveal", "mandatory-reveal"),
        ("key=16", 16),
        ("key=1.5", 1.5),
        ("key=true", True),
        ("key=[[10,11],[1]]", [[10, 11], [1]]),
        ('key="a=b"', "a=b"),
    ],
)
def test_a_setting_is_toml_or_a_bare_word(text: str, value: object) -> None:
    key, parsed = parse_setting(text)
    assert (key, parsed, type(parsed)) == ("key", value, type(value))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("reveal", "no '='"),
        ("", "no '='"),
        ("=none", "no option name before '='"),
        ("reveal=", "cannot read the value ''"),
        ("reveal=two words", "cannot read the value 'two words'"),
        ("ace_values=[[1]", "cannot read the value '[[1]'"),
        ("a=1\nb=2", "more than one value"),
        ("a=1\n[table]", "more than one value"),
    ],
)
def test_a_setting_that_cannot_be_read_is_refused_by_name(text: str, complaint: str) -> None:
    with pytest.raises(RulesError) as refusal:
        BANLUCK.load(settings=[text])
    assert str(refusal.value).startswith(f"setting '{text}': {complaint}")


@pytest.mark.parametrize("value", ["1" * 5000, "[" * 3000], ids=["5000 digits", "3000 brackets"])
def test_a_value_too_large_for_the_reader_is_refused(tmp_path: Path, value: str) -> None:
    with pytest.raises(RulesError, match="player_minimum"):
        BANLUCK.load(settings=[f"player_minimum={value}"])
    with pytest.raises(RulesError, match="rule file"):
        BANLUCK.load(file=as_rule_file(tmp_path, f"player_minimum = {value}\n"))


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_every_option_says_what_it_means_and_what_it_allows(option: Option) -> None:
    assert len(option.meaning.split()) >= 4
    assert option.allowed.strip()
    assert tomllib.loads(f"value = {as_toml(option.default)}")["value"] == as_lists(option.default)


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_every_preset_is_read_back_from_its_toml(tmp_path: Path, preset: Preset[BanluckRules]) -> None:
    options = preset.rules.model_dump()
    text = "".join(f"{name} = {as_toml(value)}\n" for name, value in options.items())
    assert {name: as_lists(value) for name, value in options.items()} == tomllib.loads(text)
    assert BANLUCK.load(file=as_rule_file(tmp_path, text)) == preset.rules


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_every_preset_is_valid_hashable_frozen_and_its_changes_rebuild_it(
    preset: Preset[BanluckRules],
) -> None:
    again = BanluckRules.create(preset.rules.model_dump())
    assert again == preset.rules
    assert hash(again) == hash(preset.rules)
    assert BanluckRules.create(preset.rules.changes()) == preset.rules
    with pytest.raises(ValidationError, match="frozen"):
        preset.rules.reveal = "none"  # type: ignore[misc]
    assert BANLUCK.preset(preset.name) is preset


def test_presets_differ_in_name_and_in_rules() -> None:
    assert (
        len({preset.name for preset in PRESETS}) == len({preset.rules for preset in PRESETS}) == len(PRESETS)
    )


numbers = st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False)


@given(st.recursive(numbers | st.from_regex(r"[A-Za-z♠♥ \"\\-]*", fullmatch=True), st.lists, max_leaves=8))
def test_any_value_of_a_rule_file_is_read_back_from_its_toml(value: object) -> None:
    assert tomllib.loads(f"value = {as_toml(value)}") == {"value": value}
