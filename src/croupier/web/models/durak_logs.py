"""The logs in the web app's folder: matches that were played here, and files that people have uploaded.

A log is asked for by its name, never by a path. Logs of matches are shown to everybody. An uploaded one is listed for whoever uploaded it;
its name holds a fingerprint of its content, so that a link to it can be passed on but not guessed.
"""

import hashlib
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from croupier.durak.arena.log import stream_entries
from croupier.durak.engine.record import BrokenGame, GameRecord, log_entries
from croupier.durak.engine.variant_record import VariantOutline, read_any_game
from croupier.durak.play.refusal import DurakRefusal
from croupier.files import make_folder, read_bytes, write_bytes

#: The largest log that may be uploaded, and the largest that is opened, in MB.
LARGEST_MB, LARGEST_OPENED_MB = 5, 64

#: How many uploaded logs and how many of matches are kept; the oldest go first.
MOST_UPLOADS, MOST_MATCHES = 100, 100

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+-]{0,80}(\.[0-9a-f]{12}){0,2}\.log")
_OTHER_CHARACTERS = re.compile(r"[^A-Za-z0-9_+-]+")

Games = tuple[GameRecord | VariantOutline | BrokenGame, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the logs, as a link names it: a log, the number of a game in it, and a step, both from 1.

    Examples
    --------
    >>> Place.from_query({"log": "old.log", "game": "3", "step": "x"})
    Place(log='old.log', game=3, step=1)
    >>> Place("old.log", 3).to_query()
    'log=old.log&game=3&step=1'
    """

    log: str = ""
    game: int = 0
    step: int = 1

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> "Place":
        """Read a link; what is no number counts as not given."""
        return cls(query.get("log", ""), _number(query.get("game"), 0), _number(query.get("step"), 1))

    def to_query(self) -> str:
        """Write the link's query."""
        if not self.game:
            return f"log={self.log}"
        return f"log={self.log}&game={self.game}&step={self.step}"


@dataclass(frozen=True, slots=True)
class StoredLog:
    """A log of the folder: its name, what it is called, and when it was last written to."""

    name: str
    title: str
    changed: datetime


class LogFolder:
    """The folder of logs.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     logs = LogFolder(Path(folder))
    ...     logs.read("../../etc/passwd")
    Traceback (most recent call last):
    croupier.durak.play.refusal.DurakRefusal: There is no log '../../etc/passwd' here.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "durak" / "logs"
        self._lock = threading.Lock()

    def listed(self, visitor: str) -> tuple[StoredLog, ...]:
        """Return the logs that a visitor may choose from, the newest first."""
        own = _fingerprint(visitor.encode())
        found = []
        for path in self._folder.glob("*.log"):
            if not _NAME.fullmatch(path.name):
                continue
            title, *tags = path.name.removesuffix(".log").split(".")
            if len(tags) < 2 or tags[0] == own:
                changed = datetime.fromtimestamp(path.stat().st_mtime).astimezone()
                found.append(StoredLog(path.name, title, changed))
        return tuple(sorted(found, key=lambda log: (log.changed, log.name), reverse=True))

    def read(self, name: str) -> Games:
        """Return the games of a log.

        Raises
        ------
        DurakRefusal
            If there is no such log, or it is too large to be shown.
        """
        path = self._folder / name if _NAME.fullmatch(name) else None
        if path is None or not path.is_file():
            raise DurakRefusal("durak.refused.no_log", name=name[:80])
        if path.stat().st_size > LARGEST_OPENED_MB * 2**20:
            raise DurakRefusal("durak.refused.too_large", limit=LARGEST_OPENED_MB)
        return tuple(map(read_any_game, stream_entries(path)))

    def players(self, name: str) -> tuple[str, ...]:
        """Return who plays in the first game of a log; nobody where it cannot be read."""
        if not _NAME.fullmatch(name):
            return ()
        first = next(stream_entries(self._folder / name), None)
        game = None if first is None else read_any_game(first)
        if isinstance(game, GameRecord):
            return (game.player1_name, game.player2_name)
        return game.players if isinstance(game, VariantOutline) else ()

    def upload(self, visitor: str, file_name: str, data: bytes) -> str:
        """Store an uploaded log and return its name; the same log again gets the same name.

        Raises
        ------
        DurakRefusal
            If it is too large, no text, or no log; nothing is stored then.
        """
        verify_log(data)
        name = f"{_title(file_name)}.{_fingerprint(visitor.encode())}.{_fingerprint(data)}.log"
        with self._lock:
            self._write(name, data)
            self._drop_oldest(tags=2, most=MOST_UPLOADS)
        return name

    def adopt(self, path: Path) -> str:
        """Store a copy of a file of this machine, for everybody, and return its name.

        Raises
        ------
        InputError
            If it cannot be read, or is no log.
        """
        data = read_bytes(path, what="log")
        verify_log(data)
        name = f"{_title(path.name)}.{_fingerprint(data)}.log"
        with self._lock:
            self._write(name, data)
        return name

    def new_match(self, engines: tuple[str, ...], started: datetime) -> Path:
        """Store the empty log of a match that begins, and return its file."""
        make_folder(self._folder)
        stem = f"{started:%Y%m%d-%H%M%S}-{'-'.join(_title(name, longest=20) for name in engines[:3])}"[:70]
        with self._lock:
            path = self._folder / f"{stem}.log"
            number = 2
            while path.exists():
                path = self._folder / f"{stem}-{number}.log"
                number += 1
            self._write(path.name, b"")
            self._drop_oldest(tags=0, most=MOST_MATCHES)
        return path

    def _drop_oldest(self, tags: int, most: int) -> None:
        """Remove the oldest logs of a kind, told by how many tags their names hold, where there are too many."""
        of_kind = [
            path
            for path in self._folder.glob("*.log")
            if _NAME.fullmatch(path.name) and path.name.count(".") == tags + 1
        ]
        of_kind.sort(key=lambda path: path.stat().st_mtime)
        for path in of_kind[: max(0, len(of_kind) - most)]:
            path.unlink(missing_ok=True)

    def _write(self, name: str, data: bytes) -> None:
        make_folder(self._folder)
        write_bytes(self._folder / name, data, what="log")


def verify_log(data: bytes) -> None:
    """Raise unless these bytes are a log of which at least one game can be read.

    >>> verify_log(b"hello")
    Traceback (most recent call last):
    croupier.durak.play.refusal.DurakRefusal: This is no durak log: no game in it can be read.
    """
    if len(data) > LARGEST_MB * 2**20:
        raise DurakRefusal("durak.refused.too_large", limit=LARGEST_MB)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise DurakRefusal("durak.refused.not_text") from None
    games = map(read_any_game, log_entries(text.split("\n")))
    if all(isinstance(game, BrokenGame) for game in games):
        raise DurakRefusal("durak.refused.not_a_log")


def _number(text: str | None, default: int) -> int:
    return (
        int(text) if text is not None and text.isascii() and text.isdecimal() and len(text) < 9 else default
    )


def _fingerprint(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:12]


def _title(file_name: str, longest: int = 40) -> str:
    """Return what is left of a name when everything is taken out that a file name should not hold."""
    texts = _OTHER_CHARACTERS.sub("-", file_name.removesuffix(".log")).strip("-_+")
    return texts[:longest].rstrip("-_+") or "log"
