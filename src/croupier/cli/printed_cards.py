"""Cards to carry, as files: which names fit ``--pdf``, ``--png`` and ``--svg``, and where a card was written."""

from collections.abc import Mapping
from pathlib import Path

from croupier.errors import InputError


def verify_endings(pictures: Mapping[str, Path]) -> None:
    """Raise if a name ends as another form than the one it was given for; a name without an ending is fine.

    >>> verify_endings({"pdf": Path("card.pdf"), "png": Path("CARD.PNG"), "svg": Path("card")})
    >>> verify_endings({"pdf": Path("card.png")})
    Traceback (most recent call last):
    croupier.errors.InputError: --pdf 'card.png': the name must end in .pdf
    """
    for form, path in pictures.items():
        if path.suffix and path.suffix.lower() != f".{form}":
            raise InputError(f"--{form} '{path}': the name must end in .{form}")
