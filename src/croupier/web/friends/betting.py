"""The bets before a hand: who has made one, who sits out, and for whom everybody waits."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from croupier.web.friends.seats import Holder, Seats

#: What somebody bets who has not bet yet, in cents.
FIRST_BET = 500


@dataclass(frozen=True, slots=True)
class Bets:
    """The bets of the next hand, by seat, in cents.

    Attributes
    ----------
    placed
        The bets that were made; 0 for a seat that sits out.
    usual
        What each seat has bet last, and is offered again.
    first
        What is offered to a seat that has never bet.

    Examples
    --------
    >>> from croupier.web.friends.seats import Seat
    >>> seats = (Seat("Ann"), Seat("Ben"), Seat("Engine 1", Holder.ENGINE))
    >>> bets = Bets().with_bet(0, 200).sitting_out(1)
    >>> bets.of(0, seats), bets.of(1, seats), bets.of(2, seats)
    (200, 0, 500)
    """

    placed: Mapping[int, int] = field(default_factory=dict)
    usual: Mapping[int, int] = field(default_factory=dict)
    first: int = FIRST_BET

    def offered(self, seat: int) -> int:
        """Return what a seat bets if it says nothing else."""
        return self.usual.get(seat, self.first)

    def of(self, seat: int, seats: Seats) -> int | None:
        """Return what a seat has bet, 0 if it sits out, None if it is still asked; engines bet at once."""
        if not seats[seat].is_dealt:
            return 0
        if seats[seat].holder is Holder.ENGINE:
            return self.placed.get(seat) or self.offered(seat)
        return self.placed.get(seat)

    def awaited(self, seats: Seats, *, besides: int | None = None) -> list[int]:
        """Return the seats that are still asked for a bet."""
        return [seat for seat in range(len(seats)) if seat != besides and self.of(seat, seats) is None]

    def with_bet(self, seat: int, cents: int) -> "Bets":
        """Note a bet."""
        return replace(self, placed={**self.placed, seat: cents}, usual={**self.usual, seat: cents})

    def sitting_out(self, seat: int) -> "Bets":
        """Note that a seat sits out, until it bets again."""
        return replace(self, placed={**self.placed, seat: 0})

    def is_out(self, seat: int) -> bool:
        """Say whether a seat sits out."""
        return self.placed.get(seat) == 0

    def next_hand(self) -> "Bets":
        """Ask again, but for those who sit out."""
        return replace(self, placed={seat: 0 for seat, cents in self.placed.items() if cents == 0})
