"""The sessions of visitors: a live table each, saved after every action, back after a reload or a restart.

Deeds run in threads, one at a time in a session: an opponent may think, a coach may solve, and the event loop goes on serving
everybody else. All tabs of a visitor look at the same table.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, Generic, Protocol, TypeVar

from croupier.errors import InputError
from croupier.runs.sessions import SessionStore

#: Tables that nobody looks at are dropped from memory, the oldest first, when there are more than this many.
LIVE_SESSIONS = 512


class Model(Protocol):
    """What a session holds: it can be written down as plain JSON."""

    def to_state(self) -> dict[str, Any]:
        """Return everything that is needed to go on."""
        ...


ModelT = TypeVar("ModelT", bound=Model)
ResultT = TypeVar("ResultT")


class TableSession(Generic[ModelT]):
    """One visitor's table.

    Attributes
    ----------
    model
        The table as it is.
    """

    def __init__(self, store: SessionStore, visitor: str, name: str, model: ModelT) -> None:
        self.model = model
        self._store = store
        self._place = (visitor, name)
        self._lock = asyncio.Lock()
        self._watchers: list[Callable[[], object]] = []

    @property
    def is_watched(self) -> bool:
        """Whether a page shows it."""
        return bool(self._watchers)

    async def change(self, action: Callable[[ModelT], ResultT]) -> ResultT:
        """Do something at the table, save it, and show it on every page that watches.

        Raises
        ------
        InputError
            If the action is refused; nothing has changed then.
        """
        async with self._lock:
            result = await asyncio.to_thread(action, self.model)
            await self._save()
        self._refresh()
        return result

    async def replace(self, model: ModelT) -> None:
        """Put another table in the place of this one."""
        async with self._lock:
            self.model = model
            await self._save()
        self._refresh()

    def watch(self, refresh: Callable[[], object]) -> None:
        """Call a function of the page that is being built after every change, for as long as the page is open.

        A page that has lost its connection hears of everything at once when it comes back.
        """
        from nicegui import context  # noqa: PLC0415 - the models' tests need no browser and no NiceGUI

        client = context.client

        def show() -> None:
            if client.has_socket_connection:
                with client:
                    refresh()

        client.on_connect(show)
        self._watchers.append(show)
        client.on_delete(lambda: self._watchers.remove(show))

    async def _save(self) -> None:
        await asyncio.to_thread(self._store.save, *self._place, self.model.to_state())

    def _refresh(self) -> None:
        for show in tuple(self._watchers):
            show()


class TableSessions:
    """All sessions."""

    def __init__(self, store: SessionStore) -> None:
        self._store = store
        self._sessions: OrderedDict[tuple[str, str], TableSession[Any]] = OrderedDict()
        self._entering: dict[tuple[str, str], asyncio.Lock] = {}

    async def open(
        self,
        visitor: str,
        name: str,
        fresh: Callable[[], ModelT],
        restore: Callable[[Mapping[str, Any]], ModelT],
    ) -> TableSession[ModelT]:
        """Return a visitor's session: the live one, the saved one, or a fresh one, which is saved at its first action.

        A saved table that cannot be read any more, such as one of another version, gives way to a fresh one.
        """
        place = (visitor, name)
        async with self._entering.setdefault(place, asyncio.Lock()):
            session = self._sessions.get(place)
            if session is None:
                model = await asyncio.to_thread(self._open, visitor, name, fresh, restore)
                session = self._sessions[place] = TableSession(self._store, visitor, name, model)
                self._drop_idle()
            self._sessions.move_to_end(place)
            return session

    def _open(
        self,
        visitor: str,
        name: str,
        fresh: Callable[[], ModelT],
        restore: Callable[[Mapping[str, Any]], ModelT],
    ) -> ModelT:
        state = self._store.load(visitor, name)
        if state is None:
            return fresh()
        try:
            return restore(state)
        except InputError:
            return fresh()

    def _drop_idle(self) -> None:
        idle = [place for place, session in self._sessions.items() if not session.is_watched]
        for place in idle[: max(len(self._sessions) - LIVE_SESSIONS, 0)]:
            del self._sessions[place], self._entering[place]
