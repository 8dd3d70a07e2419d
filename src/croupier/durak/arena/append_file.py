"""A file that grows by whole entries. An interrupted program leaves at most one torn entry, at the end; it is repaired."""

import os
from abc import ABC, abstractmethod
from pathlib import Path
from types import TracebackType
from typing import Self

from croupier.files import FileError


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
    r"""Appends entries that end with a line end, each in one write at the end of the file, even if others write to it too.

    Parameters
    ----------
    path
        The file; it is created if it is missing.
    what
        What the file is called in errors.
    durable
        Whether an entry is on the disk before :meth:`append` returns. Without it, an entry survives the end of this
        program, however sudden, but not that of the machine.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "games.log"
    ...     _ = path.write_text("whole\ntor")
    ...     with AppendFile(path, "log") as file:
    ...         file.append("next\n")
    ...     path.read_text()
    'whole\ntor\nnext\n'
    """

    def __init__(self, path: Path, what: str, *, durable: bool = False) -> None:
        self._path, self._what, self._durable = path, what, durable
        try:
            self._file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except (OSError, ValueError) as error:
            raise self._failure(error) from None
        self._end_torn_line()

    @property
    def descriptor(self) -> int:
        """The open file."""
        return self._file

    def append(self, entry: str) -> None:
        """Write one entry.

        Raises
        ------
        FileError
            If the disk refuses it.
        """
        data = entry.encode("utf-8")
        try:
            while data:
                data = data[os.write(self._file, data) :]
            if self._durable:
                os.fsync(self._file)
        except OSError as error:
            raise self._failure(error) from None

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)

    def _end_torn_line(self) -> None:
        """End a line that an interrupted program left open, so that the next entry begins on a line of its own."""
        try:
            size = os.fstat(self._file).st_size
            if size and os.pread(self._file, 1, size - 1) != b"\n":
                os.write(self._file, b"\n")
        except OSError as error:
            raise self._failure(error) from None

    def _failure(self, error: OSError | ValueError) -> FileError:
        why = (error.strerror if isinstance(error, OSError) else None) or str(error)
        return FileError(f"{self._what} '{self._path}': cannot be written ({why})")
