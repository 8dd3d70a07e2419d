"""Best replies to best replies: both seats in the hand, and the dealer who answers them best."""

from dataclasses import dataclass

import numpy as np

from croupier.banluck.solvers.hand_table import Floats
from croupier.banluck.solvers.table.dealer_states import COUNTS
from croupier.banluck.solvers.table.seat_hands import SeatReply
from croupier.banluck.solvers.table.strategy import DealerPolicy, SeatPlay
from croupier.banluck.solvers.table.two_seats import DealerValues, SeatSums, SeatValues, TwoSeatGame


@dataclass(frozen=True, slots=True, eq=False)
class CoreState:
    """Both seats in the hand, with the dealer's best reply to them.

    Attributes
    ----------
    policy, dealer_values
        The dealer's best reply, and what it makes of the dealer's states.
    values
        What the seats' hands are worth against it.
    gain
        What the seats could gain together.
    reply
        Their best replies.
    rounds, mixed
        How many rounds of replies led here (of a mixture: how many strategies were tried), and how many the dealer mixes, if any.
    """

    table: TwoSeatGame
    start: Floats
    sums: SeatSums
    policy: DealerPolicy
    dealer_values: DealerValues
    values: SeatValues
    gain: float
    reply: SeatPlay
    rounds: int = 0
    mixed: int = 0

    @classmethod
    def of(
        cls,
        table: TwoSeatGame,
        play: SeatPlay,
        start: Floats,
        rounds: int = 0,
        near: SeatSums | None = None,
    ) -> "CoreState":
        """Let the dealer reply to two seats, and see what these could gain; sums of play near by save time."""
        sums = table.seat_sums(play, near)
        policy = table.uniform_policy()
        dealer_values = table.dealer_values(sums, policy, best=True)
        values = table.seat_values(sums, policy, start)
        gain, reply = seat_gain(table, values, play)
        return cls(table, start, sums, policy, dealer_values, values, gain, reply, rounds)

    def replied(self) -> "CoreState":
        """Let both seats play their best replies, and the dealer reply to those."""
        return CoreState.of(self.table, self.reply, self.start, self.rounds + 1)


def seat_gain(table: TwoSeatGame, values: SeatValues, play: SeatPlay) -> tuple[float, SeatPlay]:
    """Return what the seats could gain together by best replies, and these replies."""
    gain = 0.0
    stands = [values.first_stand, *values.second_stand]
    overs = [values.first_over, *values.second_over]
    replies = []
    for stand, over, hit in zip(stands, overs, [play.first, *play.second], strict=True):
        best = SeatReply.of(table.seats, stand, over, hit, best=True)
        gain += best.value - SeatReply.of(table.seats, stand, over, hit, best=False).value
        replies.append(best.hit)
    return gain, SeatPlay(replies[0], np.array(replies[1 : 1 + COUNTS]))
