"""Choices as buttons and keys."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from nicegui import events, ui

from croupier.choices import Choice
from croupier.web.parts.drawing import draw

_KEY_NAMES = {" ": "Space", "ArrowLeft": "←", "ArrowRight": "→", "Enter": "⏎"}


def action_bar(
    choices: Sequence[Choice], on_choose: Callable[[str], Awaitable[object]], *, moment: object = None
) -> None:
    """Draw choices as a row of buttons, each with its key and the coach's remark.

    Parameters
    ----------
    choices
        The choices.
    on_choose
        Called with the name of the chosen one.
    moment
        Identifies the question: a click on an earlier question with the same buttons does not count.
    """
    with draw("div", classes="action-bar", role="group", data_moment=None if moment is None else str(moment)):
        for choice in choices:
            with draw(
                "button",
                classes="action best" if choice.is_best else "action",
                on_click=partial(on_choose, choice.name) if choice.enabled else None,
                type="button",
                disabled=not choice.enabled,
                data_testid=f"choice-{choice.name}",
            ):
                draw("span", choice.label, "action-label")
                if choice.key:
                    draw("kbd", _KEY_NAMES.get(choice.key, choice.key.upper()), aria_hidden="true")
                if choice.worth:
                    draw("span", choice.worth, "action-worth", data_testid="worth")


class _Shortcuts(ui.element, component="shortcuts.js"):
    """Listen to the keyboard of the whole page."""


def shortcuts(handler: Callable[[str], Awaitable[object]]) -> None:
    """Call a function with every key that is pressed on the page, outside of fields, menus and dialogs.

    Characters come in lower case, other keys by their names, such as ``Enter`` or ``ArrowLeft``. Enter and space on a focused
    button only press that button.
    """

    async def press(event: events.GenericEventArguments) -> None:
        if isinstance(event.args, str):
            await handler(event.args)

    _Shortcuts().on("press", press)
