"""Read the parameters of a JSON-RPC call; an error names the missing or wrong parameter."""

import base64
import binascii
import reprlib
from typing import Any

from solders.hash import Hash, ParseHashError
from solders.message import Message, MessageV0, from_bytes_versioned
from solders.pubkey import Pubkey
from solders.signature import Signature
from solders.transaction import SanitizeError, VersionedTransaction

from croupier.solana.base58 import Base58Error, decode_base58

INVALID_PARAMS = -32602
_LARGEST_NUMBER = 2**64 - 1
#: The largest transaction that a network accepts.
_LARGEST_WIRE = 1232
#: The most bytes that a filter compares.
_LARGEST_FILTER = 128


def shortened(value: Any) -> str:
    """Return a short text for a value of any size and depth.

    >>> len(shortened("x" * 50_000)), shortened([[[[[[[[7]]]]]]]])
    (30, '[[[[[[...]]]]]]')
    """
    return reprlib.repr(value)


class RpcError(Exception):
    """The error that answers a call: a code, a message and optional data."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code, self.message, self.data = code, message, data


class Params:
    """The parameters of one call, in order; an object of options may come last.

    Examples
    --------
    >>> params = Params([7, {"limit": 3}])
    >>> params.number(0), params.options(1)
    (7, {'limit': 3})
    >>> params.key(0)
    Traceback (most recent call last):
    croupier.solana.rpc_params.RpcError: parameter 1: 7 is not an address
    >>> params.number(5)
    Traceback (most recent call last):
    croupier.solana.rpc_params.RpcError: parameter 6 is missing
    """

    def __init__(self, values: list[Any]) -> None:
        self._values = values

    def value(self, place: int) -> Any:
        """Return a required parameter."""
        if place >= len(self._values):
            raise RpcError(INVALID_PARAMS, f"parameter {place + 1} is missing")
        return self._values[place]

    def has(self, place: int) -> bool:
        """Whether a parameter is given."""
        return place < len(self._values) and self._values[place] is not None

    def options(self, place: int) -> dict[str, Any]:
        """Return the object of options; empty if it is missing or null."""
        options = self._values[place] if place < len(self._values) else None
        if options is None:
            return {}
        if not isinstance(options, dict):
            raise RpcError(INVALID_PARAMS, f"parameter {place + 1}: the options must be an object")
        return options

    def number(self, place: int) -> int:
        """Return a whole number from 0 to 2**64 - 1."""
        return as_number(self.value(place), f"parameter {place + 1}")

    def items(self, place: int, most: int) -> list[Any]:
        """Return a list with at most ``most`` items."""
        values = self.value(place)
        if not isinstance(values, list) or len(values) > most:
            raise RpcError(
                INVALID_PARAMS, f"parameter {place + 1}: it must be a list of at most {most} items"
            )
        return values

    def key(self, place: int) -> Pubkey:
        """Return an address."""
        return as_key(self.value(place), f"parameter {place + 1}")

    def signature(self, place: int) -> Signature:
        """Return a signature."""
        return as_signature(self.value(place), f"parameter {place + 1}")

    def blockhash(self, place: int) -> Hash:
        """Return a blockhash."""
        value = self.value(place)
        try:
            return Hash.from_string(value)
        except (ParseHashError, ValueError, TypeError):
            raise RpcError(
                INVALID_PARAMS, f"parameter {place + 1}: {shortened(value)} is not a blockhash"
            ) from None

    def transaction(self, place: int, encoding: Any) -> VersionedTransaction:
        """Return a transaction, given in base64 or base58."""
        wire = _decoded(self.value(place), encoding)
        if len(wire) > _LARGEST_WIRE:
            raise RpcError(INVALID_PARAMS, f"transaction of {len(wire)} bytes; at most {_LARGEST_WIRE}")
        try:
            transaction = VersionedTransaction.from_bytes(wire)
            transaction.sanitize()
        except (ValueError, SanitizeError) as error:
            raise RpcError(INVALID_PARAMS, f"not a transaction: {error}") from None
        message = transaction.message
        if not isinstance(message, Message | MessageV0):
            raise RpcError(INVALID_PARAMS, "only legacy transactions and version 0 are supported")
        return transaction

    def message(self, place: int) -> Message | MessageV0:
        """Return the message of a transaction, given in base64."""
        wire = _decoded(self.value(place), "base64")
        if len(wire) > _LARGEST_WIRE:
            raise RpcError(INVALID_PARAMS, f"message of {len(wire)} bytes; at most {_LARGEST_WIRE}")
        try:
            message = from_bytes_versioned(wire)
        except ValueError as error:
            raise RpcError(INVALID_PARAMS, f"not a message: {error}") from None
        if not isinstance(message, Message | MessageV0):
            raise RpcError(INVALID_PARAMS, "only legacy messages and version 0 are supported")
        return message


def as_number(value: Any, what: str) -> int:
    """Read a whole number.

    >>> as_number(True, "limit")
    Traceback (most recent call last):
    croupier.solana.rpc_params.RpcError: limit: True is not a whole number from 0 to 2**64 - 1
    """
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= _LARGEST_NUMBER:
        raise RpcError(
            INVALID_PARAMS, f"{what}: {shortened(value)} is not a whole number from 0 to 2**64 - 1"
        )
    return value


def as_key(value: Any, what: str) -> Pubkey:
    """Read an address."""
    try:
        return Pubkey.from_string(value)
    except (ValueError, TypeError):
        raise RpcError(INVALID_PARAMS, f"{what}: {shortened(value)} is not an address") from None


def as_bytes(value: Any, encoding: Any, what: str) -> bytes:
    """Read bytes in base58, base64, or as a list of numbers.

    >>> as_bytes("b2s=", "base64", "bytes"), as_bytes([111, 107], None, "bytes")
    (b'ok', b'ok')
    """
    try:
        if isinstance(value, list):
            return bytes(value)
        # Decoding base58 takes quadratic time, so the length is checked first.
        if isinstance(value, str) and len(value) <= 2 * _LARGEST_FILTER:
            return base64.b64decode(value, validate=True) if encoding == "base64" else decode_base58(value)
    except (ValueError, TypeError, Base58Error):
        pass
    raise RpcError(INVALID_PARAMS, f"{what}: {shortened(value)} is not bytes in base58 or base64")


def as_signature(value: Any, what: str) -> Signature:
    """Read a signature."""
    try:
        return Signature.from_string(value)
    except (ValueError, TypeError):
        raise RpcError(INVALID_PARAMS, f"{what}: {shortened(value)} is not a signature") from None


def _decoded(text: Any, encoding: Any) -> bytes:
    try:
        if not isinstance(text, str):
            raise RpcError(INVALID_PARAMS, "a transaction must be a string in base64 or base58")
        if encoding == "base64":
            return base64.b64decode(text, validate=True)
        if encoding in (None, "base58"):
            # Decoding base58 takes quadratic time, so the length is checked first.
            return decode_base58(text) if len(text) <= 2 * _LARGEST_WIRE else bytes(_LARGEST_WIRE + 1)
    except (binascii.Error, ValueError, Base58Error) as error:
        raise RpcError(INVALID_PARAMS, f"not a transaction: {error}") from None
    raise RpcError(INVALID_PARAMS, f"encoding {shortened(encoding)}: transactions come in base64 or base58")
