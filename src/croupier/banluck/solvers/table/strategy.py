"""How everybody plays at a table of two: one probability an information set."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from croupier.banluck.engine.multisets import MULTISETS, Multiset, multiset_index
from croupier.banluck.solvers.hand_table import Floats

#: What everybody decides on. ``full``: all that is public at the table. ``counts``: own cards, card counts, who is closed and Ban hands; the cards
#: of busts and of hands that the dealer has opened are not remembered.
Information = Literal["full", "counts"]


@dataclass(frozen=True, slots=True, eq=False)
class SeatPlay:
    """How two seats play.

    Attributes
    ----------
    first
        How often the first seat hits each multiset.
    second
        The same for the second seat, a row a card count of the first (2 to 5).
    """

    first: Floats
    second: Floats


@dataclass(frozen=True, slots=True, eq=False)
class DealerPolicy:
    """How the dealer plays against two seats.

    Attributes
    ----------
    closed
        Probabilities of :class:`~croupier.banluck.solvers.table.dealer_states.ClosedAction` while both are closed, by hand of choice and
        card counts.
    first_known, second_known
        How often the dealer draws when the hand of the first, or the second, seat is known: one array for each card count of the known hand,
        by known hand, hand of choice and card count of the other. The last array of ``second_known`` is for busts.
    """

    closed: Floats
    first_known: tuple[Floats, ...]
    second_known: tuple[Floats, ...]

    def copy(self) -> "DealerPolicy":
        """Return a policy that can be written to."""
        return DealerPolicy(
            self.closed.copy(),
            tuple(draw.copy() for draw in self.first_known),
            tuple(draw.copy() for draw in self.second_known),
        )

    @property
    def arrays(self) -> tuple[Floats, ...]:
        """All arrays, in the order of the attributes."""
        return (self.closed, *self.first_known, *self.second_known)

    def packed(self) -> "PackedPolicy":
        """Return a pure policy in a small part of the memory."""
        flags = np.concatenate([array.ravel() > 0.0 for array in self.arrays])
        return PackedPolicy(np.packbits(flags), tuple(array.shape for array in self.arrays))


@dataclass(frozen=True, slots=True, eq=False)
class PackedPolicy:
    """A pure :class:`DealerPolicy`, one bit a choice.

    Attributes
    ----------
    bits
        The arrays of the policy, one after the other.
    shapes
        Their shapes.
    """

    bits: NDArray[np.uint8]
    shapes: tuple[tuple[int, ...], ...]

    def unpacked(self) -> DealerPolicy:
        """Return the policy."""
        sizes = [math.prod(shape) for shape in self.shapes]
        flags = np.unpackbits(self.bits, count=sum(sizes)).astype(np.float64)
        parts = np.split(flags, np.cumsum(sizes)[:-1])
        closed, *known = [part.reshape(shape) for part, shape in zip(parts, self.shapes, strict=True)]
        firsts = len(known) // 2  # the second seat's busts come last
        return DealerPolicy(closed, tuple(known[:firsts]), tuple(known[firsts:]))


@dataclass(frozen=True, slots=True, eq=False)
class TableStrategy:
    """The strategies of two seats and the dealer.

    Attributes
    ----------
    seats
        Both seats in the hand: the first decides on its own cards, the second also on the first one's card count.
    dealer
        The dealer against both of them.
    surrender
        Whether the dealer voids the hand: by the dealer's hand (in the order of
        :class:`~croupier.banluck.solvers.table.dealer_states.DealerHands`), and by what the two seats have shown
        (:class:`~croupier.banluck.solvers.strategy.Shown`).
    remaining
        How a player and the dealer go on when the other player's cards are known from a Ban hand or a bust: by these cards, first the
        player's hits by multiset, then the dealer's draws by hand of choice and card count. Busts that the first seat's
        play never leads to are left out.
    """

    seats: SeatPlay
    dealer: DealerPolicy
    surrender: Floats
    remaining: Mapping[Multiset, tuple[Floats, Floats]]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return everything as named arrays, to be saved."""
        hands = [multiset_index(hand) for hand in self.remaining]
        return {
            "first": self.seats.first,
            "second": self.seats.second,
            "closed": self.dealer.closed,
            "surrender": self.surrender,
            "remaining_hands": np.array(hands),
            "remaining_hit": np.array([hit for hit, _ in self.remaining.values()]),
            "remaining_draw": np.array([draw for _, draw in self.remaining.values()]),
            **{f"first_known_{count}": draw for count, draw in enumerate(self.dealer.first_known)},
            **{f"second_known_{count}": draw for count, draw in enumerate(self.dealer.second_known)},
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> "TableStrategy":
        """Return the strategies that :meth:`arrays` named."""
        known = {
            side: tuple(arrays[name] for name in sorted(arrays) if name.startswith(f"{side}_known_"))
            for side in ("first", "second")
        }
        remaining = zip(
            arrays["remaining_hands"], arrays["remaining_hit"], arrays["remaining_draw"], strict=True
        )
        return cls(
            SeatPlay(arrays["first"], arrays["second"]),
            DealerPolicy(arrays["closed"], known["first"], known["second"]),
            arrays["surrender"],
            {MULTISETS[hand]: (hit, draw) for hand, hit, draw in remaining},
        )
