"""Drawings: the HTML is what was drawn, and all text is escaped."""

from functools import partial
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.web.parts.drawing import draw, written


class Reader(HTMLParser):
    """Read HTML as a browser does."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


@given(
    text=st.text(),
    name=st.text(),
    label=st.sampled_from(["</p><script>alert(1)</script>", "' onclick='", '"><img src=x>']),
)
def test_text_and_attributes_arrive_as_they_are(text: str, name: str, label: str) -> None:
    html, _ = written(lambda: draw("p", text + label, classes=f"x {name}", title=label))
    reader = Reader(html)
    assert [tag for tag, _ in reader.tags] == ["p"]
    attributes = reader.tags[0][1]
    assert set(attributes) == {"class", "title"}
    assert attributes["title"] == label
    assert reader.text.replace("\r", "\n") == (text + label).replace("\r", "\n")


def test_what_is_drawn_in_a_with_block_lies_inside() -> None:
    def hand() -> None:
        with draw("ul"):
            with draw("li"):
                draw("img", src="/cards/9H.svg")
            draw("li", "last")
        draw("p", "beside")

    assert written(hand)[0] == '<ul><li><img src="/cards/9H.svg"></li><li>last</li></ul><p>beside</p>'


def test_attributes_without_a_value_are_there_or_not() -> None:
    html, _ = written(lambda: draw("button", disabled=True, hidden=False, title=None, aria_label=""))
    assert html == '<button disabled aria-label=""></button>'


def test_clicks_find_the_handler_of_their_element() -> None:
    chosen: list[str] = []

    def bar() -> None:
        for name in ("hit", "stand"):
            draw("button", name, on_click=partial(chosen.append, name))
        draw("button", "double")

    html, handlers = written(bar)
    assert (
        html
        == '<button data-click="0">hit</button><button data-click="1">stand</button><button>double</button>'
    )
    handlers[1]()
    assert chosen == ["stand"]


def test_a_drawing_that_fails_leaves_the_next_one_alone() -> None:
    def broken() -> None:
        with draw("div"):
            raise ValueError

    with pytest.raises(ValueError):  # noqa: PT011 - it is the test's own
        written(broken)
    assert written(lambda: draw("p", "whole"))[0] == "<p>whole</p>"


def test_nothing_is_drawn_outside_of_a_drawing() -> None:
    with pytest.raises(RuntimeError, match="<p> is drawn outside of a drawing"):
        draw("p")
