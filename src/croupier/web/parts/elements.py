"""Plain HTML elements, with attributes as values: nothing in them can break out of its quotes."""

from nicegui.elements.mixins.text_element import TextElement


def tag(name: str, text: str = "", classes: str = "", **attributes: str | bool | None) -> TextElement:
    """Put an HTML element on the page.

    Parameters
    ----------
    name
        The tag, such as ``td``.
    text
        What it says.
    classes
        Its classes.
    attributes
        Its attributes: an underscore stands for a hyphen (``aria_label``), and one at the end is dropped (``for_``). True is
        an attribute without a value, None or False none at all.
    """
    element = TextElement(tag=name, text=text)
    if classes:
        element.classes(classes)
    for key, value in attributes.items():
        if value is not None and value is not False:
            element.props[attribute_name(key)] = value
    return element


def attribute_name(key: str) -> str:
    """Return the attribute that a Python name stands for.

    >>> attribute_name("aria_label"), attribute_name("for_")
    ('aria-label', 'for')
    """
    return key.removesuffix("_").replace("_", "-")
