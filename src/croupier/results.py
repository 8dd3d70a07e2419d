"""Results that show themselves: as lines of text, and as a table in a notebook."""

from abc import ABC, abstractmethod
from html import escape


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
