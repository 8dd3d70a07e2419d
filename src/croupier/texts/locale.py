"""How each language writes numbers and counts things, after the Unicode locale data."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from string import Formatter
from typing import Any


def _one_or_more(count: float) -> int:
    return 0 if count == 1 else 1


def _russian(count: float) -> int:
    """Return 0 for one, 1 for few, 2 for many; a broken number takes the form of few (1,5 карты)."""
    if count % 1:
        return 1
    tens, ones = int(abs(count)) // 10 % 10, int(abs(count)) % 10
    if ones == 1 and tens != 1:
        return 0
    return 1 if ones in (2, 3, 4) and tens != 1 else 2


def _no_plural(_count: float) -> int:
    return 0


@dataclass(frozen=True, slots=True)
class Locale:
    """How a language writes numbers.

    Attributes
    ----------
    decimal, group, percent
        The sign before the fraction, the sign between thousands, and what follows a percentage.
    plural
        Which of a word's forms goes with a count, from 0.
    forms
        How many forms a counted word has.
    """

    decimal: str
    group: str
    percent: str
    plural: Callable[[float], int]
    forms: int
    _signs: dict[int, str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        signs = {".": self.decimal, ",": self.group, "%": self.percent, "-": "−"}
        object.__setattr__(self, "_signs", str.maketrans(signs))

    def number(self, value: float, spec: str = "") -> str:
        r"""Write a number by a Python format.

        >>> LOCALES["vi"].number(-1234.5, ",.2f"), LOCALES["ru"].number(0.125, ".1%")
        ('−1.234,50', '12,5\xa0%')
        """
        return format(value, spec).translate(self._signs)

    def read(self, text: str) -> str:
        r"""Return a number that a person has written by the custom of the language as Python writes it; other text as it is.

        >>> LOCALES["ru"].read("1\xa0250,5"), LOCALES["ru"].read("2.5"), LOCALES["en"].read("1,250.5"), LOCALES["vi"].read("x")
        ('1250.5', '2.5', '1250.5', 'x')
        """
        plain = text.strip().replace("−", "-").replace(" ", "").replace("\u00a0", "")
        if self.decimal == "," and "," in plain:
            plain = plain.replace(".", "").replace(",", ".")
        elif self.decimal == ".":
            plain = plain.replace(",", "")
        try:
            float(plain)
        except ValueError:
            return text
        return plain


#: By the code of the language.
LOCALES = {
    "en": Locale(".", ",", "%", _one_or_more, 2),
    "ru": Locale(",", "\u00a0", "\u00a0%", _russian, 3),
    "zh": Locale(".", ",", "%", _no_plural, 1),
    "vi": Locale(",", ".", "%", _no_plural, 1),
}


class LocalFormatter(Formatter):
    """Fills the places of a template.

    A place is written as in ``str.format``. Numbers are written by the custom of the language. A counted word lists its forms,
    and ``#`` stands for the count: ``{n:# card|# cards}``, ``{n:# карта|# карты|# карт}``. ``{name!C}`` begins with a capital.

    Parameters
    ----------
    locale
        How numbers are written.
    shown
        Puts a value that is a phrase into the language.
    """

    def __init__(self, locale: Locale, shown: Callable[[str], str]) -> None:
        self._locale, self._shown = locale, shown

    def vformat(self, format_string: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
        """Fill a template; its places are looked for once, because pages fill the same templates again and again."""
        pieces = []
        for literal, name, spec, conversion in _places(format_string):
            pieces.append(literal)
            if name is not None:
                value = kwargs[name] if name in kwargs else self.get_field(name, args, kwargs)[0]
                if conversion is not None:
                    value = self.convert_field(value, conversion)
                pieces.append(self.format_field(value, spec or ""))
        return "".join(pieces)

    def convert_field(self, value: Any, conversion: str | None) -> Any:
        """Let a value begin with a capital for ``{name!C}``."""
        if conversion != "C":
            return super().convert_field(value, conversion)
        shown = self._shown(str(value) if not isinstance(value, str) else value)
        return shown[:1].upper() + shown[1:]

    def format_field(self, value: Any, format_spec: str) -> str:
        """Write one value."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return format(self._shown(value if isinstance(value, str) else str(value)), format_spec)
        if "|" in format_spec or "#" in format_spec:
            form = format_spec.split("|")[self._locale.plural(value)]
            return form.replace("#", self._locale.number(value, "," if isinstance(value, int) else "g"))
        return self._locale.number(value, format_spec)


@cache
def _places(template: str) -> tuple[tuple[str, str | None, str | None, str | None], ...]:
    """Return the parts of a template: text, and the name, format and conversion of the place after it.

    >>> _places("{n:# card|# cards} left")
    (('', 'n', '# card|# cards', None), (' left', None, None, None))
    """
    return tuple(Formatter().parse(template))
