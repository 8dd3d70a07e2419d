"""Sentences and numbers that are English text, and can be put into another language later."""

from collections.abc import Sequence
from typing import Any, Self

from croupier.texts.catalogue import DEFAULT_LANGUAGE, Said, Texts
from croupier.texts.locale import LOCALES

_ENDINGS = (".", "!", "?", "…", "。", "！", "？")

_ENGLISH = Texts(DEFAULT_LANGUAGE)


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
        phrase = super().__new__(cls, _ENGLISH(key, **values))
        phrase.key, phrase.values = key, values
        return phrase

    def __getnewargs__(self) -> tuple[str, dict[str, Any]]:  # type: ignore[override]
        return self.key, self.values

    def shown_in(self, texts: Texts) -> str:
        """Return the sentence in a language."""
        return str(self) if texts.language == DEFAULT_LANGUAGE else texts(self.key, **self.values)


class Original(Said):
    """English text that stands in the code, such as the meaning of a rule; its translations are in the catalogue.

    It is made by :func:`original`.
    """

    key: str

    def __new__(cls, key: str, english: str) -> Self:
        """Keep the English text."""
        text = super().__new__(cls, english)
        text.key = key
        return text

    def __getnewargs__(self) -> tuple[str, str]:  # type: ignore[override]
        return self.key, str(self)

    def shown_in(self, texts: Texts) -> str:
        """Return the translation, or the English text where there is none."""
        return texts(self.key) if self.key in texts else str(self)


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
        return str(self) if texts.language == DEFAULT_LANGUAGE else texts.number(self.value, self.spec)


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


def original(key: str, english: str) -> Original:
    """Name the translations of English text.

    >>> Texts("ru").shown(original("rules.banluck.meaning.special_777", "three sevens are special"))
    'Три семёрки — особая рука; иначе это обычные 21.'
    """
    return Original(key, english)


def figure(value: float, spec: str) -> Figure:
    r"""Write a number by a Python format.

    >>> figure(-0.25, "+.3f"), Texts("ru").shown(figure(1234.5, ",.1f"))
    ('−0.250', '1\xa0234,5')
    """
    return Figure(value, spec)


def in_row(names: Sequence[str], key: str = "list.more") -> str:
    """Join names one by one.

    >>> in_row(["open", "draw"]), in_row([])
    ('open, draw', '')
    """
    joined = names[0] if names else ""
    for name in names[1:]:
        joined = say(key, first=joined, next=name)
    return joined


def either(names: Sequence[str]) -> str:
    """Join names by commas and a last "or".

    >>> either(["hit", "stand"]), either(["open", "draw", "stand"]), either(["hit"])
    ('hit or stand', 'open, draw or stand', 'hit')
    """
    *others, last = names
    if not others:
        return last
    return say("list.or", first=in_row(others), last=last)


def sentence(text: str) -> str:
    """Return a text with a capital at the start and a full stop at the end.

    >>> sentence("no such card")
    'No such card.'
    """
    return text if not text else f"{text[0].upper()}{text[1:]}" + ("" if text.endswith(_ENDINGS) else ".")
