"""Writes the skeleton of a new engine: a small program that keeps the protocol, its engine file, and how to build it."""

import re
import shlex
import sys
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


#: How an engine of each language is run in its folder.
_COMMANDS = {
    Language.PYTHON: f"{shlex.quote(sys.executable)} engine.py",
    Language.C: "./engine",
    Language.JS: "node engine.js",
    Language.RUST: "./engine",
    Language.GO: "./engine",
}


def write_engine(folder: Path, language: Language, name: str | None = None) -> list[Path]:
    """Write a new engine into a folder; return its files, the engine file first.

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
    ...     [path.name for path in write_engine(Path(folder) / "mine", Language.C)]
    ['engine.toml', 'Makefile', 'engine.c']
    """
    called = folder.absolute().name if name is None else name
    if not _NAME.fullmatch(called):
        raise InputError(f"name {called!r}: up to 61 letters, digits, spaces and . _ + -")
    make_folder(folder)
    if any(folder.iterdir()):
        raise InputError(f"folder '{folder}' is not empty; name a new one")
    engine_file = f'command = "{_COMMANDS[language]}"\nname = "{called}"\nversion = "1"\nfolder = "."\n'
    texts = {"engine.toml": engine_file}
    sources = files("croupier.durak.skeletons") / language.value
    for source in sorted(sources.iterdir(), key=lambda source: source.name):
        texts[source.name.removesuffix(".txt")] = source.read_text(encoding="utf-8").replace("{name}", called)
    for file_name, text in texts.items():
        write_text(folder / file_name, text)
    return [folder / file_name for file_name in texts]
