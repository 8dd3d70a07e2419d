"""How everybody plays at a table of two: one probability an information set."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.banluck.engine.multisets import MULTISETS, Multiset, multiset_index
from croupier.banluck.solvers.hand_table import Flags, Floats


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

    def packed(self) -> "PackedPolicy":
        """Return a pure policy in an eighth of the memory."""
        return PackedPolicy(
            self.closed > 0.0,
            tuple(draw > 0.0 for draw in self.first_known),
            tuple(draw > 0.0 for draw in self.second_known),
        )


@dataclass(frozen=True, slots=True, eq=False)
class PackedPolicy:
    """A pure :class:`DealerPolicy`, as flags."""

    closed: Flags
    first_known: tuple[Flags, ...]
    second_known: tuple[Flags, ...]

    def unpacked(self) -> DealerPolicy:
        """Return the policy."""
        return DealerPolicy(
            self.closed.astype(np.float64),
            tuple(draw.astype(np.float64) for draw in self.first_known),
            tuple(draw.astype(np.float64) for draw in self.second_known),
        )


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
