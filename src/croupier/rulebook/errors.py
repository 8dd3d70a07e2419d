"""Errors about rules, and their wording."""

import difflib
from collections.abc import Iterable

from croupier.errors import InputError


class RulesError(InputError):
    """An impossible rule set: an unknown option, a bad value, or options that contradict each other."""


def suggestion(name: str, known: Iterable[str], plural: str) -> str:
    """Offer the nearest known name, and all of them."""
    names = list(known)
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f"did you mean '{close[0]}'? " if close else ""
    return f"{hint}{plural} are {', '.join(names)}"
