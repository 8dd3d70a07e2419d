"""The one way in which kernels are compiled: Numba, cached on disk, free of the interpreter's lock.

Numba compiles what a kernel calls into the kernel, but forgets its cached result only when the kernel's own file changes. Here a
cached kernel is also forgotten when a file changes whose kernels it calls; else it would go on with what they were.
"""

import os
from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

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
    dispatcher.source_files = _source_files(kernel)
    stamp = tuple((path, os.stat(path).st_mtime_ns) for path in sorted(dispatcher.source_files))
    dispatcher._cache._cache_file._source_stamp = stamp
    return dispatcher


def _source_files(kernel: Callable[..., object]) -> set[str]:
    """Return the files that a kernel is made of: its own, and those of the kernels that it calls."""
    files = {kernel.__code__.co_filename}
    for name in kernel.__code__.co_names:
        used = kernel.__globals__.get(name)
        files |= getattr(used, "source_files", set())
    return files
