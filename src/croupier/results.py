"""Results that show themselves: as lines of text, and as a table in a notebook."""

from abc import ABC, abstractmethod
from html import escape
from statistics import NormalDist

from croupier import __version__
from croupier.errors import InputError


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
        left = 'style="text-align:left"'
        rows = (
            f"<tr><th {left}>{escape(name)}</th><td {left}>{escape(text)}</td></tr>"
            for name, text in self.facts().items()
        )
        return f"<table>{''.join(rows)}</table>"


class Estimate:
    """A value that was found by dealing cards, with its standard error; base of the results of simulations."""

    __slots__ = ()

    value: float
    stderr: float

    @property
    def version(self) -> str:
        """The Croupier that this is."""
        return __version__

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
