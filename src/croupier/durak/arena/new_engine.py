"""Writes the skeleton of a new engine: a small program that keeps the protocol, and the engine file that says how it is run."""

import re
import shlex
import sys
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from pathlib import Path

from croupier.errors import InputError
from croupier.files import make_folder, write_text

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._+-]{0,60}")


class Language(StrEnum):
    """What a skeleton can be written in."""

    PYTHON = "python"
    C = "c"
    JS = "js"
    RUST = "rust"
    GO = "go"


@dataclass(frozen=True, slots=True)
class Skeleton:
    """A program of :mod:`croupier.durak.arena.skeletons`: its file, how it is built (empty: it is not), and how it is run, both in its folder."""

    file: str
    build: str
    command: str


SKELETONS = {
    Language.PYTHON: Skeleton("engine.py", "", f"{shlex.quote(sys.executable)} engine.py"),
    Language.C: Skeleton("engine.c", "cc -O2 -o engine engine.c", "./engine"),
    Language.JS: Skeleton("engine.js", "", "node engine.js"),
    Language.RUST: Skeleton("engine.rs", "rustc -O engine.rs", "./engine"),
    Language.GO: Skeleton("engine.go", "go build -o engine engine.go", "./engine"),
}


def write_engine(folder: Path, language: Language, name: str | None = None) -> Path:
    """Write a new engine into a folder; return its engine file.

    Parameters
    ----------
    folder
        Where to; it is made if it is missing, and must be empty.
    language
        What it is written in.
    name
        What it is called in tables and logs; by default as the folder.

    Raises
    ------
    InputError
        If the folder holds something already, or the name cannot be one.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     engine_file = write_engine(Path(folder) / "mine", Language.C)
    ...     print(engine_file.read_text())
    command = "./engine"
    name = "mine"
    version = "1"
    folder = "."
    <BLANKLINE>
    """
    called = folder.absolute().name if name is None else name
    if not _NAME.fullmatch(called):
        raise InputError(f"name {called!r}: up to 61 letters, digits, spaces and . _ + -")
    make_folder(folder)
    if any(folder.iterdir()):
        raise InputError(f"folder '{folder}' is not empty; name a new one")
    skeleton = SKELETONS[language]
    source = (files("croupier.durak.arena.skeletons") / skeleton.file).read_text(encoding="utf-8")
    write_text(folder / skeleton.file, source)
    engine_file = folder / "engine.toml"
    write_text(
        engine_file,
        f'command = "{skeleton.command}"\nname = "{called}"\nversion = "1"\nfolder = "."\n',
    )
    return engine_file
