"""The receipt of a successful transaction, on a cluster or on a local chain."""

from dataclasses import dataclass

from croupier.solana.events import Event
from croupier.solana.history import ChainTransaction


@dataclass(frozen=True, slots=True)
class Receipt:
    """A transaction's signature, its slot, its cost, what our program logged, and its signed bytes."""

    signature: str
    slot: int
    compute_units: int
    fee: int
    logs: tuple[str, ...]
    events: tuple[Event, ...]
    wire: bytes

    @property
    def transaction(self) -> ChainTransaction:
        """The transaction as part of a record."""
        return ChainTransaction(self.slot, self.wire, self.logs)
