"""Buttons and fields for whole numbers, as the blackjack pages show them."""

from nicegui import ui

from croupier.errors import InputError
from croupier.web.parts.elements import tag


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


def button(text: str, mark: str, *, is_main: bool = False) -> ui.element:
    """Show a button."""
    return tag(
        "button", text, "plain-button main" if is_main else "plain-button", type="button", data_testid=mark
    )
