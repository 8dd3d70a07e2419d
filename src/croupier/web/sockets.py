"""Bind the sockets of pages to the visitors who opened them, and bound what a socket can ask for.

A page sends its events with the id of the page. NiceGUI takes them from any socket. Here a socket may speak only for a page that it
was opened for, and may be opened only by the visitor who loaded that page, whom the signed cookie names. Messages beyond a rate
that no person reaches are dropped, so that one socket cannot keep the server busy.
"""

import logging
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs

from nicegui import Client, core
from socketio.packet import Packet

_log = logging.getLogger(__name__)

#: The messages of a page to the server, apart from those that open the socket.
_MESSAGES = ("event", "javascript_response", "ack", "log")

#: How many messages a socket can send at once, and how many a second after that.
BURST, MESSAGES_A_SECOND = 200, 50.0

#: What is written to the server's log of a page's message: its beginning, and signs that a terminal obeys as their codes.
_LOGGED_LENGTH = 300


class Allowance:
    """How many messages a socket may still send; it grows with time.

    >>> allowance = Allowance(now=0.0)
    >>> sum(allowance.takes(now=0.0) for _ in range(500)), allowance.takes(now=0.1)
    (200, True)
    """

    __slots__ = ("_left", "_since")

    def __init__(self, now: float) -> None:
        self._left, self._since = float(BURST), now

    def takes(self, now: float) -> bool:
        """Take one message, if there is one left."""
        self._left = min(self._left + (now - self._since) * MESSAGES_A_SECOND, float(BURST))
        self._since = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class PagePacket(Packet):  # type: ignore[misc]  # socketio does not describe itself
    """A message to or from a page. Updates of a page are text only, so nobody has to look for bytes in all they hold.

    >>> PagePacket(data=["update", {"7": {"tag": "p"}}]).encode(), PagePacket(data=["download", {"src": b"a"}]).encode()[1:]
    ('2["update",{"7":{"tag":"p"}}]', [b'a'])
    """

    @classmethod
    def data_is_binary(cls, data: Any) -> bool:
        """Tell whether there are bytes in a message."""
        if isinstance(data, list) and data and data[0] == "update":
            return False
        return bool(super().data_is_binary(data))


def bind_sockets_to_visitors() -> None:
    """Put the check before NiceGUI's handlers."""
    core.sio.packet_class = PagePacket
    handlers = core.sio.handlers["/"]
    connect, handshake = handlers["connect"], handlers["handshake"]

    async def checked_connect(sid: str, environ: dict[str, Any], *rest: Any) -> Any:
        query = parse_qs(environ.get("QUERY_STRING", ""))
        if not _may_open(environ, query.get("client_id", [None])[0]):
            return False
        return await connect(sid, environ, *rest)

    async def checked_handshake(sid: str, message: Any) -> Any:
        if not isinstance(message, dict) or not _may_open(
            core.sio.get_environ(sid), message.get("client_id")
        ):
            return False
        return await handshake(sid, message)

    allowances: dict[str, Allowance] = {}
    disconnect = handlers["disconnect"]

    def forgetting_disconnect(sid: str, *rest: Any) -> Any:
        allowances.pop(sid, None)
        return disconnect(sid, *rest)

    core.sio.on("connect", checked_connect)
    core.sio.on("handshake", checked_handshake)
    core.sio.on("disconnect", forgetting_disconnect)
    for name in _MESSAGES:
        handler = _readable_log if name == "log" else handlers[name]
        core.sio.on(name, _checked(handler, allowances))


def _checked(
    handler: Callable[[str, Any], object], allowances: dict[str, Allowance]
) -> Callable[[str, Any], object]:
    def check(sid: str, message: Any) -> object:
        if not isinstance(message, dict) or not _is_open(sid, message.get("client_id")):
            return None
        now = time.monotonic()
        allowance = allowances.setdefault(sid, Allowance(now))
        return handler(sid, message) if allowance.takes(now) else None

    return check


def _is_open(sid: str, page: object) -> bool:
    """Tell whether a socket was opened for a page: the handshake puts it into a room with the page's id."""
    rooms = core.sio.manager.rooms.get("/", {})
    return isinstance(page, str) and sid in rooms.get(page, ())


def _readable_log(_sid: str, message: dict[str, Any]) -> None:
    """Write a page's complaint to the log, in one line that says whose it is."""
    _log.warning("a page says: %s", harmless(message.get("message", "")))


def harmless(words: object) -> str:
    r"""Return words of a stranger so that no terminal obeys them: in ASCII, without control characters, and not without end.

    >>> print(harmless(chr(27) + "[2J" + chr(10) + "gone"))
    '\x1b[2J\ngone'
    >>> len(harmless("a" * 1_000_000)) == _LOGGED_LENGTH
    True
    """
    return ascii(words)[:_LOGGED_LENGTH]


def _may_open(environ: dict[str, Any] | None, page: object) -> bool:
    """Say whether the visitor of a socket has loaded a page; a page that is gone can be asked for by anybody."""
    client = Client.instances.get(page) if isinstance(page, str) else None
    if client is None:
        return True
    scope = (environ or {}).get("asgi.scope", {})
    visitor = scope.get("session", {}).get("id")
    return visitor is not None and visitor == client.request.session.get("id")
