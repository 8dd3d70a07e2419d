"""The sessions of visitors: one live table each, saved after every action and restored after a reload or a restart.

Each session applies one action at a time, in a worker thread. An opponent may think and a coach may solve while the event loop
serves other visitors. All tabs of a visitor show the same table.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

from croupier.errors import InputError
from croupier.played import PlayedHand
from croupier.runs.sessions import SessionStore
from croupier.web.played import PlayedHands

#: When there are more sessions than this, those without an open page are dropped from memory, oldest first.
LIVE_SESSIONS = 512


class Model(Protocol):
    """A table that can be saved as plain JSON."""

    def to_state(self) -> dict[str, Any]:
        """Return everything that is needed to resume."""
        ...


@runtime_checkable
class PlayedTable(Protocol):
    """A table whose finished hands count in the visitor's own statistics."""

    @property
    def played(self) -> PlayedHand | None:
        """The last hand that was finished, if it counts."""


ModelT = TypeVar("ModelT", bound=Model)
ResultT = TypeVar("ResultT")


class TableSession(Generic[ModelT]):
    """One visitor's table.

    Attributes
    ----------
    model
        The live table.
    """

    def __init__(
        self,
        store: SessionStore,
        visitor: str,
        name: str,
        model: ModelT,
        played: PlayedHands | None = None,
    ) -> None:
        self.model = model
        self._store = store
        self._played = played
        self._recorded: PlayedHand | None = None
        self._place = (visitor, name)
        self._lock = asyncio.Lock()
        self._watchers: list[Callable[[], object]] = []

    @property
    def is_watched(self) -> bool:
        """Whether an open page shows it."""
        return bool(self._watchers)

    @property
    def is_needed(self) -> bool:
        """Whether it has to stay in memory: a page shows it, or an action is not done yet."""
        return self.is_watched or self._lock.locked()

    async def change(self, action: Callable[[ModelT], ResultT]) -> ResultT:
        """Apply an action, save the table, and refresh every open page.

        Raises
        ------
        InputError
            If the action is refused; then nothing changes.
        """
        async with self._lock:
            result = await asyncio.to_thread(self._act, action)
        self._refresh()
        return result

    async def replace(self, model: ModelT) -> None:
        """Replace the table by another."""
        async with self._lock:
            self.model = model
            await asyncio.to_thread(self._save)
        self._refresh()

    def watch(self, refresh: Callable[[], object]) -> None:
        """Call a function after every change, as long as the page that is being built is open.

        A page that lost its connection is refreshed when it reconnects.
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

    def _act(self, action: Callable[[ModelT], ResultT]) -> ResultT:
        result = action(self.model)
        self._save()
        return result

    def _save(self) -> None:
        """Save the table, and with it the hand that has just ended."""
        hand, also = self._unrecorded(), None
        if hand is not None and self._played is not None:
            also = self._played.recording(self._place[0], hand)
        self._store.save(*self._place, self.model.to_state(), also=also)
        if hand is not None:
            self._recorded = hand

    def _unrecorded(self) -> PlayedHand | None:
        """Return the hand that has ended, if it counts and was not kept yet."""
        if self._played is None or not isinstance(self.model, PlayedTable):
            return None
        hand = self.model.played
        return None if hand == self._recorded else hand

    def _refresh(self) -> None:
        for show in tuple(self._watchers):
            show()


class TableSessions:
    """All sessions.

    Attributes
    ----------
    store
        Where they are saved.
    played
        Where finished hands are kept; None if they are not.
    """

    def __init__(self, store: SessionStore, played: PlayedHands | None = None) -> None:
        self.store = store
        self.played = played
        self._sessions: OrderedDict[tuple[str, str], TableSession[Any]] = OrderedDict()
        self._entering: dict[tuple[str, str], asyncio.Lock] = {}

    async def open(
        self,
        visitor: str,
        name: str,
        fresh: Callable[[], ModelT],
        restore: Callable[[Mapping[str, Any]], ModelT],
    ) -> TableSession[ModelT]:
        """Return a visitor's session: the live one, the saved one, or a new one, which is saved at its first action.

        A saved table that cannot be read, such as one of another version, is replaced by a new one.
        """
        place = (visitor, name)
        session = self._sessions.get(place)
        if session is None:
            lock = self._entering.setdefault(place, asyncio.Lock())
            try:
                async with lock:
                    session = self._sessions.get(place) or await self._enter(place, fresh, restore)
            finally:  # also where the store cannot be read: a visitor who was never let in leaves nothing behind
                self._entering.pop(place, None)
        self._sessions.move_to_end(place)
        return session

    async def _enter(
        self,
        place: tuple[str, str],
        fresh: Callable[[], ModelT],
        restore: Callable[[Mapping[str, Any]], ModelT],
    ) -> TableSession[ModelT]:
        visitor, name = place
        model = await asyncio.to_thread(self._open, visitor, name, fresh, restore)
        session = self._sessions.setdefault(
            place, TableSession(self.store, visitor, name, model, self.played)
        )
        self._drop_idle()
        return session

    def _open(
        self,
        visitor: str,
        name: str,
        fresh: Callable[[], ModelT],
        restore: Callable[[Mapping[str, Any]], ModelT],
    ) -> ModelT:
        state = self.store.load(visitor, name)
        if state is None:
            return fresh()
        try:
            return restore(state)
        except InputError:
            return fresh()

    def _drop_idle(self) -> None:
        # The newest stay: their pages are only about to be shown.
        older = list(self._sessions.items())[: -max(LIVE_SESSIONS // 8, 1)]
        idle = [place for place, session in older if not session.is_needed]
        for place in idle[: max(len(self._sessions) - LIVE_SESSIONS, 0)]:
            del self._sessions[place]
