"""What a successful transaction leaves behind, on a cluster or on a chain of one's own."""

from dataclasses import dataclass

from croupier.solana.events import Event


@dataclass(frozen=True, slots=True)
class Receipt:
    """A transaction's signature, the slot in which it was executed, its price, and what our program logged in it."""

    signature: str
    slot: int
    compute_units: int
    fee: int
    logs: tuple[str, ...]
    events: tuple[Event, ...]
