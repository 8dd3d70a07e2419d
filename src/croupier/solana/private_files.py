"""Files that only their owner may read: keys and the house's secret."""

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from croupier.files import FileError


def create_private(path: Path, text: str, what: str) -> None:
    """Write a new file with mode 0600, whole or not at all; a file that is there already raises a FileError.

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     create_private(Path(folder) / "key.json", "[1]", "key file")
    ...     oct((Path(folder) / "key.json").stat().st_mode & 0o777)
    ...     create_private(Path(folder) / "key.json", "[2]", "key file")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    croupier.files.FileError: key file '...key.json': it already exists and is never overwritten; move it away first
    """
    _write(path, text, what, replace=False)


def replace_private(path: Path, text: str, what: str) -> None:
    """Write a file with mode 0600, whole or not at all, replacing an older version.

    Raises
    ------
    FileError
        If the file cannot be written.
    """
    _write(path, text, what, replace=True)


@contextmanager
def folder_lock(path: Path, what: str) -> Iterator[None]:
    """Make other processes wait while this one reads and replaces a file.

    The folder is locked, not the file, because replacing the file would drop its lock.

    Raises
    ------
    FileError
        If the folder cannot be opened.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as folder, folder_lock(Path(folder) / "house.json", "house file"):
    ...     create_private(Path(folder) / "house.json", "{}", "house file")
    """
    try:
        descriptor = os.open(path.parent, os.O_RDONLY)
    except OSError as error:
        raise FileError(f"{what} '{path}': {error.strerror or error}") from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def only_process(path: Path, what: str) -> Iterator[None]:
    """Hold a lock file while the block runs; a killed process holds it no longer.

    Raises
    ------
    FileError
        If another process holds it, or the file cannot be made.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as folder, only_process(Path(folder) / "lock", "house"):
    ...     with only_process(Path(folder) / "lock", "house"):  # doctest: +ELLIPSIS
    ...         pass
    Traceback (most recent call last):
    croupier.files.FileError: house: another process is running with '.../lock'
    """
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        raise FileError(f"{what} '{path}': {error.strerror or error}") from None
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FileError(f"{what}: another process is running with '{path}'") from None
        yield
    finally:
        os.close(descriptor)


def _write(path: Path, text: str, what: str, *, replace: bool) -> None:
    temporary = None
    try:
        # Temporary files are created private, so another user can never open the secret.
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", dir=path.parent, prefix=f".{path.name}.", delete=False
        ) as file:
            temporary = Path(file.name)
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if replace:
            temporary.replace(path)
        else:
            os.link(temporary, path)
    except FileExistsError:
        raise FileError(
            f"{what} '{path}': it already exists and is never overwritten; move it away first"
        ) from None
    except OSError as error:
        raise FileError(f"{what} '{path}': {error.strerror or error}") from None
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
