"""Operations: ``verify_x`` raises and says why, ``x`` does it, and ``is_allowed(verify_x, ...)`` asks."""

from collections.abc import Callable
from typing import ParamSpec

from croupier.errors import InputError

P = ParamSpec("P")


def is_allowed(verify: Callable[P, None], *arguments: P.args, **named: P.kwargs) -> bool:
    """Return whether a check passes instead of raising an :class:`InputError`.

    Examples
    --------
    >>> def verify_even(number: int) -> None:
    ...     if number % 2:
    ...         raise InputError(f"{number} is odd; an even number is wanted")
    >>> is_allowed(verify_even, 4), is_allowed(verify_even, 5)
    (True, False)
    """
    try:
        verify(*arguments, **named)
    except InputError:
        return False
    return True
