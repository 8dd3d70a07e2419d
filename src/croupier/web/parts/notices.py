"""What a page says when something was refused."""

from collections.abc import Awaitable

from nicegui import ui

from croupier.errors import InputError


def refused(error: InputError) -> None:
    """Show what was wrong."""
    ui.notify(sentence(str(error)), type="warning", position="top", multi_line=True, close_button="OK")


async def attempt(action: Awaitable[object]) -> bool:
    """Do something that may be refused; say why if it is.

    Returns
    -------
    bool
        Whether it was done.
    """
    try:
        await action
    except InputError as error:
        refused(error)
        return False
    return True


def sentence(text: str) -> str:
    """Begin with a capital and end with a full stop.

    >>> sentence("no such card")
    'No such card.'
    """
    return (
        text if not text else f"{text[0].upper()}{text[1:]}" + ("" if text.endswith((".", "!", "?")) else ".")
    )
