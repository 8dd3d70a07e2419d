"""Read files that people name, and write files completely or not at all."""

import os
import tempfile
from pathlib import Path
from typing import BinaryIO

from croupier.errors import InputError


class FileError(InputError):
    """A file that cannot be read or written; the message says which one and why."""


def read_text(path: Path, what: str = "file") -> str:
    """Return the text of a file; every failure is one clear line.

    Examples
    --------
    >>> read_text(Path("/no/such/rules.toml"), what="rule file")
    Traceback (most recent call last):
    croupier.files.FileError: rule file '/no/such/rules.toml': there is no such file
    """
    try:
        return read_bytes(path, what).decode("utf-8")
    except UnicodeDecodeError:
        raise FileError(f"{what} '{path}': not UTF-8 text") from None


def read_bytes(path: Path, what: str = "file") -> bytes:
    """Return the bytes of a file, with the same errors as :func:`read_text`."""
    with open_bytes(path, what) as file:
        try:
            return file.read()
        except OSError as error:
            raise FileError(f"{what} '{path}': {_reason(error, 'read')}") from None


def open_bytes(path: Path, what: str = "file") -> BinaryIO:
    """Open a file to read it piece by piece, with the same errors as :func:`read_text`.

    Examples
    --------
    >>> open_bytes(Path("/no/such/games.log"), what="log")
    Traceback (most recent call last):
    croupier.files.FileError: log '/no/such/games.log': there is no such file
    """
    try:
        return path.open("rb")
    except ValueError as error:
        raise FileError(f"{what} {str(path)!r}: {error}") from None
    except OSError as error:
        raise FileError(f"{what} '{path}': {_reason(error, 'read')}") from None


def write_text(path: Path, text: str, what: str = "file") -> None:
    """Write a text file completely or not at all, as :func:`write_bytes` does."""
    write_bytes(path, text.encode("utf-8"), what)


def write_bytes(path: Path, data: bytes, what: str = "file") -> None:
    """Write a file completely or not at all: readers see the old content or the new, never a part.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_bytes(Path(folder) / "run.bin", b"abc")
    ...     read_bytes(Path(folder) / "run.bin")
    b'abc'
    """
    temporary = None
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
            temporary = Path(file.name)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        _give_usual_permissions(temporary)
        temporary.replace(path)
    except OSError as error:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        raise FileError(f"{what} '{path}': {_reason(error, 'write')}") from None


def make_folder(path: Path, what: str = "folder") -> None:
    """Make a folder and its parents where they are missing."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise FileError(f"{what} '{path}': it is a file; name a folder") from None
    except OSError as error:
        raise FileError(f"{what} '{path}': {_reason(error, 'write')}") from None


def _give_usual_permissions(path: Path) -> None:
    """Undo the private mode of temporary files: the result is readable as any file that a program writes."""
    mask = os.umask(0)
    os.umask(mask)
    path.chmod(0o666 & ~mask)


def _reason(error: OSError, verb: str) -> str:
    match error:
        case FileNotFoundError():
            return "there is no such file" if verb == "read" else "there is no such folder"
        case IsADirectoryError():
            return "it is a directory; name a file"
        case NotADirectoryError():
            return "a part of its path is a file, not a folder"
        case PermissionError():
            return f"no permission to {verb} it"
        case _:
            return error.strerror or str(error)
