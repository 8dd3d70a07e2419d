"""Operations come in threes: ``verify_x`` raises and says why, ``can_x`` asks, ``x`` does it."""

from collections.abc import Callable

from croupier.errors import InputError


def is_allowed(verify: Callable[[], None]) -> bool:
    """Turn a check that raises into a question.

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
