"""Buttons and fields for whole numbers, as the blackjack pages show them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from nicegui import ui

from croupier.errors import InputError
from croupier.texts import figure, say
from croupier.web.parts.elements import button
from croupier.web.parts.language import page_texts
from croupier.web.parts.notices import refused


def signed(number: float, digits: int) -> str:
    """Write a number with its sign; what rounds to nothing has none.

    >>> signed(-0.123, 2), signed(-0.0001, 2)
    ('−0.12', '0')
    """
    rounded = round(number, digits)
    return figure(rounded, f"+.{digits}f") if rounded else "0"


def percent(share: float, digits: int) -> str:
    """Write a share with its sign, in per cent.

    >>> percent(-0.005, 2)
    '−0.50 %'
    """
    return say("simulator.percent", number=signed(100 * share, digits))


def whole_number(field: ui.number, name: str) -> int:
    """Read a whole number from a field; the name is a key of the simulator's texts.

    Raises
    ------
    InputError
        If there is none.
    """
    value = field.value
    if value is None or float(value) != int(value):
        raise InputError(say("simulator.whole", name=say(f"simulator.{name}")))
    return int(value)


def number_field(name: str, value: float, mark: str) -> ui.number:
    """Show a field for a whole number; the name is a key of the simulator's texts."""
    label = page_texts()(f"simulator.{name}")
    return (
        ui.number(label, value=value, format="%d")
        .props(f'outlined dense data-testid="{mark}"')
        .classes("lab-field")
    )


def saved_run_field(mark: str, on_resume: Callable[[], None]) -> ui.number:
    """Show a field for the number of a saved run and a button to resume it; return the field."""
    field = (
        ui.number(page_texts()("simulator.saved"), format="%d")
        .props(f'outlined dense data-testid="{mark}"')
        .classes("lab-field")
    )
    button(page_texts()("simulator.resume"), f"{mark}-resume", on_resume)
    return field


@contextmanager
def refusals_shown() -> Iterator[None]:
    """Show what is refused as a notice."""
    try:
        yield
    except InputError as error:
        refused(error)
