"""All shared tables: opened by a host, found by their link, saved after every action, and restored after a restart."""

import asyncio
import logging
import secrets
from collections import Counter, OrderedDict
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from croupier.errors import InputError
from croupier.runs.sessions import SessionStore
from croupier.texts import say
from croupier.web.friends.game import Game
from croupier.web.friends.table import SharedTable
from croupier.web.sessions import ResultT, TableSession

#: Under whose name shared tables are saved; visitors have random ids.
OWNER = "friends"

#: How many shared tables there can be. If there are, a new one takes the place of one that has ended, of one that the same
#: person has opened, or of one that nobody has touched for a day.
MOST_TABLES = 200
FORGOTTEN = timedelta(days=1)

#: A table that nobody has touched for this long is removed.
REMOVED = timedelta(days=30)

#: How many tables are kept in memory without an open page; the others are read back when somebody comes.
LIVE_TABLES = 64

#: The letters of a link: none that is mistaken for another.
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_CODE_LENGTH = 8

_log = logging.getLogger(__name__)


class LiveTable(TableSession[SharedTable]):
    """A shared table in memory: who is there, and engines that move by themselves.

    An engine thinks in a worker thread, one move at a time. Each move is saved and shown as a person's would be.
    """

    def __init__(self, store: SessionStore, table: SharedTable) -> None:
        super().__init__(store, OWNER, table.code, table)
        self._present: Counter[str] = Counter()
        self._engines: asyncio.Task[None] | None = None

    @property
    def present(self) -> frozenset[str]:
        """The visitors who have the table open."""
        return frozenset(visitor for visitor, pages in self._present.items() if pages)

    def arrive(self, visitor: str) -> None:
        """Note that a visitor has opened a page of the table."""
        self._present[visitor] += 1
        self._refresh()
        self.let_engines_move()

    def depart(self, visitor: str) -> None:
        """Note that a page was closed, or has lost its connection."""
        self._present[visitor] -= 1
        if self._present[visitor] <= 0:
            del self._present[visitor]
        self._refresh()

    async def change(self, action: Callable[[SharedTable], ResultT]) -> ResultT:
        """Apply an action, save the table, refresh every open page, and let engines move."""
        result = await super().change(action)
        self.let_engines_move()
        return result

    def let_engines_move(self) -> None:
        """Start the engines if it is their turn and they are not at work."""
        if self.model.engine_is_to_move and (self._engines is None or self._engines.done()):
            self._engines = asyncio.create_task(self._move_engines())

    async def _move_engines(self) -> None:
        try:
            while self.model.engine_is_to_move:
                await super().change(lambda table: table.move_engine())
        except Exception:  # the others must not wait for ever without a word in the log
            _log.exception("an engine at the shared table %s failed", self.model.code)

    @property
    def is_needed(self) -> bool:
        """Whether it has to stay in memory: a page shows it, an action is not done yet, or an engine is at work."""
        return super().is_needed or (self._engines is not None and not self._engines.done())

    async def engines_done(self) -> None:
        """Wait until no engine is at work."""
        if self._engines is not None:
            await self._engines


class SharedTables:
    """All shared tables of a web app.

    Parameters
    ----------
    store
        Where they are saved.
    """

    def __init__(self, store: SessionStore) -> None:
        self._store = store
        self._live: OrderedDict[str, LiveTable] = OrderedDict()
        self._lock = asyncio.Lock()

    async def open(self, visitor: str, name: str, game: Game) -> LiveTable:
        """Open a table for a host.

        Raises
        ------
        InputError
            If the name is none, or there are too many tables.
        """
        async with self._lock:
            code = "".join(secrets.choice(_LETTERS) for _ in range(_CODE_LENGTH))
            table = SharedTable.opened(code, visitor, name, game)
            await asyncio.to_thread(self._make_room, visitor)
            live = LiveTable(self._store, table)
            await live.replace(table)  # saved at once: the link is worth nothing without it
            self._keep(live)
            return live

    async def find(self, code: str) -> LiveTable:
        """Return the table of a link.

        Raises
        ------
        InputError
            If there is no such table.
        """
        unknown = InputError(say("friends.refused.no_table"))
        if len(code) != _CODE_LENGTH or not set(code) <= set(_LETTERS):
            raise unknown  # guesses of another form do not even reach the store
        async with self._lock:
            live = self._live.get(code)
            if live is None:
                state = await asyncio.to_thread(self._store.load, OWNER, code)
                if state is None:
                    raise unknown
                live = LiveTable(self._store, await asyncio.to_thread(SharedTable.from_state, state))
            self._keep(live)
            return live

    def _keep(self, live: LiveTable) -> None:
        self._live[live.model.code] = live
        self._live.move_to_end(live.model.code)
        idle = [code for code, table in self._live.items() if not table.is_needed and table is not live]
        for code in idle[: max(len(self._live) - LIVE_TABLES, 0)]:
            del self._live[code]

    def _make_room(self, visitor: str) -> None:
        """Remove forgotten tables: the very old ones always, one more if there are too many."""
        now = datetime.now(UTC)
        saved = sorted(self._store.names(OWNER).items(), key=lambda entry: entry[1])
        idle = {code: now - touched for code, touched in saved if not self._is_needed(code)}
        removed = [code for code, age in idle.items() if age > REMOVED]
        if len(saved) - len(removed) >= MOST_TABLES:
            left = [code for code in idle if code not in removed]
            spare = next(
                (code for code in left if idle[code] > FORGOTTEN or self._may_go(code, visitor)), None
            )
            if spare is None:
                raise InputError(say("friends.refused.too_many", most=MOST_TABLES))
            removed.append(spare)
        for code in removed:
            self._store.remove(OWNER, code)
            self._live.pop(code, None)

    def _is_needed(self, code: str) -> bool:
        live = self._live.get(code)
        return live is not None and live.is_needed

    def _may_go(self, code: str, visitor: str) -> bool:
        """Say whether a table that nobody looks at has ended, or has this visitor as its host."""
        state = self._store.load(OWNER, code) or {}
        return state.get("is_ended") is True or state.get("host") == visitor
