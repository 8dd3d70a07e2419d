"""Sets of durak cards as bits: card ``code - 16`` is bit ``4 * rank + suit`` of a 64-bit integer.

Signed integers throughout: Numba turns a mix of signed and unsigned ones into floats, and 36 bits leave the sign alone.
"""

from collections.abc import Callable
from typing import Any, cast

from numba import types
from numba.extending import intrinsic

from croupier.numerics.compiled import inlined

#: All clubs; the other suits are this, shifted by their number.
CLUBS = 0x111111111


def _population(_context: Any, _bits: Any) -> Any:
    """Let the processor count bits; Numba has no function for it."""

    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


def _trailing_zeros(_context: Any, _bits: Any) -> Any:
    """Let the processor find the lowest bit; Numba has no function for it."""

    def generate(target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], target.get_constant(types.boolean, False))

    return types.int64(types.int64), generate


#: These two as functions for compiled code.
_count_bits = cast(Callable[[int], int], intrinsic(_population))
_lowest_place = cast(Callable[[int], int], intrinsic(_trailing_zeros))


@inlined
def count(cards: int) -> int:
    """Return how many cards a set holds."""
    return _count_bits(cards)


@inlined
def lowest(cards: int) -> int:
    """Return the lowest card of a set that holds any, as a set of one."""
    return cards & -cards


@inlined
def place(card: int) -> int:
    """Return the number, 0-35, of the card in a set of one."""
    return _lowest_place(card)


@inlined
def of_same_ranks(cards: int) -> int:
    """Return every card of the pack whose rank is in a set."""
    ranks = (cards | cards >> 1 | cards >> 2 | cards >> 3) & CLUBS
    return ranks * 15


@inlined
def beating(card: int, trumps: int) -> int:
    """Return every card of the pack that beats the card in a set of one."""
    suit = CLUBS << (place(card) & 3)
    higher = suit & ~((card << 1) - 1)
    return higher if suit == trumps else higher | trumps
