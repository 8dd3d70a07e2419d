"""The layout that all tables share: opponents on top, hands in the middle, the action bar always on screen."""

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from croupier.web.parts.elements import tag
from croupier.web.parts.language import page_texts


class TableShell:
    """The empty layout of a table; a page fills its parts with ``with shell.felt:``.

    The page's frame must be built with ``is_table=True``: then the felt takes the space that the window leaves, and the foot stays
    at the lower edge of the window however far the page is scrolled.

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
        self.head = tag("div", classes="line table-head")
        texts = page_texts()
        ui.add_head_html('<script defer src="/static/sound.js"></script>')
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
        with tag("div", classes="table-grid"):
            self.felt: TextElement = tag("section", classes="felt table-felt", aria_label=title)
            self.side: TextElement = tag("aside", classes="table-side stack", aria_label=aside, tabindex="0")
        self.below: TextElement = tag("div", classes="table-below stack")
        self.foot: TextElement = tag("section", classes="table-foot", aria_label=choices, data_testid="foot")
