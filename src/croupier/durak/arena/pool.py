"""All tables of a match: as many games at a time as were asked for, and nothing left of them when it is over."""

import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Protocol

from croupier.durak.arena.game_number import GameNumber
from croupier.durak.arena.processors import keep_to, processors_for
from croupier.durak.arena.referee import Listener
from croupier.durak.arena.roster import Roster
from croupier.durak.arena.schedule import deal_of_pair
from croupier.durak.arena.slot import EngineSlot, FinishedGame, Fixture
from croupier.durak.arena.slot_process import SlotProcess

#: A table process takes about half a second to start; from this many games a table on, that is soon made good.
GAMES_WORTH_A_PROCESS = 25


class Pool(Protocol):
    """Where the games of a match are played."""

    def submit(self, number: GameNumber) -> "Future[FinishedGame]":
        """Ask for a game; it is played when a table is free."""

    def abort(self) -> None:
        """End every engine at once and play no more; games that were asked for fail."""


@contextmanager
def open_pool(fixture: Fixture, tables: int, games: int, listener: Listener | None = None) -> Iterator[Pool]:
    """Open the hall for a match; when it is left, every process of it is gone, whatever happened.

    Parameters
    ----------
    fixture
        What is played.
    tables
        How many games at a time.
    games
        How many games there are to play: with many of them every table has a process of its own, otherwise a thread.
    listener
        Told of every line; it listens in this process, so the tables stay in it.

    Examples
    --------
    >>> from croupier.durak.arena.engine_spec import Limits, read_engine
    >>> dummy = read_engine("durak-dummy")
    >>> with open_pool(Fixture(dummy, dummy, Limits(), seed=1), tables=1, games=1) as pool:
    ...     pool.submit(GameNumber(pair=0, is_swapped=False)).result().outcome.forfeit is None
    True
    """
    has_processes = tables > 1 and listener is None and games >= tables * GAMES_WORTH_A_PROCESS
    pool = _ProcessPool(fixture, tables) if has_processes else _ThreadPool(fixture, tables, listener)
    try:
        yield pool
    except BaseException:
        pool.abort()
        raise
    finally:
        pool.close()


class _ProcessPool:
    def __init__(self, fixture: Fixture, tables: int) -> None:
        shares = processors_for(tables)
        self._seed = fixture.seed
        self._tables = [SlotProcess(fixture, next(shares)) for _ in range(tables)]

    def submit(self, number: GameNumber) -> "Future[FinishedGame]":
        free = min(self._tables, key=lambda table: table.games_waiting)
        return free.submit(number, deal_of_pair(self._seed, number.pair))

    def abort(self) -> None:
        for table in self._tables:
            table.abort()

    def close(self) -> None:
        for table in self._tables:
            table.dismiss()
        for table in self._tables:
            table.join()


class _ThreadPool:
    """Every thread has a table of its own."""

    def __init__(self, fixture: Fixture, tables: int, listener: Listener | None) -> None:
        self._fixture, self._listener = fixture, listener
        self._roster = Roster()
        self._shares = processors_for(tables)
        self._of_thread = threading.local()
        self._pool = ThreadPoolExecutor(tables, thread_name_prefix="durak", initializer=self._sit_down)

    def submit(self, number: GameNumber) -> "Future[FinishedGame]":
        return self._pool.submit(lambda: self._play(number))

    def abort(self) -> None:
        self._roster.abort()
        self._pool.shutdown(cancel_futures=True)

    def close(self) -> None:
        self._pool.shutdown()
        self._roster.close(at_once=False)

    def _sit_down(self) -> None:
        keep_to(next(self._shares))
        self._of_thread.table = EngineSlot(self._fixture, self._roster, self._listener)

    def _play(self, number: GameNumber) -> FinishedGame:
        deal = deal_of_pair(self._fixture.seed, number.pair)
        game: FinishedGame = self._of_thread.table.play(number, deal)
        return game
