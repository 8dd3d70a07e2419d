"""Cards to carry, as files: which names fit ``--pdf``, ``--png`` and ``--svg``, and where a card was written."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from croupier.errors import InputError

if TYPE_CHECKING:  # a page is drawn only if one is asked for
    from croupier.page import Page


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


def write_card(page: "Page", path: Path, form: str | None = None) -> None:
    """Write a card and say where, on stderr: what a command prints may be JSON."""
    page.save(path, form, what="card")
    typer.echo(f"Card written to {path}", err=True)
