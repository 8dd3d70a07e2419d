"""Mixed equilibria of a table of two, where best replies go round in circles.

A few decisions of the seats keep changing. They get probabilities, and the dealer mixes among a pool of pure strategies: the best replies met so
far. Between the two this is a small game, linear in either side. Its solution is shown to the dealer, whose best reply joins the
pool, until there is nothing left to gain (a double oracle; McMahan, Gordon & Blum, ICML 2003).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from croupier.banluck.solvers.hand_table import Flags, Floats
from croupier.banluck.solvers.table.best_replies import CoreState, seat_gain
from croupier.banluck.solvers.table.dealer_mixture import crossed_values, mixture
from croupier.banluck.solvers.table.dealer_states import COUNTS
from croupier.banluck.solvers.table.seat_hands import SeatReply
from croupier.banluck.solvers.table.small_game import solve_small_game
from croupier.banluck.solvers.table.strategy import DealerPolicy, PackedPolicy, SeatPlay
from croupier.banluck.solvers.table.two_seats import SeatSums, TwoSeatGame

_MAX_CUTS = 150
#: Strategies of the dealer that are played less often than this are left out of a mixture.
_HARDLY_PLAYED = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """A pure strategy of the dealer, as the seats meet it: exact at one way to play of theirs, linear around it.

    Arrays have a row for the first seat and one for each card count of it that the second seat can meet; a column a multiset.

    Attributes
    ----------
    hit
        How the seats played.
    difference
        What a hit is worth to its own seat more than a stand, at each decision.
    slope
        What more hits would bring both seats together, as far as the dealer's strategy has a part in it.
    total
        What both seats earn, as far as the dealer's strategy has a part in it.
    """

    policy: PackedPolicy
    hit: Floats
    difference: Floats
    slope: Floats
    total: float

    @classmethod
    def of(cls, table: TwoSeatGame, sums: SeatSums, policy: DealerPolicy, start: Floats) -> "Cut":
        """Meet a dealer's strategy."""
        values = table.seat_values(sums, policy, start)
        crossed = crossed_values(table, sums, policy, start)
        hits = rows_of(sums.play)
        seats = table.seats
        stands = np.vstack((values.first_stand[None], values.second_stand))
        overs = np.vstack((values.first_over[None], values.second_over))
        without_busts = overs.copy()
        without_busts[:, seats.bust] = 0.0
        difference, slope, total = np.zeros_like(hits), np.zeros_like(hits), 0.0
        for row, hit in enumerate(hits):
            difference[row] = SeatReply.of(seats, stands[row], overs[row], hit, best=False).difference
            total += SeatReply.of(seats, stands[row], without_busts[row], hit, best=False).value
            together = SeatReply.of(
                seats,
                stands[row] + crossed[row],
                without_busts[row] + np.where(seats.acts, 0.0, crossed[row]),
                hit,
                best=False,
            )
            slope[row] = seats.masses(hit) * together.difference
        return cls(policy.packed(), hits, difference, slope, total)


def mixed_core(core: CoreState, tolerance: float, tell: Callable[[str, float], None]) -> CoreState:
    """Mix until nobody gains more than the tolerance, or the pool is full; return the best that was met.

    Parameters
    ----------
    core
        A state from which best replies go round in circles.
    """
    table, start = core.table, core.start
    hit = rows_of(core.sums.play)
    is_mixed = np.zeros(hit.shape, dtype=np.bool_)
    cuts: list[Cut] = []
    best = core
    cut = Cut.of(table, core.sums, core.policy, start)
    for _ in range(_MAX_CUTS):
        cuts.append(cut)
        hit, weights, is_mixed = _solved(cuts, hit, is_mixed, table)
        reply = CoreState.of(table, play_of(hit), start)
        cut = Cut.of(table, reply.sums, reply.policy, start)
        gap = min(_extrapolated(older, hit) for older in cuts) - cut.total
        tell(f"mixing {int(is_mixed.sum())} decisions against {len(cuts)} strategies", gap)
        if gap <= tolerance / 2:
            mixed = _mixture_state(reply, cuts, weights)
            if mixed.gain < best.gain:
                best = mixed
            if best.gain <= tolerance:
                break
    return best


def _solved(
    cuts: list[Cut], hit: Floats, is_mixed: Flags, table: TwoSeatGame
) -> tuple[Floats, Floats, Flags]:
    """Solve the small game; decisions that would rather change join those that mix, until none does."""
    may = table.seats.acts & ~table.seats.must_hit
    while True:
        places = np.nonzero(is_mixed)
        offsets = np.array([_extrapolated(cut, np.where(is_mixed, 0.0, hit)) for cut in cuts])
        slopes = np.array([cut.slope[places] for cut in cuts])
        differences = np.array([cut.difference[places] for cut in cuts])
        chances, weights = solve_small_game(differences, offsets, slopes, hit[places])
        found = hit.copy()
        found[places] = chances
        wanted = np.einsum("k,krm->rm", weights, np.array([cut.difference for cut in cuts]))
        masses = np.array([table.seats.masses(row) for row in found])
        turns = may & ~is_mixed & (np.abs((wanted > 0.0) - found) > 0.5)
        found[turns & (masses <= 0.0)] = (wanted > 0.0)[turns & (masses <= 0.0)]
        hit = found
        if not np.any(turns & (masses > 0.0)):
            return hit, weights, is_mixed
        is_mixed = is_mixed | (turns & (masses > 0.0))


def _extrapolated(cut: Cut, hit: Floats) -> float:
    return cut.total + float(np.sum(cut.slope * (hit - cut.hit)))


def _mixture_state(reply: CoreState, cuts: list[Cut], weights: Floats) -> CoreState:
    """Return the state in which the dealer mixes the pool instead of replying best."""
    table, start, sums = reply.table, reply.start, reply.sums
    played = [
        (cut.policy, weight) for cut, weight in zip(cuts, weights, strict=True) if weight > _HARDLY_PLAYED
    ]
    policy = mixture(
        table, [policy for policy, _ in played], [weight for _, weight in played], reply.policy, start
    )
    values = table.seat_values(sums, policy, start)
    gain, replies = seat_gain(table, values, sums.play)
    as_played = table.dealer_values(sums, policy)
    dealer_gain = float(start @ (as_played.value - reply.dealer_values.value))
    return replace(
        reply,
        policy=policy,
        rounds=len(cuts),
        values=values,
        gain=max(gain, dealer_gain),
        reply=replies,
        mixed=len(played),
    )


def rows_of(play: SeatPlay) -> Floats:
    """Return both seats' hits as rows: the first seat's, then the second's by the first one's card count."""
    return np.vstack((play.first[None], play.second))


def play_of(rows: Floats) -> SeatPlay:
    """Return the play of such rows."""
    return SeatPlay(rows[0].copy(), rows[1 : 1 + COUNTS].copy())
