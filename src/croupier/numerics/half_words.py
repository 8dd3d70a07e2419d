"""Two short numbers in a word: networks read half as many bytes, and their weights fit into a processor's own memory.

A short number is a float of 32 bits without its lower 16 (bfloat16): the range of a float, with two to three digits.
"""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from croupier.numerics.compiled import inlined

Words = NDArray[np.int32]

_UPPER = -(1 << 16)
_SHIFT = 16


def rounded(numbers: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the nearest short numbers, as floats.

    >>> rounded(np.array([1.0, 3.14159265], dtype=np.float32))
    array([1.      , 3.140625], dtype=float32)
    """
    bits = numbers.astype(np.float32).view(np.uint32).astype(np.uint64)
    even = bits + 0x7FFF + ((bits >> 16) & 1)
    return (even & 0xFFFF0000).astype(np.uint32).view(np.float32)


def packed(numbers: NDArray[np.float32]) -> Words:
    """Return rows of short numbers as words: the first half of a row in the upper bits, the second half in the lower ones.

    >>> words = packed(np.array([[1.0, 2.0, 3.0, -4.0]], dtype=np.float32))
    >>> words.shape, upper(words[0, 1]), lower(words[0, 1])
    ((1, 2), 2.0, -4.0)
    """
    bits = rounded(numbers).view(np.uint32)
    half = numbers.shape[1] // 2
    return np.ascontiguousarray((bits[:, :half] | bits[:, half:] >> 16).view(np.int32))


def _same_bits(_context: Any, _word: Any) -> Any:
    """Let the processor read a word as a float; Numba has no function for it."""

    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], ir.FloatType())

    return types.float32(types.int32), generate


_as_float = cast(Callable[[np.int32], float], intrinsic(_same_bits))


@inlined
def upper(word: np.int32) -> float:
    """Return the number in the upper half of a word."""
    return _as_float(np.int32(word & np.int32(_UPPER)))


@inlined
def lower(word: np.int32) -> float:
    """Return the number in the lower half of a word."""
    return _as_float(np.int32(word << np.int32(_SHIFT)))
