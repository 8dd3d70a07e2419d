"""A file that grows by whole entries. An interrupted program leaves at most one torn entry, at the end; it is repaired."""

import fcntl
import json
import os
import stat
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from croupier.errors import InputError
from croupier.files import FileError

#: How much of the end of a file is looked at for a torn entry; entries are much smaller.
_TAIL = 2**20


class Closed(ABC):
    """Base of what is closed at the end of its ``with`` block."""

    @abstractmethod
    def close(self) -> None:
        """Close the file."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class AppendFile(Closed):
    r"""Appends entries that end with a line end. An entry that cannot be written whole is taken back.

    Several programs may append to one file: a lock keeps their entries apart. With ``is_exclusive``, only one may have it open.

    Parameters
    ----------
    path
        The file; it is created if it is missing.
    what
        What the file is called in errors.
    durable
        Whether an entry is on the disk before :meth:`append` returns. Without it, an entry survives the end of this
        program, however sudden, but not that of the machine.
    is_exclusive
        Whether the file is locked until it is closed.
    repaired
        Called with the end of a file whose last entry may be torn, because the program that wrote it was ended; returns how many bytes
        of it to keep.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "games.log"
    ...     _ = path.write_text("whole\ntor")
    ...     with AppendFile(path, "log", repaired=lambda tail: tail.rfind(b"\n") + 1) as file:
    ...         file.append("next\n")
    ...     path.read_text()
    'whole\nnext\n'
    """

    def __init__(
        self,
        path: Path,
        what: str,
        *,
        durable: bool = False,
        is_exclusive: bool = False,
        repaired: Callable[[bytes], int] | None = None,
    ) -> None:
        self._path, self._what, self._durable, self._is_exclusive = path, what, durable, is_exclusive
        try:
            self._file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except (OSError, ValueError) as error:
            raise self._failure(error) from None
        try:
            if is_exclusive:
                self._lock_for_good()
            with self._locked():
                self._end_torn_entry(repaired)
        except BaseException:
            os.close(self._file)
            raise

    def append(self, entry: str) -> None:
        """Write one entry.

        Raises
        ------
        FileError
            If the disk refuses it; then the file is as before.
        """
        data = entry.encode("utf-8")
        with self._locked():
            size = os.fstat(self._file).st_size
            try:
                while data:
                    data = data[os.write(self._file, data) :]
                if self._durable:
                    os.fsync(self._file)
            except OSError as error:
                if self._is_regular:
                    os.ftruncate(self._file, size)
                raise self._failure(error) from None

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)

    @property
    def _is_regular(self) -> bool:
        return stat.S_ISREG(os.fstat(self._file).st_mode)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        if self._is_exclusive or not self._is_regular:
            yield
            return
        fcntl.flock(self._file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(self._file, fcntl.LOCK_UN)

    def _lock_for_good(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(f"{self._what} '{self._path}': another match is writing to it") from None

    def _end_torn_entry(self, repaired: Callable[[bytes], int] | None) -> None:
        """Remove what an interrupted program left of its last entry; end the last line where only its end is missing."""
        try:
            size = os.fstat(self._file).st_size
            if not size or not self._is_regular:
                return
            if repaired is not None:
                begin = max(0, size - _TAIL)
                tail = os.pread(self._file, size - begin, begin)
                size = begin + repaired(tail)
                os.ftruncate(self._file, size)
            if size and os.pread(self._file, 1, size - 1) != b"\n":
                os.write(self._file, b"\n")
        except OSError as error:
            raise self._failure(error) from None

    def _failure(self, error: OSError | ValueError) -> FileError:
        why = (error.strerror if isinstance(error, OSError) else None) or str(error)
        return FileError(f"{self._what} '{self._path}': cannot be written ({why})")


def whole_json_lines(tail: bytes) -> int:
    r"""Return how many bytes of the end of a file of JSON lines to keep: a last line that was cut off does not count.

    >>> whole_json_lines(b'{"a": 1}\n{"b"'), whole_json_lines(b'{"a": 1}\n{"b": 2}')
    (9, 17)
    """
    begin = tail.rstrip(b"\n").rfind(b"\n") + 1
    try:
        json.loads(tail[begin:])
    except (ValueError, RecursionError):
        return begin
    return len(tail)
