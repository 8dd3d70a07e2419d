"""Compiled kernels on disk, under names made from what they are made of.

Numba keeps a kernel beside its source and looks at the kernel's own file only. Here a kernel's name contains the digest of all that is
compiled into it (:mod:`~croupier.numerics.kernel_content`). A stale kernel is never found, and installations with the same kernels
share them.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile

from croupier.folders import cache_folders, writable_cache
from croupier.numerics.kernel_content import digest_of

#: How many contents of a kernel are kept, for those who work on several versions.
KEPT_CONTENTS = 8

#: Every kernel that this process has imported, by its full name.
KERNELS: dict[str, "KernelCache"] = {}

#: Called whenever a kernel has been loaded or compiled.
LISTENERS: list[Callable[[], None]] = []


class KernelCache(FunctionCache):
    """The cache of one kernel.

    Parameters
    ----------
    dispatcher
        The kernel, as Numba calls it.

    Attributes
    ----------
    title
        The kernel's full name.
    types
        The types of arguments that this process has loaded or compiled it for.
    """

    def __init__(self, dispatcher: Any) -> None:
        self._name = repr(dispatcher.py_func)
        self._py_func = dispatcher.py_func
        self._impl = _KernelImplementation(self._py_func)
        self.dispatcher = dispatcher
        self.title = f"{self._py_func.__module__}.{self._py_func.__qualname__}"
        self.types: set[str] = set()
        KERNELS[self.title] = self
        self.enable()  # type: ignore[no-untyped-call]

    @property
    def cache_path(self) -> str:
        """The folder to write to."""
        return str(_kernels(writable_cache()))

    def flush(self) -> None:
        """Forget every version of the kernel in the folder to write to."""
        for path in _kernels(writable_cache()).glob(f"{self._file_title}-*"):
            path.unlink(missing_ok=True)

    def _load_overload(self, sig: Any, target_context: Any) -> Any:
        key = self._index_key(sig, target_context.codegen())  # type: ignore[no-untyped-call]
        for folder in cache_folders():
            data = self._file(_kernels(folder)).load(key)  # type: ignore[no-untyped-call]
            if data is not None:
                self._tell(sig)
                return self._impl.rebuild(target_context, data)
        return None

    def _save_overload(self, sig: Any, data: Any) -> None:
        self._tell(sig)
        if not self._impl.check_cachable(data):
            return
        folder = _kernels(writable_cache())
        folder.mkdir(exist_ok=True)
        key = self._index_key(sig, data.codegen)  # type: ignore[no-untyped-call]
        self._file(folder).save(key, self._impl.reduce(data))  # type: ignore[no-untyped-call]
        for outdated in self._indices(folder)[KEPT_CONTENTS:]:
            for path in folder.glob(f"{outdated.stem}.*"):
                path.unlink(missing_ok=True)

    def _tell(self, sig: Any) -> None:
        self.types.add(str(sig))
        for listener in LISTENERS:
            listener()

    @property
    def _file_title(self) -> str:
        """The kernel's full name, without the characters that a file's name may not have."""
        return self.title.translate({ord("<"): None, ord(">"): None})

    def _file(self, folder: Path) -> IndexDataCacheFile:
        """Return the files of the kernel's content, as it is now: it may use what stands below it in its file."""
        digest = digest_of(self.dispatcher)
        name = f"{self._file_title}-{digest[:20]}.{sys.implementation.cache_tag}"
        return IndexDataCacheFile(str(folder), name, digest)  # type: ignore[no-untyped-call]

    def _indices(self, folder: Path) -> list[Path]:
        """Return the index files of all contents of the kernel, the newest first."""
        return [path for _, path in sorted(self._dated(folder), reverse=True)]

    def _dated(self, folder: Path) -> Iterator[tuple[float, Path]]:
        for path in folder.glob(f"{self._file_title}-*.{sys.implementation.cache_tag}.nbi"):
            with suppress(FileNotFoundError):  # another process may remove it as well
                yield path.stat().st_mtime, path


class _KernelImplementation(CompileResultCacheImpl):
    """How a compiled kernel is written and read; Numba would look for a folder here."""

    def __init__(self, kernel: Any) -> None:
        self._lineno = kernel.__code__.co_firstlineno
        self._locator = _Source(kernel.__code__.co_filename)


class _Source:
    """What Numba's warning about a kernel that cannot be kept names."""

    def __init__(self, path: str) -> None:
        self._py_file = path


def _kernels(folder: Path) -> Path:
    return folder / "kernels"
