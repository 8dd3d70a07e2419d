"""Whole numbers as people write them: every option and argument of every command takes 1000000, 1_000_000 and 1e6."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from inspect import signature
from typing import Annotated, Any, get_args, get_origin

import typer
from typer.models import ParameterInfo

#: No option means a number with more digits.
_MOST_DIGITS = 30


@dataclass(frozen=True, slots=True)
class WholeNumber:
    """Reads a whole number between two bounds.

    Examples
    --------
    >>> read = WholeNumber(least=1, most=None)
    >>> read("1e6"), read("2.5e3"), read("1_000"), read("12")
    (1000000, 2500, 1000, 12)
    >>> read("1.5")
    Traceback (most recent call last):
    ValueError: '1.5' is not a whole number such as 1000000, 1_000_000 or 1e6
    >>> read("0")
    Traceback (most recent call last):
    ValueError: 0 is too small; the least is 1
    """

    least: float | None
    most: float | None

    def __call__(self, text: object) -> int:
        """Return the number that a text means; a default is a number already."""
        number = text if isinstance(text, int) else self._parsed(str(text))
        if self.least is not None and number < self.least:
            raise ValueError(f"{number} is too small; the least is {self.least:g}")
        if self.most is not None and number > self.most:
            raise ValueError(f"{number} is too large; the most is {self.most:g}")
        return number

    @staticmethod
    def _parsed(text: str) -> int:
        try:
            number = Decimal(text)
        except InvalidOperation:
            number = Decimal("NaN")
        is_readable = number.is_finite() and number.adjusted() <= _MOST_DIGITS
        if not is_readable or number != int(number):
            raise ValueError(f"{text!r} is not a whole number such as 1000000, 1_000_000 or 1e6")
        return int(number)


def read_whole_numbers(application: typer.Typer) -> None:
    """Let every option and argument of an application that is a whole number be written as people write it."""
    for info in _whole_number_parameters(application):
        info.parser = WholeNumber(info.min, info.max)


def _whole_number_parameters(application: typer.Typer) -> Iterator[ParameterInfo]:
    for command in application.registered_commands:
        if command.callback is not None:
            for parameter in signature(command.callback).parameters.values():
                yield from _described_whole_number(parameter.annotation)
    for group in application.registered_groups:
        if group.typer_instance is not None:
            yield from _whole_number_parameters(group.typer_instance)


def _described_whole_number(annotation: Any) -> Iterator[ParameterInfo]:
    if get_origin(annotation) is Annotated:
        kind, *metadata = get_args(annotation)
        if kind is int or int in get_args(kind):
            yield from (info for info in metadata if isinstance(info, ParameterInfo))
