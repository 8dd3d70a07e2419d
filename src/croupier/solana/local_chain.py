"""A local chain: the real runtime in this process, with slots, slot hashes and a deployed program.

LiteSVM executes transactions as a validator does but makes no blocks. Here :meth:`LocalChain.advance` makes slots pass,
and every finished slot has a hash, as on a cluster.
"""

import hashlib
from collections.abc import Sequence

from solders.account import Account
from solders.hash import Hash
from solders.instruction import Instruction
from solders.keypair import Keypair
from solders.litesvm import LiteSVM
from solders.message import Message
from solders.pubkey import Pubkey
from solders.transaction import Transaction
from solders.transaction_metadata import FailedTransactionMetadata

from croupier.solana import loader
from croupier.solana.events import events_in_logs
from croupier.solana.failures import failure_of
from croupier.solana.game import Game
from croupier.solana.receipt import Receipt

#: How many slot hashes the runtime keeps.
KEPT_SLOT_HASHES = 512


class LocalChain:
    """The Solana runtime with our program; the seed makes it reproducible.

    Examples
    --------
    >>> chain = LocalChain(seed=1)
    >>> player = chain.funded_key()
    >>> chain.balance(player.pubkey())
    1000000000000
    >>> chain.advance(3)
    >>> chain.slot, chain.slot_hash(3) == chain.slot_hash(3), chain.slot_hash(4) is None
    (4, True, True)

    A chain can start at the slot where another with the same seed stopped:

    >>> LocalChain(seed=1, slot=4).slot_hash(3) == chain.slot_hash(3)
    True
    """

    def __init__(self, *, seed: int = 0, slot: int = 1) -> None:
        self.svm = LiteSVM().with_transaction_history(0)
        self.program = Pubkey(hashlib.sha256(f"program {seed}".encode()).digest())
        self.seed = seed
        self._keys = 0
        kept = range(max(1, slot - KEPT_SLOT_HASHES), slot)
        self._hashes = [(number, self._hash_of(number)) for number in reversed(kept)]
        self.slot = slot
        self._publish()

    def deploy(self, program: bytes) -> None:
        """Deploy a program as on a cluster: create a buffer, fill it, let the loader verify it."""
        payer, buffer, key = self.funded_key(), self._new_key(), self._new_key()
        rent = self.svm.minimum_balance_for_rent_exemption
        for step in loader.deployment(payer, buffer, key, program, rent):
            self.send(step.instructions, step.signers)
        self.program = key.pubkey()
        self.advance()

    def funded_key(self, lamports: int = 10**12) -> Keypair:
        """Return a new funded key; the seed determines the n-th key of a chain."""
        key = self._new_key()
        result = self.svm.airdrop(key.pubkey(), lamports)
        if isinstance(result, FailedTransactionMetadata):
            raise failure_of(result.err(), [], self.program)
        return key

    def advance(self, slots: int = 1) -> None:
        """Let slots pass. Each finished slot gets a hash; the runtime keeps the newest 512."""
        self.slot += max(0, slots - KEPT_SLOT_HASHES)
        for _ in range(min(slots, KEPT_SLOT_HASHES)):
            self._hashes.insert(0, (self.slot, self._hash_of(self.slot)))
            self.slot += 1
        del self._hashes[KEPT_SLOT_HASHES:]
        self._publish()

    def slot_hash(self, slot: int) -> bytes | None:
        """Return the hash of a slot, or ``None`` if the runtime does not have it."""
        return next((bytes(value) for number, value in self._hashes if number == slot), None)

    def send(self, instructions: Sequence[Instruction], signers: Sequence[Keypair]) -> Receipt:
        """Execute a transaction; the first signer pays the fee.

        Raises
        ------
        Refusal
            If our program refused it.
        TransactionError
            If it failed for another reason.
        """
        message = Message(list(instructions), signers[0].pubkey())
        transaction = Transaction(list(signers), message, self.svm.latest_blockhash())
        result = self.svm.send_transaction(transaction)
        if isinstance(result, FailedTransactionMetadata):
            programs = [instruction.program_id for instruction in instructions]
            raise failure_of(result.err(), programs, self.program)
        logs = tuple(result.logs())
        return Receipt(
            str(result.signature()),
            self.slot,
            result.compute_units_consumed(),
            result.fee(),
            logs,
            tuple(events_in_logs(logs, self.program)),
            bytes(transaction),
        )

    def account(self, address: Pubkey) -> Account | None:
        """Return an account, if there is one."""
        account = self.svm.get_account(address)
        return account if account is not None and account.lamports else None

    def accounts_of(self, owner: Pubkey) -> list[tuple[Pubkey, Account]]:
        """Return the accounts that belong to a program."""
        return [
            (address, account)
            for address, account in self.svm.get_program_accounts(owner)
            if account.lamports
        ]

    def balance(self, address: Pubkey) -> int:
        """Return an account's lamports."""
        return self.svm.get_balance(address) or 0

    def game(self, address: Pubkey) -> Game | None:
        """Return the game at an address, if there is one."""
        account = self.account(address)
        return None if account is None else Game.decode(account.data)

    def _hash_of(self, slot: int) -> Hash:
        return Hash(hashlib.sha256(f"{self.seed} {slot}".encode()).digest())

    def _new_key(self) -> Keypair:
        self._keys += 1
        return Keypair.from_seed(hashlib.sha256(f"key {self.seed} {self._keys}".encode()).digest())

    def _publish(self) -> None:
        """Make slot and slot hashes visible to programs."""
        self.svm.warp_to_slot(self.slot)
        self.svm.set_slot_hashes(self._hashes)
