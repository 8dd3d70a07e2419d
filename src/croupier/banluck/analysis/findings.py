"""A question, its answer, and the figures behind it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

#: Figures closer to nothing than this are written with an exponent.
_TINY = 1e-4


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


def figure(value: object) -> str:
    """Write a value of a finding's table so that a column of figures stays narrow.

    >>> [figure(value) for value in (None, 3, 0.25, -0.011226286499664, 8.462492692290491e-07)]
    ['-', '3', '0.25', '-0.0112263', '8.5e-07']
    """
    if isinstance(value, float):
        return format(value, figure_format(value))
    return "-" if value is None else str(value)


def figure_format(value: float) -> str:
    """Return the format of a figure in a finding's table."""
    return ".1e" if 0 < abs(value) < _TINY else ".6g"
