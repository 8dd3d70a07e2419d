"""A question, its answer, and the figures behind it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Finding:
    """A question, its answer in sentences, and the figures behind it.

    Attributes
    ----------
    key
        A short name.
    figures
        Named numbers; per hand and in units unless the name says otherwise.
    table
        Rows of named values, where the answer is a table.

    Examples
    --------
    >>> Finding("value", "What is the game worth?", "Nothing.", {"value": 0.0}).to_dict()["figures"]
    {'value': 0.0}
    """

    key: str
    question: str
    answer: str
    figures: Mapping[str, float]
    table: tuple[Mapping[str, Any], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the finding as plain JSON data."""
        return {
            "key": self.key,
            "question": self.question,
            "answer": self.answer,
            "figures": dict(self.figures),
            "table": [dict(row) for row in self.table],
        }
