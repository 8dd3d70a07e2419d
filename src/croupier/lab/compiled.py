"""The one way in which kernels are compiled: Numba, cached on disk, free of the interpreter's lock."""

from collections.abc import Callable
from typing import TypeVar, cast

from numba import njit

Kernel = TypeVar("Kernel", bound=Callable[..., object])


def compiled(kernel: Kernel) -> Kernel:
    """Compile a function on first use and keep the result for the next process.

    Numba does not describe its decorator to type checkers; here a kernel keeps its own signature.
    """
    return cast(Kernel, njit(cache=True, nogil=True)(kernel))


def inlined(kernel: Kernel) -> Kernel:
    """Compile a small function into every kernel that calls it, where a call would cost more than its work."""
    return cast(Kernel, njit(cache=True, nogil=True, forceinline=True)(kernel))
