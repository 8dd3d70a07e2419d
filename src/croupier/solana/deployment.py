"""A program on a network: its bytes, since when it has them, and who may change them."""

import hashlib
import struct
from dataclasses import dataclass

from solders.account import Account
from solders.pubkey import Pubkey

from croupier.solana.layout import LayoutError
from croupier.solana.loader import FINAL_LOADER, LOADER, program_data_address, program_data_size

_PROGRAM, _PROGRAM_DATA = 2, 3


def program_hash(program: bytes) -> str:
    """Return the SHA-256 of a program; zeros at its end do not count, since the loader may reserve more room.

    >>> program_hash(b"x") == program_hash(b"x" + bytes(2)) == hashlib.sha256(b"x").hexdigest()
    True
    """
    return hashlib.sha256(program.rstrip(b"\0")).hexdigest()


@dataclass(frozen=True, slots=True)
class Deployment:
    """A program's bytes, the slot in which they were last changed, and the key that may change them (or nobody)."""

    program: bytes
    slot: int
    authority: Pubkey | None

    @classmethod
    def decode(cls, address: Pubkey, account: Account | None, data: Account | None) -> "Deployment":
        """Read a program from its account and from the loader's account with its bytes.

        Raises
        ------
        LayoutError
            If there is no program at the address, or it was closed.
        """
        if account is None or not account.executable:
            raise LayoutError(f"program {address}: there is none on this network")
        if account.owner == FINAL_LOADER:
            return cls(bytes(account.data), 0, None)
        if account.owner != LOADER:
            raise LayoutError(f"program {address}: its loader {account.owner} is not one that can be checked")
        expected = struct.pack("<I", _PROGRAM) + bytes(program_data_address(address))
        if bytes(account.data[:36]) != expected:
            raise LayoutError(f"program {address}: its account does not name its bytes")
        content = b"" if data is None or data.owner != LOADER else bytes(data.data)
        head = program_data_size(b"")
        if len(content) < head:
            raise LayoutError(f"program {address}: it was closed")
        kind, slot, has_authority, authority = struct.unpack_from("<IQB32s", content)
        if kind != _PROGRAM_DATA:
            raise LayoutError(f"program {address}: it was closed")
        return cls(content[head:], slot, Pubkey(authority) if has_authority else None)

    @property
    def hash(self) -> str:
        """The SHA-256 of the program's bytes."""
        return program_hash(self.program)
