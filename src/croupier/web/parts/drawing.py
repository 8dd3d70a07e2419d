"""Parts of a page that are drawn as one element.

A table changes at every click, and a page of a hundred elements would send and rebuild all of them each time. A drawing is one
element. Its HTML is written here, is sent only if it changed, and is merged into the page, so that focus and images stay where
they are.
"""

from collections.abc import Callable
from contextvars import ContextVar
from html import escape
from inspect import isawaitable
from types import TracebackType
from typing import Self

from nicegui import events, ui

from croupier.texts import DEFAULT_LANGUAGE, Texts
from croupier.web.parts.elements import attribute_name
from croupier.web.parts.language import page_texts

_VOID = frozenset({"br", "hr", "img", "input"})


class Drawn:
    """An HTML element of a drawing; elements drawn in its ``with`` block become its children."""

    __slots__ = ("_attributes", "_before", "_children", "_name", "_on_click", "_text")

    def __init__(
        self,
        name: str,
        text: str,
        attributes: dict[str, str | bool | None],
        on_click: Callable[[], object] | None,
    ) -> None:
        self._name, self._text, self._attributes, self._on_click = name, text, attributes, on_click
        self._children: list[Drawn] = []
        self._before: Drawn | None = None

    def __enter__(self) -> Self:
        self._before = _parent.get()
        _parent.set(self)
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        _parent.set(self._before)

    def add(self, child: "Drawn") -> None:
        """Append a child."""
        self._children.append(child)

    def write(self, pieces: list[str], handlers: list[Callable[[], object]], texts: Texts) -> None:
        """Append the element's HTML to the pieces, in the reader's language, and its click handler to the handlers."""
        pieces.append(f"<{self._name}")
        for key, value in self._attributes.items():
            if value is True:
                pieces.append(f" {attribute_name(key)}")
            elif value is not None and value is not False:
                pieces.append(f' {attribute_name(key)}="{escape(texts.shown(value))}"')
        if self._on_click is not None:
            pieces.append(f' data-click="{len(handlers)}"')
            handlers.append(self._on_click)
        pieces.append(">")
        if self._name in _VOID:
            return
        pieces.append(escape(texts.shown(self._text), quote=False))
        self.write_inside(pieces, handlers, texts)
        pieces.append(f"</{self._name}>")

    def write_inside(self, pieces: list[str], handlers: list[Callable[[], object]], texts: Texts) -> None:
        """Append the HTML of the content."""
        for child in self._children:
            child.write(pieces, handlers, texts)


_parent: ContextVar[Drawn | None] = ContextVar("parent", default=None)


def draw(
    name: str,
    text: str = "",
    classes: str = "",
    *,
    on_click: Callable[[], object] | None = None,
    **attributes: str | bool | None,
) -> Drawn:
    """Draw an HTML element; only inside a :class:`Drawing`.

    Parameters
    ----------
    name, text, classes, attributes
        As for :func:`~croupier.web.parts.elements.tag`.
    on_click
        Called for a click; may be a coroutine function.

    Examples
    --------
    >>> def hand() -> None:
    ...     with draw("p", "Queen & ace", title='"high"'):
    ...         draw("img", alt="queen", draggable="false")
    >>> written(hand)[0]
    '<p title="&quot;high&quot;">Queen &amp; ace<img alt="queen" draggable="false"></p>'
    """
    parent = _parent.get()
    if parent is None:
        raise RuntimeError(f"<{name}> is drawn outside of a drawing")
    drawn = Drawn(name, text, {"class": classes.strip() or None, **attributes}, on_click)
    parent.add(drawn)
    return drawn


def written(
    paint: Callable[[], object], texts: Texts | None = None
) -> tuple[str, list[Callable[[], object]]]:
    """Return the HTML that a function draws, and its click handlers; phrases are said in a language, in English by default.

    >>> written(lambda: draw("button", "Hit", type="button", on_click=list))
    ('<button type="button" data-click="0">Hit</button>', [<class 'list'>])
    """
    sheet = Drawn("div", "", {}, None)
    with sheet:
        paint()
    pieces: list[str] = []
    handlers: list[Callable[[], object]] = []
    sheet.write_inside(pieces, handlers, texts or Texts(DEFAULT_LANGUAGE))
    return "".join(pieces), handlers


class Drawing(ui.element, component="drawing.js"):
    """A part of a page that a function draws, again after every change.

    A click counts for the drawing that was shown when it was made. It is ignored if the drawing has changed since then, or while
    another click is being handled, so a double click is one choice.

    Parameters
    ----------
    paint
        A function that draws everything with :func:`draw`.
    of
        Returns what the drawing shows, if nothing else decides how it looks; the same again is not drawn again.
    """

    def __init__(self, paint: Callable[[], object], *, of: Callable[[], object] | None = None) -> None:
        super().__init__()
        self._paint, self._of = paint, of
        self._drawn_of = None if of is None else of()
        self._version = 0
        self._is_choosing = False
        self._html, self._handlers = written(paint, page_texts(self.client))
        self._show()
        self.on("choose", self._choose)

    def refresh(self) -> None:
        """Draw it again; nothing is sent if nothing changed."""
        if self._of is not None:
            shown, before = self._of(), self._drawn_of
            if shown == before:
                return
            self._drawn_of = shown
        html, self._handlers = written(self._paint, page_texts(self.client))
        if html != self._html:
            self._html = html
            self._version += 1
            self._show()

    def _show(self) -> None:
        self.props["html"], self.props["version"] = self._html, self._version

    async def _choose(self, event: events.GenericEventArguments) -> None:
        match event.args:
            case {"place": int(place), "version": int(version)}:
                is_there = version == self._version and 0 <= place < len(self._handlers)
                if is_there and not self._is_choosing:
                    await self._carry_out(self._handlers[place])

    async def _carry_out(self, handler: Callable[[], object]) -> None:
        self._is_choosing = True
        try:
            result = handler()
            if isawaitable(result):
                await result
        finally:
            self._is_choosing = False
