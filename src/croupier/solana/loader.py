"""Deploy through the upgradeable loader: write the program's bytes into a buffer, turn the buffer into a program."""

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from solders.instruction import AccountMeta, Instruction
from solders.keypair import Keypair
from solders.pubkey import Pubkey
from solders.system_program import ID as SYSTEM_PROGRAM
from solders.system_program import CreateAccountParams, create_account
from solders.sysvar import CLOCK, RENT

LOADER = Pubkey.from_string("BPFLoaderUpgradeab1e11111111111111111111111")
PROGRAM_SIZE = 36
_BUFFER_HEAD = 37
#: Program bytes per transaction; signatures, keys and lengths take the rest of its 1,232 bytes.
CHUNK = 1000


def buffer_size(program: bytes) -> int:
    """Return the size of the buffer account for a program.

    >>> buffer_size(bytes(100))
    137
    """
    return _BUFFER_HEAD + len(program)


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
    new_buffer = _new_account(authority, buffer.pubkey(), buffer_size(program), rent)
    yield DeploymentStep((new_buffer, initialize_buffer(buffer.pubkey(), authority)), (payer, buffer))
    for write in write_chunks(buffer.pubkey(), authority, program):
        yield DeploymentStep((write,), (payer,))
    new_program = _new_account(authority, key.pubkey(), PROGRAM_SIZE, rent)
    deploy = deploy_buffer(authority, key.pubkey(), buffer.pubkey(), authority, len(program))
    yield DeploymentStep((new_program, deploy), (payer, key))


def _new_account(payer: Pubkey, address: Pubkey, size: int, rent: Callable[[int], int]) -> Instruction:
    return create_account(
        CreateAccountParams(
            from_pubkey=payer, to_pubkey=address, lamports=rent(size), space=size, owner=LOADER
        )
    )
