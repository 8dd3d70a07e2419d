"""Handlers whose signature is remembered are taken for what they are."""

from functools import partial, wraps
from typing import Any

import pytest

from croupier.web.signatures import _inspected, expects_arguments


class Page:
    """A page with handlers of all kinds."""

    def plain(self) -> None: ...

    def with_event(self, event: object) -> None: ...

    def with_default(self, event: object = None) -> None: ...

    def with_keyword(self, *, name: str) -> None: ...

    def with_any(self, *arguments: object, **options: object) -> None: ...


def made(*defaults: Any) -> Any:
    """Return functions of the same code that differ in their defaults only."""

    def handler(event: object) -> None: ...

    handler.__defaults__ = defaults or None
    return handler


@wraps(Page.plain)
def wrapped(*arguments: object) -> None: ...


HANDLERS = [
    *(getattr(Page(), name) for name in vars(Page) if not name.startswith("_")),
    *(getattr(Page, name) for name in vars(Page) if not name.startswith("_")),
    *(made(), made(None), wrapped, partial(Page.with_event, Page()), partial(made()), print, Page),
]


@pytest.mark.parametrize("handler", HANDLERS)
def test_what_is_remembered_is_what_the_signature_says(handler: Any) -> None:
    assert expects_arguments(handler) == _inspected(handler)
    assert expects_arguments(handler) == _inspected(handler), "the second answer comes from memory"
