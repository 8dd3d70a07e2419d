"""The texts of a language, from the files in this folder."""

import tomllib
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from functools import cache
from importlib.resources import files
from typing import Any

from croupier.texts.locale import LOCALES, LocalFormatter

#: The languages in the order of the menu, with their own names.
LANGUAGES = {"en": "English", "ru": "Русский", "zh": "中文", "vi": "Tiếng Việt"}
DEFAULT_LANGUAGE = "en"

#: The languages as HTML names them, for fonts and screen readers.
HTML_LANGUAGES = {"en": "en", "ru": "ru", "zh": "zh-Hans", "vi": "vi"}


class Said(str):
    """English text that can be put into another language."""

    def shown_in(self, texts: "Texts") -> str:
        """Return it in a language."""
        raise NotImplementedError


class Texts:
    """The texts of one language.

    Examples
    --------
    >>> Texts("en")("shell.language"), Texts("ru")("shell.language")
    ('Language', 'Язык')
    """

    def __init__(self, language: str) -> None:
        self.language = language if language in LANGUAGES else DEFAULT_LANGUAGE
        self.locale = LOCALES[self.language]
        self._texts = load_texts(self.language)
        self._formatter = LocalFormatter(self.locale, self.shown)

    def __call__(self, key: str, /, **values: Any) -> str:
        """Return the text of a key, with values inserted for their names; English where there is no translation."""
        template = self._texts.get(key) or load_texts(DEFAULT_LANGUAGE)[key]
        return self._formatter.vformat(template, (), values) if values else template

    def __contains__(self, key: str) -> bool:
        return key in self._texts

    def shown(self, text: str) -> str:
        """Put a phrase or a figure into this language; other text stays as it is.

        >>> Texts("ru").shown("7C")
        '7C'
        """
        return text.shown_in(self) if isinstance(text, Said) else text

    def number(self, value: float, spec: str = "") -> str:
        """Write a number as this language does, by a Python format.

        >>> Texts("ru").number(0.5, ".2f")
        '0,50'
        """
        return self.locale.number(value, spec)

    def day(self, day: date) -> str:
        """Write a date.

        >>> Texts("en").day(date(2026, 11, 18)), Texts("zh").day(date(2026, 11, 18))
        ('18 Nov 2026', '2026年11月18日')
        """
        return self("date.day", day=day.day, month=self._month(day), year=f"{day:%Y}")

    def moment(self, moment: datetime) -> str:
        """Write a date of these months with its time, as the clock of this machine has it.

        >>> Texts("vi").moment(datetime(2026, 11, 18, 9, 5).astimezone())
        '18/11, 09:05'
        """
        local = moment.astimezone()
        return self("date.moment", day=local.day, month=self._month(local), time=f"{local:%H:%M}")

    def _month(self, day: date) -> str:
        return self("date.months").split()[day.month - 1]


@cache
def load_texts(language: str) -> Mapping[str, str]:
    """Read all texts of a language from all its files; the parts of a key are joined by dots.

    >>> load_texts("en")["nav.home"]
    'Home'
    """
    merged: dict[str, str] = {}
    for file in files("croupier.texts").iterdir():
        if file.name == f"{language}.toml" or file.name.endswith(f".{language}.toml"):
            merged.update(_flat(tomllib.loads(file.read_text(encoding="utf-8"))))
    return merged


def _flat(tree: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for key, value in tree.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", str(value)
