"""Mixed equilibria of a table of two, where best replies go round in circles.

A few decisions of the seats keep changing. They get probabilities, and the dealer mixes among a pool of pure strategies: the best replies met so
far. Between the two this is a small game, linear in either side. The dealer is shown a point between its solution and the best point so
far, and the best reply joins the pool, until there is nothing left to gain: a double oracle (McMahan, Gordon & Blum, ICML 2003), with the
step of an in-out search (Ben-Ameur & Neto, Networks 2007), which keeps it from jumping from corner to corner.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from croupier.banluck.solvers.hand_table import Flags, Floats
from croupier.banluck.solvers.table.best_replies import CoreState, seat_gain
from croupier.banluck.solvers.table.dealer_mixture import crossed_values, mixture
from croupier.banluck.solvers.table.dealer_states import COUNTS
from croupier.banluck.solvers.table.seat_hands import SeatReply
from croupier.banluck.solvers.table.small_game import SmallSolution, solve_small_game
from croupier.banluck.solvers.table.strategy import DealerPolicy, PackedPolicy, SeatPlay
from croupier.banluck.solvers.table.two_seats import SeatSums, SeatValues, TwoSeatGame
from croupier.texts import say

_MAX_CUTS = 600
#: How far to go from the best point so far towards the solution of the small game, while that promises too much, and the part of the
#: gap by which it may be wrong before it does.
_STEP = 0.5
_TRUSTED = 0.1
#: Strategies of the dealer that are played less often than this are left out of a mixture.
_HARDLY_PLAYED = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """A pure strategy of the dealer, as the seats meet it: exact at one way to play of theirs, linear around it.

    Arrays have a row for the first seat and one for each card count of it that the second seat can meet; a column a multiset.

    Attributes
    ----------
    hit, mass
        How the seats played, and the masses of their hands.
    difference
        What a hit is worth to its own seat more than a stand, at each decision.
    slope
        What more hits would bring both seats together, as far as the dealer's strategy has a part in it.
    total
        What both seats earn, as far as the dealer's strategy has a part in it.
    """

    policy: PackedPolicy
    hit: Floats
    mass: Floats
    difference: Floats
    slope: Floats
    total: float

    @classmethod
    def of(
        cls, table: TwoSeatGame, sums: SeatSums, policy: DealerPolicy, values: SeatValues, start: Floats
    ) -> "Cut":
        """Meet a dealer's strategy, against which the seats' hands have these values."""
        crossed = crossed_values(table, sums, policy, start)
        hits = rows_of(sums.play)
        seats = table.seats
        stands = np.vstack((values.first_stand[None], values.second_stand))
        overs = np.vstack((values.first_over[None], values.second_over))
        without_busts = overs.copy()
        without_busts[:, seats.bust] = 0.0
        mass = np.array([seats.masses(hit) for hit in hits])
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
            slope[row] = mass[row] * together.difference
        return cls(policy.packed(), hits, mass, difference, slope, total)


@dataclass(frozen=True, slots=True, eq=False)
class Mixing:
    """How far mixing has come.

    Attributes
    ----------
    cuts
        The strategies of the dealer met so far, the first against the play from which mixing began.
    center
        Which of them was met at the best point so far.
    is_mixed
        The decisions that have probabilities.
    step
        How far to go towards the solution of the small game.
    """

    cuts: tuple[Cut, ...]
    center: int
    is_mixed: Flags
    step: float = _STEP

    @classmethod
    def begun(cls, core: CoreState) -> "Mixing":
        """Begin with a state from which best replies go round in circles."""
        cut = _cut(core)
        return cls((cut,), 0, np.zeros(cut.hit.shape, dtype=np.bool_))


def mixed_core(
    core: CoreState,
    mixing: Mixing | None,
    tolerance: float,
    tell: Callable[[str, float], None],
    keep: Callable[[Mixing], None],
) -> CoreState:
    """Mix until nobody gains more than the tolerance, or the pool is full; return the best that was met.

    Parameters
    ----------
    core
        A state from which best replies go round in circles.
    mixing
        How far mixing has come from there, if it was begun before.
    keep
        Told how far it is after every strategy.
    """
    table = core.table
    mixing = Mixing.begun(core) if mixing is None else mixing
    best = core
    center = core if mixing.center == 0 else _reply(core, mixing.cuts[mixing.center].hit)
    while True:
        keep(mixing)
        cuts, at_center = mixing.cuts, mixing.cuts[mixing.center]
        hit, small, is_mixed = _solved(cuts, at_center.hit, mixing.is_mixed, table)
        gap = small.bound - _earned(at_center, small, is_mixed)
        tell(say("several.stage.mixing", decisions=int(is_mixed.sum()), strategies=len(cuts)), gap)
        if gap <= tolerance / 2:
            mixed = _mixture_state(center, cuts, small.weights)
            best = min(best, mixed, key=lambda state: state.gain)
        if best.gain <= tolerance or len(cuts) >= _MAX_CUTS:
            return best
        hit[is_mixed] += (1.0 - mixing.step) * (at_center.hit - hit)[is_mixed]
        reply = _reply(core, hit)
        cut = _cut(reply)
        missing = min(_extrapolated(older, hit) for older in cuts) - cut.total
        step = 1.0 if missing <= _TRUSTED * gap else _STEP
        is_better = _earned(cut, small, is_mixed) >= _earned(at_center, small, is_mixed)
        center = reply if is_better else center
        mixing = Mixing((*cuts, cut), len(cuts) if is_better else mixing.center, is_mixed, step)


def _reply(core: CoreState, hit: Floats) -> CoreState:
    """Let the dealer reply to seats who play almost as in ``core``."""
    return CoreState.of(core.table, play_of(hit), core.start, near=core.sums)


def _earned(cut: Cut, small: SmallSolution, is_mixed: Flags) -> float:
    """Return what both seats earn against a strategy where it was met, less what the mixed decisions do to others."""
    return cut.total - float(small.shift @ cut.hit[is_mixed])


def _cut(core: CoreState) -> Cut:
    return Cut.of(core.table, core.sums, core.policy, core.values, core.start)


def _solved(
    cuts: Sequence[Cut], hit: Floats, is_mixed: Flags, table: TwoSeatGame
) -> tuple[Floats, SmallSolution, Flags]:
    """Solve the small game; decisions that would rather change join those that mix, until none does."""
    may = table.seats.acts & ~table.seats.must_hit
    differences = np.array([cut.difference for cut in cuts])
    mass = np.mean([cut.mass for cut in cuts], axis=0)
    while True:
        offsets = np.array([_extrapolated(cut, np.where(is_mixed, 0.0, hit)) for cut in cuts])
        slopes = np.array([cut.slope[is_mixed] for cut in cuts])
        small = solve_small_game(differences[:, is_mixed] * mass[is_mixed], offsets, slopes)
        found = hit.copy()
        found[is_mixed] = small.chances
        wanted = np.einsum("k,krm->rm", small.weights, differences) > 0.0
        masses = np.array([table.seats.masses(row) for row in found])
        turns = may & ~is_mixed & (np.abs(wanted - found) > 0.5)
        unreached = turns & (masses <= 0.0)
        found[unreached] = wanted[unreached]
        hit = found
        if not np.any(turns & ~unreached):
            return hit, small, is_mixed
        is_mixed = is_mixed | (turns & ~unreached)


def _extrapolated(cut: Cut, hit: Floats) -> float:
    return cut.total + float(np.sum(cut.slope * (hit - cut.hit)))


def _mixture_state(reply: CoreState, cuts: Sequence[Cut], weights: Floats) -> CoreState:
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
