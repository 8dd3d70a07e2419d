"""The log of games in the old format, with added fields. Games are appended whole; a damaged log is read as far as possible.

A log may be larger than the memory: games are read one at a time, and :class:`LogIndex` finds any of them by its number.
"""

import json
import os
import re
from array import array
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple

from croupier.durak.arena.append_file import AppendFile, Closed
from croupier.durak.arena.outcome import GameOutcome
from croupier.durak.engine.record import (
    FENCE,
    BrokenGame,
    GameRecord,
    LogEntry,
    format_record,
    is_variant_entry,
    log_entries,
    read_game,
)
from croupier.durak.engine.record_check import check_record
from croupier.durak.engine.variant_record import (
    VariantRecord,
    format_variant_record,
    read_variant_game,
)
from croupier.errors import InputError
from croupier.files import FileError, open_bytes

#: Told while a log is read: bytes read, and bytes in all.
ReadProgress = Callable[[int, int], None]

#: A log has a header in this many bytes at its beginning; a file without one is something else.
_HEAD_SIZE = 2**20

#: The beginning of a header, and what a disk that was full may have left of one.
_HEADER_START = re.compile(rb"^\s*####(\d{4}-\d\d-\d\d|.*\((1-0|0-1|s-s)\)####)", re.MULTILINE)
_TORN_START = re.compile(rb"\s*#{1,4}[\dT:.-]*")

#: Games are told of in steps of so many bytes.
_STEP = 2**20

#: From this many games on, checking compiled is worth loading the compiled code.
_GAMES_WORTH_A_KERNEL = 300


class GameLog(Closed):
    """A log to which games are appended, each in one write. A record that an interrupted write left torn is removed.

    Raises
    ------
    FileError
        If the file is something else than a log, or cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with GameLog(Path(folder) / "games.log") as log:
    ...         pass
    ...     read_log(Path(folder) / "games.log")
    ()
    """

    def __init__(self, path: Path, *, durable: bool = False) -> None:
        if path.is_file():
            verify_log_file(path)
        self._file = AppendFile(path, "log", durable=durable, repaired=_whole_size)

    def append(self, record: GameRecord | VariantRecord) -> None:
        """Add a game at the end."""
        if isinstance(record, VariantRecord):
            self._file.append(format_variant_record(record))
        else:
            self._file.append(format_record(record))

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _whole_size(tail: bytes) -> int:
    """Return how many bytes of the end of a log to keep: a header without its game and half a game are torn."""
    fence = FENCE.encode()
    begin = tail.rfind(b"\n", 0, -1) + 1
    last = tail[begin:]
    if last.startswith(fence) or fence.startswith(last):
        return begin
    if last.endswith(b"\n") or _is_json(last):
        return len(tail)
    before = tail.rfind(b"\n", 0, begin - 1) + 1 if begin else 0
    return before if tail.startswith(fence, before) else begin


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def verify_log_file(path: Path) -> None:
    """Raise unless a file is a durak log, or empty.

    Raises
    ------
    FileError
        If it cannot be read, or holds something else.

    Examples
    --------
    >>> verify_log_file(Path(__file__))
    Traceback (most recent call last):
    croupier.files.FileError: log '...log.py': not a durak log
    """
    with open_bytes(path, what="log") as file:
        _verify_head(file, path)


def _verify_head(file: BinaryIO, path: Path) -> None:
    head = file.read(_HEAD_SIZE)
    file.seek(0)
    if head.strip() and not _HEADER_START.search(head) and not _TORN_START.fullmatch(head):
        raise FileError(f"log '{path}': not a durak log")


def stream_entries(path: Path, progress: ReadProgress | None = None) -> Iterator[LogEntry]:
    """Yield the games of a log as they stand there, one at a time.

    Raises
    ------
    FileError
        If the file cannot be read, or is no log. Bytes that are not UTF-8 spoil the game they are in, and no other.
    """
    with open_bytes(path, what="log") as file:
        _verify_head(file, path)
        size = os.fstat(file.fileno()).st_size
        yield from log_entries(_told_lines(file, size, progress))


def _told_lines(file: BinaryIO, size: int, progress: ReadProgress | None) -> Iterator[str]:
    done = told = 0
    for line in file:
        yield line.decode("utf-8", errors="replace")
        done += len(line)
        if progress is not None and done - told >= _STEP:
            told = done
            progress(done, size)


def stream_log(path: Path, progress: ReadProgress | None = None) -> Iterator[GameRecord | BrokenGame]:
    """Yield every game of a log, one at a time; what cannot be read is there as a :class:`BrokenGame`."""
    return map(read_game, stream_entries(path, progress))


def read_log(path: Path) -> tuple[GameRecord | BrokenGame, ...]:
    """Return every game of a log, for logs that fit into the memory; see :func:`stream_log`."""
    return tuple(stream_log(path))


class LogIndex:
    r"""Where each game of a log begins, so that any of them is read without the others.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "games.log"
    ...     _ = path.write_text("####2026-11-15T05:48:09, a - b (1-0)####\n{}\n")
    ...     index = LogIndex(path)
    ...     for _ in index.scan():
    ...         pass
    ...     len(index), index.game(1).reason
    (1, "no field 'player1_name'")
    """

    def __init__(self, path: Path) -> None:
        verify_log_file(path)
        self._path = path
        self._places, self._lines = array("Q"), array("Q")
        self._end = 0

    def __len__(self) -> int:
        return len(self._places)

    def scan(self) -> Iterator[tuple[int, int]]:
        """Find the games; yields from time to time how many bytes of how many were read, so that others get their turn."""
        with open_bytes(self._path, what="log") as file:
            size, fence = os.fstat(file.fileno()).st_size, FENCE.encode()
            told, has_header = 0, False
            for number, line in enumerate(file, start=1):
                text = line.strip()
                is_header = text.startswith(fence)
                if is_header or (text and not has_header):
                    self._places.append(self._end)
                    self._lines.append(number)
                has_header = is_header or (has_header and not text)
                self._end += len(line)
                if self._end - told >= _STEP:
                    told = self._end
                    yield self._end, size

    def game(self, number: int) -> GameRecord | BrokenGame:
        """Read a game by its number, from 1."""
        begin = self._places[number - 1]
        end = self._places[number] if number < len(self._places) else self._end
        with open_bytes(self._path, what="log") as file:
            file.seek(begin)
            text = file.read(end - begin).decode("utf-8", errors="replace")
        return next(map(read_game, log_entries(text.split("\n"), self._lines[number - 1])))


def logged_entry(path: Path, number: int) -> LogEntry:
    """Return one game of a log as it stands there, by its number, from 1.

    Raises
    ------
    InputError
        If the log does not hold so many games.
    """
    games = 0
    for games, entry in enumerate(stream_entries(path), start=1):
        if games == number:
            return entry
    raise InputError(f"log '{path}': no game {number}; it holds {games}")


def logged_outcomes(path: Path, match_id: str) -> Iterator[GameOutcome]:
    """Yield the outcomes of a match's games in a log, recognised by the fields that the arena adds.

    A game is logged before it is saved; one that was logged when the program was killed is found again here.
    """
    for entry in stream_entries(path):
        if match_id not in entry.text:
            continue
        game = read_game(entry)
        if isinstance(game, GameRecord) and game.extra.get("match_id") == match_id:
            yield GameOutcome.from_dict(
                {
                    "pair": game.extra.get("pair"),
                    "is_swapped": game.extra.get("is_swapped"),
                    "result": game.result,
                    "leader": game.moves[0].attacker,
                    "forfeit": game.forfeit,
                }
            )


class CheckedGame(NamedTuple):
    """A game of a log: its number from 1, its title, and what is wrong with it, if anything is."""

    number: int
    title: str
    problem: str | None


def check_log(path: Path, progress: ReadProgress | None = None) -> Iterator[CheckedGame]:
    """Play every game of a log again, one at a time; in a long log, most of them compiled.

    Raises
    ------
    FileError
        If the file cannot be read, or is no log.
    """
    certainly_fits: Callable[[LogEntry], bool] | None = None
    for number, entry in enumerate(stream_entries(path, progress), start=1):
        if number == _GAMES_WORTH_A_KERNEL:
            from croupier.durak.engine.record_kernel import certainly_fits  # noqa: PLC0415 - loads Numba
        is_fit = certainly_fits is not None and certainly_fits(entry)
        problem = None if is_fit else _problem_of(entry)
        yield CheckedGame(number, entry.header.strip("#") or "no header", problem)


def _problem_of(entry: LogEntry) -> str | None:
    if not is_variant_entry(entry):
        return _problem(read_game(entry))
    try:
        record = read_variant_game(entry)
    except InputError as error:
        return f"line {entry.line}: malformed: {error}"
    return None if record.header == entry.header else f"line {entry.line}: the header is not that of the game"


def problems(games: Iterable[GameRecord | BrokenGame]) -> Iterator[tuple[int, str]]:
    """Yield the number (from 1) of every game that cannot be read or does not replay, and what is wrong with it."""
    for number, game in enumerate(games, start=1):
        if (problem := _problem(game)) is not None:
            yield number, problem


def _problem(game: GameRecord | BrokenGame) -> str | None:
    if isinstance(game, BrokenGame):
        return f"line {game.line}: malformed: {game.reason}"
    return check_record(game)
