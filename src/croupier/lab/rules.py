"""Rules as data: one frozen, validated record a game, from a preset, a TOML file and settings.

A game declares its options as the fields of a :class:`Rules` subclass, each with a description,
and gathers its presets in a :class:`RuleBook`. Everything else is shared: reading files and
``key=value`` settings, errors that name the key, the value and the allowed ones, and the table of
options that ``croupier rules`` prints.
"""

import difflib
import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Literal, Self, TypeVar, get_args, get_origin

from annotated_types import Ge, Gt, Le
from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.fields import FieldInfo

from croupier.errors import InputError
from croupier.lab.files import read_text

_BARE_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:/+-]*")


class RulesError(InputError):
    """A rule set that cannot be: an unknown option, a bad value, or options that contradict each other."""


@dataclass(frozen=True, slots=True)
class Option:
    """What a person needs to know of one option; ``choices`` are all its values, where there are few."""

    name: str
    default: object
    allowed: str
    meaning: str
    choices: tuple[object, ...] = ()


class Rules(BaseModel):
    """Base of every game's rules: frozen, hashable, closed to unknown options."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, validate_default=True)

    @classmethod
    def create(cls, options: Mapping[str, Any]) -> Self:
        """Build rules from option values; the error for a bad one fits on one line.

        Raises
        ------
        RulesError
            Naming the option, the value and what is allowed.
        """
        for name in options:
            cls._verify_known(name)
        try:
            return cls.model_validate(dict(options))
        except ValidationError as error:
            raise RulesError("; ".join(cls._complaints(error, options))) from None

    @classmethod
    def options(cls) -> tuple[Option, ...]:
        """Describe every option, in the order of declaration."""
        return tuple(
            Option(
                name, field.get_default(), _allowed_values(field), field.description or "", _choices(field)
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
        raise RulesError(f"unknown option '{name}'; {_suggestion(name, cls.model_fields, 'options')}")

    @classmethod
    def _complaints(cls, error: ValidationError, options: Mapping[str, Any]) -> Iterable[str]:
        """Say each problem once: a nested value can break several of pydantic's checks at a time."""
        told: set[str] = set()
        for problem in error.errors():
            message = problem["msg"].removeprefix("Value error, ")
            if not problem["loc"]:
                yield message
                continue
            name = str(problem["loc"][0])
            if name not in told:
                told.add(name)
                detail = f" ({message})" if problem["type"] == "value_error" else ""
                allowed = _allowed_values(cls.model_fields[name])
                yield f"option '{name}': {as_toml(options[name])} is not allowed{detail}; allowed: {allowed}"


RulesT = TypeVar("RulesT", bound=Rules)


@dataclass(frozen=True, slots=True)
class Preset(Generic[RulesT]):
    """A named rule set of a real or documented table."""

    name: str
    meaning: str
    rules: RulesT


@dataclass(frozen=True, slots=True)
class RuleBook(Generic[RulesT]):
    """The rules of one game: their model and their presets, the first of which is the default."""

    game: str
    model: type[RulesT]
    presets: tuple[Preset[RulesT], ...]

    def preset(self, name: str) -> Preset[RulesT]:
        """Find a preset by name."""
        for preset in self.presets:
            if preset.name == name:
                return preset
        names = [preset.name for preset in self.presets]
        raise RulesError(f"unknown preset '{name}' for {self.game}; {_suggestion(name, names, 'presets')}")

    def load(
        self, preset: str | None = None, file: Path | None = None, settings: Iterable[str] = ()
    ) -> RulesT:
        """Compose rules: a preset, changed by a TOML file, changed by ``key=value`` settings.

        A file may name its own preset (``preset = "..."``), as long as the caller names no other.
        """
        options = read_rule_file(file) if file is not None else {}
        own_preset = options.pop("preset", None)
        if own_preset is not None and not isinstance(own_preset, str):
            raise RulesError(f"rule file '{file}': preset = {as_toml(own_preset)} must be a name in quotes")
        if preset is not None and own_preset is not None and preset != own_preset:
            raise RulesError(
                f"rule file '{file}' is based on preset '{own_preset}', but preset '{preset}' was asked for"
            )
        changes = dict(parse_setting(setting) for setting in settings)
        if preset is not None or own_preset is None:
            base = self.preset(self.presets[0].name if preset is None else preset).rules
            return self._changed(base, file, options, changes)
        with _blaming(file):
            base = self.preset(own_preset).rules
        return self._changed(base, file, options, changes)

    @staticmethod
    def _changed(
        base: RulesT, file: Path | None, options: Mapping[str, Any], changes: Mapping[str, Any]
    ) -> RulesT:
        """Apply a file's options and the settings together; if the file is wrong by itself, say that it is."""
        try:
            return base.replaced({**options, **changes})
        except RulesError:
            with _blaming(file):
                base.replaced({name: value for name, value in options.items() if name not in changes})
            raise


@contextmanager
def _blaming(file: Path | None) -> Iterator[None]:
    """Put the name of the file before what is wrong in it."""
    try:
        yield
    except RulesError as error:
        raise RulesError(f"rule file '{file}': {error}") from None


def read_rule_file(path: Path) -> dict[str, Any]:
    """Read a TOML rule file into a dictionary of options."""
    text = read_text(path, what="rule file")
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise RulesError(f"rule file '{path}' is not TOML: {error}") from None


def parse_setting(text: str) -> tuple[str, Any]:
    """Read ``key=value``; the value is TOML, and a bare word is taken as a string.

    Examples
    --------
    >>> parse_setting("reveal=none")
    ('reveal', 'none')
    >>> parse_setting("ace_values=[[10,11],[1,10],[1],[1]]")
    ('ace_values', [[10, 11], [1, 10], [1], [1]])
    >>> parse_setting("reveal")
    Traceback (most recent call last):
    croupier.lab.rules.RulesError: setting 'reveal': no '='; write key=value, such as reveal=none
    """
    key, equals, value = (part.strip() for part in text.partition("="))
    if not equals:
        raise RulesError(f"setting '{text}': no '='; write key=value, such as reveal=none")
    if not key:
        raise RulesError(f"setting '{text}': no option name before '='; write key=value, such as reveal=none")
    try:
        parsed = tomllib.loads(f"value = {value}")
    except (ValueError, RecursionError):
        if _BARE_WORD.fullmatch(value):
            return key, value
        raise RulesError(
            f"setting '{text}': cannot read the value '{value}'; write a number, true, false, a word, or a TOML list"
        ) from None
    if set(parsed) != {"value"}:
        raise RulesError(f"setting '{text}': more than one value; give each option a setting of its own")
    return key, parsed["value"]


def as_toml(value: object) -> str:
    """Write an option's value the way a rule file spells it.

    >>> as_toml("none"), as_toml(True), as_toml(((10, 11), (1,))), as_toml(2.0)
    ('"none"', 'true', '[[10, 11], [1]]', '2')
    """
    if isinstance(value, list | tuple):
        return f"[{', '.join(as_toml(item) for item in value)}]"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return json.dumps(value, ensure_ascii=False, default=str)


def _allowed_values(field: FieldInfo) -> str:
    """Say in words which values a field takes, from its type and its bounds."""
    extra = field.json_schema_extra
    if isinstance(extra, dict) and "allowed" in extra:
        return str(extra["allowed"])
    if get_origin(field.annotation) is Literal:
        return ", ".join(as_toml(choice) for choice in get_args(field.annotation))
    if field.annotation is bool:
        return "true, false"
    kind = "a whole number" if field.annotation is int else "a number"
    bounds = []
    for limit in field.metadata:
        match limit:
            case Ge():
                bounds.append(f"from {limit.ge}")
            case Gt():
                bounds.append(f"above {limit.gt},")
            case Le():
                bounds.append(f"to {limit.le}")
    return " ".join([kind, *bounds])


def _choices(field: FieldInfo) -> tuple[object, ...]:
    """List all values of a field that is a choice."""
    if field.annotation is bool:
        return (True, False)
    return get_args(field.annotation) if get_origin(field.annotation) is Literal else ()


def _suggestion(name: str, known: Iterable[str], plural: str) -> str:
    """Offer the nearest known name, and all of them."""
    names = list(known)
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f"did you mean '{close[0]}'? " if close else ""
    return f"{hint}{plural} are {', '.join(names)}"
