"""The methods of Solana's JSON-RPC that a localnet answers: those that the official client needs, and a few more.

Every method takes the localnet and the parameters and returns the ``result`` of the specification. A client's
commitment level is ignored: on a localnet every executed transaction is final.
"""

import base64
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

from solders.account import Account
from solders.message import Message
from solders.pubkey import Pubkey
from solders.transaction import VersionedTransaction

from croupier.solana.base58 import encode_base58
from croupier.solana.ledger import NO_RENT_EPOCH, LedgerEntry
from croupier.solana.localnet import Localnet, Outcome, TransactionRejectedError
from croupier.solana.rpc_params import (
    INVALID_PARAMS,
    Params,
    RpcError,
    as_bytes,
    as_key,
    as_number,
    as_signature,
    shortened,
)

PREFLIGHT_FAILURE, UNSUPPORTED_VERSION = -32002, -32015
#: The limits of the public networks.
_MOST_SIGNATURES, _MOST_ACCOUNTS, _MOST_ENTRIES = 256, 100, 1000
_LARGEST_BASE58_DATA = 128
_MOST_FILTERS = 4
_LARGEST_ACCOUNT = 10 * 2**20

_RUNTIME = version("solders")

Method = Callable[[Localnet, Params], Any]


def _context(localnet: Localnet, value: Any) -> dict[str, Any]:
    return {"context": {"slot": localnet.chain.slot, "apiVersion": _RUNTIME}, "value": value}


def _get_slot(localnet: Localnet, _params: Params) -> int:
    return localnet.chain.slot


def _get_health(_localnet: Localnet, _params: Params) -> str:
    return "ok"


def _get_version(_localnet: Localnet, _params: Params) -> dict[str, Any]:
    return {"solana-core": f"solders {_RUNTIME}", "feature-set": None}


def _get_genesis_hash(localnet: Localnet, _params: Params) -> str:
    return str(localnet.faucet.pubkey())


def _get_transaction_count(localnet: Localnet, _params: Params) -> int:
    return localnet.ledger.transaction_count


def _get_latest_blockhash(localnet: Localnet, _params: Params) -> dict[str, Any]:
    return _context(
        localnet, {"blockhash": str(localnet.blockhash), "lastValidBlockHeight": localnet.last_valid_slot}
    )


def _is_blockhash_valid(localnet: Localnet, params: Params) -> dict[str, Any]:
    return _context(localnet, localnet.is_valid_blockhash(params.blockhash(0)))


def _get_rent(localnet: Localnet, params: Params) -> int:
    size = params.number(0)
    if size > _LARGEST_ACCOUNT:
        raise RpcError(INVALID_PARAMS, f"{size} bytes; an account has at most {_LARGEST_ACCOUNT}")
    return localnet.chain.svm.minimum_balance_for_rent_exemption(size)


def _get_balance(localnet: Localnet, params: Params) -> dict[str, Any]:
    return _context(localnet, localnet.chain.balance(params.key(0)))


def _get_account_info(localnet: Localnet, params: Params) -> dict[str, Any]:
    return _context(localnet, _account(localnet, params.key(0), params.options(1)))


def _get_multiple_accounts(localnet: Localnet, params: Params) -> dict[str, Any]:
    keys = [as_key(value, "parameter 1") for value in params.items(0, _MOST_ACCOUNTS)]
    options = params.options(1)
    return _context(localnet, [_account(localnet, key, options) for key in keys])


def _get_program_accounts(localnet: Localnet, params: Params) -> Any:
    options = params.options(1)
    filters = Params([options.get("filters") or []]).items(0, _MOST_FILTERS)
    tests = [_account_filter(Params([entry]).options(0)) for entry in filters]
    found = [
        {"pubkey": str(address), "account": _account(localnet, address, options)}
        for address, account in localnet.chain.accounts_of(params.key(0))
        if all(test(bytes(account.data)) for test in tests)
    ]
    return _context(localnet, found) if options.get("withContext") else found


def _account_filter(entry: dict[str, Any]) -> Callable[[bytes], bool]:
    if "dataSize" in entry:
        size = as_number(entry["dataSize"], "dataSize")
        return lambda data: len(data) == size
    compared = Params([entry.get("memcmp")]).options(0)
    offset = as_number(compared.get("offset"), "memcmp.offset")
    wanted = as_bytes(compared.get("bytes"), compared.get("encoding"), "memcmp.bytes")
    return lambda data: data[offset : offset + len(wanted)] == wanted


def _account(localnet: Localnet, address: Pubkey, options: dict[str, Any]) -> dict[str, Any] | None:
    account = localnet.chain.account(address)
    if account is None:
        return None
    return {
        "lamports": account.lamports,
        "data": _account_data(account, options),
        "owner": str(account.owner),
        "executable": account.executable,
        "rentEpoch": NO_RENT_EPOCH,
        "space": len(account.data),
    }


def _account_data(account: Account, options: dict[str, Any]) -> list[str]:
    data = bytes(account.data)
    piece = Params([options.get("dataSlice")]).options(0)
    if piece:
        offset, length = (as_number(piece.get(name), f"dataSlice.{name}") for name in ("offset", "length"))
        data = data[offset : offset + length]
    encoding = options.get("encoding", "base58")
    # A cluster answers jsonParsed in base64 if it has no parser for the account; a localnet has no parsers.
    if encoding in ("base64", "jsonParsed"):
        return [base64.b64encode(data).decode(), "base64"]
    if encoding != "base58":
        raise RpcError(INVALID_PARAMS, f"encoding {shortened(encoding)}: accounts come in base64 or base58")
    if len(data) > _LARGEST_BASE58_DATA:
        raise RpcError(INVALID_PARAMS, f"{len(data)} bytes are too long for base58; ask for base64")
    return [encode_base58(data), "base58"]


def _request_airdrop(localnet: Localnet, params: Params) -> str:
    try:
        return str(localnet.airdrop(params.key(0), params.number(1)))
    except TransactionRejectedError as rejected:
        raise _preflight_failure(rejected.outcome) from None


def _send_transaction(localnet: Localnet, params: Params) -> str:
    options = params.options(1)
    transaction = params.transaction(0, options.get("encoding"))
    try:
        return str(localnet.send(transaction, preflight=not options.get("skipPreflight", False)))
    except TransactionRejectedError as rejected:
        raise _preflight_failure(rejected.outcome) from None


def _preflight_failure(outcome: Outcome) -> RpcError:
    message = f"Transaction simulation failed: {outcome.error}"
    return RpcError(PREFLIGHT_FAILURE, message, _simulation(outcome))


def _simulate_transaction(localnet: Localnet, params: Params) -> dict[str, Any]:
    options = params.options(1)
    transaction = params.transaction(0, options.get("encoding"))
    verify_signatures, replace = (
        bool(options.get(name, False)) for name in ("sigVerify", "replaceRecentBlockhash")
    )
    if verify_signatures and replace:
        raise RpcError(INVALID_PARAMS, "sigVerify and replaceRecentBlockhash exclude each other")
    outcome = localnet.simulate(transaction, verify_signatures=verify_signatures, check_blockhash=not replace)
    return _context(localnet, _simulation(outcome))


def _simulation(outcome: Outcome) -> dict[str, Any]:
    return {
        "err": outcome.error,
        "logs": list(outcome.logs),
        "accounts": None,
        "unitsConsumed": outcome.units,
        "returnData": None,
        "innerInstructions": None,
        "replacementBlockhash": None,
    }


def _get_signature_statuses(localnet: Localnet, params: Params) -> dict[str, Any]:
    signatures = [as_signature(value, "parameter 1") for value in params.items(0, _MOST_SIGNATURES)]
    entries = [localnet.ledger.transaction(signature) for signature in signatures]
    return _context(localnet, [None if entry is None else _status(entry) for entry in entries])


def _status(entry: LedgerEntry) -> dict[str, Any]:
    return {
        "slot": entry.slot,
        "confirmations": None,
        "err": entry.meta["err"],
        "status": entry.meta["status"],
        "confirmationStatus": "finalized",
    }


def _get_signatures_for_address(localnet: Localnet, params: Params) -> list[dict[str, Any]]:
    address, options = params.key(0), params.options(1)
    before, until = (
        None if options.get(name) is None else as_signature(options[name], name)
        for name in ("before", "until")
    )
    asked = options.get("limit")
    limit = _MOST_ENTRIES if asked is None else as_number(asked, "limit")
    if not 1 <= limit <= _MOST_ENTRIES:
        raise RpcError(INVALID_PARAMS, f"limit {limit}: 1 to {_MOST_ENTRIES}")
    return [
        {
            "signature": str(entry.signature),
            "slot": entry.slot,
            "err": entry.meta["err"],
            "memo": None,
            "blockTime": None,
            "confirmationStatus": "finalized",
        }
        for entry in localnet.ledger.history(address, before=before, until=until, limit=limit)
    ]


def _get_transaction(localnet: Localnet, params: Params) -> dict[str, Any] | None:
    signature, options = params.signature(0), params.options(1)
    entry = localnet.ledger.transaction(signature)
    if entry is None:
        return None
    transaction = VersionedTransaction.from_bytes(entry.wire)
    is_legacy = isinstance(transaction.message, Message)
    if not is_legacy and options.get("maxSupportedTransactionVersion") is None:
        raise RpcError(
            UNSUPPORTED_VERSION, "Transaction version (0) is not supported by the requesting client"
        )
    return {
        "slot": entry.slot,
        "blockTime": None,
        "version": "legacy" if is_legacy else 0,
        "transaction": _transaction(transaction, entry, options.get("encoding", "json")),
        "meta": entry.meta,
    }


def _transaction(transaction: VersionedTransaction, entry: LedgerEntry, encoding: Any) -> Any:
    if encoding == "base64":
        return [base64.b64encode(entry.wire).decode(), "base64"]
    if encoding == "base58":
        return [encode_base58(entry.wire), "base58"]
    if encoding != "json":
        raise RpcError(
            INVALID_PARAMS, f"encoding {shortened(encoding)}: transactions come in json, base64 or base58"
        )
    message = transaction.message
    return {
        "signatures": [str(signature) for signature in transaction.signatures],
        "message": {
            "header": {
                "numRequiredSignatures": message.header.num_required_signatures,
                "numReadonlySignedAccounts": message.header.num_readonly_signed_accounts,
                "numReadonlyUnsignedAccounts": message.header.num_readonly_unsigned_accounts,
            },
            "accountKeys": [str(key) for key in message.account_keys],
            "recentBlockhash": str(message.recent_blockhash),
            "instructions": [
                {
                    "programIdIndex": instruction.program_id_index,
                    "accounts": list(instruction.accounts),
                    "data": encode_base58(instruction.data),
                    "stackHeight": None,
                }
                for instruction in message.instructions
            ],
        },
    }


METHODS: dict[str, Method] = {
    "getAccountInfo": _get_account_info,
    "getBalance": _get_balance,
    "getBlockHeight": _get_slot,
    "getGenesisHash": _get_genesis_hash,
    "getHealth": _get_health,
    "getLatestBlockhash": _get_latest_blockhash,
    "getMinimumBalanceForRentExemption": _get_rent,
    "getMultipleAccounts": _get_multiple_accounts,
    "getProgramAccounts": _get_program_accounts,
    "getSignatureStatuses": _get_signature_statuses,
    "getSignaturesForAddress": _get_signatures_for_address,
    "getSlot": _get_slot,
    "getTransaction": _get_transaction,
    "getTransactionCount": _get_transaction_count,
    "getVersion": _get_version,
    "isBlockhashValid": _is_blockhash_valid,
    "requestAirdrop": _request_airdrop,
    "sendTransaction": _send_transaction,
    "simulateTransaction": _simulate_transaction,
}
