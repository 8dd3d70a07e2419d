"""The slots of a match: as many games at a time as were asked for, and no process left when it is over.

From 25 games per slot, each slot is a separate process; below that, a thread. Engine objects of this process play one game
at a time, in the thread of whoever asks.
"""

import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Protocol

from croupier.durak.arena.entrant import EngineObject
from croupier.durak.arena.game_number import Deal, GameNumber
from croupier.durak.arena.processors import keep_to, processors_for
from croupier.durak.arena.referee import Listener
from croupier.durak.arena.roster import Roster
from croupier.durak.arena.schedule import deal_of_pair
from croupier.durak.arena.slot import EngineSlot, FinishedGame, Fixture
from croupier.durak.arena.slot_process import SlotProcess

#: The process of a slot takes about half a second to start; from this many games per slot on, that pays off.
GAMES_WORTH_A_PROCESS = 25


class Pool(Protocol):
    """Where the games of a match are played."""

    def submit(self, number: GameNumber) -> "Future[FinishedGame]":
        """Ask for a game; it is played when a slot is free."""

    def abort(self) -> None:
        """End every engine at once and play no more; games that were asked for fail."""


@contextmanager
def open_pool(fixture: Fixture, slots: int, games: int, listener: Listener | None = None) -> Iterator[Pool]:
    """Open the slots of a match; on leaving, every process of theirs is gone, whatever happened.

    Parameters
    ----------
    fixture
        What is played.
    slots
        How many games at a time.
    games
        How many games there are to play; with many of them, each slot is a separate process.
    listener
        Told of every line; it listens in this process, so the slots stay in it.

    Examples
    --------
    >>> from croupier.durak.arena.engine_spec import Limits, read_engine
    >>> dummy = read_engine("durak-dummy")
    >>> with open_pool(Fixture(dummy, dummy, Limits(), seed=1), slots=1, games=1) as pool:
    ...     pool.submit(GameNumber(pair=0, is_swapped=False)).result().outcome.forfeit is None
    True
    """
    has_processes = slots > 1 and listener is None and games >= slots * GAMES_WORTH_A_PROCESS
    pool: _ProcessPool | _ThreadPool | _CallersThread
    if isinstance(fixture.first, EngineObject) or isinstance(fixture.second, EngineObject):
        pool = _CallersThread(fixture, listener)
    elif has_processes:
        pool = _ProcessPool(fixture, slots)
    else:
        pool = _ThreadPool(fixture, slots, listener)
    try:
        yield pool
    except BaseException:
        pool.abort()
        raise
    finally:
        pool.close()


def _deal(fixture: Fixture, number: GameNumber) -> Deal:
    if fixture.deals:
        return fixture.deals[number.pair % len(fixture.deals)]
    return deal_of_pair(fixture.seed, number.pair, fixture.rules)


class _ProcessPool:
    def __init__(self, fixture: Fixture, slots: int) -> None:
        shares = processors_for(slots)
        self._fixture = fixture
        self._slots = [SlotProcess(fixture, next(shares)) for _ in range(slots)]

    def submit(self, number: GameNumber) -> "Future[FinishedGame]":
        free = min(self._slots, key=lambda slot: slot.games_waiting)
        return free.submit(number, _deal(self._fixture, number))

    def abort(self) -> None:
        for slot in self._slots:
            slot.abort()

    def close(self) -> None:
        for slot in self._slots:
            slot.dismiss()
        for slot in self._slots:
            slot.join()


class _ThreadPool:
    """Every thread has a slot of its own."""

    def __init__(self, fixture: Fixture, slots: int, listener: Listener | None) -> None:
        self._fixture, self._listener = fixture, listener
        self._roster = Roster()
        self._shares = processors_for(slots)
        self._of_thread = threading.local()
        self._pool = ThreadPoolExecutor(slots, thread_name_prefix="durak", initializer=self._open_slot)

    def submit(self, number: GameNumber) -> "Future[FinishedGame]":
        return self._pool.submit(lambda: self._play(number))

    def abort(self) -> None:
        self._roster.abort()
        self._pool.shutdown(cancel_futures=True)

    def close(self) -> None:
        self._pool.shutdown()
        self._roster.close(at_once=False)

    def _open_slot(self) -> None:
        keep_to(next(self._shares))
        self._of_thread.slot = EngineSlot(self._fixture, self._roster, self._listener)

    def _play(self, number: GameNumber) -> FinishedGame:
        game: FinishedGame = self._of_thread.slot.play(number, _deal(self._fixture, number))
        return game


class _CallersThread:
    """One slot, in which a game is played as soon as it is asked for."""

    def __init__(self, fixture: Fixture, listener: Listener | None) -> None:
        self._fixture = fixture
        self._roster = Roster()
        self._slot = EngineSlot(fixture, self._roster, listener)

    def submit(self, number: GameNumber) -> "Future[FinishedGame]":
        game: Future[FinishedGame] = Future()
        game.set_result(self._slot.play(number, _deal(self._fixture, number)))
        return game

    def abort(self) -> None:
        self._roster.abort()

    def close(self) -> None:
        self._roster.close(at_once=False)
