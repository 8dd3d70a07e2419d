"""The Program Metadata program: where explorers, Anchor and Codama look for the interface (IDL) of a program.

Data about a program lies at an address that follows from the program and a name, here ``idl``. Only whoever may change the
program can put it there. It is written into a buffer at that address first, and the buffer is then turned into metadata.
"""

import json
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from solders.account import Account
from solders.instruction import AccountMeta, Instruction
from solders.pubkey import Pubkey
from solders.system_program import ID as SYSTEM_PROGRAM

from croupier.solana.layout import LayoutError
from croupier.solana.loader import CHUNK, program_data_address

METADATA_PROGRAM = Pubkey.from_string("ProgM6JCCvbYkfKqJYHePx4xxSUSqJp7rh8Lyv7nk7S")
_SEED = b"idl".ljust(16, b"\0")
_HEAD = struct.Struct("<B32s32sBB16sBBBBI5x")
_WRITE, _INITIALIZE, _CLOSE, _ALLOCATE = 0, 1, 6, 7
_UTF8, _ZLIB, _JSON, _DIRECT = 1, 2, 1, 0


class MetadataKind(IntEnum):
    """What the account at a program's metadata address is."""

    BUFFER = 1
    METADATA = 2


def metadata_address(program: Pubkey) -> Pubkey:
    """Return the address at which the IDL of a program is published.

    >>> str(metadata_address(Pubkey.from_string("GyGKxMyg1p9SsHfm15MkNUu1u9TN2JtTspcdmrtGUdse")))
    '85XkAmQo3BNPTVjzXZ3iVz39MYMdKEUkf4fELGL87Y8e'
    """
    return Pubkey.find_program_address([bytes(program), _SEED], METADATA_PROGRAM)[0]


def packed_idl(idl: dict[str, Any]) -> bytes:
    """Return the bytes that are published: JSON, compressed by zlib.

    >>> zlib.decompress(packed_idl({"address": "x"}))
    b'{"address":"x"}'
    """
    return zlib.compress(json.dumps(idl, separators=(",", ":")).encode(), 9)


def metadata_size(content: bytes) -> int:
    """Return the size of the account for some packed bytes.

    >>> metadata_size(bytes(100))
    196
    """
    return _HEAD.size + len(content)


def allocate_metadata(program: Pubkey, authority: Pubkey) -> Instruction:
    """Turn a program's metadata address, which holds its rent already, into a buffer."""
    accounts = [*_held(program, authority), AccountMeta(SYSTEM_PROGRAM, False, False)]
    return Instruction(METADATA_PROGRAM, bytes([_ALLOCATE]) + _SEED, accounts)


def write_metadata(program: Pubkey, authority: Pubkey, content: bytes) -> Iterator[Instruction]:
    """Yield the instructions that write packed bytes into the buffer, one per transaction.

    >>> key = Pubkey.default()
    >>> [len(instruction.data) for instruction in write_metadata(key, key, bytes(1100))]
    [1005, 105]
    """
    accounts = [
        AccountMeta(metadata_address(program), False, True),
        AccountMeta(authority, True, False),
        AccountMeta(METADATA_PROGRAM, False, False),
    ]
    for offset in range(0, len(content), CHUNK):
        data = struct.pack("<BI", _WRITE, offset) + content[offset : offset + CHUNK]
        yield Instruction(METADATA_PROGRAM, data, accounts)


def initialize_metadata(program: Pubkey, authority: Pubkey) -> Instruction:
    """Turn a filled buffer into metadata."""
    accounts = [*_held(program, authority), AccountMeta(METADATA_PROGRAM, False, False)]
    data = bytes([_INITIALIZE]) + _SEED + bytes([_UTF8, _ZLIB, _JSON, _DIRECT])
    return Instruction(METADATA_PROGRAM, data, accounts)


def close_metadata(program: Pubkey, authority: Pubkey) -> Instruction:
    """Close metadata or a buffer; the rent goes to the authority."""
    accounts = [*_held(program, authority), AccountMeta(authority, False, True)]
    return Instruction(METADATA_PROGRAM, bytes([_CLOSE]), accounts)


def _held(program: Pubkey, authority: Pubkey) -> list[AccountMeta]:
    """Return the accounts by which the authority shows that it may change the program."""
    return [
        AccountMeta(metadata_address(program), False, True),
        AccountMeta(authority, True, False),
        AccountMeta(program, False, False),
        AccountMeta(program_data_address(program), False, False),
    ]


@dataclass(frozen=True, slots=True)
class Metadata:
    """The account at a program's metadata address: a buffer or metadata, and its packed bytes."""

    kind: MetadataKind
    content: bytes
    compression: int

    @classmethod
    def decode(cls, program: Pubkey, account: Account) -> "Metadata":
        """Read the account.

        Raises
        ------
        LayoutError
            If it is not a buffer or metadata of this program.
        """
        data = bytes(account.data)
        if account.owner != METADATA_PROGRAM or len(data) < _HEAD.size:
            raise LayoutError(f"account {metadata_address(program)}: it is no metadata")
        kind, owner, _, _, _, seed, _, compression, _, source, size = _HEAD.unpack_from(data)
        if kind not in set(MetadataKind) or owner != bytes(program) or seed != _SEED or source != _DIRECT:
            raise LayoutError(f"account {metadata_address(program)}: it is no IDL of {program}")
        content = data[_HEAD.size :]
        return cls(
            MetadataKind(kind), content[:size] if kind == MetadataKind.METADATA else content, compression
        )

    def idl(self) -> dict[str, Any]:
        """Return the published IDL.

        Raises
        ------
        LayoutError
            If it is not a JSON object, in zlib, gzip or neither.
        """
        try:
            # 47 lets zlib tell its own format and gzip's apart.
            text = zlib.decompress(self.content, 47) if self.compression else self.content
            idl = json.loads(text)
        except (zlib.error, ValueError) as error:
            raise LayoutError(f"the published IDL cannot be read: {error}") from None
        if not isinstance(idl, dict):
            raise LayoutError("the published IDL is not a JSON object")
        return idl
