"""Numbers as people read them."""

import math

from croupier.texts import figure


def signed(number: float, digits: int) -> str:
    """Write a number with its sign and a true minus; what rounds to nothing has no sign.

    >>> signed(-0.123, 2), signed(0.5, 1), signed(-0.0001, 2), signed(math.nan, 2)
    ('−0.12', '+0.5', '0', '')
    """
    if not math.isfinite(number):
        return ""
    rounded = round(number, digits)
    return figure(rounded, f"+.{digits}f") if rounded else "0"
