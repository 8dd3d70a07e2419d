"""Pages are run when the site is built: what they display is shown, and what they say wrongly ends the build."""

import runpy

import pytest
from sphinx.errors import ExtensionError

from tests.docs.test_docs_are_true import ROOT

with_pictures = runpy.run_path(str(ROOT / "docs" / "extensions" / "displayed.py"))["with_pictures"]

CARD = "```python\n>>> class Card:\n...     def _repr_html_(self):\n...         return '<b>A</b>'\n```\n"


def test_a_displayed_object_stands_below_the_block_that_displays_it() -> None:
    page = f"{CARD}Look:\n```python\n>>> display(Card())\n```\nand so on\n"
    assert "".join(with_pictures(page, "start/cards")).splitlines()[-5:] == [
        "```",
        "",
        '<div class="displayed"><b>A</b></div>',
        "",
        "and so on",
    ]


@pytest.mark.parametrize(
    ("code", "complaint"),
    [
        (">>> 1 + 1\n3\n", r"(?s)line 2, in start/cards.*Expected:\n    3\nGot:\n    2"),
        (">>> display(7)\n", r"display\(7\): neither a figure nor an object that shows itself"),
    ],
)
def test_a_page_that_is_wrong_ends_the_build(code: str, complaint: str) -> None:
    with pytest.raises(ExtensionError, match=complaint):
        list(with_pictures(f"```python\n{code}```\n", "start/cards"))
