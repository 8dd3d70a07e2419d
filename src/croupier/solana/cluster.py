"""Play on a cluster: any server of Solana's JSON-RPC, through the async client of PyPI's ``solana``."""

import asyncio
import ipaddress
import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from types import TracebackType

from solana.exceptions import SolanaRpcException
from solana.rpc.async_api import AsyncClient
from solana.rpc.commitment import Commitment
from solana.rpc.core import (
    RPCException,
    RPCNoResultException,
    TransactionExpiredBlockheightExceededError,
    UnconfirmedTxError,
)
from solana.rpc.models import TxOpts
from solders.errors import SerdeJSONError
from solders.instruction import Instruction
from solders.keypair import Keypair
from solders.message import Message
from solders.pubkey import Pubkey
from solders.rpc.errors import SendTransactionPreflightFailureMessage
from solders.signature import Signature
from solders.transaction import VersionedTransaction
from solders.transaction_status import EncodedConfirmedTransactionWithStatusMeta, UiTransactionStatusMeta

from croupier.errors import InputError
from croupier.solana import loader
from croupier.solana.events import Event, events_in_logs
from croupier.solana.failures import TransactionError, failure_of
from croupier.solana.game import Game
from croupier.solana.layout import GAME
from croupier.solana.receipt import Receipt
from croupier.solana.record import GameRecord

_POLL_SECONDS = 0.25
_PAGE = 1000
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

    async def send(self, instructions: Sequence[Instruction], signers: Sequence[Keypair]) -> Receipt:
        """Send a transaction and wait until it is confirmed; the first signer pays the fee.

        Raises
        ------
        Refusal
            If our program refused it.
        TransactionError
            If it failed for another reason, or was not confirmed in time.
        ClusterError
            If the cluster cannot be reached.
        """
        programs = [instruction.program_id for instruction in instructions]
        async with self._translated_errors(programs):
            latest = (await self._client.get_latest_blockhash()).value
            message = Message.new_with_blockhash(list(instructions), signers[0].pubkey(), latest.blockhash)
            transaction = VersionedTransaction(message, list(signers))
            options = TxOpts(
                skip_confirmation=False,
                preflight_commitment=self._commitment,
                last_valid_block_height=latest.last_valid_block_height,
            )
            signature = (await self._client.send_transaction(transaction, opts=options)).value
            confirmed, meta = await self._executed(signature)
        if meta.err is not None:
            raise failure_of(meta.err, programs, self.program)
        logs = tuple(meta.log_messages or ())
        return Receipt(
            str(signature),
            confirmed.slot,
            meta.compute_units_consumed or 0,
            meta.fee,
            logs,
            tuple(events_in_logs(logs, self.program)),
        )

    async def game(self, address: Pubkey) -> Game | None:
        """Return the game at an address, if there is one.

        Raises
        ------
        LayoutError
            If the account is not a game.
        """
        data = await self.account_data(address)
        return None if data is None else Game.decode(data)

    async def account_data(self, address: Pubkey) -> bytes | None:
        """Return the bytes of an account, if there is one."""
        async with self._translated_errors():
            account = (await self._client.get_account_info(address)).value
        return None if account is None else bytes(account.data)

    async def slot(self) -> int:
        """Return the newest confirmed slot."""
        async with self._translated_errors():
            return (await self._client.get_slot()).value

    async def balance(self, address: Pubkey) -> int:
        """Return an account's lamports."""
        async with self._translated_errors():
            return (await self._client.get_balance(address)).value

    async def game_rent(self) -> int:
        """Return the rent of a game account on this cluster, in lamports."""
        async with self._translated_errors():
            return (await self._client.get_minimum_balance_for_rent_exemption(GAME.size)).value

    async def wait_past(self, slot: int) -> None:
        """Wait until a slot is over, so that it has a hash."""
        while await self.slot() <= slot:
            await asyncio.sleep(_POLL_SECONDS)

    async def record(self, address: Pubkey) -> GameRecord:
        """Collect the public record of the last game at an address from the cluster's history."""
        events: list[Event] = []
        async with self._translated_errors():
            for signature in reversed(await self._signatures(address)):
                _, meta = await self._executed(signature)
                events += events_in_logs(meta.log_messages or (), self.program)
        return GameRecord.of_game(self.program, address, events)

    async def airdrop(self, address: Pubkey, lamports: int) -> None:
        """Request lamports from the cluster's faucet, if it has one, and wait for them."""
        async with self._translated_errors():
            signature = (await self._client.request_airdrop(address, lamports)).value
            await self._executed(signature)

    async def deploy(
        self,
        payer: Keypair,
        key: Keypair,
        program: bytes,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        """Deploy a program under a key through the upgradeable loader, and wait until it can be called.

        Raises
        ------
        ClusterError
            If the key already has an account.
        """
        if await self.account_data(key.pubkey()) is not None:
            raise ClusterError(f"cluster '{self.url}': program {key.pubkey()} already exists")
        sizes = (loader.buffer_size(program), loader.PROGRAM_SIZE)
        async with self._translated_errors():
            rents = {
                size: (await self._client.get_minimum_balance_for_rent_exemption(size)).value
                for size in sizes
            }
        steps = list(loader.deployment(payer, Keypair(), key, program, rents.__getitem__))
        for done, step in enumerate(steps, start=1):
            receipt = await self.send(step.instructions, step.signers)
            if progress is not None:
                progress(done, len(steps))
        await self.wait_past(receipt.slot)

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
            found = (await self._client.get_transaction(signature, max_supported_transaction_version=0)).value
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
        except (
            RPCNoResultException,
            UnconfirmedTxError,
            TransactionExpiredBlockheightExceededError,
        ) as error:
            raise TransactionError(f"transaction not confirmed by '{self.url}': {error}") from None


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
