"""The methods of Solana's JSON-RPC that a localnet answers: those that the official client needs, and a few more.

Every method takes the localnet and the parameters and returns the ``result`` of the specification. A client's
commitment level is ignored: on a localnet every executed transaction is final.
"""

import base64
from collections.abc import Callable
from typing import Any

from solders.message import Message
from solders.transaction import VersionedTransaction

from croupier.solana.base58 import encode_base58
from croupier.solana.ledger import LedgerEntry
from croupier.solana.localnet import BLOCKHASH_LIFE, Localnet, Outcome, TransactionRejectedError
from croupier.solana.rpc_encoding import RUNTIME, account_fields, account_filters, in_context
from croupier.solana.rpc_params import (
    INVALID_PARAMS,
    Params,
    RpcError,
    as_key,
    as_number,
    as_signature,
    shortened,
)

PREFLIGHT_FAILURE, BLOCK_NOT_AVAILABLE, UNSUPPORTED_VERSION = -32002, -32004, -32015
#: The limits of the public networks.
_MOST_SIGNATURES, _MOST_ACCOUNTS, _MOST_ENTRIES, _MOST_LOCKED = 256, 100, 1000, 128
_LARGEST_ACCOUNT = 10 * 2**20

Method = Callable[[Localnet, Params], Any]
#: As on the public networks.
_SLOTS_IN_EPOCH = 432_000


def _get_slot(localnet: Localnet, _params: Params) -> int:
    return localnet.chain.slot


def _get_health(_localnet: Localnet, _params: Params) -> str:
    return "ok"


def _get_version(_localnet: Localnet, _params: Params) -> dict[str, Any]:
    return {"solana-core": f"solders {RUNTIME}", "feature-set": None}


def _get_genesis_hash(localnet: Localnet, _params: Params) -> str:
    return str(localnet.faucet.pubkey())


def _get_transaction_count(localnet: Localnet, _params: Params) -> int:
    return localnet.ledger.transaction_count


def _get_epoch_info(localnet: Localnet, _params: Params) -> dict[str, int]:
    epoch, index = divmod(localnet.chain.slot, _SLOTS_IN_EPOCH)
    return {
        "absoluteSlot": localnet.chain.slot,
        "blockHeight": localnet.chain.slot,
        "epoch": epoch,
        "slotIndex": index,
        "slotsInEpoch": _SLOTS_IN_EPOCH,
        "transactionCount": localnet.ledger.transaction_count,
    }


def _get_latest_blockhash(localnet: Localnet, _params: Params) -> dict[str, Any]:
    return in_context(
        localnet, {"blockhash": str(localnet.blockhash), "lastValidBlockHeight": localnet.last_valid_slot}
    )


def _is_blockhash_valid(localnet: Localnet, params: Params) -> dict[str, Any]:
    return in_context(localnet, localnet.is_valid_blockhash(params.blockhash(0)))


def _get_rent(localnet: Localnet, params: Params) -> int:
    size = params.number(0)
    if size > _LARGEST_ACCOUNT:
        raise RpcError(INVALID_PARAMS, f"{size} bytes; an account has at most {_LARGEST_ACCOUNT}")
    return localnet.chain.svm.minimum_balance_for_rent_exemption(size)


def _get_balance(localnet: Localnet, params: Params) -> dict[str, Any]:
    return in_context(localnet, localnet.chain.balance(params.key(0)))


def _get_account_info(localnet: Localnet, params: Params) -> dict[str, Any]:
    return in_context(localnet, account_fields(localnet.chain.account(params.key(0)), params.options(1)))


def _get_multiple_accounts(localnet: Localnet, params: Params) -> dict[str, Any]:
    keys = [as_key(value, "parameter 1") for value in params.items(0, _MOST_ACCOUNTS)]
    options = params.options(1)
    return in_context(localnet, [account_fields(localnet.chain.account(key), options) for key in keys])


def _get_program_accounts(localnet: Localnet, params: Params) -> Any:
    options = params.options(1)
    tests = account_filters(options)
    found = [
        {"pubkey": str(address), "account": account_fields(account, options)}
        for address, account in localnet.chain.accounts_of(params.key(0))
        if all(test(bytes(account.data)) for test in tests)
    ]
    return in_context(localnet, found) if options.get("withContext") else found


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
    wanted = Params([options.get("accounts")]).options(0)
    keys = [
        as_key(value, "accounts")
        for value in Params([wanted.get("addresses") or []]).items(0, _MOST_ACCOUNTS)
    ]
    # A transaction that fails changes nothing, so a cluster then answers with nothing, too.
    accounts = [
        None
        if outcome.error is not None
        else account_fields(
            outcome.accounts.get(key, localnet.chain.account(key)), {"encoding": "base64", **wanted}
        )
        for key in keys
    ]
    return in_context(localnet, _simulation(outcome) | {"accounts": accounts if wanted else None})


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
    return in_context(localnet, [None if entry is None else _status(entry) for entry in entries])


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


def _get_fee_for_message(localnet: Localnet, params: Params) -> dict[str, Any]:
    message = params.message(0)
    is_valid = localnet.is_valid_blockhash(message.recent_blockhash)
    return in_context(localnet, localnet.fee_of(message) if is_valid else None)


def _get_recent_prioritization_fees(localnet: Localnet, params: Params) -> list[dict[str, Any]]:
    """Nobody competes for the blocks of a localnet, so no fee was needed in any of them."""
    if params.has(0):
        for value in params.items(0, _MOST_LOCKED):
            as_key(value, "parameter 1")
    slot = localnet.chain.slot
    return [{"slot": number, "prioritizationFee": 0} for number in range(max(1, slot - BLOCKHASH_LIFE), slot)]


def _get_block(localnet: Localnet, params: Params) -> dict[str, Any] | None:
    slot, options = params.number(0), params.options(1)
    if slot >= localnet.chain.slot:
        raise RpcError(BLOCK_NOT_AVAILABLE, f"Block not available for slot {slot}")
    details = options.get("transactionDetails", "full")
    if details not in ("full", "signatures", "none"):
        raise RpcError(INVALID_PARAMS, f"transactionDetails {shortened(details)}: full, signatures or none")
    entries = localnet.ledger.block(slot)
    block: dict[str, Any] = {
        "blockhash": str(localnet.blockhash_of(slot)),
        "previousBlockhash": str(localnet.blockhash_of(max(0, slot - 1))),
        "parentSlot": max(0, slot - 1),
        "blockHeight": slot,
        "blockTime": None,
    }
    if options.get("rewards", True):
        block["rewards"] = []
    if details == "full":
        block["transactions"] = [_told(entry, options) for entry in entries]
    elif details == "signatures":
        block["signatures"] = [str(entry.signature) for entry in entries]
    return block


def _told(entry: LedgerEntry, options: dict[str, Any]) -> dict[str, Any]:
    """Return a transaction with its outcome, in the encoding that the options name."""
    transaction = VersionedTransaction.from_bytes(entry.wire)
    is_legacy = isinstance(transaction.message, Message)
    if not is_legacy and options.get("maxSupportedTransactionVersion") is None:
        raise RpcError(
            UNSUPPORTED_VERSION, "Transaction version (0) is not supported by the requesting client"
        )
    return {
        "version": "legacy" if is_legacy else 0,
        "transaction": _transaction(transaction, entry, options.get("encoding", "json")),
        "meta": entry.meta,
    }


def _get_transaction(localnet: Localnet, params: Params) -> dict[str, Any] | None:
    signature, options = params.signature(0), params.options(1)
    entry = localnet.ledger.transaction(signature)
    if entry is None:
        return None
    return {"slot": entry.slot, "blockTime": None, **_told(entry, options)}


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
    "getBlock": _get_block,
    "getBlockHeight": _get_slot,
    "getEpochInfo": _get_epoch_info,
    "getFeeForMessage": _get_fee_for_message,
    "getGenesisHash": _get_genesis_hash,
    "getHealth": _get_health,
    "getLatestBlockhash": _get_latest_blockhash,
    "getMinimumBalanceForRentExemption": _get_rent,
    "getMultipleAccounts": _get_multiple_accounts,
    "getProgramAccounts": _get_program_accounts,
    "getRecentPrioritizationFees": _get_recent_prioritization_fees,
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
