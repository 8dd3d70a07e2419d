"""Where Croupier keeps files of its own: what a person saves, and compiled code, which can be made again.

Light on purpose: durak engines import it (see :mod:`~croupier.durak.engine`).
"""

import os
import stat
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from croupier.errors import InputError

#: Variables that name the folder of compiled code, the first that is set.
CACHE_VARIABLES = ("CROUPIER_CACHE", "NUMBA_CACHE_DIR")


def data_folder() -> Path:
    """Return the user's folder for saved runs and tables.

    Raises
    ------
    InputError
        If the user has no home.
    """
    folder = _of_user("user_data_path")
    if folder is None:
        raise InputError(
            "no home folder to save in; set HOME, or name a store with --store or CROUPIER_STORE"
        )
    return folder


def cache_folders() -> Iterator[Path]:
    """List the folders in which compiled code may be, the preferred one first."""
    chosen = _chosen_folder()
    if chosen is not None:
        yield chosen
    temporary = _temporary_folder()
    if _is_private(temporary):
        yield temporary


@cache
def writable_cache() -> Path:
    """Return the folder to keep compiled code in: the preferred one, or a temporary one of this user, with a notice.

    A temporary folder is used only if nobody else can write to it: who can change compiled code can run any code.
    """
    chosen = _chosen_folder()
    if chosen is not None and _can_be_written(chosen):
        return chosen
    folder = _temporary_folder()
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        if not _is_private(folder):
            import tempfile  # noqa: PLC0415 - a tenth of an engine's start

            folder = Path(tempfile.mkdtemp(prefix="croupier-"))
    print(
        f"croupier: compiled code is kept in '{folder}', because "
        + ("there is no home folder" if chosen is None else f"'{chosen}' cannot be written to")
        + f"; {CACHE_VARIABLES[0]} names another folder",
        file=sys.stderr,
    )
    if chosen is None or not chosen.is_dir():
        os.environ[CACHE_VARIABLES[0]] = str(folder)  # processes that this one starts need not say it again
    return folder


def _can_be_written(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK | os.X_OK)


@cache
def _chosen_folder() -> Path | None:
    """Return the folder that was named, or the user's; none if the user has no home."""
    for variable in CACHE_VARIABLES:
        if named := os.environ.get(variable):
            return Path(named).absolute()
    return _of_user("user_cache_path")


def _of_user(kind: str) -> Path | None:
    """Return a folder of the user's, or None without a home; some versions of platformdirs raise, others return ``~``."""
    import platformdirs  # noqa: PLC0415 - a tenth of an engine's start

    try:
        folder: Path = getattr(platformdirs, kind)("croupier", appauthor=False)
    except RuntimeError:
        return None
    return folder if folder.is_absolute() else None


def _temporary_folder() -> Path:
    import tempfile  # noqa: PLC0415 - see above

    return Path(tempfile.gettempdir()) / f"croupier-{_user_number()}"


def _is_private(folder: Path) -> bool:
    """Return whether a folder, and no link to one, belongs to this user, and nobody else may enter it."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    if sys.platform == "win32":  # its temporary folder is the user's own
        return stat.S_ISDIR(found.st_mode)
    return stat.S_ISDIR(found.st_mode) and found.st_uid == _user_number() and not found.st_mode & 0o077


def _user_number() -> int:
    return 0 if sys.platform == "win32" else os.geteuid()
