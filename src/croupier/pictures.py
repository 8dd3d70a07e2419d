"""Pictures in files: which form a name stands for, and writing one completely or not at all."""

import io
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.errors import InputError
from croupier.files import make_folder, write_bytes

if TYPE_CHECKING:  # matplotlib is an extra
    from matplotlib.figure import Figure

FORMS = ("png", "svg", "pdf")


def picture_form(path: Path, what: str = "picture") -> str:
    """Return the form that the ending of a name stands for.

    >>> picture_form(Path("card.doc"), what="card")
    Traceback (most recent call last):
    croupier.errors.InputError: card 'card.doc': the name must end in .png, .svg or .pdf
    """
    form = path.suffix.lower().removeprefix(".")
    if form not in FORMS:
        raise InputError(f"{what} '{path}': the name must end in .png, .svg or .pdf")
    return form


def save_picture(figure: "Figure", path: Path, form: str | None = None, *, what: str = "picture") -> None:
    """Write a figure; the form is that of the name unless one is given."""
    picture = io.BytesIO()
    figure.savefig(picture, format=form or picture_form(path, what))
    make_folder(path.parent, what=what)
    write_bytes(path, picture.getvalue(), what=what)
