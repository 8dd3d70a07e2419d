"""Why a transaction failed: our program's refusals by name, everything else in the runtime's words."""

from collections.abc import Sequence

from solders.pubkey import Pubkey
from solders.transaction_status import (
    InstructionErrorCustom,
    TransactionErrorInstructionError,
    TransactionErrorType,
)

from croupier.errors import InputError
from croupier.solana.codes import GameError

_ERRORS = {error.value: error for error in GameError}


class Refusal(InputError):  # noqa: N818 - the documentation's word
    """Our program refused an instruction; the message gives the error's name and meaning.

    Examples
    --------
    >>> raise Refusal(GameError.NOT_DEALT)
    Traceback (most recent call last):
    croupier.solana.failures.Refusal: NOT_DEALT (21): the cards are not dealt yet
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

    Each program has its own error numbers, so the programs of the transaction's instructions are needed.

    Examples
    --------
    >>> ours, other = Pubkey(bytes([7] * 32)), Pubkey(bytes([8] * 32))
    >>> refused = TransactionErrorInstructionError(1, InstructionErrorCustom(29))
    >>> print(failure_of(refused, [other, ours], ours))
    WRONG_PREIMAGE (29): this is not the next pre-image of the chain
    >>> print(failure_of(refused, [ours, other], ours))
    instruction 2 of the transaction failed: InstructionErrorCustom(29)
    """
    if not isinstance(error, TransactionErrorInstructionError):
        return TransactionError(f"transaction failed: {error}")
    reason = error.err
    is_ours = error.index < len(programs) and programs[error.index] == program
    if is_ours and isinstance(reason, InstructionErrorCustom) and reason.code in _ERRORS:
        return Refusal(_ERRORS[reason.code])
    return TransactionError(f"instruction {error.index + 1} of the transaction failed: {reason}")
