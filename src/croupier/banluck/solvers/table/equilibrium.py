"""Solving a table of two: best replies to best replies, then mixing where these go round in circles.

There is no minimax value with three sides at the table. What is certified is an equilibrium within epsilon: with the strategies that
are returned, nobody can gain more by another one than ``gains`` and ``dealer_gain`` say, and these are exact.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.hand_table import Floats
from croupier.banluck.solvers.regret_minimisation import solve_equilibrium
from croupier.banluck.solvers.table.best_replies import CoreState
from croupier.banluck.solvers.table.dealer_states import COUNTS
from croupier.banluck.solvers.table.mixing import mixed_core
from croupier.banluck.solvers.table.strategy import SeatPlay, TableStrategy
from croupier.banluck.solvers.table.two_players import Certificate, TwoPlayerGame, named

_ROUNDS = 4
_SURRENDER_ROUNDS = 4

#: Told what is being done and how much the players could still gain.
Progress = Callable[[str, float], None]


@dataclass(frozen=True, slots=True, eq=False)
class TwoPlayerEquilibrium:
    """Strategies of two seats and the dealer, and the certificate that belongs to them.

    Attributes
    ----------
    rounds
        Rounds of best replies.
    mixed
        How many pure strategies the dealer mixes while both players are in; 0 where best replies settled it.
    """

    rules: BanluckRules
    strategy: TableStrategy
    certificate: Certificate
    rounds: int
    mixed: int
    seconds: float


def solve_two_players(
    rules: BanluckRules, *, tolerance: float = 1e-6, progress: Progress | None = None
) -> TwoPlayerEquilibrium:
    """Solve a table of two.

    Parameters
    ----------
    tolerance
        What anybody may gain at most by a best reply, in units per hand.
    progress
        Told how far it is.
    """
    started = time.perf_counter()
    tell = progress or _silently
    tell("preparing sums", math.nan)
    game = TwoPlayerGame(rules)
    heads_up = solve_equilibrium(rules, tolerance=1e-6, max_iterations=500)
    hit = np.round(heads_up.player.hit)
    surrender = _as_shown(np.round(heads_up.dealer.surrender)[game.table.dealer.hands])
    surrender *= game.table.dealer.may_void[:, None, None]
    play = SeatPlay(hit, np.repeat(hit[None], COUNTS, axis=0))
    rounds = 0
    for _ in range(_SURRENDER_ROUNDS):
        core = _replied(CoreState.of(game.table, play, game.start(surrender)), tolerance / 4, tell)
        rounds, play = rounds + core.rounds, core.sums.play
        busts = game.reached_busts(play)
        tell(f"one player left, {len(busts)} busts", core.gain)
        remaining = game.solve_remaining(hit, surrender, busts, tolerance / 4)
        best = game.best_surrender(core.dealer_values, play, remaining)
        if np.array_equal(best, surrender):
            break
        surrender = best
    certificate = game.certificate(core.sums, core.values, core.policy, surrender, remaining)
    strategy = TableStrategy(play, core.policy, surrender, named(remaining))
    return TwoPlayerEquilibrium(
        rules, strategy, certificate, rounds, core.mixed, time.perf_counter() - started
    )


def _replied(core: CoreState, tolerance: float, tell: Progress) -> CoreState:
    """Let everybody reply until the seats gain no more than the tolerance, and mix if that never comes."""
    while core.gain > tolerance and core.rounds < _ROUNDS:
        tell("best replies", core.gain)
        core = core.replied()
    return core if core.gain <= tolerance else mixed_core(core, tolerance, tell)


def _silently(stage: str, gain: float) -> None:
    """Tell nobody."""


def _as_shown(surrender: Floats) -> Floats:
    """Turn surrenders by what one player shows into surrenders by what two show: the better Ban hand counts."""
    better = np.maximum.outer(np.arange(surrender.shape[1]), np.arange(surrender.shape[1]))
    return surrender[:, better]
