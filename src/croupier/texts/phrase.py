"""Sentences and numbers that are English text, and can be put into another language later."""

from collections.abc import Sequence
from typing import Any, Self

from croupier.texts.catalogue import DEFAULT_LANGUAGE, Said, Texts
from croupier.texts.locale import LOCALES


class Phrase(Said):
    """A sentence in English that knows its key and its values, so that it can be said in another language.

    It is made by :func:`say`. Two phrases are equal if their English is.

    Examples
    --------
    >>> phrase = say("jobs.waiting", work=say("jobs.durak_match"))
    >>> phrase
    'Waiting for other work: a durak match.'
    >>> Texts("ru").shown(phrase)
    'Ждём, пока закончится другая работа: матч в дурака.'
    """

    key: str
    values: dict[str, Any]

    def __new__(cls, key: str, values: dict[str, Any]) -> Self:
        """Say it in English."""
        phrase = super().__new__(cls, Texts(DEFAULT_LANGUAGE)(key, **values))
        phrase.key, phrase.values = key, values
        return phrase

    def __getnewargs__(self) -> tuple[str, dict[str, Any]]:  # type: ignore[override]
        return self.key, self.values

    def shown_in(self, texts: Texts) -> str:
        """Return the sentence in a language."""
        return texts(self.key, **self.values)


class Figure(Said):
    """A number as English writes it, which knows itself, so that it can be written by another custom.

    It is made by :func:`figure`.
    """

    value: float
    spec: str

    def __new__(cls, value: float, spec: str) -> Self:
        """Write it in English."""
        figure = super().__new__(cls, LOCALES[DEFAULT_LANGUAGE].number(value, spec))
        figure.value, figure.spec = value, spec
        return figure

    def __getnewargs__(self) -> tuple[float, str]:  # type: ignore[override]
        return self.value, self.spec

    def shown_in(self, texts: Texts) -> str:
        """Return the number as a language writes it."""
        return texts.number(self.value, self.spec)


def say(key: str, **values: Any) -> Phrase:
    """Say a text of the catalogue.

    Parameters
    ----------
    key
        The key of the text.
    values
        What goes into its places: numbers, names, phrases.

    Examples
    --------
    >>> say("durak.game", number=3)
    'Game 3'
    """
    return Phrase(key, values)


def figure(value: float, spec: str) -> Figure:
    r"""Write a number by a Python format.

    >>> figure(-0.25, "+.3f"), Texts("ru").shown(figure(1234.5, ",.1f"))
    ('−0.250', '1\xa0234,5')
    """
    return Figure(value, spec)


def either(names: Sequence[str]) -> str:
    """Join names by commas and a last "or".

    >>> either(["hit", "stand"]), either(["open", "draw", "stand"]), either(["hit"])
    ('hit or stand', 'open, draw or stand', 'hit')
    """
    *others, last = names
    if not others:
        return last
    joined = others[0]
    for name in others[1:]:
        joined = say("list.more", first=joined, next=name)
    return say("list.or", first=joined, last=last)
