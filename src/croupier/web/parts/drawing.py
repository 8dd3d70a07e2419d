"""Parts of a page that are drawn as one element.

A table changes at every click, and a page of a hundred elements would send and rebuild all of them each time. A drawing is one
element. Its HTML is written here, is sent only if it changed, and is merged into the page, so that focus and images stay where
they are.
"""

from collections.abc import Callable
from contextvars import ContextVar
from functools import lru_cache, partial
from html import escape
from inspect import isawaitable
from types import TracebackType
from typing import Any, Self

from nicegui import events, ui

from croupier.texts import DEFAULT_LANGUAGE, Texts
from croupier.web.parts.elements import attribute_name
from croupier.web.parts.language import page_texts

_VOID = frozenset({"br", "hr", "img", "input"})


class Sheet:
    """The HTML of a drawing as it is being written, in the reader's language.

    Attributes
    ----------
    pieces, handlers
        The HTML so far, and what is called for clicks.
    texts
        Puts phrases into the reader's language.
    closing
        The end of the element that was drawn last; it is written when the next one is drawn, or the block around it ends.
    """

    __slots__ = ("closing", "handlers", "pieces", "texts")

    def __init__(self, texts: Texts) -> None:
        self.pieces: list[str] = []
        self.handlers: list[Callable[[], object]] = []
        self.texts = texts
        self.closing = ""


class Drawn:
    """An HTML element of a drawing; elements drawn in its ``with`` block, which follows at once, become its children."""

    __slots__ = ("_closing", "_sheet")

    def __init__(self, sheet: Sheet, closing: str) -> None:
        self._sheet, self._closing = sheet, closing

    def __enter__(self) -> Self:
        self._sheet.closing = ""
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        sheet = self._sheet
        sheet.pieces.append(sheet.closing)
        sheet.closing = self._closing


_sheet: ContextVar[Sheet | None] = ContextVar("sheet", default=None)

# The same texts are shown again and again.
_attribute_text = lru_cache(maxsize=4096)(escape)
_inner_text = lru_cache(maxsize=4096)(partial(escape, quote=False))


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
    sheet = _sheet.get()
    if sheet is None:
        raise RuntimeError(f"<{name}> is drawn outside of a drawing")
    pieces, shown = sheet.pieces, sheet.texts.shown
    pieces.append(f"{sheet.closing}<{name}")
    if classes := classes.strip():
        pieces.append(f' class="{_attribute_text(classes)}"')
    for key, value in attributes.items():
        if value is True:
            pieces.append(f" {attribute_name(key)}")
        elif value is not None and value is not False:
            pieces.append(f' {attribute_name(key)}="{_attribute_text(shown(value))}"')
    if on_click is not None:
        pieces.append(f' data-click="{len(sheet.handlers)}"')
        sheet.handlers.append(on_click)
    pieces.append(f">{_inner_text(shown(text))}" if text else ">")
    sheet.closing = "" if name in _VOID else f"</{name}>"
    return Drawn(sheet, sheet.closing)


def written(
    paint: Callable[[], object], texts: Texts | None = None
) -> tuple[str, list[Callable[[], object]]]:
    """Return the HTML that a function draws, and its click handlers; phrases are said in a language, in English by default.

    >>> written(lambda: draw("button", "Hit", type="button", on_click=list))
    ('<button type="button" data-click="0">Hit</button>', [<class 'list'>])
    """
    sheet = Sheet(texts or Texts(DEFAULT_LANGUAGE))
    around = _sheet.set(sheet)
    try:
        paint()
    finally:
        _sheet.reset(around)
    sheet.pieces.append(sheet.closing)
    return "".join(sheet.pieces), sheet.handlers


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
        self._told: dict[str, Any] | None = None
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
        # Past the machinery that would look for changes inside of the values; they are told to the page here.
        dict.update(self.props, html=self._html, version=self._version)
        self.update()

    def _to_dict(self) -> dict[str, Any]:
        """Return what the page is told. All but the properties stays as it was when the page was built."""
        if self._told is None:
            self._told = super()._to_dict()
        return self._told

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
