"""How accounts and contexts are written in JSON-RPC's form, for answers and for notifications alike."""

import base64
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

from solders.account import Account

from croupier.solana.base58 import encode_base58
from croupier.solana.ledger import NO_RENT_EPOCH
from croupier.solana.localnet import Localnet
from croupier.solana.rpc_params import INVALID_PARAMS, Params, RpcError, as_bytes, as_number, shortened

RUNTIME = version("solders")
_LARGEST_BASE58_DATA = 128
_MOST_FILTERS = 4
#: The largest block of a zstd frame.
_LARGEST_BLOCK = 2**17


def in_context(localnet: Localnet, value: Any, slot: int | None = None) -> dict[str, Any]:
    """Return a value with the slot for which it is true, by default the current one."""
    slot = localnet.chain.slot if slot is None else slot
    return {"context": {"slot": slot, "apiVersion": RUNTIME}, "value": value}


def account_fields(account: Account | None, options: dict[str, Any]) -> dict[str, Any] | None:
    """Return an account in the encoding that the options name; ``None`` if there is none."""
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


def account_filters(options: dict[str, Any]) -> list[Callable[[bytes], bool]]:
    """Return the tests of an account's data that the options name."""
    filters = Params([options.get("filters") or []]).items(0, _MOST_FILTERS)
    return [_account_filter(Params([entry]).options(0)) for entry in filters]


def stored_zstd(data: bytes) -> bytes:
    """Return a zstd frame that holds bytes as they are, which every reader of zstd accepts.

    A localnet saves no traffic by compressing, so it needs no library for that.

    >>> stored_zstd(b"ok").hex()
    '28b52ffda0020000001100006f6b'
    """
    frame = bytes.fromhex("28b52ffd") + b"\xa0" + len(data).to_bytes(4, "little")
    blocks = [data[start : start + _LARGEST_BLOCK] for start in range(0, len(data), _LARGEST_BLOCK)] or [b""]
    for number, block in enumerate(blocks, start=1):
        frame += (len(block) << 3 | (number == len(blocks))).to_bytes(3, "little") + block
    return frame


def _account_filter(entry: dict[str, Any]) -> Callable[[bytes], bool]:
    if "dataSize" in entry:
        size = as_number(entry["dataSize"], "dataSize")
        return lambda data: len(data) == size
    compared = Params([entry.get("memcmp")]).options(0)
    offset = as_number(compared.get("offset"), "memcmp.offset")
    wanted = as_bytes(compared.get("bytes"), compared.get("encoding"), "memcmp.bytes")
    return lambda data: data[offset : offset + len(wanted)] == wanted


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
    if encoding == "base64+zstd":
        return [base64.b64encode(stored_zstd(data)).decode(), encoding]
    if encoding != "base58":
        raise RpcError(
            INVALID_PARAMS, f"encoding {shortened(encoding)}: accounts come in base64, base64+zstd or base58"
        )
    if len(data) > _LARGEST_BASE58_DATA:
        raise RpcError(INVALID_PARAMS, f"{len(data)} bytes are too long for base58; ask for base64")
    return [encode_base58(data), "base58"]
