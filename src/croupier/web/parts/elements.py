"""Plain HTML elements; values of attributes are always escaped."""

from collections.abc import Callable
from functools import cache
from typing import Any

from nicegui.elements.mixins.text_element import TextElement

from croupier.web.parts.language import page_texts


def tag(name: str, text: str = "", classes: str = "", **attributes: str | bool | None) -> TextElement:
    """Put an HTML element on the page; phrases are said in the page's language.

    Parameters
    ----------
    name
        The tag, such as ``td``.
    text
        Its text.
    classes
        Its CSS classes.
    attributes
        Its attributes: an underscore stands for a hyphen (``aria_label``), and one at the end is dropped (``for_``). True gives
        an attribute without a value; None and False give none.
    """
    texts = page_texts()
    element = TextElement(tag=name, text=texts.shown(text))
    if classes:
        element.classes(classes)
    for key, value in attributes.items():
        if value is not None and value is not False:
            element.props[attribute_name(key)] = texts.shown(value) if isinstance(value, str) else value
    return element


def button(text: str, mark: str | None, on_click: Callable[[], Any], *, is_main: bool = False) -> TextElement:
    """Put a button on the page; the mark is what tests find it by."""
    classes = "plain-button main" if is_main else "plain-button"
    element = tag("button", text, classes, type="button", data_testid=mark)
    element.on("click", on_click, args=[])
    return element


@cache
def attribute_name(key: str) -> str:
    """Return the HTML attribute for a Python name.

    >>> attribute_name("aria_label"), attribute_name("for_")
    ('aria-label', 'for')
    """
    return key.removesuffix("_").replace("_", "-")
