"""The layout that all tables share: opponents on top, hands in the middle, the action bar always on screen."""

import math

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from croupier.web.parts.elements import tag
from croupier.web.parts.language import page_texts


class TableShell:
    """The empty layout of a table; a page fills its parts with ``with shell.felt:``.

    The page's frame must be built with ``is_table=True``: then the foot stays at the lower edge of the window, the rest scrolls above it
    if it has to, and the felt takes the space that is left. Cards get the size that fits there.

    Parameters
    ----------
    title
        The heading.
    choices
        The name of the foot for screen readers.
    aside
        The name of the side panel for screen readers.

    Attributes
    ----------
    head
        The line of the heading, for the table's settings.
    felt
        The cards.
    side
        Figures, switches and history. It scrolls by itself if the felt is beside it.
    below
        What needs the full width.
    foot
        What the visitor is asked, and the answers.
    """

    def __init__(self, title: str, *, choices: str, aside: str) -> None:
        texts = page_texts()
        ui.add_head_html('<script defer src="/static/sound.js"></script>')
        with tag("div", classes="table-room"):
            self.head = tag("div", classes="line table-head")
            with tag("div", classes="table-grid"):
                self.felt: TextElement = tag("section", classes="felt table-felt", aria_label=title)
                self.side: TextElement = tag(
                    "aside", classes="table-side stack", aria_label=aside, tabindex="0"
                )
            self.below: TextElement = tag("div", classes="table-below stack")
        self.foot: TextElement = tag("section", classes="table-foot", aria_label=choices, data_testid="foot")
        with self.head:
            tag("h1", title)
            # Whether it is pressed is known to the browser alone, which also makes the sounds.
            tag(
                "button",
                "♪",
                "icon-button sound-button",
                type="button",
                data_sound=True,
                aria_label=texts("shell.sound"),
                title=texts("shell.sound"),
                data_testid="sound",
            )


#: How many hands lie beside each other on a phone.
_NARROW_ROWS = {1: 1, 2: 2, 3: 3, 4: 2, 5: 3, 6: 3}


def hands_style(hands: int) -> str:
    """Return the style of an element of class ``felt-places``: how many hands it has to find room for.

    >>> hands_style(4)
    '--across: 4; --across-narrow: 2; --rows-narrow: 2'
    """
    narrow = _NARROW_ROWS.get(hands, 4)
    return f"--across: {hands}; --across-narrow: {narrow}; --rows-narrow: {math.ceil(hands / narrow)}"
