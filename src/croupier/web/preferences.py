"""A visitor's preferences."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from croupier.texts import LANGUAGES


@dataclass(slots=True)
class Preferences:
    """A visitor's language, and whether pages are dark; None follows the system.

    Examples
    --------
    >>> Preferences("ru").to_state()
    {'language': 'ru', 'dark': None}
    """

    language: str | None = None
    dark: bool | None = None

    def to_state(self) -> dict[str, Any]:
        """Return the preferences as JSON."""
        return {"language": self.language, "dark": self.dark}

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        """Read preferences; invalid values become the default."""
        language, dark = state.get("language"), state.get("dark")
        return cls(language if language in LANGUAGES else None, dark if isinstance(dark, bool) else None)

    def best_language(self, accepted: str) -> str:
        """Return the chosen language, or the browser's most wanted known one (``Accept-Language``), or English.

        >>> Preferences().best_language("de, ru;q=0.8, en;q=0.5"), Preferences("en").best_language("ru")
        ('ru', 'en')
        """
        if self.language is not None:
            return self.language
        wishes = sorted(map(_wish, accepted.split(",")), key=lambda wish: -wish[1])
        return next((language for language, _ in wishes if language in LANGUAGES), next(iter(LANGUAGES)))


def _wish(part: str) -> tuple[str, float]:
    """Read one language of ``Accept-Language``, and how much it is wished for.

    >>> _wish(" zh-CN;q=0.9"), _wish("vi"), _wish("en;q=much")
    (('zh', 0.9), ('vi', 1.0), ('en', 0.0))
    """
    language, _, weight = part.partition(";q=")
    try:
        return language.strip()[:2].lower(), float(weight or 1)
    except ValueError:
        return language.strip()[:2].lower(), 0.0
