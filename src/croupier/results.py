"""Results that show themselves: as lines of text, and as a table in a notebook."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from html import escape
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from croupier import __version__
from croupier.errors import InputError

if TYPE_CHECKING:
    from croupier.rulebook import Rules


class Result(ABC):
    """Base of what the public functions return; a subclass names its facts, the most important first.

    Examples
    --------
    >>> class Throw(Result):
    ...     def facts(self) -> dict[str, str]:
    ...         return {"eyes": "6", "seed": "1"}
    >>> print(Throw())
    eyes  6
    seed  1
    >>> Throw()
    <Throw: eyes 6, seed 1>
    """

    __slots__ = ()

    @abstractmethod
    def facts(self) -> dict[str, str]:
        """Return what a person wants to know, ready to be printed."""

    def __str__(self) -> str:
        facts = self.facts()
        width = max(map(len, facts))
        return "\n".join(f"{name:<{width}}  {text}" for name, text in facts.items())

    def __repr__(self) -> str:
        return (
            f"<{type(self).__name__}: {', '.join(f'{name} {text}' for name, text in self.facts().items())}>"
        )

    def _repr_html_(self) -> str:
        """Show the facts in a notebook."""
        return named_table((escape(name), escape(text)) for name, text in self.facts().items())


class FromRules(ABC):
    """Base of what is computed from a rule set: figures that carry the rules and the version they came from."""

    __slots__ = ()

    if TYPE_CHECKING:  # a subclass brings it, as a field or as a property

        @property
        def rules(self) -> "Rules":
            """The rules."""

    @property
    def version(self) -> str:
        """The version of Croupier that computed it."""
        return __version__

    @abstractmethod
    def figures(self) -> dict[str, Any]:
        """Return what came out as plain values, without what went in."""

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, ready for JSON."""
        return {**self.figures(), "rules": self.rules.model_dump(mode="json"), "version": self.version}


class Estimate(FromRules):
    """A value that was found by dealing cards, with its standard error; base of the results of simulations."""

    __slots__ = ()

    value: float
    stderr: float

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the value."""
        return self.confidence_interval()

    def confidence_interval(self, level: float = 0.95) -> tuple[float, float]:
        """Return the interval that holds the true value with this confidence, by the normal approximation.

        Raises
        ------
        InputError
            If the level does not lie between 0 and 1.
        """
        if not 0 < level < 1:
            raise InputError(f"confidence level {level}: a level lies between 0 and 1, such as 0.95")
        reach = NormalDist().inv_cdf((1 + level) / 2) * self.stderr
        return self.value - reach, self.value + reach


def named_table(rows: Iterable[tuple[str, str]]) -> str:
    """Lay out names and what belongs to them, both HTML, as a table for a notebook.

    >>> named_table([("seed", "1")])
    '<table><tr><th style="text-align:left">seed</th><td style="text-align:left">1</td></tr></table>'
    """
    left = 'style="text-align:left"'
    body = "".join(f"<tr><th {left}>{name}</th><td {left}>{cell}</td></tr>" for name, cell in rows)
    return f"<table>{body}</table>"
