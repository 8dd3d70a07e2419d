"""English sentences where there should be none: in texts that a Russian or a Chinese reader is shown."""

import dataclasses
import html
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from croupier.texts import Texts

#: The languages in which Latin words give English away.
READERS = ("ru", "zh")

_SENTENCE = re.compile(r"[A-Za-z][a-z']+(?:[ ,;:.]+[A-Za-z][a-z']+){2,}")
_SHOWN_KEYS = {"text", "label", "html", "title", "placeholder", "aria-label", "toggle-aria-label", "caption"}
_SHOWN_ATTRIBUTES = re.compile(r' (?:aria-label|title|alt|placeholder)="([^"]*)"')


#: Commands to type are the same in every language.
_COMMAND = re.compile(r"croupier (?:serve|solana (?:demo|verify))")


def english_in(text: str) -> list[str]:
    """Return runs of three Latin words and more.

    >>> english_in("У вас 16: hit or stand?"), english_in("板乐 (Ban Luck)"), english_in("croupier solana demo --seed")
    (['hit or stand'], [], [])
    """
    return _SENTENCE.findall(_COMMAND.sub("", text))


def shown_texts(value: Any, texts: Texts) -> Iterator[str]:
    """Yield all texts of a view, said in a language."""
    if isinstance(value, str):
        yield texts.shown(value)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            yield from shown_texts(getattr(value, field.name), texts)
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from shown_texts(part, texts)
    elif isinstance(value, tuple | list):
        for part in value:
            yield from shown_texts(part, texts)


def page_texts(page: str) -> Iterator[str]:
    """Yield all texts of a page as the server sends it: of its elements, of the HTML in them, and of the labels of both."""
    for element in _elements(page):
        yield from _texts_of(element)


def _elements(page: str) -> Iterator[Any]:
    found = re.search(r"parseElements\(String\.raw`(.*?)`\)", page, re.DOTALL)
    assert found, "the page holds no elements"
    yield from json.loads(html.unescape(found[1])).values()


def _texts_of(part: Any, key: str = "") -> Iterator[str]:
    if isinstance(part, Mapping):
        for name, value in part.items():
            yield from _texts_of(value, name)
    elif isinstance(part, list):
        for value in part:
            yield from _texts_of(value, key)
    elif isinstance(part, str) and key in _SHOWN_KEYS:
        if "<" not in part:
            yield part
            return
        yield from (html.unescape(text) for text in _SHOWN_ATTRIBUTES.findall(part))
        yield from (html.unescape(text) for text in re.split(r"<[^>]*>", part) if text.strip())
