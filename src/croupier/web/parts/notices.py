"""Messages about refused actions."""

from collections.abc import Awaitable
from weakref import WeakKeyDictionary

from nicegui import Client, ui

from croupier.errors import InputError
from croupier.texts import sentence
from croupier.web.parts.language import page_texts

#: How long a notice stays.
NOTICE_SECONDS = 6.0

#: The notice that each page shows.
_shown: WeakKeyDictionary[Client, ui.notification] = WeakKeyDictionary()


def refused(error: InputError) -> None:
    """Show why an action was refused, in place of the notice before."""
    client = ui.context.client
    before = _shown.pop(client, None)
    if before is not None:
        before.dismiss()
    _shown[client] = ui.notification(
        refusal(error),
        type="warning",
        position="top",
        multi_line=True,
        close_button="OK",
        timeout=NOTICE_SECONDS,
    )


async def attempt(action: Awaitable[object]) -> bool:
    """Await an action that may be refused, and show the reason if it is.

    Returns
    -------
    bool
        Whether it succeeded.
    """
    try:
        await action
    except InputError as error:
        refused(error)
        return False
    return True


def refusal(error: InputError) -> str:
    """Say in the page's language why something was refused."""
    return sentence(page_texts().shown(error.said))
