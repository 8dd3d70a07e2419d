"""The one way in which kernels are compiled: Numba, cached on disk (:mod:`~croupier.numerics.kernel_cache`), free of the interpreter's lock."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

from croupier.numerics.kernel_cache import KernelCache

Kernel = TypeVar("Kernel", bound=Callable[..., object])


def compiled(kernel: Kernel) -> Kernel:
    """Compile a function on first use and keep the result for the next process.

    Numba does not describe its decorator to type checkers; here a kernel keeps its own signature.
    """
    return cast(Kernel, _cached(kernel))


def inlined(kernel: Kernel) -> Kernel:
    """Compile a small function into every kernel that calls it, where a call would cost more than its work."""
    return cast(Kernel, _cached(kernel, forceinline=True))


def compiled_lean(kernel: Kernel) -> Kernel:
    """Compile a function that allocates nothing, without counting references to arrays.

    Numba counts a reference whenever an array is handed from function to function, with two locked instructions each time. Functions
    that hand each other a dozen arrays for every card spend two thirds of their time on it.
    """
    return cast(Kernel, _cached(kernel, _nrt=False))


def inlined_lean(kernel: Kernel) -> Kernel:
    """Compile a small function that allocates nothing into every lean kernel that calls it."""
    return cast(Kernel, _cached(kernel, _nrt=False, forceinline=True))


def called_lean(kernel: Kernel) -> Kernel:
    """Compile a function that allocates nothing and is seldom called, so that its code stays out of its callers.

    Numba gives a function that it meets while it compiles another one those options of the other that the function does not set
    itself. So a ``compiled_lean`` kernel that is first met in an ``inlined_lean`` one is compiled into its callers too.
    """
    return cast(Kernel, _cached(kernel, _nrt=False, forceinline=False))


def _cached(kernel: Callable[..., object], **options: Any) -> object:
    dispatcher: Any = njit(nogil=True, **options)(kernel)
    dispatcher._cache = KernelCache(dispatcher)
    return dispatcher
