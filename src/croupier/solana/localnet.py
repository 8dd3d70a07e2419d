"""A network of one: the real runtime with slots that pass, blockhashes that expire, a faucet and a memory.

It does for a client what a cluster does. :mod:`~croupier.solana.rpc_server` puts it behind JSON-RPC. Every transaction is
executed and final at once; there are no votes, no forks and no other leaders.
"""

import hashlib
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from solders.account import Account
from solders.hash import Hash
from solders.keypair import Keypair
from solders.message import Message
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

#: Seconds between two slots, as on the public networks.
USUAL_SLOT_SECONDS = 0.4
#: Slots for which a blockhash can be used.
BLOCKHASH_LIFE = 150
#: What the faucet has to give: 500 million SOL.
FAUCET_LAMPORTS = 500_000_000 * 10**9
#: How often the passing of slots alone is written to the state file.
_SAVE_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the runtime made of a transaction; the error as JSON-RPC writes it, ``None`` where there is none."""

    error: Any
    logs: tuple[str, ...]
    units: int
    fee: int
    inner_instructions: tuple[dict[str, Any], ...]


class TransactionRejectedError(Exception):
    """A transaction that was not executed and has left no trace."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(f"transaction rejected: {outcome.error}")
        self.outcome = outcome


class Localnet:
    """A chain that behaves as a cluster.

    Parameters
    ----------
    ledger
        What it remembers; a ledger with a past is gone on with.
    slot_seconds
        How long a slot lasts; zero lets one pass after every transaction and at no other time, which makes everything
        that happens a matter of the transactions alone.
    clock
        What tells the seconds.

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
        # Blockhashes and repeated signatures are watched here, where they survive a restart.
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

    def keep_time(self) -> None:
        """Let the slots pass that are due by the clock."""
        now = self._clock()
        if self._slot_seconds > 0:
            due = int((now - self._slot_began) / self._slot_seconds)
            if due > 0:
                self.chain.advance(due)
                self._slot_began += due * self._slot_seconds
        if now - self._saved_at >= _SAVE_SECONDS:
            self.save()
            self._saved_at = now

    def save(self) -> None:
        """Write down how far the chain has come; transactions are written when they are executed."""
        if self.ledger.slot != self.chain.slot:
            self.ledger.save_slot(self.chain.slot)

    @property
    def blockhash(self) -> Hash:
        """The newest blockhash; it can be used until :attr:`last_valid_slot`."""
        return self._blockhash_of(self.chain.slot)

    @property
    def last_valid_slot(self) -> int:
        """The last slot in which the newest blockhash can be used."""
        return self.chain.slot + BLOCKHASH_LIFE

    def is_valid_blockhash(self, blockhash: Hash) -> bool:
        """Tell whether a transaction with this blockhash can be executed now."""
        slot = self.chain.slot
        return any(
            self._blockhash_of(number) == blockhash
            for number in range(max(1, slot - BLOCKHASH_LIFE), slot + 1)
        )

    def simulate(
        self, transaction: VersionedTransaction, *, verify_signatures: bool, check_blockhash: bool
    ) -> Outcome:
        """Say what a transaction would do now, and do nothing."""
        if refusal := self._refusal(transaction, check_blockhash=check_blockhash):
            return refusal
        svm = self.chain.svm
        svm.with_sigverify(verify_signatures)
        try:
            return _outcome(svm.simulate_transaction(transaction))
        finally:
            svm.with_sigverify(True)

    def send(self, transaction: VersionedTransaction, *, preflight: bool = True) -> Signature:
        """Execute a transaction and remember it, also when it fails after its fee was taken.

        Raises
        ------
        TransactionRejectedError
            If it was not executed: because it would fail (with preflight), was executed before, is too old, is not
            signed by its signers, or has nobody who can pay.
        """
        outcome = self._refusal(transaction, check_blockhash=True)
        if outcome is None and preflight:
            outcome = self.simulate(transaction, verify_signatures=True, check_blockhash=True)
        if outcome is not None and outcome.error is not None:
            raise TransactionRejectedError(outcome)
        return self._execute(transaction)

    def airdrop(self, address: Pubkey, lamports: int) -> Signature:
        """Have the faucet send lamports.

        Raises
        ------
        TransactionRejectedError
            If it has not so many.
        """
        params = TransferParams(from_pubkey=self.faucet.pubkey(), to_pubkey=address, lamports=lamports)
        # Two airdrops of a slot may be alike; a blockhash of their own gives them signatures of their own.
        own_hash = Hash(self._digest(f"airdrop {self.ledger.transaction_count}"))
        message = Message.new_with_blockhash([transfer(params)], self.faucet.pubkey(), own_hash)
        transaction = VersionedTransaction(message, [self.faucet])
        outcome = _outcome(self.chain.svm.simulate_transaction(transaction))
        if outcome.error is not None:
            raise TransactionRejectedError(outcome)
        return self._execute(transaction)

    def _execute(self, transaction: VersionedTransaction) -> Signature:
        keys = list(transaction.message.account_keys)
        before = {key: self.chain.account(key) for key in keys}
        outcome = _outcome(self.chain.svm.send_transaction(transaction))
        after = {key: self.chain.account(key) for key in keys}
        changed = {key: account for key, account in after.items() if account != before[key]}
        if outcome.error is not None and not changed:
            raise TransactionRejectedError(outcome)  # not even the fee was taken
        entry = LedgerEntry(
            transaction.signatures[0],
            self.chain.slot,
            bytes(transaction),
            _meta(outcome, _balances(before), _balances(after)),
        )
        self.ledger.save_transaction(entry, keys, changed)
        if self._slot_seconds == 0:
            self.chain.advance()
            self.save()
        return entry.signature

    def _refusal(self, transaction: VersionedTransaction, *, check_blockhash: bool) -> Outcome | None:
        """Return why a transaction cannot be executed, in the runtime's words, before the runtime is asked."""
        if check_blockhash and not self.is_valid_blockhash(transaction.message.recent_blockhash):
            return Outcome("BlockhashNotFound", (), 0, 0, ())
        if self.ledger.transaction(transaction.signatures[0]) is not None:
            return Outcome("AlreadyProcessed", (), 0, 0, ())
        return None

    def _blockhash_of(self, slot: int) -> Hash:
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
    return Outcome(error, tuple(meta.logs()), meta.compute_units_consumed(), meta.fee(), inner)


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


def _meta(outcome: Outcome, before: list[int], after: list[int]) -> dict[str, Any]:
    """Describe a transaction's outcome as JSON-RPC does."""
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
        "loadedAddresses": {"writable": [], "readonly": []},
        "computeUnitsConsumed": outcome.units,
    }
