"""Files that nobody but their owner may read: keys and the house's secret."""

import os
import tempfile
from pathlib import Path

from croupier.lab.files import FileError


def create_private(path: Path, text: str, what: str) -> None:
    """Write a new file with mode 0600, at once or not at all; what is there already is never replaced.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     create_private(Path(folder) / "key.json", "[1]", "key file")
    ...     oct((Path(folder) / "key.json").stat().st_mode & 0o777)
    ...     create_private(Path(folder) / "key.json", "[2]", "key file")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    croupier.lab.files.FileError: key file '...key.json': it is there already; it would be lost
    """
    _write(path, text, what, replace=False)


def replace_private(path: Path, text: str, what: str) -> None:
    """Write a file with mode 0600, at once or not at all, over an older version of it."""
    _write(path, text, what, replace=True)


def _write(path: Path, text: str, what: str, *, replace: bool) -> None:
    temporary = None
    try:
        # Temporary files are private from the start: at no moment can another user open the secret.
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
        raise FileError(f"{what} '{path}': it is there already; it would be lost") from None
    except OSError as error:
        raise FileError(f"{what} '{path}': {error.strerror or error}") from None
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
