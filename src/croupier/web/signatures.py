"""Remember which handlers expect an argument.

NiceGUI inspects the signature of a handler for every collection of every element: some four hundred times a page, a third of the
time that building a page takes. The handlers are always the same few functions.
"""

from collections.abc import Callable
from types import CodeType, FunctionType, MethodType
from typing import Any

from nicegui import helpers

_inspected = helpers.expects_arguments
_known: dict[tuple[CodeType, bool, int, int], bool] = {}


def remember_signatures() -> None:
    """Let NiceGUI ask :func:`expects_arguments`."""
    helpers.expects_arguments = expects_arguments


def expects_arguments(func: Callable[..., Any]) -> bool:
    """Say whether a function has an argument without a default; what its code says is looked up once.

    >>> expects_arguments(lambda event: None), expects_arguments(lambda: None), expects_arguments(lambda event=1: None)
    (True, False, False)
    """
    function = func.__func__ if isinstance(func, MethodType) else func
    if not isinstance(function, FunctionType) or hasattr(function, "__wrapped__"):
        return _inspected(func)
    given = len(function.__defaults__ or ()), len(function.__kwdefaults__ or {})
    key = (function.__code__, function is not func, *given)
    known = _known.get(key)
    if known is None:
        known = _known[key] = _inspected(func)
    return known
