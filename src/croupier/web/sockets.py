"""Bind the sockets of pages to the visitors who opened them.

A page sends its events with the id of the page. NiceGUI takes them from any socket. Here a socket may speak only for a page that it
was opened for, and may be opened only by the visitor who loaded that page, whom the signed cookie names.
"""

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs

from nicegui import Client, core

#: The messages of a page to the server, apart from those that open the socket.
_MESSAGES = ("event", "javascript_response", "ack", "log")


def bind_sockets_to_visitors() -> None:
    """Put the check before NiceGUI's handlers."""
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

    core.sio.on("connect", checked_connect)
    core.sio.on("handshake", checked_handshake)
    for name in _MESSAGES:
        core.sio.on(name, _checked(handlers[name]))


def _checked(handler: Callable[[str, Any], object]) -> Callable[[str, Any], object]:
    def check(sid: str, message: Any) -> object:
        # The handshake puts a socket into a room with the page's id.
        if isinstance(message, dict) and message.get("client_id") in core.sio.rooms(sid):
            return handler(sid, message)
        return None

    return check


def _may_open(environ: dict[str, Any] | None, page: object) -> bool:
    """Say whether the visitor of a socket has loaded a page; a page that is gone can be asked for by anybody."""
    client = Client.instances.get(page) if isinstance(page, str) else None
    if client is None:
        return True
    scope = (environ or {}).get("asgi.scope", {})
    visitor = scope.get("session", {}).get("id")
    return visitor is not None and visitor == client.request.session.get("id")
