"""A local network with one node: the real runtime with slots, expiring blockhashes, a faucet and a saved history.

To a client it behaves like a cluster; :mod:`~croupier.solana.rpc_server` serves it over JSON-RPC. Every transaction is
final as soon as it is executed. There are no votes, no forks and no other leaders.
"""

import hashlib
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from solders.account import Account
from solders.hash import Hash
from solders.keypair import Keypair
from solders.message import Message, MessageV0
from solders.pubkey import Pubkey
from solders.signature import Signature
from solders.system_program import ID as SYSTEM_PROGRAM
from solders.system_program import TransferParams, transfer
from solders.transaction import VersionedTransaction
from solders.transaction_metadata import (
    FailedTransactionMetadata,
    InnerInstruction,
    SimulatedTransactionInfo,
    TransactionMetadata,
)

from croupier.solana.base58 import encode_base58
from croupier.solana.ledger import NO_RENT_EPOCH, Ledger, LedgerEntry
from croupier.solana.local_chain import LocalChain
from croupier.solana.messages import LoadedAddresses, has_durable_nonce, loaded_addresses

#: Seconds between two slots, as on the public networks.
USUAL_SLOT_SECONDS = 0.4
#: A blockhash can be used for this many slots.
BLOCKHASH_LIFE = 150
#: The faucet's lamports: 500 million SOL.
FAUCET_LAMPORTS = 500_000_000 * 10**9
LAMPORTS_PER_SIGNATURE = 5000
#: While no transaction arrives, the slot is saved this often.
_SAVE_SECONDS = 1.0


OnExecuted = Callable[[LedgerEntry, tuple[Pubkey, ...], Mapping[Pubkey, Account | None]], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a transaction; ``error`` is in JSON-RPC's form, or ``None``."""

    error: Any
    logs: tuple[str, ...]
    units: int
    fee: int
    inner_instructions: tuple[dict[str, Any], ...]
    accounts: Mapping[Pubkey, Account] = field(default_factory=dict)


class TransactionRejectedError(Exception):
    """A transaction was not executed and changed nothing."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(f"transaction rejected: {outcome.error}")
        self.outcome = outcome


class Localnet:
    """A chain that behaves like a cluster.

    Parameters
    ----------
    ledger
        The saved state; a ledger that already has transactions is resumed.
    slot_seconds
        How long a slot lasts. With zero, one slot passes after every transaction and at no other time, so that the
        state depends on the transactions alone.
    clock
        A function that returns the time in seconds.

    Examples
    --------
    >>> with Ledger(None, seed=1) as ledger:
    ...     localnet = Localnet(ledger, slot_seconds=0)
    ...     key = Keypair().pubkey()
    ...     _ = localnet.airdrop(key, 5 * 10**9)
    ...     localnet.chain.balance(key), localnet.chain.slot
    (5000000000, 2)
    """

    def __init__(
        self,
        ledger: Ledger,
        *,
        slot_seconds: float = USUAL_SLOT_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.ledger = ledger
        self.chain = LocalChain(seed=ledger.seed, slot=ledger.slot)
        # This class checks blockhashes and repeated signatures itself, because its checks survive a restart.
        self.chain.svm.with_blockhash_check(False)
        self.faucet = Keypair.from_seed(self._digest("faucet"))
        for address, account in ledger.accounts():
            self.chain.svm.set_account(address, account)
        if self.chain.account(self.faucet.pubkey()) is None:
            faucet = Account(FAUCET_LAMPORTS, b"", SYSTEM_PROGRAM, False, NO_RENT_EPOCH)
            self.chain.svm.set_account(self.faucet.pubkey(), faucet)
            ledger.save_accounts({self.faucet.pubkey(): faucet})
        self._slot_seconds = slot_seconds
        self._clock = clock
        self._slot_began = self._saved_at = clock()
        #: Called after each transaction, with its entry, the addresses that it names and the accounts that it changed.
        self.on_executed: OnExecuted = lambda _entry, _keys, _changed: None

    def keep_time(self) -> None:
        """Advance to the slot that the clock says."""
        now = self._clock()
        if self._slot_seconds > 0:
            due = int((now - self._slot_began) / self._slot_seconds)
            if due > 0:
                self._advance(due)
                self._slot_began += due * self._slot_seconds
        if now - self._saved_at >= _SAVE_SECONDS:
            self.save()
            self._saved_at = now

    def _advance(self, slots: int = 1) -> None:
        self.chain.advance(slots)
        # A nonce can be used up once per blockhash of the runtime.
        self.chain.svm.expire_blockhash()

    def save(self) -> None:
        """Save the slot; transactions are saved when they are executed."""
        if self.ledger.slot != self.chain.slot:
            self.ledger.save_slot(self.chain.slot)

    @property
    def blockhash(self) -> Hash:
        """The newest blockhash; it can be used until :attr:`last_valid_slot`."""
        return self.blockhash_of(self.chain.slot)

    @property
    def last_valid_slot(self) -> int:
        """The last slot in which the newest blockhash can be used."""
        return self.chain.slot + BLOCKHASH_LIFE

    def is_valid_blockhash(self, blockhash: Hash) -> bool:
        """Return whether a transaction with this blockhash can be executed now."""
        slot = self.chain.slot
        return any(
            self.blockhash_of(number) == blockhash
            for number in range(max(1, slot - BLOCKHASH_LIFE), slot + 1)
        )

    def fee_of(self, message: Message | MessageV0) -> int:
        """Return the fee of a transaction with this message, priority fee included."""
        unsigned = VersionedTransaction.populate(
            message, [Signature.default()] * message.header.num_required_signatures
        )
        outcome = self.simulate(unsigned, verify_signatures=False, check_blockhash=False)
        # A transaction whose payer has nothing is not even begun, and the runtime does not tell its fee.
        return outcome.fee or LAMPORTS_PER_SIGNATURE * message.header.num_required_signatures

    def simulate(
        self, transaction: VersionedTransaction, *, verify_signatures: bool, check_blockhash: bool
    ) -> Outcome:
        """Return what a transaction would do now, without executing it."""
        if refusal := self._refusal(transaction, check_blockhash=check_blockhash):
            return refusal
        svm = self.chain.svm
        svm.with_sigverify(verify_signatures)
        try:
            return _outcome(svm.simulate_transaction(transaction))
        finally:
            svm.with_sigverify(True)

    def send(self, transaction: VersionedTransaction, *, preflight: bool = True) -> Signature:
        """Execute a transaction and save it, even if it fails after its fee was paid.

        Raises
        ------
        TransactionRejectedError
            If it was not executed: it would fail (with preflight), was executed before, is too old, lacks a signature,
            or its fee cannot be paid.
        """
        outcome = self._refusal(transaction, check_blockhash=True)
        if outcome is None and preflight:
            outcome = self.simulate(transaction, verify_signatures=True, check_blockhash=True)
        if outcome is not None and outcome.error is not None:
            raise TransactionRejectedError(outcome)
        return self._execute(transaction)

    def airdrop(self, address: Pubkey, lamports: int) -> Signature:
        """Send lamports from the faucet.

        Raises
        ------
        TransactionRejectedError
            If the faucet does not have that many.
        """
        params = TransferParams(from_pubkey=self.faucet.pubkey(), to_pubkey=address, lamports=lamports)
        # Two airdrops in one slot may be identical; a separate blockhash gives each a different signature.
        own_hash = Hash(self._digest(f"airdrop {self.ledger.transaction_count}"))
        message = Message.new_with_blockhash([transfer(params)], self.faucet.pubkey(), own_hash)
        transaction = VersionedTransaction(message, [self.faucet])
        outcome = _outcome(self.chain.svm.simulate_transaction(transaction))
        if outcome.error is not None:
            raise TransactionRejectedError(outcome)
        return self._execute(transaction)

    def _execute(self, transaction: VersionedTransaction) -> Signature:
        loaded = loaded_addresses(self.chain, transaction.message)
        keys = (*transaction.message.account_keys, *loaded.writable, *loaded.readonly)
        before = {key: self.chain.account(key) for key in keys}
        outcome = _outcome(self.chain.svm.send_transaction(transaction))
        after = {key: self.chain.account(key) for key in keys}
        changed = {key: account for key, account in after.items() if account != before[key]}
        if outcome.error is not None and not changed:
            raise TransactionRejectedError(outcome)  # not even the fee was paid
        entry = LedgerEntry(
            transaction.signatures[0],
            self.chain.slot,
            bytes(transaction),
            _meta(outcome, _balances(before), _balances(after), loaded),
        )
        self.ledger.save_transaction(entry, list(dict.fromkeys(keys)), changed)
        if self._slot_seconds == 0:
            self._advance()
            self.save()
        self.on_executed(entry, keys, changed)
        return entry.signature

    def _refusal(self, transaction: VersionedTransaction, *, check_blockhash: bool) -> Outcome | None:
        """Return why a transaction cannot be executed, in the runtime's words, before calling the runtime."""
        message = transaction.message
        is_dated = self.is_valid_blockhash(message.recent_blockhash) or has_durable_nonce(self.chain, message)
        if check_blockhash and not is_dated:
            return Outcome("BlockhashNotFound", (), 0, 0, ())
        if self.ledger.transaction(transaction.signatures[0]) is not None:
            return Outcome("AlreadyProcessed", (), 0, 0, ())
        return None

    def blockhash_of(self, slot: int) -> Hash:
        """Return the blockhash of a slot."""
        return Hash(self._digest(f"blockhash {slot}"))

    def _digest(self, what: str) -> bytes:
        return hashlib.sha256(f"{self.ledger.seed} {what}".encode()).digest()


def _outcome(result: TransactionMetadata | FailedTransactionMetadata | SimulatedTransactionInfo) -> Outcome:
    meta = result if isinstance(result, TransactionMetadata) else result.meta()
    error = json.loads(result.to_json())["err"] if isinstance(result, FailedTransactionMetadata) else None
    inner = tuple(
        {"index": index, "instructions": [_inner(instruction) for instruction in called]}
        for index, called in enumerate(meta.inner_instructions())
        if called
    )
    accounts = dict(result.post_accounts()) if isinstance(result, SimulatedTransactionInfo) else {}
    return Outcome(error, tuple(meta.logs()), meta.compute_units_consumed(), meta.fee(), inner, accounts)


def _balances(accounts: Mapping[Pubkey, Account | None]) -> list[int]:
    return [0 if account is None else account.lamports for account in accounts.values()]


def _inner(inner: InnerInstruction) -> dict[str, Any]:
    instruction = inner.instruction()
    return {
        "programIdIndex": instruction.program_id_index,
        "accounts": list(instruction.accounts),
        "data": encode_base58(instruction.data),
        "stackHeight": inner.stack_height(),
    }


def _meta(outcome: Outcome, before: list[int], after: list[int], loaded: LoadedAddresses) -> dict[str, Any]:
    """Return a transaction's outcome in JSON-RPC's form."""
    return {
        "err": outcome.error,
        "status": {"Ok": None} if outcome.error is None else {"Err": outcome.error},
        "fee": outcome.fee,
        "preBalances": before,
        "postBalances": after,
        "innerInstructions": list(outcome.inner_instructions),
        "logMessages": list(outcome.logs),
        "preTokenBalances": [],
        "postTokenBalances": [],
        "rewards": [],
        "loadedAddresses": {
            "writable": [str(key) for key in loaded.writable],
            "readonly": [str(key) for key in loaded.readonly],
        },
        "computeUnitsConsumed": outcome.units,
    }
