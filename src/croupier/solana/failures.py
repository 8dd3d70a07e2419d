"""Why a transaction failed: our program's refusals by name, everything else in the runtime's words."""

from collections.abc import Sequence

from solders.pubkey import Pubkey
from solders.system_program import ID as SYSTEM_PROGRAM
from solders.transaction_status import (
    InstructionErrorCustom,
    TransactionErrorInstructionError,
    TransactionErrorType,
)

from croupier.errors import InputError
from croupier.solana.codes import GameError

_ERRORS = {error.value: error for error in GameError}
#: The system program's errors, by their numbers.
_SYSTEM_ERRORS = (
    "the account is in use already",
    "the payer does not have enough lamports",
    "this program cannot own accounts",
    "an account cannot be that large",
    "the seed is too long",
    "the address does not follow from its seed",
    "the nonce has no recent blockhash",
    "the nonce's blockhash has not expired",
    "the nonce's account is another",
)


class Refusal(InputError):  # noqa: N818 - the documentation's word
    """Our program refused an instruction; the message gives the error's name and meaning.

    Examples
    --------
    >>> raise Refusal(GameError.NOT_DEALT)
    Traceback (most recent call last):
    croupier.solana.failures.Refusal: NOT_DEALT (6020): the cards are not dealt yet
    """

    def __init__(self, error: GameError) -> None:
        super().__init__(f"{error.name} ({error.value}): {error.meaning}")
        self.error = error


class TransactionError(InputError):
    """The runtime, another program or the network refused a transaction."""


def failure_of(
    error: TransactionErrorType, programs: Sequence[Pubkey], program: Pubkey
) -> Refusal | TransactionError:
    """Return the exception for a failed transaction.

    Each program has its own error numbers, so the programs of the transaction's instructions are needed. An error of
    the system program, called by ours, comes back as ours; its numbers are below 6000.

    Examples
    --------
    >>> ours, other = Pubkey(bytes([7] * 32)), Pubkey(bytes([8] * 32))
    >>> refused = TransactionErrorInstructionError(1, InstructionErrorCustom(6028))
    >>> print(failure_of(refused, [other, ours], ours))
    WRONG_PREIMAGE (6028): this is not the next pre-image of the chain
    >>> print(failure_of(refused, [ours, other], ours))
    instruction 2 of the transaction failed: InstructionErrorCustom(6028)
    >>> poor = TransactionErrorInstructionError(0, InstructionErrorCustom(1))
    >>> print(failure_of(poor, [ours], ours))
    instruction 1 of the transaction failed: the system program: the payer does not have enough lamports
    """
    if not isinstance(error, TransactionErrorInstructionError):
        return TransactionError(f"transaction failed: {error}")
    reason: object = error.err
    called = programs[error.index] if error.index < len(programs) else None
    if isinstance(reason, InstructionErrorCustom):
        if called == program and reason.code in _ERRORS:
            return Refusal(_ERRORS[reason.code])
        if called in (program, SYSTEM_PROGRAM) and reason.code < len(_SYSTEM_ERRORS):
            reason = f"the system program: {_SYSTEM_ERRORS[reason.code]}"
    return TransactionError(f"instruction {error.index + 1} of the transaction failed: {reason}")
