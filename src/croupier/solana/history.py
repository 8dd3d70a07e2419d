"""A game's transactions as a network shows them: who signed what, in which slot.

The bytes of a transaction are signed, so they cannot be changed or invented without the signers' keys. Its slot, its log
and the calls that programs make among themselves are the word of the node that they come from.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from solders.pubkey import Pubkey
from solders.transaction import SanitizeError, VersionedTransaction

from croupier.solana.events import Event, events_in_logs
from croupier.solana.layout import LayoutError

_CUT_LOG = "Log truncated"


@dataclass(frozen=True, slots=True)
class ProgramCall:
    """A call of a program: its accounts, its data, and the program that made it if it is not part of the transaction."""

    program: Pubkey
    accounts: tuple[Pubkey, ...]
    data: bytes
    signers: frozenset[Pubkey]
    caller: Pubkey | None = None


@dataclass(frozen=True, slots=True)
class InnerCall:
    """A call that a program made, and the transaction's instruction during which it did so."""

    instruction: int
    program: Pubkey
    accounts: tuple[Pubkey, ...]
    data: bytes


@dataclass(frozen=True, slots=True)
class ChainTransaction:
    """A successful transaction: its signed bytes, and what the node says about it.

    Examples
    --------
    >>> ChainTransaction(7, b"no transaction").problem
    'its bytes are not a transaction'
    """

    slot: int
    wire: bytes
    logs: tuple[str, ...] = ()
    loaded: tuple[Pubkey, ...] = ()
    inner: tuple[InnerCall, ...] = ()

    @property
    def signature(self) -> str:
        """The transaction's first signature, by which explorers find it."""
        return str(self._parsed().signatures[0])

    @property
    def problem(self) -> str | None:
        """Why this cannot be a transaction of these signers; ``None`` if it can."""
        try:
            transaction = self._parsed()
            transaction.sanitize()
            signed = transaction.verify_with_results()
        except (ValueError, SanitizeError):
            return "its bytes are not a transaction"
        keys = transaction.message.account_keys
        unsigned = [str(key) for key, is_signed in zip(keys, signed, strict=False) if not is_signed]
        return f"the signature of {unsigned[0]} does not fit" if unsigned else None

    @property
    def has_cut_log(self) -> bool:
        """Whether the log is missing or was cut short, which any instruction of the transaction can cause."""
        return not self.logs or _CUT_LOG in self.logs

    def events(self, program: Pubkey) -> tuple[Event, ...]:
        """Return what a program logged, as far as the log goes.

        Raises
        ------
        LayoutError
            If the program logged something that is not an event.
        """
        return tuple(events_in_logs(self.logs, program))

    def calls(self, program: Pubkey) -> Iterator[ProgramCall]:
        """Yield the calls of a program in the order in which they were executed.

        Raises
        ------
        LayoutError
            If an instruction names an account that the transaction does not have.
        """
        message = self._parsed().message
        keys = [*message.account_keys, *self.loaded]
        signers = frozenset(keys[: message.header.num_required_signatures])
        try:
            for index, instruction in enumerate(message.instructions):
                called = keys[instruction.program_id_index]
                if called == program:
                    accounts = tuple(keys[place] for place in instruction.accounts)
                    yield ProgramCall(called, accounts, bytes(instruction.data), signers)
                for inner in self.inner:
                    if inner.instruction == index and inner.program == program:
                        yield ProgramCall(program, inner.accounts, inner.data, signers, caller=called)
        except IndexError:
            raise LayoutError("transaction: an instruction names an account that is not there") from None

    def _parsed(self) -> VersionedTransaction:
        return VersionedTransaction.from_bytes(self.wire)
