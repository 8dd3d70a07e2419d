"""Options as text: TOML files and ``key=value`` settings."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from croupier.files import read_text
from croupier.rulebook.errors import RulesError

_BARE_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:/+-]*")


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
    croupier.rulebook.errors.RulesError: setting 'reveal': no '='; write key=value
    """
    key, equals, value = (part.strip() for part in text.partition("="))
    if not equals:
        raise RulesError(f"setting '{text}': no '='; write key=value")
    if not key:
        raise RulesError(f"setting '{text}': no option name before '='; write key=value")
    try:
        parsed = tomllib.loads(f"value = {value}")
    except (ValueError, RecursionError):
        if _BARE_WORD.fullmatch(value):
            return key, value
        raise RulesError(
            f"setting '{text}': cannot read the value '{value}'; write a number, true, false, a word, or a TOML list"
        ) from None
    if set(parsed) != {"value"}:
        raise RulesError(f"setting '{text}': more than one value; give each option its own setting")
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
