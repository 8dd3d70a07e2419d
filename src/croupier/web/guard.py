"""Reject foreign Host headers, cross-origin requests and oversized bodies.

The web app has no passwords, because only this machine can reach it. But a foreign page in the same browser could also reach it,
through a name that points here (DNS rebinding) or by opening a socket. So the Host header of a request must name this machine, and
its Origin header, if there is one, must be the web app itself. A browser also marks what a page of another site asks for
(``Sec-Fetch-Site``); of that, only following a link is allowed.
"""

import ipaddress
from collections.abc import Mapping
from urllib.parse import urlsplit

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: The largest accepted body; only uploaded logs of games come near it.
LARGEST_BODY = 6_000_000

#: Everything comes from the web app itself. Vue needs eval to compile templates; NiceGUI's page has inline scripts.
_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self' ws: wss:; worker-src 'self' blob:; "
    "object-src 'none'; base-uri 'self'; frame-ancestors 'none'; form-action 'self'"
)
_HEADERS = [
    (b"content-security-policy", _POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
]


class TooLarge(Exception):  # noqa: N818 - a refusal, not a defect
    """A body is larger than allowed."""


class Guard:
    """The outermost layer of the application.

    Parameters
    ----------
    app
        The application behind it.
    names
        The allowed host names, without a port.
    any_address
        Whether any IP address is allowed too. A name can be made to point here by others, an address cannot.
    """

    def __init__(self, app: ASGIApp, names: frozenset[str], *, any_address: bool = False) -> None:
        self._app = app
        self._names = frozenset(name.lower() for name in names)
        self._any_address = any_address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or reject it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]}
        complaint = self._complaint(headers)
        if complaint is not None:
            await self._refuse(scope, receive, send, 403, complaint)
            return
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit() or int(length) > LARGEST_BODY:
            await self._refuse(scope, receive, send, 413, f"at most {LARGEST_BODY:,} bytes can be sent")
            return
        started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                message = {**message, "headers": [*message["headers"], *_HEADERS]}
            await send(message)

        try:
            await self._app(scope, _bounded(receive), send_with_headers)
        except TooLarge:
            if not started:
                await self._refuse(scope, receive, send, 413, f"at most {LARGEST_BODY:,} bytes can be sent")

    def _complaint(self, headers: Mapping[str, str]) -> str | None:
        """Return what is wrong with a request's Host or Origin, or None."""
        host = headers.get("host", "")
        if not self._is_ours(_name(host).lower()):
            return "the Host header must name this machine; croupier serve --name NAME allows another name"
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc != host:
            return "requests from pages of other sites are not allowed"
        is_link = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin") and not is_link:
            return "requests from pages of other sites are not allowed"
        return None

    def _is_ours(self, name: str) -> bool:
        return name in self._names or (self._any_address and _is_address(name))

    @staticmethod
    async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, reason: str) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": reason})
            return
        await PlainTextResponse(f"Refused: {reason}.\n", status_code=status)(scope, receive, send)


def _name(host: str) -> str:
    """Return a host without its port.

    >>> _name("localhost:8080"), _name("[::1]:80"), _name("::")
    ('localhost', '[::1]', '')
    """
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0]


def _is_address(name: str) -> bool:
    """Say whether a host is an IP address.

    >>> _is_address("192.168.1.5"), _is_address("[fe80::1]"), _is_address("casino.example")
    (True, True, False)
    """
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def _bounded(receive: Receive) -> Receive:
    """Count the bytes of a body as it arrives, whatever its Content-Length says."""
    taken = 0

    async def receive_bounded() -> Message:
        nonlocal taken
        message = await receive()
        if message["type"] == "http.request":
            taken += len(message.get("body", b""))
            if taken > LARGEST_BODY:
                raise TooLarge
        return message

    return receive_bounded
