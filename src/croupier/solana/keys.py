"""Key files in the form that the Solana tools use: a JSON array of 64 numbers, secret half first."""

import json
from pathlib import Path

from solders.keypair import Keypair

from croupier.errors import InputError
from croupier.files import read_text
from croupier.solana.private_files import create_private

_SIZE = 64


class KeyFileError(InputError):
    """A file does not hold a key; the message says why."""


def create_key(path: Path) -> Keypair:
    """Create a key and write it to a file that only its owner may read.

    Raises
    ------
    FileError
        If the file already exists or cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     key = create_key(Path(folder) / "player.json")
    ...     read_key(Path(folder) / "player.json") == key
    True
    """
    key = Keypair()
    create_private(path, json.dumps(list(bytes(key))) + "\n", "key file")
    return key


def read_key(path: Path) -> Keypair:
    """Read a key file.

    Raises
    ------
    FileError
        If the file cannot be read.
    KeyFileError
        If it is not a key file.
    """
    text = read_text(path, what="key file")
    try:
        numbers = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise KeyFileError(f"key file '{path}': not JSON ({error})") from None
    if (
        not isinstance(numbers, list)
        or len(numbers) != _SIZE
        or not all(_is_byte(number) for number in numbers)
    ):
        raise KeyFileError(f"key file '{path}': it must be a list of {_SIZE} numbers from 0 to 255")
    try:
        return Keypair.from_bytes(bytes(numbers))
    except ValueError:
        raise KeyFileError(f"key file '{path}': its public half does not belong to its secret half") from None


def _is_byte(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and 0 <= number <= 255
