"""The localnet: slots, blockhashes, repeated transactions, and a saved state that survives crashes."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from solders.hash import Hash
from solders.instruction import Instruction
from solders.keypair import Keypair
from solders.message import Message
from solders.pubkey import Pubkey
from solders.system_program import TransferParams, transfer
from solders.transaction import VersionedTransaction

from croupier.solana import loader
from croupier.solana.codes import GameError
from croupier.solana.ledger import Ledger, LedgerError
from croupier.solana.localnet import BLOCKHASH_LIFE, FAUCET_LAMPORTS, Localnet, TransactionRejectedError
from croupier.solana.toolchain.compiler import read_program

SOL = 10**9
SENDER, RECEIVER = Keypair.from_seed(b"s" * 32), Keypair.from_seed(b"r" * 32).pubkey()

#: Sends airdrops into a state file until it is killed; says so after each.
DROPPING = """
import sys
from pathlib import Path
from solders.pubkey import Pubkey
from croupier.solana.ledger import Ledger
from croupier.solana.localnet import Localnet
localnet = Localnet(Ledger(Path(sys.argv[1]), seed=1), slot_seconds=0)
while True:
    localnet.airdrop(Pubkey(bytes([7] * 32)), 10**9)
    print(localnet.chain.slot, flush=True)
"""


class Hands:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    with Ledger(None, seed=1) as ledger:
        yield ledger


@pytest.fixture
def localnet(ledger: Ledger) -> Localnet:
    """Return a localnet with one slot per transaction, and a funded sender."""
    localnet = Localnet(ledger, slot_seconds=0)
    localnet.airdrop(SENDER.pubkey(), 10 * SOL)
    return localnet


def gift(
    localnet: Localnet, lamports: int, *, signer: Keypair = SENDER, blockhash: Hash | None = None
) -> VersionedTransaction:
    params = TransferParams(from_pubkey=SENDER.pubkey(), to_pubkey=RECEIVER, lamports=lamports)
    message = Message.new_with_blockhash([transfer(params)], SENDER.pubkey(), blockhash or localnet.blockhash)
    if signer is SENDER:
        return VersionedTransaction(message, [SENDER])
    return VersionedTransaction.populate(message, [signer.sign_message(bytes(message))])


def refused_with(localnet: Localnet, transaction: VersionedTransaction, *, preflight: bool = True) -> object:
    """Return the error of a refused transaction, after checking that it changed nothing."""
    before = localnet.chain.slot, localnet.ledger.transaction_count, list(localnet.ledger.accounts())
    with pytest.raises(TransactionRejectedError) as refusal:
        localnet.send(transaction, preflight=preflight)
    assert (
        localnet.chain.slot,
        localnet.ledger.transaction_count,
        list(localnet.ledger.accounts()),
    ) == before
    return refusal.value.outcome.error


# ---- slots ----


def test_slots_pass_with_the_clock(ledger: Ledger) -> None:
    hands = Hands()
    localnet = Localnet(ledger, slot_seconds=0.5, clock=hands)
    for seconds, slot in ((0.4, 1), (0.2, 2), (0.9, 4), (100, 204)):
        hands.seconds += seconds
        localnet.keep_time()
        assert localnet.chain.slot == slot
    assert localnet.chain.slot_hash(203) is not None
    assert localnet.chain.slot_hash(204) is None


def test_a_long_sleep_is_a_matter_of_a_moment(ledger: Ledger) -> None:
    hands = Hands()
    localnet = Localnet(ledger, slot_seconds=0.001, clock=hands)
    hands.seconds += 1e6
    localnet.keep_time()
    assert localnet.chain.slot == pytest.approx(1e9, rel=1e-6)


def test_a_slot_passes_after_every_transaction_where_time_does_not_count(localnet: Localnet) -> None:
    slot = localnet.chain.slot
    localnet.keep_time()
    assert localnet.chain.slot == slot
    localnet.send(gift(localnet, SOL))
    assert localnet.chain.slot == slot + 1


def test_the_passing_of_time_alone_is_written_down_once_a_second(tmp_path: Path) -> None:
    hands = Hands()
    with Ledger(tmp_path / "chain.db", seed=1) as ledger:
        localnet = Localnet(ledger, slot_seconds=0.1, clock=hands)
        for seconds, saved in ((0.5, 1), (0.5, 11), (0.5, 11), (1, 26)):
            hands.seconds += seconds
            localnet.keep_time()
            assert ledger.slot == saved


# ---- transactions ----


def test_a_transaction_is_executed_and_remembered(localnet: Localnet) -> None:
    slot = localnet.chain.slot
    signature = localnet.send(gift(localnet, 3 * SOL))
    assert localnet.chain.balance(RECEIVER) == 3 * SOL
    entry = localnet.ledger.transaction(signature)
    assert entry is not None
    assert (entry.slot, entry.meta["err"], entry.meta["fee"]) == (slot, None, 5000)
    assert entry.meta["preBalances"][:2] == [10 * SOL, 0]
    assert entry.meta["postBalances"][:2] == [7 * SOL - 5000, 3 * SOL]


def test_the_same_transaction_is_executed_once(localnet: Localnet) -> None:
    transaction = gift(localnet, SOL)
    localnet.send(transaction)
    assert refused_with(localnet, transaction) == "AlreadyProcessed"
    assert refused_with(localnet, transaction, preflight=False) == "AlreadyProcessed"


def test_a_blockhash_serves_for_150_slots(localnet: Localnet) -> None:
    old = localnet.blockhash
    localnet.chain.advance(BLOCKHASH_LIFE)
    localnet.send(gift(localnet, SOL, blockhash=old))
    assert localnet.chain.balance(RECEIVER) == SOL
    assert refused_with(localnet, gift(localnet, 2 * SOL, blockhash=old)) == "BlockhashNotFound"
    assert refused_with(localnet, gift(localnet, SOL, blockhash=Hash(bytes(32)))) == "BlockhashNotFound"


def test_a_forged_signature_is_refused(localnet: Localnet) -> None:
    forged = gift(localnet, SOL, signer=Keypair())
    for preflight in (True, False):
        assert refused_with(localnet, forged, preflight=preflight) == "SignatureFailure"


def test_a_failing_transaction_is_stopped_before_it_costs_anything(localnet: Localnet) -> None:
    error = refused_with(localnet, gift(localnet, 100 * SOL))
    assert error == {"InstructionError": [0, {"Custom": 1}]}


def test_a_failing_transaction_that_is_sent_all_the_same_pays_its_fee(localnet: Localnet) -> None:
    signature = localnet.send(gift(localnet, 100 * SOL), preflight=False)
    entry = localnet.ledger.transaction(signature)
    assert entry is not None
    assert entry.meta["status"] == {"Err": {"InstructionError": [0, {"Custom": 1}]}}
    assert localnet.chain.balance(SENDER.pubkey()) == 10 * SOL - 5000


def test_a_simulation_changes_nothing_and_needs_no_signature(localnet: Localnet) -> None:
    forged = gift(localnet, SOL, signer=Keypair())
    before = list(localnet.ledger.accounts())
    outcome = localnet.simulate(forged, verify_signatures=False, check_blockhash=True)
    assert outcome.error is None
    assert outcome.units > 0
    assert localnet.simulate(forged, verify_signatures=True, check_blockhash=True).error == "SignatureFailure"
    stale = gift(localnet, SOL, blockhash=Hash(bytes(32)))
    assert localnet.simulate(stale, verify_signatures=True, check_blockhash=True).error == "BlockhashNotFound"
    assert localnet.simulate(stale, verify_signatures=True, check_blockhash=False).error is None
    assert list(localnet.ledger.accounts()) == before
    assert refused_with(localnet, forged) == "SignatureFailure"


def test_the_faucet_gives_what_it_has(localnet: Localnet) -> None:
    with pytest.raises(TransactionRejectedError):
        localnet.airdrop(RECEIVER, FAUCET_LAMPORTS)
    assert localnet.chain.balance(RECEIVER) == 0


def test_lamports_are_never_made_but_at_the_beginning(localnet: Localnet) -> None:
    localnet.send(gift(localnet, SOL))
    localnet.send(gift(localnet, 100 * SOL), preflight=False)
    held = sum(account.lamports for _, account in localnet.ledger.accounts())
    fees = 3 * 5000
    assert held == FAUCET_LAMPORTS - fees


# ---- saved state ----


def test_a_restart_goes_on_where_the_chain_was(tmp_path: Path) -> None:
    path = tmp_path / "chain.db"
    with Ledger(path, seed=1) as ledger:
        before = Localnet(ledger, slot_seconds=0)
        before.airdrop(SENDER.pubkey(), 10 * SOL)
        first, old_hash = gift(before, SOL), before.blockhash
        signature = before.send(first)
        before.chain.advance(5)
        before.save()
        accounts = dict(ledger.accounts())
    with Ledger(path, seed=99) as ledger:
        after = Localnet(ledger, slot_seconds=0)
        assert ledger.seed == 1
        assert after.chain.slot == before.chain.slot
        assert dict(ledger.accounts()) == accounts
        for slot in range(1, after.chain.slot):
            assert after.chain.slot_hash(slot) == before.chain.slot_hash(slot)
        assert after.chain.balance(RECEIVER) == SOL
        assert after.is_valid_blockhash(old_hash)
        assert refused_with(after, first) == "AlreadyProcessed"
        entries = ledger.history(RECEIVER, before=None, until=None, limit=10)
        assert [entry.signature for entry in entries] == [signature]
        after.send(gift(after, 2 * SOL))
        assert after.chain.balance(RECEIVER) == 3 * SOL


def test_an_account_that_is_emptied_is_forgotten(localnet: Localnet) -> None:
    localnet.send(gift(localnet, 10 * SOL - 5000))
    assert SENDER.pubkey() not in dict(localnet.ledger.accounts())


def test_a_killed_localnet_loses_nothing_that_it_had_confirmed(tmp_path: Path) -> None:
    path = tmp_path / "chain.db"
    with subprocess.Popen(
        [sys.executable, "-c", DROPPING, str(path)], stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:
        assert process.stdout is not None
        for _ in range(7):
            confirmed = int(process.stdout.readline())
        os.kill(process.pid, signal.SIGKILL)
    with Ledger(path, seed=1) as ledger:
        localnet = Localnet(ledger, slot_seconds=0)
        dropped = localnet.chain.balance(Pubkey(bytes([7] * 32)))
        assert dropped == ledger.transaction_count * SOL
        assert ledger.transaction_count >= confirmed - 1
        assert localnet.chain.slot in (ledger.transaction_count, ledger.transaction_count + 1)


def test_a_state_file_serves_one_localnet_at_a_time(tmp_path: Path) -> None:
    in_use = pytest.raises(LedgerError, match=r"chain\.db': another localnet is using it")
    with Ledger(tmp_path / "chain.db", seed=1), in_use:
        Ledger(tmp_path / "chain.db", seed=1)
    with Ledger(tmp_path / "chain.db", seed=1) as again:
        assert again.slot == 1


def test_a_file_that_is_no_state_is_refused_and_left_alone(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("These are my notes, and they are not to be overwritten. " * 99, encoding="utf-8")
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as database:
        database.execute("CREATE TABLE cookies (name TEXT)")
    database.close()
    for path in (text, other):
        content = path.read_bytes()
        with pytest.raises(LedgerError, match=path.name):
            Ledger(path, seed=1)
        assert path.read_bytes() == content
    with pytest.raises(LedgerError, match="unable to open"):
        Ledger(tmp_path / "missing" / "chain.db", seed=1)
    with pytest.raises(LedgerError, match="unable to open"):
        Ledger(tmp_path, seed=1)


def test_a_state_file_that_was_cut_off_is_one_clear_error(tmp_path: Path) -> None:
    path = tmp_path / "chain.db"
    with Ledger(path, seed=1) as ledger:
        localnet = Localnet(ledger, slot_seconds=0)
        for _ in range(20):
            localnet.airdrop(RECEIVER, SOL)
    path.write_bytes(path.read_bytes()[: 3 * 4096])
    with pytest.raises(LedgerError, match="malformed"), Ledger(path, seed=1) as ledger:
        Localnet(ledger)


def test_a_program_can_be_called_after_a_restart(tmp_path: Path) -> None:
    """A deployed program is in two accounts and in the runtime's cache; the cache is rebuilt."""
    path, key = tmp_path / "chain.db", Keypair.from_seed(b"p" * 32)
    with Ledger(path, seed=1) as ledger:
        localnet = Localnet(ledger, slot_seconds=0)
        localnet.airdrop(SENDER.pubkey(), 10 * SOL)
        rent = localnet.chain.svm.minimum_balance_for_rent_exemption
        for step in loader.deployment(SENDER, Keypair(), key, read_program(), rent):
            message = Message.new_with_blockhash(list(step.instructions), SENDER.pubkey(), localnet.blockhash)
            localnet.send(VersionedTransaction(message, list(step.signers)))
    with Ledger(path, seed=1) as ledger:
        localnet = Localnet(ledger, slot_seconds=0)
        call = Instruction(key.pubkey(), b"", [])
        message = Message.new_with_blockhash([call], SENDER.pubkey(), localnet.blockhash)
        outcome = localnet.simulate(
            VersionedTransaction(message, [SENDER]), verify_signatures=True, check_blockhash=True
        )
        assert outcome.error == {"InstructionError": [0, {"Custom": GameError.WRONG_DATA_SIZE.value}]}
