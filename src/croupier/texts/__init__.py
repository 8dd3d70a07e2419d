"""The texts of the web app in every language, from the files in this folder."""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

#: The languages in the order of the menu, with their own names.
LANGUAGES = {"en": "English", "ru": "Русский"}
DEFAULT_LANGUAGE = "en"


class Texts:
    """The texts of one language.

    Examples
    --------
    >>> Texts("en")("shell.language"), Texts("ru")("shell.language")
    ('Language', 'Язык')
    """

    def __init__(self, language: str) -> None:
        self.language = language if language in LANGUAGES else DEFAULT_LANGUAGE
        self._texts = load_texts(self.language)

    def __call__(self, key: str, **values: object) -> str:
        """Return the text of a key, with values inserted for their names."""
        return self._texts[key].format_map(values) if values else self._texts[key]


@cache
def load_texts(language: str) -> Mapping[str, str]:
    """Read all texts of a language from all its files; the parts of a key are joined by dots.

    >>> load_texts("en")["nav.home"]
    'Home'
    """
    merged: dict[str, str] = {}
    for file in files("croupier.texts").iterdir():
        if file.name.endswith(f"{language}.toml"):
            merged.update(_flat(tomllib.loads(file.read_text(encoding="utf-8"))))
    return merged


def _flat(tree: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for key, value in tree.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", str(value)
