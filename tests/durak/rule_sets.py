"""Rule sets made from the fields of the rules model, so that a new option is tested without being named here.

An option that is neither true/false nor one of a few named values has no values of its own to try: give it some in
``VALUES``. Until then, importing this module fails, and with it every test that compares two readings of the rules.
"""

from collections.abc import Iterable, Mapping
from itertools import product
from typing import Any, Literal, get_args, get_origin

from pydantic.fields import FieldInfo

from croupier.durak.engine.rules import DURAK, DurakRules
from croupier.rulebook import RulesError

#: Values to try of options whose type does not list them.
VALUES: Mapping[str, tuple[Any, ...]] = {"players": (2, 3, 4, 5, 6)}


def values_of(name: str, field: FieldInfo) -> tuple[Any, ...]:
    """Return the values to try of an option."""
    if field.annotation is bool:
        return (False, True)
    if get_origin(field.annotation) is Literal:
        return get_args(field.annotation)
    if name not in VALUES:
        raise LookupError(f"option '{name}' of durak: say in VALUES which values the tests are to try")
    return VALUES[name]


def rule_set_name(rules: DurakRules) -> str:
    """Name a rule set by what differs from the protocol."""
    return ",".join(f"{name}={value}" for name, value in rules.changes().items()) or "protocol"


_OPTIONS = {name: values_of(name, field) for name, field in DurakRules.model_fields.items()}


def _neighbours(base: DurakRules) -> Iterable[DurakRules]:
    """Return a rule set, and every one that differs from it in one option."""
    yield base
    for name, values in _OPTIONS.items():
        for value in values:
            if value != getattr(base, name):
                try:
                    yield base.replaced({name: value})
                except RulesError:  # too few cards for so many players, or teams that are not equal
                    continue


def _distinct(rule_sets: Iterable[DurakRules]) -> list[DurakRules]:
    return list({rules.model_dump_json(): rules for rules in rule_sets}.values())


#: Every combination of the options that the compiled positions read.
COMPILED_RULE_SETS = [
    rules
    for values in product((False, True), repeat=2)
    if (rules := DurakRules(six_card_cap=values[0], five_card_first_bout=values[1])).is_compiled
]
COMPILED_RULE_SET_NAMES = [rule_set_name(rules) for rules in COMPILED_RULE_SETS]

#: Each preset; and each value of each option, changed by itself in a game of two and in one of four.
RULE_SETS = _distinct(
    [
        *(preset.rules for preset in DURAK.presets),
        *_neighbours(DurakRules()),
        *_neighbours(DURAK.preset("proezdnoy").rules),
    ]
)
