"""How everybody plays at a table of any number of players, deciding on card counts: one probability an information set."""

from dataclasses import dataclass

from croupier.banluck.solvers.hand_table import Floats
from croupier.banluck.solvers.table.counts_dealer import CountsPolicy
from croupier.banluck.solvers.table.dealt_hands import first_rows


@dataclass(frozen=True, slots=True, eq=False)
class CountsStrategy:
    """The strategies of all seats and the dealer.

    Attributes
    ----------
    players
        How many players are seated.
    hit
        How often a seat hits each multiset: a row for each seat and for how many earlier seats are closed with two cards and with more
        (:func:`~croupier.banluck.solvers.table.dealt_hands.first_rows`).
    dealer
        The dealer, who knows the card counts of the closed hands.
    """

    players: int
    hit: Floats
    dealer: CountsPolicy

    def arrays(self) -> dict[str, Floats]:
        """Return everything as named arrays, to be saved."""
        return {"hit": self.hit, "closed": self.dealer.closed, "surrender": self.dealer.surrender}

    def rows_of(self, seat: int) -> slice:
        """Return the rows of one seat (0 is the first)."""
        first = first_rows(self.players)
        return slice(int(first[seat]), int(first[seat + 1]))

    def seat_hits(self, seat: int, two_cards: int, more_cards: int) -> Floats:
        """Return how often a seat hits each multiset, by the earlier seats closed with two cards and with more."""
        row: Floats = self.hit[first_rows(self.players)[seat] + two_cards * (seat + 1) + more_cards]
        return row
