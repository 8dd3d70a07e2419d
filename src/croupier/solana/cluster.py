"""Play on a cluster: any server of Solana's JSON-RPC, through the async client of PyPI's ``solana``."""

import asyncio
import ipaddress
import re
import struct
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import count
from types import TracebackType

from solana.exceptions import SolanaRpcException
from solana.rpc.async_api import AsyncClient
from solana.rpc.commitment import Commitment
from solana.rpc.core import RPCException, RPCNoResultException
from solana.rpc.models import MemcmpOpts, TxOpts
from solders.account import Account
from solders.compute_budget import set_compute_unit_limit, set_compute_unit_price
from solders.errors import SerdeJSONError
from solders.instruction import Instruction
from solders.keypair import Keypair
from solders.message import Message
from solders.pubkey import Pubkey
from solders.rpc.errors import SendTransactionPreflightFailureMessage
from solders.signature import Signature
from solders.sysvar import SLOT_HASHES
from solders.transaction import VersionedTransaction
from solders.transaction_status import (
    EncodedConfirmedTransactionWithStatusMeta,
    TransactionConfirmationStatus,
    UiCompiledInstruction,
    UiTransactionStatusMeta,
)

from croupier.errors import InputError
from croupier.solana.base58 import decode_base58, encode_base58
from croupier.solana.codes import GameError
from croupier.solana.deployment import Deployment
from croupier.solana.events import events_in_logs
from croupier.solana.failures import Refusal, TransactionError, failure_of
from croupier.solana.game import Game
from croupier.solana.history import ChainTransaction, InnerCall
from croupier.solana.layout import GAME, LayoutError
from croupier.solana.loader import program_data_address
from croupier.solana.receipt import Receipt
from croupier.solana.record import GameRecord
from croupier.solana.verification import NetworkView

_POLL_SECONDS = 0.25
_POLLS_PER_REBROADCAST, _POLLS_PER_PRICE = 8, 24
_CONFIRMED = (TransactionConfirmationStatus.Confirmed, TransactionConfirmationStatus.Finalized)
#: The compute units that a transaction with a priority fee asks for; the fee is paid for all of them.
PRICED_UNITS = 12_000
_PAGE = 1000
#: Blocks after which a transaction that was not executed never will be.
_BLOCKHASH_LIFE = 150
_SLOT_HASH_SIZE = 40
_URL = re.compile(r"https?://(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?([/?][!-~]*)?")


class ClusterError(InputError):
    """The cluster cannot be reached, or its answer is not that of a cluster."""


class Cluster:
    """A program on a cluster.

    It works with confirmed transactions, those that the cluster has voted for. A house that answers only confirmed
    requests does not reveal a pre-image on a fork that is dropped later.

    Examples
    --------
    >>> async def look(url: str, program: Pubkey, address: Pubkey) -> Game | None:
    ...     async with Cluster(url, program) as cluster:
    ...         return await cluster.game(address)
    >>> asyncio.run(look("http://127.0.0.1:1", Pubkey.default(), Pubkey.default()))
    Traceback (most recent call last):
    croupier.solana.cluster.ClusterError: cluster 'http://127.0.0.1:1': cannot be reached (ConnectError)
    """

    def __init__(
        self,
        url: str,
        program: Pubkey,
        *,
        commitment: Commitment = Commitment.CONFIRMED,
        timeout: float = 30.0,
    ) -> None:
        _verify_url(url)
        self.url = url
        self.program = program
        self._commitment = commitment
        self._client = AsyncClient(url, commitment=commitment, timeout=timeout)

    async def __aenter__(self) -> "Cluster":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.close()

    async def send(
        self, instructions: Sequence[Instruction], signers: Sequence[Keypair], prices: Sequence[int] = (0,)
    ) -> Receipt:
        """Send a transaction and wait until it is confirmed; the first signer pays the fee.

        Until it is confirmed it is sent again and again, since nodes drop transactions. With several prices, it is also
        sent at the next price every few seconds; the first that is executed counts. When the last blockhash has expired,
        none of them can be executed any more.

        Parameters
        ----------
        prices
            The priority fees to try one after the other, in millionths of a lamport per compute unit.

        Raises
        ------
        Refusal
            If our program refused it.
        TransactionError
            If it failed for another reason, or was not confirmed in time.
        ClusterError
            If the cluster cannot be reached.
        """
        priced = [_priced(instructions, price) for price in prices]
        programs = [instruction.program_id for instruction in priced[0]]
        sent: list[VersionedTransaction] = []
        last_height = 0
        async with self._translated_errors(programs):
            for polls in count():
                if polls % _POLLS_PER_PRICE == 0 and len(sent) < len(priced):
                    latest = (await self._client.get_latest_blockhash()).value
                    message = Message.new_with_blockhash(
                        priced[len(sent)], signers[0].pubkey(), latest.blockhash
                    )
                    sent.append(VersionedTransaction(message, list(signers)))
                    last_height = latest.last_valid_block_height
                    await self._submit(sent[-1], is_first=len(sent) == 1)
                elif polls % _POLLS_PER_REBROADCAST == 0:
                    if (await self._client.get_block_height()).value > last_height:
                        raise TransactionError(
                            f"transaction not confirmed by '{self.url}': its blockhash has expired"
                        )
                    for transaction in sent:
                        await self._submit(transaction, is_first=False)
                if receipt := await self._outcome(sent):
                    return receipt
                await self.pause()
        raise AssertionError("the loop ends with a receipt or an error")

    async def unsigned(self, instructions: Sequence[Instruction], payer: Pubkey) -> VersionedTransaction:
        """Return a transaction that only its payer has to sign, with zeros in place of the signature."""
        async with self._translated_errors():
            blockhash = (await self._client.get_latest_blockhash()).value.blockhash
        message = Message.new_with_blockhash(instructions, payer, blockhash)
        return VersionedTransaction.populate(message, [Signature.default()])

    async def send_signed(self, transaction: VersionedTransaction) -> Receipt:
        """Send a transaction that was signed elsewhere, and wait until it is confirmed.

        Raises
        ------
        Refusal
            If our program refused it.
        TransactionError
            If it failed for another reason, or its blockhash has expired.
        ClusterError
            If the cluster cannot be reached.
        """
        async with self._translated_errors(_programs(transaction)):
            last_height = (await self._client.get_block_height()).value + _BLOCKHASH_LIFE
            await self._submit(transaction, is_first=True)
            while True:
                if receipt := await self._outcome([transaction]):
                    return receipt
                if (await self._client.get_block_height()).value > last_height:
                    raise TransactionError(
                        f"transaction not confirmed by '{self.url}': its blockhash has expired"
                    )
                await self.pause()

    async def _outcome(self, sent: Sequence[VersionedTransaction]) -> Receipt | None:
        """Return the receipt of the transaction that was executed; raise if all of them have failed."""
        signatures = [transaction.signatures[0] for transaction in sent]
        statuses = (await self._client.get_signature_statuses(signatures)).value
        executed = [
            (transaction, status)
            for transaction, status in zip(sent, statuses, strict=True)
            if status is not None and status.confirmation_status in _CONFIRMED
        ]
        succeeded = [transaction for transaction, status in executed if status.err is None]
        if not succeeded and len(executed) == len(sent):
            error = executed[-1][1].err
            assert error is not None, "a transaction that did not succeed has an error"
            raise failure_of(error, _programs(executed[-1][0]), self.program)
        return await self._receipt(succeeded[0]) if succeeded else None

    async def _receipt(self, transaction: VersionedTransaction) -> Receipt:
        confirmed, meta = await self._executed(transaction.signatures[0])
        logs = tuple(meta.log_messages or ())
        return Receipt(
            str(transaction.signatures[0]),
            confirmed.slot,
            meta.compute_units_consumed or 0,
            meta.fee,
            logs,
            tuple(events_in_logs(logs, self.program)),
            bytes(transaction),
        )

    async def _submit(self, transaction: VersionedTransaction, *, is_first: bool) -> None:
        """Hand a transaction to the node; a later time, the node may know it already and say so."""
        options = TxOpts(
            skip_confirmation=True, skip_preflight=not is_first, preflight_commitment=self._commitment
        )
        try:
            await self._client.send_transaction(transaction, opts=options)
        except RPCException:
            if is_first:
                raise

    async def game(self, address: Pubkey) -> Game | None:
        """Return the game at an address, if there is one.

        Raises
        ------
        LayoutError
            If the account is not a game.
        """
        data = await self.account_data(address)
        return None if data is None else Game.decode(data)

    async def account(self, address: Pubkey) -> Account | None:
        """Return an account, if there is one."""
        async with self._translated_errors():
            return (await self._client.get_account_info(address)).value

    async def account_data(self, address: Pubkey) -> bytes | None:
        """Return the bytes of an account, if there is one."""
        account = await self.account(address)
        return None if account is None else bytes(account.data)

    async def slot(self) -> int:
        """Return the newest confirmed slot."""
        async with self._translated_errors():
            return (await self._client.get_slot()).value

    async def balance(self, address: Pubkey) -> int:
        """Return an account's lamports."""
        async with self._translated_errors():
            return (await self._client.get_balance(address)).value

    async def rent(self, size: int) -> int:
        """Return the rent of an account of a size on this cluster, in lamports."""
        async with self._translated_errors():
            return (await self._client.get_minimum_balance_for_rent_exemption(size)).value

    async def game_rent(self) -> int:
        """Return the rent of a game account on this cluster, in lamports."""
        return await self.rent(GAME.size)

    async def wait_past(self, slot: int) -> None:
        """Wait until a slot is over, so that it has a hash."""
        while await self.slot() <= slot:
            await self.pause()

    async def pause(self) -> None:
        """Wait a moment before the cluster is asked again."""
        await asyncio.sleep(_POLL_SECONDS)

    async def slot_hashes(self) -> dict[int, bytes]:
        """Return the hashes of the newest slots, which the cluster keeps for 512 blocks."""
        data = await self.account_data(SLOT_HASHES) or bytes(8)
        (count,) = struct.unpack_from("<Q", data)
        return dict(struct.iter_unpack("<Q32s", data[8 : 8 + _SLOT_HASH_SIZE * count]))

    async def slot_hash(self, slot: int) -> bytes:
        """Return the hash of a slot, as soon as the slot is over.

        Raises
        ------
        Refusal
            If the hash is no longer kept.
        """
        while True:
            hashes = await self.slot_hashes()
            if slot in hashes:
                return hashes[slot]
            if hashes and max(hashes) > slot:
                raise Refusal(GameError.SLOT_HASH_GONE)
            await self.pause()

    async def record(self, address: Pubkey) -> GameRecord:
        """Collect the public record of an address from the cluster's history: every successful transaction."""
        transactions = []
        async with self._translated_errors():
            for signature in reversed(await self._signatures(address)):
                transactions.append(_chain_transaction(*await self._executed(signature)))
        return GameRecord(self.program, address, tuple(transactions), await self.network())

    async def network(self) -> str:
        """Return the hash of the network's first block, by which networks are told apart."""
        async with self._translated_errors():
            return str((await self._client.get_genesis_hash()).value)

    async def view(self, address: Pubkey) -> NetworkView:
        """Return what this node says about the program and about a game's account."""
        return NetworkView(
            await self.network(),
            await self.deployment(),
            await self.game(address),
            await self.slot_hashes(),
        )

    async def deployment(self, program: Pubkey | None = None) -> Deployment | str:
        """Return the bytes of the program, or of another one, and who may change them; or why there is no program."""
        program = program or self.program
        accounts = [await self.account(key) for key in (program, program_data_address(program))]
        try:
            return Deployment.decode(program, *accounts)
        except LayoutError as error:
            return str(error)

    async def airdrop(self, address: Pubkey, lamports: int) -> None:
        """Request lamports from the cluster's faucet, if it has one, and wait for them."""
        async with self._translated_errors():
            signature = (await self._client.request_airdrop(address, lamports)).value
            await self._executed(signature)

    async def accounts_of(self, owner: Pubkey, beginnings: Mapping[int, bytes]) -> dict[Pubkey, Account]:
        """Return the accounts of a program that hold certain bytes at certain offsets."""
        filters = [
            MemcmpOpts(offset=offset, bytes=encode_base58(value)) for offset, value in beginnings.items()
        ]
        async with self._translated_errors():
            found = await self._client.get_program_accounts(owner, encoding="base64", filters=filters)
        return {entry.pubkey: entry.account for entry in found.value}

    async def _signatures(self, address: Pubkey) -> list[Signature]:
        """Return the successful transactions that name an address, the newest first."""
        signatures: list[Signature] = []
        before: Signature | None = None
        while True:
            page = (await self._client.get_signatures_for_address(address, before=before, limit=_PAGE)).value
            signatures += [entry.signature for entry in page if entry.err is None]
            if len(page) < _PAGE:
                return signatures
            before = page[-1].signature

    async def _executed(
        self, signature: Signature
    ) -> tuple[EncodedConfirmedTransactionWithStatusMeta, UiTransactionStatusMeta]:
        """Return a confirmed transaction with its outcome; a node may need a moment to find it."""
        for _ in range(40):
            found = (
                await self._client.get_transaction(signature, "base64", max_supported_transaction_version=0)
            ).value
            if found is not None and found.transaction.meta is not None:
                return found, found.transaction.meta
            await asyncio.sleep(_POLL_SECONDS)
        raise ClusterError(f"cluster '{self.url}': transaction {signature} not found")

    @asynccontextmanager
    async def _translated_errors(self, programs: Sequence[Pubkey] = ()) -> AsyncIterator[None]:
        """Translate every failure of a request into one clear error."""
        try:
            yield
        except SolanaRpcException as error:
            reason = type(error.__cause__).__name__
            raise ClusterError(f"cluster '{self.url}': cannot be reached ({reason})") from None
        except SerdeJSONError:
            raise ClusterError(f"cluster '{self.url}': the server does not answer like a cluster") from None
        except RPCException as error:
            message = error.args[0] if error.args else error
            if isinstance(message, SendTransactionPreflightFailureMessage) and message.data.err is not None:
                raise failure_of(message.data.err, programs, self.program) from None
            text = getattr(message, "message", None) or str(message)
            raise ClusterError(f"cluster '{self.url}': {text}") from None
        except RPCNoResultException as error:
            raise ClusterError(f"cluster '{self.url}': {error}") from None


def _priced(instructions: Sequence[Instruction], price: int) -> list[Instruction]:
    paid = [set_compute_unit_limit(PRICED_UNITS), set_compute_unit_price(price)] if price else []
    return [*paid, *instructions]


def _programs(transaction: VersionedTransaction) -> list[Pubkey]:
    keys = transaction.message.account_keys
    return [keys[instruction.program_id_index] for instruction in transaction.message.instructions]


def _chain_transaction(
    confirmed: EncodedConfirmedTransactionWithStatusMeta, meta: UiTransactionStatusMeta
) -> ChainTransaction:
    transaction = confirmed.transaction.transaction
    if not isinstance(transaction, VersionedTransaction):
        raise ClusterError("the node does not answer with the bytes of a transaction")
    loaded = meta.loaded_addresses
    addresses = () if loaded is None else (*loaded.writable, *loaded.readonly)
    keys = [*transaction.message.account_keys, *addresses]
    inner = tuple(
        InnerCall(
            group.index,
            keys[call.program_id_index],
            tuple(keys[place] for place in call.accounts),
            decode_base58(call.data),
        )
        for group in meta.inner_instructions or ()
        for call in group.instructions
        if isinstance(call, UiCompiledInstruction)
    )
    return ChainTransaction(
        confirmed.slot, bytes(transaction), tuple(meta.log_messages or ()), addresses, inner
    )


def _verify_url(url: str) -> None:
    """Raise unless this is the address of a cluster; the client's own errors are unclear."""
    found = _URL.fullmatch(url)
    try:
        if found is not None and (found[1].startswith("[") or not found[1].strip("0123456789.")):
            ipaddress.ip_address(found[1].strip("[]"))
    except ValueError:
        found = None
    if found is None or int((found[2] or ":0")[1:]) > 65535:
        raise ClusterError(f"cluster {url!r}: not an address; give one like http://127.0.0.1:8899")
