"""Deploy through the upgradeable loader: write the program's bytes into a buffer, turn the buffer into a program."""

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from solders.account import Account
from solders.instruction import AccountMeta, Instruction
from solders.keypair import Keypair
from solders.pubkey import Pubkey
from solders.system_program import ID as SYSTEM_PROGRAM
from solders.system_program import CreateAccountParams, create_account
from solders.sysvar import CLOCK, RENT

from croupier.solana.layout import LayoutError

LOADER = Pubkey.from_string("BPFLoaderUpgradeab1e11111111111111111111111")
#: The older loader, whose programs nobody can change.
FINAL_LOADER = Pubkey.from_string("BPFLoader2111111111111111111111111111111111")
PROGRAM_SIZE = 36
_BUFFER_HEAD, _PROGRAM_DATA_HEAD = 37, 45
#: Program bytes per transaction; signatures, keys and lengths take the rest of its 1,232 bytes.
CHUNK = 1000


def buffer_size(program: bytes) -> int:
    """Return the size of the buffer account for a program.

    >>> buffer_size(bytes(100))
    137
    """
    return _BUFFER_HEAD + len(program)


def program_data_size(program: bytes) -> int:
    """Return the size of the account in which the loader stores a program's bytes."""
    return _PROGRAM_DATA_HEAD + len(program)


def program_data_address(program: Pubkey) -> Pubkey:
    """Return the address of the account in which the loader stores the program's bytes."""
    return Pubkey.find_program_address([bytes(program)], LOADER)[0]


def initialize_buffer(buffer: Pubkey, authority: Pubkey) -> Instruction:
    """Turn an account of the loader into a buffer that ``authority`` may write."""
    accounts = [AccountMeta(buffer, False, True), AccountMeta(authority, False, False)]
    return Instruction(LOADER, struct.pack("<I", 0), accounts)


def write_chunks(buffer: Pubkey, authority: Pubkey, program: bytes) -> Iterator[Instruction]:
    """Yield the instructions that write the program into the buffer, one per transaction.

    >>> key = Pubkey.default()
    >>> [len(instruction.data) for instruction in write_chunks(key, key, bytes(2500))]
    [1016, 1016, 516]
    """
    for offset in range(0, len(program), CHUNK):
        chunk = program[offset : offset + CHUNK]
        accounts = [AccountMeta(buffer, False, True), AccountMeta(authority, True, False)]
        yield Instruction(LOADER, struct.pack("<IIQ", 1, offset, len(chunk)) + chunk, accounts)


def deploy_buffer(
    payer: Pubkey, program: Pubkey, buffer: Pubkey, authority: Pubkey, max_size: int
) -> Instruction:
    """Turn a filled buffer into a program; this is when the loader verifies the bytes."""
    accounts = [
        AccountMeta(payer, True, True),
        AccountMeta(program_data_address(program), False, True),
        AccountMeta(program, False, True),
        AccountMeta(buffer, False, True),
        AccountMeta(RENT, False, False),
        AccountMeta(CLOCK, False, False),
        AccountMeta(SYSTEM_PROGRAM, False, False),
        AccountMeta(authority, True, False),
    ]
    return Instruction(LOADER, struct.pack("<IQ", 2, max_size), accounts)


def give_up_authority(program: Pubkey, authority: Pubkey) -> Instruction:
    """Make a program final: nobody can change it any more, and its rent stays where it is."""
    accounts = [
        AccountMeta(program_data_address(program), False, True),
        AccountMeta(authority, True, False),
    ]
    return Instruction(LOADER, struct.pack("<I", 4), accounts)


def close_buffer(buffer: Pubkey, authority: Pubkey) -> Instruction:
    """Close a buffer; its rent goes to its authority, which signs."""
    accounts = [
        AccountMeta(buffer, False, True),
        AccountMeta(authority, False, True),
        AccountMeta(authority, True, False),
    ]
    return Instruction(LOADER, struct.pack("<I", 5), accounts)


def buffer_head(authority: Pubkey) -> bytes:
    """Return the bytes that every buffer of an authority begins with.

    >>> len(buffer_head(Pubkey.default()))
    37
    """
    return struct.pack("<IB", 1, 1) + bytes(authority)


@dataclass(frozen=True, slots=True)
class Buffer:
    """A buffer: where it is, what it has cost, and the bytes that were written so far."""

    address: Pubkey
    lamports: int
    content: bytes

    @classmethod
    def decode(cls, address: Pubkey, account: Account, authority: Pubkey) -> "Buffer":
        """Read a buffer.

        Raises
        ------
        LayoutError
            If the account is not a buffer of this authority.
        """
        data = bytes(account.data)
        if account.owner != LOADER or data[:_BUFFER_HEAD] != buffer_head(authority):
            raise LayoutError(f"account {address}: it is not a buffer of {authority}")
        return cls(address, account.lamports, data[_BUFFER_HEAD:])


@dataclass(frozen=True, slots=True)
class DeploymentStep:
    """One transaction of a deployment; its first signer pays."""

    instructions: tuple[Instruction, ...]
    signers: tuple[Keypair, ...]


def deployment(
    payer: Keypair, buffer: Keypair, key: Keypair, program: bytes, rent: Callable[[int], int]
) -> Iterator[DeploymentStep]:
    """Yield the transactions that deploy a program under a key; the payer may upgrade it later.

    Parameters
    ----------
    rent
        A function that returns the cluster's rent for an account of a given size.

    Examples
    --------
    >>> keys = [Keypair() for _ in range(3)]
    >>> [len(step.signers) for step in deployment(*keys, bytes(2500), lambda size: 6960 * (size + 128))]
    [2, 1, 1, 1, 2]
    """
    authority = payer.pubkey()
    yield opening(payer, buffer, program, rent)
    for write in write_chunks(buffer.pubkey(), authority, program):
        yield DeploymentStep((write,), (payer,))
    yield finish(payer, buffer.pubkey(), key, program, rent)


def opening(payer: Keypair, buffer: Keypair, program: bytes, rent: Callable[[int], int]) -> DeploymentStep:
    """Return the transaction that makes a buffer for a program."""
    authority = payer.pubkey()
    new_buffer = _new_account(authority, buffer.pubkey(), buffer_size(program), rent)
    return DeploymentStep((new_buffer, initialize_buffer(buffer.pubkey(), authority)), (payer, buffer))


def finish(
    payer: Keypair,
    buffer: Pubkey,
    key: Keypair,
    program: bytes,
    rent: Callable[[int], int],
    *,
    is_final: bool = False,
) -> DeploymentStep:
    """Return the transaction that turns a filled buffer into a program, final if asked to."""
    authority = payer.pubkey()
    new_program = _new_account(authority, key.pubkey(), PROGRAM_SIZE, rent)
    deploy = deploy_buffer(authority, key.pubkey(), buffer, authority, len(program))
    giving_up = (give_up_authority(key.pubkey(), authority),) if is_final else ()
    return DeploymentStep((new_program, deploy, *giving_up), (payer, key))


def _new_account(payer: Pubkey, address: Pubkey, size: int, rent: Callable[[int], int]) -> Instruction:
    return create_account(
        CreateAccountParams(
            from_pubkey=payer, to_pubkey=address, lamports=rent(size), space=size, owner=LOADER
        )
    )
