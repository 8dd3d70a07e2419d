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
        """Return the chosen language, or the browser's first known one (``Accept-Language``), or English.

        >>> Preferences().best_language("de, ru;q=0.8, en;q=0.5"), Preferences("en").best_language("ru")
        ('ru', 'en')
        """
        if self.language is not None:
            return self.language
        wishes = (part.split(";")[0].strip()[:2].lower() for part in accepted.split(","))
        return next((wish for wish in wishes if wish in LANGUAGES), next(iter(LANGUAGES)))
