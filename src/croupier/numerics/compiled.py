"""The one way in which kernels are compiled: Numba, cached on disk, free of the interpreter's lock.

Numba compiles into a kernel whatever it uses: other kernels and the values of constants, from any file. Its own cache looks at the
kernel's file only. Ours is keyed on all that the kernel is made of (:mod:`~croupier.numerics.kernel_content`).
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit
from numba.core.caching import IndexDataCacheFile

from croupier.numerics.kernel_content import digest_of

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


def _cached(kernel: Callable[..., object], **options: Any) -> object:
    dispatcher: Any = njit(cache=True, nogil=True, **options)(kernel)
    dispatcher._cache._cache_file = _ContentCacheFile(dispatcher)
    return dispatcher


class _ContentCacheFile(IndexDataCacheFile):
    """The cache file of one kernel, valid for the content that the kernel has in this process."""

    def __init__(self, dispatcher: Any) -> None:
        cache = dispatcher._cache
        super().__init__(cache.cache_path, cache._impl.filename_base, None)  # type: ignore[no-untyped-call]
        self._dispatcher = dispatcher

    @property
    def _source_stamp(self) -> str:
        """Return the digest when the cache is read or written: a kernel may use what stands below it in its file."""
        return digest_of(self._dispatcher)

    @_source_stamp.setter
    def _source_stamp(self, _numbas: object) -> None:
        """Leave out the stamp of Numba's own."""
