"""Buttons and fields for whole numbers, as the blackjack pages show them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from nicegui import ui

from croupier.errors import InputError
from croupier.web.parts.elements import button
from croupier.web.parts.notices import refused


def whole_number(field: ui.number, name: str) -> int:
    """Read a whole number from a field.

    Raises
    ------
    InputError
        If there is none.
    """
    value = field.value
    if value is None or float(value) != int(value):
        raise InputError(f"{name}: a whole number is wanted")
    return int(value)


def saved_run_field(mark: str, on_resume: Callable[[], None]) -> ui.number:
    """Show a field for the number of a saved run and a button to resume it; return the field."""
    field = (
        ui.number("saved run", format="%d").props(f'outlined dense data-testid="{mark}"').classes("lab-field")
    )
    button("Resume", f"{mark}-resume", on_resume)
    return field


@contextmanager
def refusals_shown() -> Iterator[None]:
    """Show what is refused as a notice."""
    try:
        yield
    except InputError as error:
        refused(error)
