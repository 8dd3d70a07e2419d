"""Subscriptions over WebSocket: clients are told of transactions, accounts, programs, logs and slots; foreign pages are not."""

import json
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from solders.keypair import Keypair
from solders.message import Message
from solders.system_program import ID as SYSTEM_PROGRAM
from solders.system_program import TransferParams, transfer
from solders.transaction import VersionedTransaction
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from croupier.solana.ledger import Ledger
from croupier.solana.localnet import Localnet
from croupier.solana.rpc_params import INVALID_PARAMS
from croupier.solana.rpc_server import LocalnetServer

ALLOWED = "http://localhost:3000"
SOL = 10**9


@pytest.fixture(scope="module")
def server() -> Iterator[LocalnetServer]:
    with (
        Ledger(None, seed=1) as ledger,
        LocalnetServer(Localnet(ledger, slot_seconds=0), port=0, origins=[ALLOWED]) as server,
    ):
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def client(server: LocalnetServer) -> Iterator[ClientConnection]:
    with connect(server.websocket_url) as client:
        yield client


def ask(client: ClientConnection, method: str, *params: Any) -> Any:
    """Call a method; return its result, or the code of its error."""
    client.send(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": list(params)}))
    answer = received(client)
    return answer["result"] if "result" in answer else answer["error"]["code"]


def received(client: ClientConnection) -> Any:
    return json.loads(client.recv(timeout=60))


def told(client: ClientConnection, number: int) -> Any:
    """Return the value of the next notification, which belongs to a subscription."""
    message = received(client)
    assert message["params"]["subscription"] == number
    return message["params"]["result"]


def payment(server: LocalnetServer, payer: Keypair, receiver: Keypair, lamports: int) -> VersionedTransaction:
    order = TransferParams(from_pubkey=payer.pubkey(), to_pubkey=receiver.pubkey(), lamports=lamports)
    message = Message.new_with_blockhash([transfer(order)], payer.pubkey(), server.localnet.blockhash)
    return VersionedTransaction(message, [payer])


def test_a_client_is_told_of_everything_that_it_has_asked_for(
    server: LocalnetServer, client: ClientConnection
) -> None:
    payer, receiver = Keypair(), Keypair()
    server.localnet.airdrop(payer.pubkey(), 2 * SOL)
    transaction = payment(server, payer, receiver, SOL)
    signature = str(transaction.signatures[0])
    numbers = {
        "account": ask(client, "accountSubscribe", str(receiver.pubkey()), {"encoding": "base64"}),
        "program": ask(client, "programSubscribe", str(SYSTEM_PROGRAM), {"filters": [{"dataSize": 0}]}),
        "logs": ask(client, "logsSubscribe", {"mentions": [str(payer.pubkey())]}),
        "silent": ask(client, "logsSubscribe", {"mentions": [str(Keypair().pubkey())]}),
        "signature": ask(client, "signatureSubscribe", signature),
    }
    slot = server.localnet.chain.slot
    server.localnet.send(transaction)
    account = told(client, numbers["account"])
    assert (account["context"]["slot"], account["value"]["lamports"]) == (slot, SOL)
    changed = [told(client, numbers["program"])["value"]["pubkey"] for _ in range(2)]
    assert set(changed) == {str(payer.pubkey()), str(receiver.pubkey())}
    logs = told(client, numbers["logs"])["value"]
    assert (logs["signature"], logs["err"]) == (signature, None)
    assert logs["logs"][-1].endswith("success")
    assert told(client, numbers["signature"])["value"] == {"err": None}
    assert ask(client, "signatureUnsubscribe", numbers["signature"]) is False, "it ended by itself"
    assert ask(client, "accountUnsubscribe", numbers["account"]) is True
    assert ask(client, "getBalance", str(receiver.pubkey()))["value"] == SOL, "calls are answered, too"


def test_a_transaction_of_the_past_is_told_at_once(server: LocalnetServer, client: ClientConnection) -> None:
    signature = server.localnet.airdrop(Keypair().pubkey(), SOL)
    client.send(
        json.dumps({"jsonrpc": "2.0", "id": 1, "method": "signatureSubscribe", "params": [str(signature)]})
    )
    messages = [received(client), received(client)]
    (number,) = [message["result"] for message in messages if "result" in message]
    (params,) = [message["params"] for message in messages if "params" in message]
    assert (params["subscription"], params["result"]["value"]) == (number, {"err": None})


def test_slots_are_told(server: LocalnetServer, client: ClientConnection) -> None:
    number = ask(client, "slotSubscribe")
    server.localnet.airdrop(Keypair().pubkey(), SOL)
    slot = told(client, number)
    assert slot["slot"] == server.localnet.chain.slot
    assert slot["parent"] == slot["slot"] - 1


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("accountSubscribe", ["not an address"]),
        ("accountSubscribe", []),
        ("logsSubscribe", ["some"]),
        ("logsSubscribe", [{"mentions": []}]),
        ("logsSubscribe", [{"mentions": [7]}]),
        ("programSubscribe", [str(SYSTEM_PROGRAM), {"filters": [{"memcmp": {}}]}]),
        ("signatureSubscribe", ["short"]),
        ("accountUnsubscribe", ["x"]),
    ],
)
def test_a_wrong_subscription_is_refused(client: ClientConnection, method: str, params: list[Any]) -> None:
    assert ask(client, method, *params) == INVALID_PARAMS


def test_what_is_no_call_does_no_harm(server: LocalnetServer, client: ClientConnection) -> None:
    for text in ("", "[", "{}", '{"jsonrpc": "2.0", "id": 1, "method": "voteSubscribe"}'):
        client.send(text)
        assert "error" in received(client)
    client.send(b"\xff\xfe")
    assert "error" in received(client)
    assert ask(client, "getHealth") == "ok"


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://localhost:3001"])
def test_foreign_pages_get_no_subscription(server: LocalnetServer, origin: str) -> None:
    with (
        pytest.raises(InvalidStatus) as refused,
        connect(server.websocket_url, additional_headers={"Origin": origin}),
    ):
        pass
    assert refused.value.response.status_code == 403


def test_a_foreign_name_for_this_machine_is_refused(server: LocalnetServer) -> None:
    """A page can point a name of its own at this machine; the browser then sends that name."""
    port = int(server.websocket_url.rsplit(":", 1)[1])
    with (
        socket.create_connection(("127.0.0.1", port)) as connection,
        pytest.raises(InvalidStatus) as refused,
        connect(f"ws://evil.example:{port}", sock=connection),
    ):
        pass
    assert refused.value.response.status_code == 403


def test_pages_that_were_allowed_get_theirs(server: LocalnetServer) -> None:
    with connect(server.websocket_url, additional_headers={"Origin": ALLOWED}) as client:
        assert ask(client, "getHealth") == "ok"


def test_a_client_that_leaves_is_forgotten(server: LocalnetServer) -> None:
    with connect(server.websocket_url) as client:
        ask(client, "logsSubscribe", "all")
    server.localnet.airdrop(Keypair().pubkey(), SOL)
    with connect(server.websocket_url) as client:
        assert ask(client, "getHealth") == "ok"
