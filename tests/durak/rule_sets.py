"""Rule sets made from the fields of the rules model, so that a new option is tested without being named here.

An option that is neither true/false nor one of a few named values has no values of its own to try: give it some in
``VALUES``. Until then, importing this module fails, and with it every test that compares two readings of the rules.
"""

from collections.abc import Mapping
from itertools import product
from typing import Any, Literal, get_args, get_origin

from pydantic.fields import FieldInfo

from croupier.durak.engine.rules import DurakRules

#: Values to try of options whose type does not list them.
VALUES: Mapping[str, tuple[Any, ...]] = {}


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

#: Every combination of every value of every option.
RULE_SETS = [
    DurakRules.create(dict(zip(_OPTIONS, values, strict=True))) for values in product(*_OPTIONS.values())
]
RULE_SET_NAMES = [rule_set_name(rules) for rules in RULE_SETS]
