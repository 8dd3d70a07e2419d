"""The base of every game's rules: frozen options with descriptions, and errors that name option, value and what is allowed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Self, get_args, get_origin

from annotated_types import Ge, Gt, Le
from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.fields import FieldInfo

from croupier.rulebook.errors import RulesError, suggestion
from croupier.rulebook.settings import as_toml
from croupier.texts import in_row, original, say


@dataclass(frozen=True, slots=True)
class Option:
    """One option of the rules, described for people; ``choices`` lists its values where there are few."""

    name: str
    default: object
    allowed: str
    meaning: str
    choices: tuple[object, ...] = ()


class Rules(BaseModel):
    """Base of every game's rules: frozen, hashable, closed to unknown options."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, validate_default=True)

    if not TYPE_CHECKING:  # type checkers see the options, which pydantic's plugin makes of the fields

        def __init__(self, **options: Any) -> None:
            for name in options:
                self._verify_known(name)
            try:
                super().__init__(**options)
            except ValidationError as error:
                raise RulesError(in_row(list(self._complaints(error, options)), "list.semicolons")) from None

    @classmethod
    def create(cls, options: Mapping[str, Any]) -> Self:
        """Build rules from option values, as ``cls(**options)`` does; the error for a bad one fits on one line.

        Raises
        ------
        RulesError
            Naming the option, the value and what is allowed.
        """
        return cls(**options)

    @classmethod
    def options(cls) -> tuple[Option, ...]:
        """Describe every option, in the order of declaration."""
        return tuple(
            Option(
                name,
                field.get_default(),
                _allowed_values(name, field),
                field.description or "",
                _choices(field),
            )
            for name, field in cls.model_fields.items()
        )

    def replaced(self, options: Mapping[str, Any]) -> Self:
        """Return these rules with some options changed, validated again."""
        return self.create({**self.model_dump(), **options})

    def changes(self, base: Self | None = None) -> dict[str, Any]:
        """Return the options that differ from another rule set (from the defaults if none is given)."""
        other = (base or type(self)()).model_dump()
        return {name: value for name, value in self.model_dump().items() if value != other[name]}

    @classmethod
    def _verify_known(cls, name: str) -> None:
        if name in cls.model_fields:
            return
        raise RulesError(f"unknown option '{name}'; {suggestion(name, cls.model_fields, 'options')}")

    @classmethod
    def _complaints(cls, error: ValidationError, options: Mapping[str, Any]) -> Iterable[str]:
        """Say each problem once: a nested value can break several of pydantic's checks at a time."""
        told: set[str] = set()
        for problem in error.errors():
            raised = problem.get("ctx", {}).get("error")
            message = raised.args[0] if isinstance(raised, ValueError) else problem["msg"]
            if not problem["loc"]:
                yield message
                continue
            name = str(problem["loc"][0])
            if name not in told:
                told.add(name)
                key = "value_because" if problem["type"] == "value_error" else "value"
                allowed = _allowed_values(name, cls.model_fields[name])
                yield say(
                    f"rules.refused.{key}",
                    name=name,
                    value=as_toml(options[name]),
                    because=message,
                    allowed=allowed,
                )


def _allowed_values(name: str, field: FieldInfo) -> str:
    """Say in words which values a field takes, from its type and its bounds."""
    extra = field.json_schema_extra
    if isinstance(extra, dict) and "allowed" in extra:
        return original(f"rules.allowed.{name}", str(extra["allowed"]))
    if get_origin(field.annotation) is Literal:
        return ", ".join(as_toml(choice) for choice in get_args(field.annotation))
    if field.annotation is bool:
        return "true, false"
    key = "whole" if field.annotation is int else "number"
    bounds: dict[str, Any] = {}
    for limit in field.metadata:
        match limit:
            case Ge():
                key, bounds["low"] = f"{key}_from", limit.ge
            case Gt():
                key, bounds["low"] = f"{key}_above", limit.gt
            case Le():
                key, bounds["high"] = f"{key}_to", limit.le
    return say(f"rules.allowed.{key}", **bounds)


def _choices(field: FieldInfo) -> tuple[object, ...]:
    """List all values of a field that is a choice."""
    if field.annotation is bool:
        return (True, False)
    return get_args(field.annotation) if get_origin(field.annotation) is Literal else ()
