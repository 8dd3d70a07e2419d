"""Reading the files that people hand in."""

from pathlib import Path

from croupier.errors import InputError


class FileError(InputError):
    """A file that cannot be read; the message says which one and why."""


def read_text(path: Path, what: str = "file") -> str:
    """Return the text of a file; every way in which that can fail is one clear line.

    Examples
    --------
    >>> read_text(Path("/no/such/rules.toml"), what="rule file")
    Traceback (most recent call last):
    croupier.lab.files.FileError: rule file '/no/such/rules.toml': there is no such file
    """
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise FileError(f"{what} '{path}': not UTF-8 text") from None
    except OSError as error:
        raise FileError(f"{what} '{path}': {_reason(error)}") from None


def _reason(error: OSError) -> str:
    match error:
        case FileNotFoundError():
            return "there is no such file"
        case IsADirectoryError():
            return "it is a directory; name a file"
        case PermissionError():
            return "no permission to read it"
        case _:
            return error.strerror or str(error)
