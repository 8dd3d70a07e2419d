"""What a transaction's message refers to on the chain: address lookup tables, and durable nonces."""

from dataclasses import dataclass

from solders.address_lookup_table_account import ID as LOOKUP_TABLE_PROGRAM
from solders.address_lookup_table_account import AddressLookupTable
from solders.message import Message, MessageV0, MessageV1
from solders.pubkey import Pubkey
from solders.system_program import ID as SYSTEM_PROGRAM

from croupier.solana.local_chain import LocalChain

#: The system program's instruction that uses up a nonce, and the place of the nonce in its account.
_ADVANCE_NONCE, _NONCE = 4, slice(40, 72)
_NONCE_ACCOUNT_SIZE = 80

AnyMessage = Message | MessageV0 | MessageV1


@dataclass(frozen=True, slots=True)
class LoadedAddresses:
    """The addresses that a message takes out of lookup tables."""

    writable: tuple[Pubkey, ...] = ()
    readonly: tuple[Pubkey, ...] = ()


def loaded_addresses(chain: LocalChain, message: AnyMessage) -> LoadedAddresses:
    """Return the addresses that a message takes out of lookup tables; a table that is missing has none.

    The runtime refuses a transaction whose tables are missing or too short; this is for its record.
    """
    if not isinstance(message, MessageV0):
        return LoadedAddresses()
    writable: list[Pubkey] = []
    readonly: list[Pubkey] = []
    for lookup in message.address_table_lookups:
        account = chain.account(lookup.account_key)
        if account is None or account.owner != LOOKUP_TABLE_PROGRAM:
            continue
        addresses = AddressLookupTable.deserialize(bytes(account.data)).addresses
        for indexes, found in ((lookup.writable_indexes, writable), (lookup.readonly_indexes, readonly)):
            found += [addresses[index] for index in indexes if index < len(addresses)]
    return LoadedAddresses(tuple(writable), tuple(readonly))


def has_durable_nonce(chain: LocalChain, message: AnyMessage) -> bool:
    """Return whether a message is dated by a nonce account, which its first instruction then uses up."""
    instructions = message.instructions
    if not instructions or not instructions[0].accounts:
        return False
    first, keys = instructions[0], message.account_keys
    called = keys[first.program_id_index]
    if called != SYSTEM_PROGRAM or bytes(first.data) != _ADVANCE_NONCE.to_bytes(4, "little"):
        return False
    if first.accounts[0] >= len(keys):
        return False
    account = chain.account(keys[first.accounts[0]])
    if account is None or account.owner != SYSTEM_PROGRAM or len(account.data) != _NONCE_ACCOUNT_SIZE:
        return False
    return bytes(account.data)[_NONCE] == bytes(message.recent_blockhash)
