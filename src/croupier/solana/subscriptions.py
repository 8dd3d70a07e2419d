"""Subscriptions to a localnet over WebSocket: to transactions, accounts, programs, logs and slots.

Clients expect them at the port after that of HTTP. The rules for web pages are the same: a page's origin must be allowed,
and the Host header must name this machine.
"""

import json
import queue
import socket
import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from itertools import count
from typing import Any, cast

from solders.account import Account
from solders.pubkey import Pubkey
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.sync.server import Server, ServerConnection, serve
from websockets.typing import Origin

from croupier.solana.ledger import LedgerEntry
from croupier.solana.localnet import Localnet
from croupier.solana.rpc_encoding import account_fields, account_filters, in_context
from croupier.solana.rpc_params import INVALID_PARAMS, Params, RpcError, as_key, shortened

#: Messages that wait for a slow client; one that falls further behind is disconnected.
_MOST_WAITING = 10_000
_MOST_SUBSCRIPTIONS = 1000
#: The subscriptions, and the name of their notifications.
NOTIFICATIONS = {
    "accountSubscribe": "accountNotification",
    "logsSubscribe": "logsNotification",
    "programSubscribe": "programNotification",
    "signatureSubscribe": "signatureNotification",
    "slotSubscribe": "slotNotification",
}


@dataclass(frozen=True, slots=True)
class Executed:
    """An executed transaction: its entry, the addresses that it names, and the accounts that it changed."""

    entry: LedgerEntry
    keys: tuple[Pubkey, ...]
    changed: Mapping[Pubkey, Account | None]


#: The methods that a client can call over WebSocket.
METHODS = frozenset(
    name for method in NOTIFICATIONS for name in (method, method.replace("Subscribe", "Unsubscribe"))
)
#: Returns what a subscription tells about a transaction; a notification each.
Watch = Callable[[Localnet, Executed], list[Any]]


@dataclass(slots=True)
class Subscription:
    """What one client wants to be told; one that ends with its first notification is removed then."""

    number: int
    method: str
    watch: Watch | None = None
    ends: bool = False

    def message(self, result: Any) -> str:
        """Return a notification in JSON-RPC's form."""
        params = {"result": result, "subscription": self.number}
        return json.dumps({"jsonrpc": "2.0", "method": NOTIFICATIONS[self.method], "params": params})


@dataclass(slots=True)
class Client:
    """A connected client with its subscriptions and the messages that wait for it."""

    waiting: "queue.Queue[str | None]" = field(default_factory=lambda: queue.Queue(_MOST_WAITING))
    subscriptions: dict[int, Subscription] = field(default_factory=dict)
    is_behind: bool = False

    def tell(self, message: str) -> None:
        """Queue a message; a client that reads too slowly is given up."""
        try:
            self.waiting.put_nowait(message)
        except queue.Full:
            self.is_behind = True


class Subscriptions:
    """All clients of a localnet. The server calls it while it executes a call, so one thing happens at a time."""

    def __init__(self, localnet: Localnet) -> None:
        self._localnet = localnet
        self._by_id: dict[int, Client] = {}
        self._numbers = count(1)
        self._slot = localnet.chain.slot
        localnet.on_executed = self.tell_executed

    def add(self, client: Client) -> None:
        """Connect a client."""
        self._by_id[id(client)] = client

    def remove(self, client: Client) -> None:
        """Disconnect a client."""
        self._by_id.pop(id(client), None)

    def call(self, client: Client, method: str, params: Params) -> int | bool:
        """Subscribe or unsubscribe a client.

        Raises
        ------
        RpcError
            If there is no such subscription, or a parameter is wrong.
        """
        if method.endswith("Unsubscribe"):
            return client.subscriptions.pop(params.number(0), None) is not None
        if len(client.subscriptions) >= _MOST_SUBSCRIPTIONS:
            raise RpcError(INVALID_PARAMS, f"a client has at most {_MOST_SUBSCRIPTIONS} subscriptions")
        subscription = Subscription(next(self._numbers), method)
        match method:
            case "accountSubscribe":
                subscription.watch = _watch_account(params)
            case "programSubscribe":
                subscription.watch = _watch_program(params)
            case "logsSubscribe":
                subscription.watch = _watch_logs(params)
            case "signatureSubscribe":
                subscription.watch, subscription.ends = _watch_signature(params), True
                self._tell_past(client, subscription, params)
        client.subscriptions[subscription.number] = subscription
        return subscription.number

    def _tell_past(self, client: Client, subscription: Subscription, params: Params) -> None:
        """Tell at once of a transaction that was executed before the subscription."""
        entry = self._localnet.ledger.transaction(params.signature(0))
        if entry is not None:
            value = in_context(self._localnet, {"err": entry.meta["err"]}, entry.slot)
            client.tell(subscription.message(value))

    def tell_executed(
        self, entry: LedgerEntry, keys: tuple[Pubkey, ...], changed: Mapping[Pubkey, Account | None]
    ) -> None:
        """Tell all clients of a transaction."""
        executed = Executed(entry, keys, changed)
        for client in list(self._by_id.values()):
            for subscription in list(client.subscriptions.values()):
                if subscription.watch is None:
                    continue
                told = subscription.watch(self._localnet, executed)
                for value in told:
                    client.tell(subscription.message(value))
                if told and subscription.ends:
                    del client.subscriptions[subscription.number]

    def tell_slot(self) -> None:
        """Tell all clients of a new slot."""
        slot, before = self._localnet.chain.slot, self._slot
        if slot == before:
            return
        self._slot = slot
        for client in list(self._by_id.values()):
            for subscription in client.subscriptions.values():
                if subscription.method == "slotSubscribe":
                    value = {"slot": slot, "parent": slot - 1, "root": slot - 1}
                    client.tell(subscription.message(value))


def _watch_account(params: Params) -> Watch:
    address, options = params.key(0), params.options(1)

    def watch(localnet: Localnet, executed: Executed) -> list[Any]:
        if address not in executed.changed:
            return []
        return [in_context(localnet, account_fields(executed.changed[address], options), executed.entry.slot)]

    return watch


def _watch_program(params: Params) -> Watch:
    program, options = params.key(0), params.options(1)
    tests = account_filters(options)

    def watch(localnet: Localnet, executed: Executed) -> list[Any]:
        return [
            in_context(
                localnet,
                {"pubkey": str(address), "account": account_fields(account, options)},
                executed.entry.slot,
            )
            for address, account in executed.changed.items()
            if account is not None
            and account.owner == program
            and all(test(bytes(account.data)) for test in tests)
        ]

    return watch


def _watch_logs(params: Params) -> Watch:
    wanted = params.value(0)
    mentioned: Pubkey | None = None
    if isinstance(wanted, dict):
        (value,) = Params([wanted.get("mentions")]).items(0, 1) or (None,)
        mentioned = as_key(value, "mentions")
    elif wanted not in ("all", "allWithVotes"):
        raise RpcError(INVALID_PARAMS, f"logs of {shortened(wanted)}: all, or an object with mentions")

    def watch(localnet: Localnet, executed: Executed) -> list[Any]:
        entry = executed.entry
        if mentioned is not None and mentioned not in executed.keys:
            return []
        value = {
            "signature": str(entry.signature),
            "err": entry.meta["err"],
            "logs": entry.meta["logMessages"],
        }
        return [in_context(localnet, value, entry.slot)]

    return watch


def _watch_signature(params: Params) -> Watch:
    signature = params.signature(0)

    def watch(localnet: Localnet, executed: Executed) -> list[Any]:
        entry = executed.entry
        if entry.signature != signature:
            return []
        return [in_context(localnet, {"err": entry.meta["err"]}, entry.slot)]

    return watch


class SubscriptionServer:
    """Serve subscriptions on a listening socket, in threads of its own.

    Parameters
    ----------
    answer
        Answers the text of a request of a client; ``None`` means that it gets no answer.
    is_own_host
        Whether a Host header names this machine.
    """

    def __init__(
        self,
        subscriptions: Subscriptions,
        answer: Callable[[Client, bytes], bytes | None],
        *,
        listener: socket.socket,
        origins: Collection[str],
        is_own_host: Callable[[str], bool],
    ) -> None:
        self._subscriptions = subscriptions
        self._answer = answer
        self._is_own_host = is_own_host
        self._server: Server = serve(
            self._serve_client,
            sock=listener,
            origins=[None, *(cast("Origin", origin) for origin in origins)],
            process_request=self._refusal,
            max_size=2**16,
            compression=None,
        )
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Disconnect all clients."""
        self._server.shutdown()
        self._thread.join()

    def _refusal(self, _connection: ServerConnection, request: Request) -> Response | None:
        if self._is_own_host(request.headers.get("Host", "localhost")):
            return None
        body = b"the Host header must name this machine\n"
        headers = Headers({"Content-Length": str(len(body)), "Connection": "close"})
        return Response(HTTPStatus.FORBIDDEN, "Forbidden", headers, body)

    def _serve_client(self, connection: ServerConnection) -> None:
        client = Client()
        self._subscriptions.add(client)
        sender = threading.Thread(target=_send_waiting, args=(connection, client), daemon=True)
        sender.start()
        try:
            for message in connection:
                body = message.encode() if isinstance(message, str) else message
                answer = self._answer(client, body)
                if answer is not None:
                    client.tell(answer.decode())
                if client.is_behind:
                    break
        except ConnectionClosed:
            pass  # the client has gone, in whatever way
        finally:
            self._subscriptions.remove(client)
            if client.is_behind:
                connection.close_socket()
            else:
                client.waiting.put(None)


def _send_waiting(connection: ServerConnection, client: Client) -> None:
    try:
        while (message := client.waiting.get()) is not None:
            connection.send(message)
    except ConnectionClosed:
        pass  # the client has gone; the reader notices it, too
