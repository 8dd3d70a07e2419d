"""JSON-RPC over HTTP: every request gets an answer, and none does harm."""

import base64
import json
import socket
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from solders.keypair import Keypair
from solders.message import Message, MessageV0
from solders.system_program import TransferParams, transfer
from solders.transaction import VersionedTransaction

from croupier.solana.base58 import decode_base58, encode_base58
from croupier.solana.ledger import Ledger
from croupier.solana.localnet import Localnet
from croupier.solana.rpc_methods import METHODS
from croupier.solana.rpc_params import Params
from croupier.solana.rpc_server import LARGEST_BODY, LocalnetServer, ServerError, answer_body

SENDER = Keypair.from_seed(b"s" * 32)
ADDRESS = str(SENDER.pubkey())
SIGNATURE = "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW"


@pytest.fixture(scope="module")
def server() -> Iterator[LocalnetServer]:
    """Serve a real localnet on a free port, in a thread."""
    with Ledger(None, seed=1) as ledger, LocalnetServer(Localnet(ledger, slot_seconds=0), port=0) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def post(server: LocalnetServer, body: bytes) -> tuple[int, Any]:
    request = urllib.request.Request(server.url, body, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            text = response.read()
            return response.status, json.loads(text) if text else None
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.loads(error.read())


def call(server: LocalnetServer, method: str, *params: Any) -> Any:
    """Call a method; return its result, or its error's code and message."""
    body = {"jsonrpc": "2.0", "id": 7, "method": method, "params": list(params)}
    status, answer = post(server, json.dumps(body).encode())
    assert (status, answer["jsonrpc"], answer["id"]) == (200, "2.0", 7)
    assert ("result" in answer) != ("error" in answer)
    return answer["result"] if "result" in answer else (answer["error"]["code"], answer["error"]["message"])


def raw(server: LocalnetServer, data: bytes) -> bytes:
    """Send raw bytes and read the whole answer."""
    with socket.create_connection(server.server_address[:2], timeout=60) as connection:  # type: ignore[arg-type]
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(65536), b""))


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", -32700),
        (b"{", -32700),
        (b"\xff\xfe", -32700),
        (b'{"jsonrpc": "2.0", "id": NaN, "method": "getSlot"}', -32700),
        (b"[" * 20_000, -32700),
        (b"1" * 20_000, -32700),
        (b"[]", -32600),
        (b"null", -32600),
        (b"7", -32600),
        (b'"getSlot"', -32600),
        (b"{}", -32600),
        (b'{"jsonrpc": "1.0", "id": 1, "method": "getSlot"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": 7}', -32600),
        (b'{"jsonrpc": "2.0", "id": {}, "method": "getSlot"}', -32600),
        (b'{"jsonrpc": "2.0", "id": true, "method": "getSlot"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1e999, "method": "getSlot"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "getStake"}', -32601),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "__class__"}', -32601),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "getSlot", "params": {"a": 1}}', -32602),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "getBalance"}', -32602),
        (b"[" + b"0," * 200 + b"0]", -32600),
    ],
)
def test_what_is_no_call_is_answered_by_an_error(server: LocalnetServer, body: bytes, code: int) -> None:
    status, answer = post(server, body)
    assert status == 200
    assert answer["error"]["code"] == code
    assert len(answer["error"]["message"]) < 200
    assert call(server, "getHealth") == "ok"


CALL = b'{"jsonrpc": "2.0", "id": 1, "method": "getHealth"}'
ALLOWED = "http://localhost:3000"


def ask(server: LocalnetServer, method: str, **headers: str) -> bytes:
    """Send a call with certain headers, and return the whole answer."""
    lines = [f"{method} / HTTP/1.1", f"Content-Length: {len(CALL)}", "Connection: close"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return raw(server, "\r\n".join(lines).encode() + b"\r\n\r\n" + CALL)


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "127.0.0.1", "Origin": "https://evil.example"},
        {"Host": "127.0.0.1", "Origin": "null"},
        {"Host": "127.0.0.1", "Origin": ""},
        {"Host": "evil.example"},
        {"Host": "evil.example:8899"},
        {"Host": "["},
    ],
)
@pytest.mark.parametrize("method", ["POST", "OPTIONS"])
def test_foreign_web_pages_are_refused(server: LocalnetServer, method: str, headers: dict[str, str]) -> None:
    answer = ask(server, method, **headers)
    assert answer.startswith(b"HTTP/1.1 403 ")
    assert b"Access-Control" not in answer
    assert b'"result"' not in answer


def test_pages_that_were_allowed_are_answered() -> None:
    with (
        Ledger(None, seed=1) as ledger,
        LocalnetServer(Localnet(ledger, slot_seconds=0), port=0, origins=[ALLOWED]) as server,
    ):
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        for method, status in (("POST", b"200"), ("OPTIONS", b"204")):
            answer = ask(server, method, Host="localhost:8899", Origin=ALLOWED)
            assert answer.startswith(b"HTTP/1.1 " + status)
            assert f"Access-Control-Allow-Origin: {ALLOWED}\r\n".encode() in answer
        assert ask(server, "POST", Host="[::1]:8899").startswith(b"HTTP/1.1 200")
        server.shutdown()
        thread.join()
    with Ledger(None, seed=1) as ledger, pytest.raises(ServerError, match="without a path"):
        LocalnetServer(Localnet(ledger), port=0, origins=["http://localhost/page"])


@pytest.mark.parametrize(
    ("method", "params", "clue"),
    [
        ("getBalance", ["me"], "parameter 1: 'me' is not an address"),
        ("getBalance", [[[[[[[[[7]]]]]]]]], "is not an address"),
        ("getBalance", ["\ud800"], "is not an address"),
        ("getAccountInfo", [ADDRESS, 7], "the options must be an object"),
        (
            "getAccountInfo",
            ["11111111111111111111111111111111", {"encoding": "base32"}],
            "base64+zstd or base58",
        ),
        ("getAccountInfo", ["SysvarS1otHashes111111111111111111111111111", {}], "too long for base58"),
        (
            "getAccountInfo",
            ["11111111111111111111111111111111", {"dataSlice": {"offset": -1}}],
            "dataSlice.offset",
        ),
        ("getMultipleAccounts", [[ADDRESS] * 101], "at most 100"),
        ("getMultipleAccounts", ["x"], "a list"),
        ("getMinimumBalanceForRentExemption", [-1], "is not a whole number"),
        ("getMinimumBalanceForRentExemption", [10**4000], "is not a whole number"),
        ("getMinimumBalanceForRentExemption", [2**63], "at most"),
        ("getSignatureStatuses", [["x"]], "'x' is not a signature"),
        ("getSignaturesForAddress", [ADDRESS, {"limit": 0}], "limit 0"),
        ("getSignaturesForAddress", [ADDRESS, {"limit": True}], "limit: True"),
        ("getSignaturesForAddress", [ADDRESS, {"before": 3}], "before: 3 is not a signature"),
        ("getTransaction", [ADDRESS], "is not a signature"),
        ("isBlockhashValid", ["0"], "is not a blockhash"),
        ("requestAirdrop", [ADDRESS], "parameter 2 is missing"),
        ("requestAirdrop", [ADDRESS, 1.5], "is not a whole number"),
        ("sendTransaction", [7], "base64 or base58"),
        ("sendTransaction", ["0OIl"], "there is no sign '0'"),
        ("sendTransaction", ["!!!!", {"encoding": "base64"}], "not a transaction"),
        ("sendTransaction", ["AAAA", {"encoding": "base64"}], "not a transaction"),
        ("sendTransaction", ["A" * 4000, {"encoding": "base64"}], "at most 1232"),
        ("sendTransaction", ["2" * 40_000], "at most 1232"),
        ("sendTransaction", ["AAAA", {"encoding": ["x"]}], "encoding ['x']"),
        ("simulateTransaction", [], "parameter 1 is missing"),
    ],
)
def test_wrong_parameters_are_named(
    server: LocalnetServer, method: str, params: list[Any], clue: str
) -> None:
    code, message = call(server, method, *params)
    assert code == -32602
    assert clue in message
    assert len(message) < 200


def test_several_calls_come_in_a_list(server: LocalnetServer) -> None:
    calls = [
        {"jsonrpc": "2.0", "id": "a", "method": "getHealth"},
        {"jsonrpc": "2.0", "method": "getHealth"},
        {"jsonrpc": "2.0", "id": 2, "method": "getStake"},
    ]
    _, answers = post(server, json.dumps(calls).encode())
    assert [answer["id"] for answer in answers] == ["a", 2]
    assert answers[0]["result"] == "ok"
    assert answers[1]["error"]["code"] == -32601


def test_a_call_without_an_id_gets_no_answer(server: LocalnetServer) -> None:
    assert post(server, b'{"jsonrpc": "2.0", "method": "getHealth"}') == (204, None)
    assert post(server, b'[{"jsonrpc": "2.0", "method": "getStake"}]') == (204, None)


def test_a_request_that_is_too_long_is_not_even_read(server: LocalnetServer) -> None:
    head = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
    for length in (LARGEST_BODY + 1, 10**30):
        answer = raw(server, head % length)
        assert answer.startswith(b"HTTP/1.1 413 ")
        assert json.loads(answer.partition(b"\r\n\r\n")[2])["error"]["code"] == -32600


@pytest.mark.parametrize("length", [b"-1", b"x", b"1.5", b"\xb2"])
def test_a_request_says_how_long_it_is(server: LocalnetServer, length: bytes) -> None:
    answer = raw(server, b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + length + b"\r\n\r\n{}")
    assert answer.startswith(b"HTTP/1.1 411 ")


@pytest.mark.parametrize(
    "data",
    [b"", b"\r\n", b"GARBAGE", b"\x16\x03\x01\x02\x00", b"POST / HTTP/9.9\r\n\r\n", b"GET " + b"a" * 70_000, b"BREW / HTTP/1.1\r\n\r\n"],
)  # fmt: skip
def test_what_is_no_request_does_no_harm(
    server: LocalnetServer, data: bytes, capfd: pytest.CaptureFixture[str]
) -> None:
    raw(server, data)
    assert call(server, "getHealth") == "ok"
    assert capfd.readouterr() == ("", "")


def test_a_client_that_leaves_in_the_middle_does_no_harm(
    server: LocalnetServer, capfd: pytest.CaptureFixture[str]
) -> None:
    for _ in range(5):
        with socket.create_connection(server.server_address[:2]) as connection:  # type: ignore[arg-type]
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            connection.sendall(b"POST / HTTP/1.1\r\nContent-Length: 500\r\n\r\n{")
    assert call(server, "getHealth") == "ok"
    assert capfd.readouterr() == ("", "")


def test_health_can_be_asked_for_by_get(server: LocalnetServer) -> None:
    with urllib.request.urlopen(f"{server.url}/health") as response:
        assert response.read() == b"ok"
    with pytest.raises(urllib.error.HTTPError) as refusal:
        urllib.request.urlopen(server.url)
    with refusal.value:
        assert refusal.value.code == 405


def test_transactions_come_in_base58_and_in_both_versions(server: LocalnetServer) -> None:
    call(server, "requestAirdrop", ADDRESS, 10**10)
    latest = server.localnet.blockhash
    gift = transfer(TransferParams(from_pubkey=SENDER.pubkey(), to_pubkey=SENDER.pubkey(), lamports=1))
    legacy = VersionedTransaction(Message.new_with_blockhash([gift], SENDER.pubkey(), latest), [SENDER])
    assert call(server, "sendTransaction", encode_base58(bytes(legacy))) == str(legacy.signatures[0])
    newer = VersionedTransaction(MessageV0.try_compile(SENDER.pubkey(), [gift], [], latest), [SENDER])
    text = base64.b64encode(bytes(newer)).decode()
    signature = call(server, "sendTransaction", text, {"encoding": "base64"})
    assert call(server, "getTransaction", signature)[0] == -32015
    found = call(server, "getTransaction", signature, {"maxSupportedTransactionVersion": 0})
    assert found["version"] == 0
    (instruction,) = found["transaction"]["message"]["instructions"]
    assert decode_base58(instruction["data"]) == bytes(gift.data)
    code, message = call(server, "sendTransaction", text, {"encoding": "base64"})
    assert code == -32002
    assert "AlreadyProcessed" in message


def test_a_piece_of_an_account_can_be_asked_for(server: LocalnetServer) -> None:
    sysvar = "SysvarC1ock11111111111111111111111111111111"
    whole = call(server, "getAccountInfo", sysvar, {"encoding": "base64"})["value"]
    piece = call(
        server, "getAccountInfo", sysvar, {"encoding": "base58", "dataSlice": {"offset": 8, "length": 5}}
    )["value"]
    assert decode_base58(piece["data"][0]) == base64.b64decode(whole["data"][0])[8:13]
    assert piece["space"] == whole["space"]


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.1", "example.com", "", "8.8.8.8"])
def test_a_localnet_is_for_this_machine_only(server: LocalnetServer, host: str) -> None:
    with pytest.raises(ServerError, match="serves this machine only"):
        LocalnetServer(server.localnet, host=host, port=0)


def test_a_port_that_is_taken_is_one_clear_error(server: LocalnetServer) -> None:
    with pytest.raises(ServerError, match="cannot listen on"):
        LocalnetServer(server.localnet, port=server.server_address[1])


def test_a_defect_of_a_method_does_not_end_the_conversation(capfd: pytest.CaptureFixture[str]) -> None:
    def fail(method: str, params: Params) -> Any:
        raise ZeroDivisionError

    answer = answer_body(b'{"jsonrpc": "2.0", "id": 1, "method": "getSlot"}', fail)
    assert answer is not None
    assert json.loads(answer)["error"]["code"] == -32603
    assert "ZeroDivisionError" in capfd.readouterr().err


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from([ADDRESS, SIGNATURE]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)  # fmt: skip
options = st.dictionaries(
    st.sampled_from(
        ["encoding", "dataSlice", "limit", "before", "until", "skipPreflight", "sigVerify", "replaceRecentBlockhash",
         "maxSupportedTransactionVersion"]
    ),
    json_values | st.sampled_from(["base64", "base58", "json", "jsonParsed"]),
)  # fmt: skip
calls = st.fixed_dictionaries(
    {
        "jsonrpc": st.just("2.0") | json_values,
        "id": json_values,
        "method": st.sampled_from(sorted(METHODS)) | json_values,
        "params": st.lists(json_values | options, max_size=3) | json_values,
    }
)


@settings(max_examples=100)
@given(
    body=st.binary(max_size=200)
    | st.builds(lambda value: json.dumps(value).encode(), calls | st.lists(calls, max_size=3) | json_values)
)
def test_whatever_is_sent_the_answer_is_json_rpc_and_no_defect(server: LocalnetServer, body: bytes) -> None:
    answer = answer_body(body, server.call)
    if answer is None:
        return
    decoded = json.loads(answer, parse_constant=pytest.fail)
    for entry in decoded if isinstance(decoded, list) else [decoded]:
        assert entry["jsonrpc"] == "2.0"
        assert ("result" in entry) != ("error" in entry)
        assert entry.get("error", {}).get("code") != -32603


@settings(max_examples=100)
@given(data=st.data())
def test_a_spoiled_transaction_does_no_harm(server: LocalnetServer, data: st.DataObject) -> None:
    gift = transfer(TransferParams(from_pubkey=SENDER.pubkey(), to_pubkey=SENDER.pubkey(), lamports=1))
    message = Message.new_with_blockhash([gift], SENDER.pubkey(), server.localnet.blockhash)
    wire = bytearray(bytes(VersionedTransaction(message, [SENDER])))
    for _ in range(data.draw(st.integers(1, 4))):
        wire[data.draw(st.integers(0, len(wire) - 1))] = data.draw(st.integers(0, 255))
    text = base64.b64encode(bytes(wire)).decode()
    method = data.draw(st.sampled_from(["sendTransaction", "simulateTransaction"]))
    wishes = {"encoding": "base64", "skipPreflight": data.draw(st.booleans())}
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": [text, wishes]}
    answer = answer_body(json.dumps(body).encode(), server.call)
    assert answer is not None
    assert json.loads(answer).get("error", {}).get("code") != -32603
