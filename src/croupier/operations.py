"""Operations: ``verify_x`` raises and says why, ``x`` does it, and ``can_x`` asks where somebody needs the answer."""

from collections.abc import Callable

from croupier.errors import InputError


def is_allowed(verify: Callable[[], None]) -> bool:
    """Return whether a check passes instead of raising an :class:`InputError`.

    Examples
    --------
    >>> def verify_even(number: int) -> None:
    ...     if number % 2:
    ...         raise InputError(f"{number} is odd; an even number is wanted")
    >>> is_allowed(lambda: verify_even(4)), is_allowed(lambda: verify_even(5))
    (True, False)
    """
    try:
        verify()
    except InputError:
        return False
    return True
