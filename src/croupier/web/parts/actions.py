"""What a person can do, as buttons and as keys."""

from collections.abc import Awaitable, Callable, Sequence

from nicegui import events, ui

from croupier.web.models.choice import Choice
from croupier.web.parts.elements import tag

_KEY_NAMES = {" ": "Space", "ArrowLeft": "←", "ArrowRight": "→", "Enter": "⏎"}


def action_bar(choices: Sequence[Choice], on_choose: Callable[[str], Awaitable[object]]) -> ui.element:
    """Show choices as a row of buttons, each with its key and what the coach says of it.

    Parameters
    ----------
    choices
        The choices.
    on_choose
        Called with the name of the one that is chosen.
    """
    bar = tag("div", classes="action-bar", role="group")
    with bar:
        for choice in choices:
            _button(choice, on_choose)
    return bar


def _button(choice: Choice, on_choose: Callable[[str], Awaitable[object]]) -> None:
    button = tag(
        "button",
        classes="action best" if choice.is_best else "action",
        type="button",
        disabled=not choice.enabled,
        data_testid=f"choice-{choice.name}",
    )
    if choice.enabled:
        button.on("click", lambda: on_choose(choice.name), args=[])
    with button:
        tag("span", choice.label, "action-label")
        if choice.key:
            tag("kbd", _KEY_NAMES.get(choice.key, choice.key.upper()), aria_hidden="true")
        if choice.worth:
            tag("span", choice.worth, "action-worth", data_testid="worth")


class _Shortcuts(ui.element, component="shortcuts.js"):
    """Listens to the keyboard of the whole page."""


def shortcuts(handler: Callable[[str], Awaitable[object]]) -> None:
    """Call a function with every key that is pressed on the page outside of fields, menus and dialogs.

    A character comes in lower case, other keys by their names, such as ``Enter`` or ``ArrowLeft``. Enter and space on a focused
    button press that button, as everywhere, and nothing else.
    """

    async def press(event: events.GenericEventArguments) -> None:
        if isinstance(event.args, str):
            await handler(event.args)

    _Shortcuts().on("press", press)
