"""How everybody plays at a table of two: one probability an information set."""

from collections.abc import Mapping
from dataclasses import dataclass

from croupier.banluck.engine.multisets import Multiset
from croupier.banluck.solvers.hand_table import Floats
from croupier.banluck.solvers.table.two_seats import DealerPolicy, SeatPlay


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
