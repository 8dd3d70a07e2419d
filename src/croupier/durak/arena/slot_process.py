"""A slot in a process of its own, so that games in several slots run side by side: threads share one interpreter.

The process is this module run as a program. It reads what to play from its standard input, and writes a game to its standard output
when it is over, both as pickles. If its input ends without a farewell, the match was ended or its program
killed: then it ends its engines and itself. It leads its own session, so Ctrl-C reaches only the match.
"""

import os
import pickle
import subprocess
import sys
import threading
from collections import deque
from concurrent.futures import Future
from contextlib import suppress
from queue import SimpleQueue
from typing import IO, NamedTuple

from croupier.durak.arena.game_number import Deal, GameNumber
from croupier.durak.arena.processors import keep_to
from croupier.durak.arena.roster import Roster, RosterClosedError, end_strays, new_mark
from croupier.durak.arena.slot import EngineSlot, FinishedGame, Fixture

#: How long the process of a slot that was told to end may take before it is killed.
_PATIENCE = 30.0
#: How many processes of a slot may be lost in a row, none of them having finished a game.
_MAX_LOSSES = 2


class SlotLostError(Exception):
    """The processes of a slot end before a game of theirs is over, one after the other."""


class _Opening(NamedTuple):
    """What the process of a slot is told first."""

    fixture: Fixture
    mark: str
    processor: int | None


class _Game(NamedTuple):
    """A game that the process of a slot is to play."""

    number: GameNumber
    deal: Deal


class SlotProcess:
    """A slot in a process of its own. Games that are asked for are played one after another.

    A process that is killed from outside is replaced, and what it had not finished is played again.

    Parameters
    ----------
    fixture
        What is played.
    processor
        The processor that the slot and its engines keep to; None for any.

    Examples
    --------
    >>> from croupier.durak.arena.engine_spec import Limits, read_engine
    >>> from croupier.durak.arena.schedule import deal_of_pair
    >>> dummy = read_engine("durak-dummy")
    >>> slot = SlotProcess(Fixture(dummy, dummy, Limits(), seed=1))
    >>> game = slot.submit(GameNumber(pair=0, is_swapped=False), deal_of_pair(seed=1, pair=0))
    >>> game.result().outcome.forfeit is None
    True
    >>> slot.dismiss()
    >>> slot.join()
    """

    def __init__(self, fixture: Fixture, processor: int | None = None) -> None:
        self._opening = _Opening(fixture, new_mark(), processor)
        self._waiting: deque[tuple[_Game, Future[FinishedGame]]] = deque()
        self._lock = threading.Lock()
        self._is_open = True
        self._why_closed: Exception = RosterClosedError()
        self._start()
        self._reader = threading.Thread(target=self._read_games, name="durak slot", daemon=True)
        self._reader.start()

    @property
    def games_waiting(self) -> int:
        """How many games were asked for and are not over."""
        return len(self._waiting)

    def submit(self, number: GameNumber, deal: Deal) -> "Future[FinishedGame]":
        """Ask for a game."""
        future: Future[FinishedGame] = Future()
        with self._lock:
            if not self._is_open:
                raise self._why_closed
            game = _Game(number, deal)
            self._waiting.append((game, future))
            self._tell(game)
        return future

    def dismiss(self) -> None:
        """Let the process end when it has played what it was asked for."""
        self._close(with_farewell=True)

    def abort(self) -> None:
        """Make the process end its engines and itself at once."""
        self._close(with_farewell=False)

    def join(self) -> None:
        """Wait until the process and everything that it started are gone; it was dismissed or aborted before."""
        self._reader.join()

    def _start(self) -> None:
        self._process = subprocess.Popen(
            (sys.executable, "-P", "-m", __name__),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        self._tell(self._opening)
        for game, _ in self._waiting:
            self._tell(game)

    def _tell(self, message: _Opening | _Game | None) -> None:
        """Send a message; whoever reads from the process finds out if it is gone."""
        if self._process.stdin is not None:
            with suppress(OSError, ValueError):
                _send(self._process.stdin.fileno(), message)

    def _close(self, *, with_farewell: bool) -> None:
        with self._lock:
            self._is_open = False
            if with_farewell:
                self._tell(None)
            if self._process.stdin is not None:
                with suppress(OSError):
                    self._process.stdin.close()

    def _read_games(self) -> None:
        """Hand out games as they end, until the process is gone for good."""
        losses = 0
        while True:
            losses = 1 if self._hand_out(self._process.stdout) else losses + 1
            self._bury()
            with self._lock:
                if self._is_open and losses == _MAX_LOSSES:
                    self._is_open = False
                    self._why_closed = SlotLostError("the process of a slot ended, and so did its successor")
                if not self._is_open:
                    break
                self._start()
        for _, future in self._waiting:
            future.set_exception(self._why_closed)

    def _hand_out(self, games: IO[bytes] | None) -> int:
        """Hand out what comes from the process; return how many games came."""
        count = 0
        while games is not None:
            try:
                game: FinishedGame = pickle.load(games)
            except (EOFError, pickle.UnpicklingError):
                break
            self._waiting.popleft()[1].set_result(game)
            count += 1
        return count

    def _bury(self) -> None:
        """Reap the process, and end what it may have left."""
        try:
            self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        with self._lock:
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    with suppress(OSError):
                        pipe.close()
        if self._process.returncode != 0:
            end_strays(self._opening.mark)


def _send(pipe: int, message: object) -> None:
    data = pickle.dumps(message)
    while data:
        data = data[os.write(pipe, data) :]


def main() -> None:
    """Play what is asked for on the standard input until it ends."""
    commands = open(sys.stdin.fileno(), "rb", closefd=False)  # noqa: SIM115 - read to the end of the process
    opening: _Opening = pickle.load(commands)
    keep_to(opening.processor)
    games: SimpleQueue[_Game | None] = SimpleQueue()
    with Roster(opening.mark) as roster:
        threading.Thread(target=_read_games, args=(commands, games, roster), daemon=True).start()
        slot = EngineSlot(opening.fixture, roster)
        with suppress(RosterClosedError, BrokenPipeError):
            while (game := games.get()) is not None:
                _send(sys.stdout.fileno(), slot.play(*game))


def _read_games(commands: IO[bytes], games: "SimpleQueue[_Game | None]", roster: Roster) -> None:
    """Pass on the games that are asked for, and notice the end of the match even in the middle of a game."""
    try:
        while (game := pickle.load(commands)) is not None:
            games.put(game)
    except EOFError:
        roster.abort()
    games.put(None)


if __name__ == "__main__":
    main()
