"""The log of games in the old format, with added fields. Games are appended whole; a damaged log is read as far as possible."""

from collections.abc import Iterator
from pathlib import Path

from croupier.durak.arena.append_file import AppendFile, Closed
from croupier.durak.arena.outcome import GameOutcome
from croupier.durak.engine.record import BrokenGame, GameRecord, format_record, parse_log
from croupier.durak.engine.record_check import check_record
from croupier.files import read_bytes


class GameLog(Closed):
    """A log to which games are appended, each in one write.

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
        self._file = AppendFile(path, "log", durable=durable)

    def append(self, record: GameRecord) -> None:
        """Add a game at the end."""
        self._file.append(format_record(record))

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def read_log(path: Path) -> tuple[GameRecord | BrokenGame, ...]:
    """Read every game of a log; what cannot be read is there as a :class:`BrokenGame`.

    Raises
    ------
    FileError
        If the file itself cannot be read. Bytes that are not UTF-8 spoil the game they are in, and no other.
    """
    return parse_log(read_bytes(path, what="log").decode("utf-8", errors="replace"))


def logged_outcomes(path: Path, match_id: str) -> Iterator[GameOutcome]:
    """Yield the outcomes of a match's games in a log, recognised by the fields that the arena adds.

    A game is logged before it is saved; one that was logged when the program was killed is found again here.
    """
    for game in read_log(path):
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


def problems(games: tuple[GameRecord | BrokenGame, ...]) -> Iterator[tuple[int, str]]:
    """Yield the number (from 1) of every game that cannot be read or does not replay, and what is wrong with it."""
    for number, game in enumerate(games, start=1):
        if isinstance(game, BrokenGame):
            yield number, f"line {game.line}: malformed: {game.reason}"
        elif (misfit := check_record(game)) is not None:
            yield number, misfit
