"""Draw a page's pictures by running the code that the page shows.

A page that calls ``display(...)``, as a notebook would, is run from its first example to its last when the site is built. What is
displayed stands below the block that displays it. An example that prints something else than the page says ends the build.
"""

import base64
import doctest
import re
from collections.abc import Iterator
from html import escape
from io import StringIO
from typing import Any

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

#: A block of Python as a person would type it.
BLOCK = re.compile(r"^```python\n(?=>>> )(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx when to run the examples."""
    app.connect("source-read", _read)
    return {"parallel_read_safe": True}


def _read(_app: Sphinx, page: str, source: list[str]) -> None:
    if ">>> display(" in source[0]:
        source[0] = "".join(with_pictures(source[0], page))
    source[0] = BLOCK.sub(_without_last_blank_line, source[0])


def _without_last_blank_line(block: re.Match[str]) -> str:
    """Doctests need a blank line below what is printed; readers do not."""
    return block[0].replace("\n\n```", "\n```")


def with_pictures(text: str, page: str) -> Iterator[str]:
    """Run the examples of a page; yield its text, with what it displays below each block."""
    shown: list[object] = []
    names: dict[str, Any] = {"display": shown.append}
    runner = doctest.DocTestRunner()
    end = 0
    for block in BLOCK.finditer(text):
        yield text[end : block.end()]
        end = block.end()
        line = text.count("\n", 0, block.start("code"))
        test = doctest.DocTestParser().get_doctest(block["code"], {}, page, f"{page}.md", line)
        test.globs = names  # a block goes on where the one before it ended
        complaint = StringIO()
        if runner.run(test, out=complaint.write, clear_globs=False).failed:
            raise ExtensionError(complaint.getvalue())
        yield from map(_picture, shown)
        shown.clear()
    yield text[end:]


def _picture(thing: Any) -> str:
    """Return a displayed object as HTML: as it shows itself, or its drawing."""
    if hasattr(thing, "savefig"):
        title = escape(thing.axes[0].get_title() or "figure")
        drawing = base64.b64encode(_svg(thing).encode()).decode()
        shown = f'<img alt="{title}" src="data:image/svg+xml;base64,{drawing}">'
    elif hasattr(thing, "_repr_html_"):
        shown = thing._repr_html_()
    else:
        raise ExtensionError(
            f"display({thing!r}): neither a figure nor an object that shows itself in a notebook"
        )
    return f'\n\n<div class="displayed">{shown}</div>\n'


def _svg(figure: Any) -> str:
    import matplotlib as mpl  # noqa: PLC0415 - only pages with figures need it

    drawing = StringIO()
    with mpl.rc_context(
        {"svg.fonttype": "none", "svg.hashsalt": "croupier"}
    ):  # text stays text; ids do not change
        figure.savefig(drawing, format="svg", bbox_inches="tight", metadata={"Date": None})
    return drawing.getvalue()
