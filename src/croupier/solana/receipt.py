"""The receipt of a successful transaction, on a cluster or on a local chain."""

from dataclasses import dataclass

from croupier.solana.events import Event


@dataclass(frozen=True, slots=True)
class Receipt:
    """A transaction's signature, its slot, its cost, and what our program logged."""

    signature: str
    slot: int
    compute_units: int
    fee: int
    logs: tuple[str, ...]
    events: tuple[Event, ...]
