"""What clients ask of a node beyond accounts and transactions: fees, blocks, lookup tables, nonces, simulated accounts."""

import base64
from collections.abc import Iterator
from typing import Any

import pytest
from solders.address_lookup_table_account import AddressLookupTableAccount
from solders.compute_budget import set_compute_unit_limit, set_compute_unit_price
from solders.hash import Hash
from solders.instruction import AccountMeta, Instruction
from solders.keypair import Keypair
from solders.message import Message, MessageV0
from solders.pubkey import Pubkey
from solders.system_program import ID as SYSTEM_PROGRAM
from solders.system_program import (
    AdvanceNonceAccountParams,
    CreateAccountParams,
    InitializeNonceAccountParams,
    TransferParams,
    advance_nonce_account,
    create_account,
    initialize_nonce_account,
    transfer,
)
from solders.transaction import VersionedTransaction

from croupier.solana.ledger import Ledger
from croupier.solana.localnet import Localnet, TransactionRejectedError
from croupier.solana.rpc_encoding import stored_zstd
from croupier.solana.rpc_methods import METHODS
from croupier.solana.rpc_params import Params, RpcError

SOL = 10**9
LOOKUP_TABLE_PROGRAM = Pubkey.from_string("AddressLookupTab1e1111111111111111111111111")
PAYER = Keypair.from_seed(b"p" * 32)
RECEIVER = Keypair.from_seed(b"r" * 32).pubkey()


@pytest.fixture
def localnet() -> Iterator[Localnet]:
    with Ledger(None, seed=1) as ledger:
        localnet = Localnet(ledger, slot_seconds=0)
        localnet.airdrop(PAYER.pubkey(), 10 * SOL)
        yield localnet


def call(localnet: Localnet, method: str, *params: Any) -> Any:
    return METHODS[method](localnet, Params(list(params)))


def test_the_epoch_is_that_of_the_slot(localnet: Localnet) -> None:
    """The confirmation of `@solana/kit` asks for it before it waits."""
    localnet.chain.advance(432_000)
    slot = call(localnet, "getSlot")
    info = call(localnet, "getEpochInfo")
    assert (info["epoch"], info["slotIndex"]) == (1, slot - 432_000)
    assert info["absoluteSlot"] == info["blockHeight"] == slot
    assert info["transactionCount"] == call(localnet, "getTransactionCount")


def payment(lamports: int) -> Instruction:
    return transfer(TransferParams(from_pubkey=PAYER.pubkey(), to_pubkey=RECEIVER, lamports=lamports))


def message(localnet: Localnet, *instructions: Instruction, blockhash: Hash | None = None) -> Message:
    return Message.new_with_blockhash(instructions, PAYER.pubkey(), blockhash or localnet.blockhash)


def text_of(content: bytes) -> str:
    return base64.b64encode(content).decode()


def test_the_fee_of_a_message_is_the_fee_that_is_charged(localnet: Localnet) -> None:
    priced = [set_compute_unit_limit(10_000), set_compute_unit_price(500_000), payment(SOL)]
    for instructions, fee in (([payment(SOL)], 5000), (priced, 5000 + 5000)):
        order = message(localnet, *instructions)
        assert call(localnet, "getFeeForMessage", text_of(bytes(order)))["value"] == fee
        before = localnet.chain.balance(PAYER.pubkey())
        localnet.send(VersionedTransaction(order, [PAYER]))
        assert before - localnet.chain.balance(PAYER.pubkey()) == SOL + fee
    stranger = Keypair()
    poor = Message.new_with_blockhash([], stranger.pubkey(), localnet.blockhash)
    assert call(localnet, "getFeeForMessage", text_of(bytes(poor)))["value"] == 5000
    old = message(localnet, payment(1), blockhash=Hash.default())
    assert call(localnet, "getFeeForMessage", text_of(bytes(old)))["value"] is None
    for wrong in ("", "%", text_of(b"\x99" * 40), text_of(bytes(2000))):
        with pytest.raises(RpcError):
            call(localnet, "getFeeForMessage", wrong)


def test_no_priority_fee_is_needed(localnet: Localnet) -> None:
    localnet.chain.advance(200)
    fees = call(localnet, "getRecentPrioritizationFees", [str(RECEIVER)])
    assert len(fees) == 150
    assert {entry["prioritizationFee"] for entry in fees} == {0}
    assert fees[-1]["slot"] == localnet.chain.slot - 1
    with pytest.raises(RpcError, match="not an address"):
        call(localnet, "getRecentPrioritizationFees", ["x"])


def test_a_block_holds_its_transactions(localnet: Localnet) -> None:
    slot = localnet.chain.slot
    signature = localnet.send(VersionedTransaction(message(localnet, payment(SOL)), [PAYER]))
    localnet.chain.advance(3)
    block = call(localnet, "getBlock", slot, {"encoding": "base64", "maxSupportedTransactionVersion": 0})
    (entry,) = block["transactions"]
    assert VersionedTransaction.from_bytes(base64.b64decode(entry["transaction"][0])).signatures == [
        signature
    ]
    assert (entry["meta"]["err"], entry["version"]) == (None, "legacy")
    after = call(localnet, "getBlock", slot + 1, {"transactionDetails": "signatures", "rewards": False})
    assert (after["previousBlockhash"], after["parentSlot"]) == (block["blockhash"], slot)
    assert after["signatures"] == []
    assert "rewards" not in after
    assert "transactions" not in call(localnet, "getBlock", slot, {"transactionDetails": "none"})
    for wrong in ([localnet.chain.slot], [slot, {"transactionDetails": "accounts"}], ["x"]):
        with pytest.raises(RpcError):
            call(localnet, "getBlock", *wrong)


def read_zstd(frame: bytes) -> bytes:
    """Read a frame of stored blocks by the letter of RFC 8878."""
    assert frame[:4] == bytes.fromhex("28b52ffd")
    descriptor = frame[4]
    assert descriptor >> 5 & 1, "a single segment, so there is no window"
    assert descriptor & 0b11111 == 0, "no dictionary, no checksum"
    field = (1, 2, 4, 8)[descriptor >> 6]
    size = int.from_bytes(frame[5 : 5 + field], "little")
    content, place, is_last = b"", 5 + field, False
    while not is_last:
        head = int.from_bytes(frame[place : place + 3], "little")
        is_last, kind, length = bool(head & 1), head >> 1 & 3, head >> 3
        assert kind == 0
        assert length <= 2**17
        content += frame[place + 3 : place + 3 + length]
        place += 3 + length
    assert (len(content), place) == (size, len(frame))
    return content


@pytest.mark.parametrize("size", [0, 1, 300, 2**17, 2**17 + 1, 300_000])
def test_stored_frames_hold_what_was_put_in(size: int) -> None:
    data = bytes(number % 251 for number in range(size))
    assert read_zstd(stored_zstd(data)) == data


def test_accounts_come_in_zstd(localnet: Localnet) -> None:
    found = call(localnet, "getAccountInfo", str(SYSTEM_PROGRAM), {"encoding": "base64+zstd"})["value"]
    content, encoding = found["data"]
    assert encoding == "base64+zstd"
    assert len(read_zstd(base64.b64decode(content))) == found["space"]


def test_a_simulation_shows_accounts_as_they_would_be(localnet: Localnet) -> None:
    transaction = text_of(bytes(VersionedTransaction(message(localnet, payment(SOL)), [PAYER])))
    wanted = {"addresses": [str(RECEIVER), str(Keypair().pubkey())], "encoding": "base64"}
    value = call(localnet, "simulateTransaction", transaction, {"encoding": "base64", "accounts": wanted})[
        "value"
    ]
    assert [account and account["lamports"] for account in value["accounts"]] == [SOL, None]
    assert localnet.chain.balance(RECEIVER) == 0
    plain = call(localnet, "simulateTransaction", transaction, {"encoding": "base64"})["value"]
    assert plain["accounts"] is None
    too_much = text_of(bytes(VersionedTransaction(message(localnet, payment(90 * SOL)), [PAYER])))
    failed = call(localnet, "simulateTransaction", too_much, {"encoding": "base64", "accounts": wanted})[
        "value"
    ]
    assert failed["accounts"] == [None, None]
    options = {"encoding": "base64", "accounts": {"addresses": [7]}}
    with pytest.raises(RpcError, match="not an address"):
        call(localnet, "simulateTransaction", transaction, options)


def lookup_table(localnet: Localnet, addresses: list[Pubkey]) -> AddressLookupTableAccount:
    """Make a lookup table by its program's own instructions: create (0), extend (2)."""
    slot = localnet.chain.slot - 1
    seeds = [bytes(PAYER.pubkey()), slot.to_bytes(8, "little")]
    table, bump = Pubkey.find_program_address(seeds, LOOKUP_TABLE_PROGRAM)
    metas = [
        AccountMeta(table, False, True),
        AccountMeta(PAYER.pubkey(), True, False),
        AccountMeta(PAYER.pubkey(), True, True),
        AccountMeta(SYSTEM_PROGRAM, False, False),
    ]
    making = bytes(4) + slot.to_bytes(8, "little") + bytes([bump])
    adding = (
        (2).to_bytes(4, "little") + len(addresses).to_bytes(8, "little") + b"".join(map(bytes, addresses))
    )
    for data in (making, adding):
        order = Instruction(LOOKUP_TABLE_PROGRAM, data, metas)
        localnet.send(VersionedTransaction(message(localnet, order), [PAYER]))
    return AddressLookupTableAccount(table, addresses)


def test_addresses_come_from_lookup_tables(localnet: Localnet) -> None:
    table = lookup_table(localnet, [RECEIVER])
    order = MessageV0.try_compile(PAYER.pubkey(), [payment(SOL)], [table], localnet.blockhash)
    assert order.address_table_lookups
    wire = text_of(bytes(VersionedTransaction(order, [PAYER])))
    signature = call(localnet, "sendTransaction", wire, {"encoding": "base64"})
    assert localnet.chain.balance(RECEIVER) == SOL
    found = call(localnet, "getTransaction", signature, {"maxSupportedTransactionVersion": 0})
    assert found["meta"]["loadedAddresses"] == {"writable": [str(RECEIVER)], "readonly": []}
    assert len(found["meta"]["postBalances"]) == 3
    (entry,) = call(localnet, "getSignaturesForAddress", str(RECEIVER))
    assert entry["signature"] == signature
    account = dict(localnet.ledger.accounts())[RECEIVER]
    assert account.lamports == SOL, "it is on disk, too"


def test_a_lookup_table_that_is_missing_is_the_runtimes_refusal(localnet: Localnet) -> None:
    table = AddressLookupTableAccount(Keypair().pubkey(), [RECEIVER])
    order = MessageV0.try_compile(PAYER.pubkey(), [payment(SOL)], [table], localnet.blockhash)
    with pytest.raises(RpcError, match="AddressLookupTable"):
        call(
            localnet,
            "sendTransaction",
            text_of(bytes(VersionedTransaction(order, [PAYER]))),
            {"encoding": "base64"},
        )


def test_a_transaction_that_is_dated_by_a_nonce_waits_as_long_as_it_likes(localnet: Localnet) -> None:
    nonce = Keypair()
    rent = localnet.chain.svm.minimum_balance_for_rent_exemption(80)
    making = create_account(
        CreateAccountParams(
            from_pubkey=PAYER.pubkey(),
            to_pubkey=nonce.pubkey(),
            lamports=rent,
            space=80,
            owner=SYSTEM_PROGRAM,
        )
    )
    opening = initialize_nonce_account(
        InitializeNonceAccountParams(nonce_pubkey=nonce.pubkey(), authority=PAYER.pubkey())
    )
    localnet.send(VersionedTransaction(message(localnet, making, opening), [PAYER, nonce]))

    def dated() -> VersionedTransaction:
        account = localnet.chain.account(nonce.pubkey())
        assert account is not None
        advance = advance_nonce_account(
            AdvanceNonceAccountParams(nonce_pubkey=nonce.pubkey(), authorized_pubkey=PAYER.pubkey())
        )
        stored = Hash(bytes(account.data)[40:72])
        return VersionedTransaction(message(localnet, advance, payment(SOL), blockhash=stored), [PAYER])

    first = dated()
    localnet.chain.advance(1000)
    localnet.send(first)
    assert localnet.chain.balance(RECEIVER) == SOL
    stale = VersionedTransaction(
        message(localnet, payment(SOL), blockhash=first.message.recent_blockhash), [PAYER]
    )
    with pytest.raises(TransactionRejectedError, match="BlockhashNotFound"):
        localnet.send(stale)
    with pytest.raises(TransactionRejectedError):
        localnet.send(first)
    localnet.send(dated())
    assert localnet.chain.balance(RECEIVER) == 2 * SOL
