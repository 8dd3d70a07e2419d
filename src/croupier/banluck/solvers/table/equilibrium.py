"""Solving a table of two: best replies to best replies, then mixing where these go round in circles.

There is no minimax value with three sides at the table. What is certified is an equilibrium within epsilon: with the strategies that
are returned, nobody can gain more by another one than ``gains`` and ``dealer_gain`` say, and these are exact.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.hand_table import Floats
from croupier.banluck.solvers.regret_minimisation import solve_equilibrium
from croupier.banluck.solvers.table.best_replies import CoreState
from croupier.banluck.solvers.table.dealer_states import COUNTS
from croupier.banluck.solvers.table.mixing import Mixing, mixed_core
from croupier.banluck.solvers.table.strategy import Information, SeatPlay, TableStrategy
from croupier.banluck.solvers.table.two_players import Certificate, TwoPlayerGame, named
from croupier.texts import say

_ROUNDS = 4
_SURRENDER_ROUNDS = 4

#: Told what is being done and how much the players could still gain.
Progress = Callable[[str, float], None]


@dataclass(frozen=True, slots=True, eq=False)
class TableRun:
    """How far a solve has come: enough to resume it as if it had not been stopped.

    Attributes
    ----------
    play, surrender
        How the seats play at this point, and how the dealer surrenders.
    surrenders, rounds
        How many surrenders were tried before this one, and rounds of best replies since.
    mixing
        How far mixing has come, if it has begun.
    """

    play: SeatPlay
    surrender: Floats
    surrenders: int = 0
    rounds: int = 0
    mixing: Mixing | None = None


#: Told how far a solve has come, whenever it could be resumed from there.
Keep = Callable[[TableRun], None]


@dataclass(frozen=True, slots=True, eq=False)
class TwoPlayerEquilibrium:
    """Strategies of two seats and the dealer, and the certificate that belongs to them.

    Attributes
    ----------
    rounds
        Rounds of best replies since the last change of the surrender; of a mixture, strategies tried.
    mixed
        How many pure strategies the dealer mixes while both players are in; 0 where best replies settled it.
    """

    rules: BanluckRules
    information: Information
    strategy: TableStrategy
    certificate: Certificate
    rounds: int
    mixed: int
    seconds: float


def solve_two_players(
    rules: BanluckRules,
    *,
    information: Information = "full",
    tolerance: float = 1e-6,
    progress: Progress | None = None,
    run: TableRun | None = None,
    keep: Keep | None = None,
) -> TwoPlayerEquilibrium:
    """Solve a table of two.

    Parameters
    ----------
    information
        What everybody decides on.
    tolerance
        What anybody may gain at most by a best reply, in units per hand.
    progress
        Told how far it is.
    run
        Where to resume.
    keep
        Told from where the solve could be resumed.
    """
    started = time.perf_counter()
    tell, keep = progress or _silently, keep or _forget
    tell(say("several.stage.sums"), math.nan)
    game = TwoPlayerGame(rules, information=information)
    heads_up = solve_equilibrium(rules, tolerance=1e-6, max_iterations=500)
    hit = np.round(heads_up.player.hit)
    run = run or _begun(game, hit, np.round(heads_up.dealer.surrender))
    while True:
        core = _replied(game, run, tolerance / 4, tell, keep)
        play = core.sums.play
        cases = game.known_cases(play)
        tell(say("several.stage.left", cases=len(cases)), core.gain)
        remaining = game.solve_remaining(hit, run.surrender, cases, tolerance / 4)
        best = game.best_surrender(core.dealer_values, play, remaining)
        if np.array_equal(best, run.surrender) or run.surrenders + 1 == _SURRENDER_ROUNDS:
            break
        run = TableRun(play, best, run.surrenders + 1)
    strategy = TableStrategy(play, core.policy, run.surrender, named(cases, remaining))
    tell(say("several.stage.certifying"), core.gain)
    certificate = game.certify(strategy)
    seconds = time.perf_counter() - started
    return TwoPlayerEquilibrium(rules, information, strategy, certificate, core.rounds, core.mixed, seconds)


def _begun(game: TwoPlayerGame, hit: Floats, surrender: Floats) -> TableRun:
    """Begin with the heads-up solution in both seats."""
    shown = _as_shown(surrender[game.table.dealer.hands]) * game.table.dealer.may_void[:, None, None]
    return TableRun(SeatPlay(hit, np.repeat(hit[None], COUNTS, axis=0)), shown)


def _replied(game: TwoPlayerGame, run: TableRun, tolerance: float, tell: Progress, keep: Keep) -> CoreState:
    """Let everybody reply until the seats gain no more than the tolerance, and mix if that never comes."""
    keep(run)
    core = CoreState.of(game.table, run.play, game.start(run.surrender), run.rounds)
    while core.gain > tolerance and core.rounds < _ROUNDS:
        tell(say("several.stage.replies"), core.gain)
        core = core.replied()
        run = replace(run, play=core.sums.play, rounds=core.rounds)
        keep(run)
    if core.gain <= tolerance:
        return core
    return mixed_core(core, run.mixing, tolerance, tell, lambda mixing: keep(replace(run, mixing=mixing)))


def _silently(stage: str, gain: float) -> None:
    """Tell nobody."""


def _forget(run: TableRun) -> None:
    """Keep nothing."""


def _as_shown(surrender: Floats) -> Floats:
    """Turn surrenders by what one player shows into surrenders by what two show: the better Ban hand counts."""
    better = np.maximum.outer(np.arange(surrender.shape[1]), np.arange(surrender.shape[1]))
    return surrender[:, better]
