"""Serve a localnet over HTTP with JSON-RPC 2.0, and its subscriptions over WebSocket, to this machine only.

Every request gets a result or an error in JSON-RPC's form; no request stops the server. A web page that a visitor's browser
happens to show can send requests to this machine, too. Those name their origin, and only origins that were allowed are
answered. A foreign Host header means that a name was pointed at this machine for that purpose; it is refused.
"""

import ipaddress
import json
import math
import re
import socket
import sys
import threading
import traceback
from collections.abc import Callable, Collection
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from croupier.errors import InputError
from croupier.solana.localnet import Localnet
from croupier.solana.rpc_methods import METHODS
from croupier.solana.rpc_params import INVALID_PARAMS, Params, RpcError, shortened
from croupier.solana.subscriptions import METHODS as SUBSCRIPTION_METHODS
from croupier.solana.subscriptions import Client, Subscriptions, SubscriptionServer

PARSE_ERROR, INVALID_REQUEST, UNKNOWN_METHOD, INTERNAL_ERROR = -32700, -32600, -32601, -32603
#: The limit of the public networks; a call with a transaction takes less than two thousand bytes.
LARGEST_BODY = 50 * 1024
MOST_CALLS = 100
_IDLE_SECONDS = 60
#: How often two neighbouring free ports are looked for.
_MOST_ATTEMPTS = 20
_ORIGIN = re.compile(r"https?://[A-Za-z0-9.\[\]:-]+")


class ServerError(InputError):
    """A localnet cannot be served at this address; the message says why."""


def answer_body(
    body: bytes, call: Callable[[str, Params], Any], methods: Collection[str] = METHODS.keys()
) -> bytes | None:
    """Answer the body of a request, one call or a list of calls; a call without an id gets no answer.

    Examples
    --------
    >>> answer_body(b'{"jsonrpc": "2.0", "id": 1, "method": "getHealth"}', lambda method, params: "ok")
    b'{"jsonrpc": "2.0", "id": 1, "result": "ok"}'
    >>> answer_body(b"[", lambda method, params: "ok")
    b'{"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": "the request is not JSON"}}'
    """
    try:
        calls = json.loads(body, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return _written(_failure(None, RpcError(PARSE_ERROR, "the request is not JSON")))
    if not isinstance(calls, list):
        answer = _answer(calls, call, methods)
        return None if answer is None else _written(answer)
    if not 1 <= len(calls) <= MOST_CALLS:
        error = RpcError(INVALID_REQUEST, f"a list of {len(calls)} calls; send 1 to {MOST_CALLS}")
        return _written(_failure(None, error))
    answers = [answer for answer in (_answer(entry, call, methods) for entry in calls) if answer is not None]
    return _written(answers) if answers else None


def _answer(
    request: Any, call: Callable[[str, Params], Any], methods: Collection[str]
) -> dict[str, Any] | None:
    is_object = isinstance(request, dict)
    identity = request.get("id") if is_object and _is_identity(request.get("id")) else None
    try:
        method, params = _read_call(request, methods)
        answer = {"jsonrpc": "2.0", "id": identity, "result": call(method, params)}
    except RpcError as error:
        answer = _failure(identity, error)
    except Exception:  # a defect in a method must not stop the server
        traceback.print_exc(file=sys.stderr)
        answer = _failure(
            identity, RpcError(INTERNAL_ERROR, "internal error; the localnet's terminal shows the details")
        )
    wants_no_answer = is_object and "id" not in request and "method" in request
    return None if wants_no_answer else answer


def _read_call(request: Any, methods: Collection[str]) -> tuple[str, Params]:
    if not isinstance(request, dict) or request.get("jsonrpc") != "2.0":
        raise RpcError(INVALID_REQUEST, 'a call must be an object with "jsonrpc": "2.0"')
    method, params = request.get("method"), request.get("params")
    if not _is_identity(request.get("id")):
        raise RpcError(INVALID_REQUEST, "the id of a call must be a string, a number or null")
    if not isinstance(method, str):
        raise RpcError(INVALID_REQUEST, "a call must name its method")
    if method not in methods:
        raise RpcError(UNKNOWN_METHOD, f"a localnet has no method {shortened(method)}")
    if params is not None and not isinstance(params, list):
        raise RpcError(INVALID_PARAMS, "the parameters must be a list")
    return method, Params(params or [])


def _is_identity(value: Any) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, str | int | None) and not isinstance(value, bool)


def _failure(identity: Any, error: RpcError) -> dict[str, Any]:
    description: dict[str, Any] = {"code": error.code, "message": error.message}
    if error.data is not None:
        description["data"] = error.data
    return {"jsonrpc": "2.0", "id": identity, "error": description}


def _written(answer: Any) -> bytes:
    return json.dumps(answer).encode("ascii")


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


class LocalnetServer(ThreadingHTTPServer):
    """Serve a localnet; calls are executed one at a time.

    Examples
    --------
    >>> from croupier.solana.ledger import Ledger
    >>> with Ledger(None, seed=1) as ledger, LocalnetServer(Localnet(ledger), port=0) as server:
    ...     server.url.startswith("http://127.0.0.1:")
    True
    >>> with Ledger(None, seed=1) as ledger:
    ...     LocalnetServer(Localnet(ledger), host="0.0.0.0")
    Traceback (most recent call last):
    croupier.solana.rpc_server.ServerError: host '0.0.0.0': a localnet serves this machine only; give a loopback address such as 127.0.0.1
    """

    daemon_threads = True

    def __init__(
        self,
        localnet: Localnet,
        *,
        host: str = "127.0.0.1",
        port: int = 8899,
        origins: Collection[str] = (),
    ) -> None:
        self.localnet = localnet
        for origin in origins:
            if not _ORIGIN.fullmatch(origin):
                raise ServerError(f"origin '{origin}': give one like http://localhost:3000, without a path")
        self.origins = frozenset(origins)
        self._turn = threading.Lock()
        self._is_open = True
        address = _loopback(host)
        self.address_family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
        try:
            calls, messages = _listeners(str(address), port, self.address_family)
        except (OSError, OverflowError) as error:
            raise ServerError(
                f"cannot listen on {host}, port {port} and the one after it: "
                f"{getattr(error, 'strerror', None) or error}"
            ) from None
        super().__init__(calls.getsockname(), _Handler, bind_and_activate=False)
        self.socket.close()
        self.socket = calls
        self.subscriptions = Subscriptions(localnet)
        self._messages = SubscriptionServer(
            self.subscriptions,
            self.answer_client,
            listener=messages,
            origins=self.origins,
            is_own_host=is_own_host,
        )

    @property
    def url(self) -> str:
        """The address for clients."""
        host, port = self.server_address[:2]
        return (
            f"http://[{host!s}]:{port}"
            if self.address_family == socket.AF_INET6
            else f"http://{host!s}:{port}"
        )

    @property
    def websocket_url(self) -> str:
        """The address for subscriptions: the port after that of the calls, where clients look for it."""
        head, _, port = self.url.replace("http", "ws", 1).rpartition(":")
        return f"{head}:{int(port) + 1}"

    def call(self, method: str, params: Params) -> Any:
        """Execute a call when its turn comes.

        Raises
        ------
        RpcError
            If the method refuses the call, or the server is closing.
        """
        with self._turn:
            if not self._is_open:
                raise RpcError(INTERNAL_ERROR, "the localnet is closing")
            self._keep_time()
            return METHODS[method](self.localnet, params)

    def answer_client(self, client: Client, body: bytes) -> bytes | None:
        """Answer a request over WebSocket: about subscriptions, or like one over HTTP."""

        def call(method: str, params: Params) -> Any:
            if method in METHODS:
                return self.call(method, params)
            with self._turn:
                return self.subscriptions.call(client, method, params)

        return answer_body(body, call, METHODS.keys() | SUBSCRIPTION_METHODS)

    def service_actions(self) -> None:
        """Advance the slots while no calls arrive."""
        with self._turn:
            self._keep_time()

    def _keep_time(self) -> None:
        self.localnet.keep_time()
        self.subscriptions.tell_slot()

    def server_close(self) -> None:
        """Finish the current call, accept no more, and save the state."""
        super().server_close()
        self._messages.close()
        with self._turn:
            if self._is_open:
                self._is_open = False
                self.localnet.save()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore clients that disconnect early."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def _listeners(address: str, port: int, family: socket.AddressFamily) -> tuple[socket.socket, socket.socket]:
    """Listen on a port and on the one after it; port 0 is any two."""
    for attempt in range(_MOST_ATTEMPTS):
        calls = socket.create_server((address, port), family=family)
        try:
            return calls, socket.create_server((address, calls.getsockname()[1] + 1), family=family)
        except (OSError, OverflowError):
            calls.close()
            if port != 0 or attempt == _MOST_ATTEMPTS - 1:
                raise
    raise AssertionError("the last attempt returns or raises")


def is_own_host(header: str) -> bool:
    """Return whether a Host header names this machine.

    >>> is_own_host("localhost:8899"), is_own_host("example.org")
    (True, False)
    """
    try:
        _loopback(urlsplit(f"//{header}").hostname or "")
    except (ServerError, ValueError):
        return False
    return True


def _loopback(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    try:
        address = ipaddress.ip_address("127.0.0.1" if host == "localhost" else host)
    except ValueError:
        address = None
    if address is None or not address.is_loopback:
        raise ServerError(
            f"host '{host}': a localnet serves this machine only; give a loopback address such as 127.0.0.1"
        )
    return address


class _Handler(BaseHTTPRequestHandler):
    server: LocalnetServer
    protocol_version = "HTTP/1.1"
    timeout = _IDLE_SECONDS
    # Nagle's algorithm would delay each answer by 40 ms.
    wbufsize = -1
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        """Answer a call."""
        length = self.headers.get("Content-Length", "")
        if problem := self._problem():
            self._refuse(HTTPStatus.FORBIDDEN, problem)
        elif not (length.isascii() and length.isdigit()):
            self._refuse(HTTPStatus.LENGTH_REQUIRED, "a request must give its length (Content-Length)")
        elif len(length) > 9 or int(length) > LARGEST_BODY:
            self._refuse(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a request may have at most {LARGEST_BODY} bytes"
            )
        else:
            answer = answer_body(self.rfile.read(int(length)), self.server.call)
            self._send(HTTPStatus.OK if answer is not None else HTTPStatus.NO_CONTENT, answer or b"")

    def do_GET(self) -> None:
        """Answer a health check."""
        if self.path == "/health":
            self._send(HTTPStatus.OK, b"ok", kind="text/plain")
        else:
            self._refuse(HTTPStatus.METHOD_NOT_ALLOWED, "send calls by POST")

    def do_OPTIONS(self) -> None:
        """Tell a browser which pages may send calls."""
        if problem := self._problem():
            self._refuse(HTTPStatus.FORBIDDEN, problem)
        else:
            self._send(HTTPStatus.NO_CONTENT, b"")

    def _problem(self) -> str | None:
        """Return why a request is not answered: it comes from a web page, or by a foreign name."""
        origin = self.headers.get("Origin")
        if origin is not None and origin not in self.server.origins:
            return "requests of web pages are refused; allow theirs with --allow-origin"
        if not is_own_host(self.headers.get("Host", "localhost")):
            return "the Host header must name this machine"
        return None

    def _refuse(self, status: HTTPStatus, message: str) -> None:
        # The unread body would be taken for the next request, so the connection is closed.
        self.close_connection = True
        self._send(status, _written(_failure(None, RpcError(INVALID_REQUEST, message))))

    def _send(self, status: HTTPStatus, body: bytes, kind: str = "application/json") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        if status is not HTTPStatus.NO_CONTENT:
            self.send_header("Content-Length", str(len(body)))
        if self.close_connection:
            self.send_header("Connection", "close")
        origin = self.headers.get("Origin")
        if origin in self.server.origins:
            self.send_header("Access-Control-Allow-Origin", origin)
            self.send_header("Access-Control-Allow-Headers", "content-type, solana-client")
            self.send_header("Vary", "Origin")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is the base class's
        """Log nothing; the terminal shows errors only."""
