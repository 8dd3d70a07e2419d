"""Counterfactual regret minimisation on the exact game, to a certified interval for its value.

The four members of the family differ in how they keep regrets and weigh their average:

- ``cfr``: plain regrets, plain average (Zinkevich et al., NIPS 2007).
- ``cfr+``: regrets cut off at zero, average weighted by t (Tammelin, 2014).
- ``dcfr``: regrets discounted by sign with alpha = 3/2 and beta = 0, average weighted by t^2 (Brown & Sandholm, AAAI 2019).
- ``pcfr+``: ``cfr+`` that expects the last regret to come again, average weighted by t^2 (Farina et al., AAAI 2021).

All of them update the two sides in turn.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.algorithm import Algorithm
from croupier.banluck.solvers.best_response import certify_plans
from croupier.banluck.solvers.equilibrium import CurvePoint, Equilibrium, equilibrium_of_plans
from croupier.banluck.solvers.graph_kernels import action_values, add_regrets, match_regrets, plan_of_policy
from croupier.banluck.solvers.hand_table import Floats
from croupier.banluck.solvers.sequence_game import DecisionGraph, SequenceGame, sequence_game
from croupier.errors import InputError

REGRET_ALGORITHMS = (Algorithm.CFR, Algorithm.CFR_PLUS, Algorithm.DCFR, Algorithm.PCFR_PLUS)

_DCFR_ALPHA = 1.5
_DCFR_NEGATIVE = 0.5  # t^0 / (t^0 + 1): beta = 0

#: Best responses are taken at these iterations and then whenever a tenth more has been done.
_FIRST_CHECK = 16


@dataclass(slots=True, eq=False)
class SideState:
    """What a side carries from one iteration to the next."""

    regrets: Floats
    policy: Floats
    plan: Floats
    plan_sum: Floats

    @classmethod
    def started(cls, graph: DecisionGraph) -> "SideState":
        """Return a side that knows nothing: the uniform policy."""
        regrets, policy = np.zeros((graph.node_count, 2)), np.empty((graph.node_count, 2))
        match_regrets(regrets, graph.legal, policy)
        plan = np.empty(graph.sequence_count)
        plan_of_policy(policy, graph.first_link, graph.link_node, graph.link_count, plan)
        return cls(regrets, policy, plan, np.zeros(graph.sequence_count))


@dataclass(slots=True, eq=False)
class RegretRun:
    """A run of one algorithm on one rule set: everything that is needed to resume it."""

    game: SequenceGame
    algorithm: Algorithm
    player: SideState
    dealer: SideState
    iterations: int = 0
    weight_sum: float = 0.0
    seconds: float = 0.0
    curve: list[CurvePoint] = field(default_factory=list)

    @classmethod
    def started(cls, rules: BanluckRules, algorithm: Algorithm) -> "RegretRun":
        """Return a run before its first iteration."""
        if algorithm not in REGRET_ALGORITHMS:
            raise InputError(
                f"algorithm '{algorithm}' does not minimise regrets; choose {', '.join(REGRET_ALGORITHMS)}"
            )
        return cls.on(sequence_game(rules), algorithm)

    @classmethod
    def on(cls, game: SequenceGame, algorithm: Algorithm) -> "RegretRun":
        """Return a run on a game before its first iteration."""
        return cls(game, algorithm, SideState.started(game.player), SideState.started(game.dealer))

    @property
    def rules(self) -> BanluckRules:
        """The rules of the game."""
        return self.game.rules

    def iterate(self) -> None:
        """Update the player against the dealer's plan, then the dealer against the player's new one."""
        game = self.game
        self.iterations += 1
        weight = self._average_weight()
        self._update(game.player, self.player, game.player_gradient(self.dealer.plan))
        self._update(game.dealer, self.dealer, -game.dealer_gradient(self.player.plan))
        for side in (self.player, self.dealer):
            side.plan_sum += weight * side.plan
        self.weight_sum += weight

    def average_plans(self) -> tuple[Floats, Floats]:
        """Return the average plans of player and dealer: what converges to the equilibrium."""
        return self.player.plan_sum / self.weight_sum, self.dealer.plan_sum / self.weight_sum

    def check(self) -> CurvePoint:
        """Certify the averages so far and add the point to the curve."""
        certificate = certify_plans(self.game, *self.average_plans())
        point = CurvePoint(self.iterations, certificate.lower, certificate.upper, self.seconds)
        self.curve.append(point)
        return point

    def _update(self, graph: DecisionGraph, side: SideState, gradient: Floats) -> None:
        values = np.empty_like(side.regrets)
        action_values(gradient, side.policy, graph.first_link, graph.link_node, graph.link_count, values)
        keep_positive, keep_negative, floor = self._regret_rule()
        predicted = None
        if self.algorithm is Algorithm.PCFR_PLUS:
            predicted = values - (side.policy * values).sum(axis=1, keepdims=True)
        add_regrets(side.regrets, values, side.policy, keep_positive, keep_negative, floor)
        expected = side.regrets if predicted is None else side.regrets + predicted
        match_regrets(expected, graph.legal, side.policy)
        plan_of_policy(side.policy, graph.first_link, graph.link_node, graph.link_count, side.plan)

    def _regret_rule(self) -> tuple[float, float, float]:
        """Return what is kept of positive and of negative regrets, and the floor under them."""
        match self.algorithm:
            case Algorithm.CFR:
                return 1.0, 1.0, -np.inf
            case Algorithm.DCFR:
                grown = self.iterations**_DCFR_ALPHA
                return grown / (grown + 1.0), _DCFR_NEGATIVE, -np.inf
            case _:
                return 1.0, 1.0, 0.0

    def _average_weight(self) -> float:
        match self.algorithm:
            case Algorithm.CFR:
                return 1.0
            case Algorithm.CFR_PLUS:
                return float(self.iterations)
            case _:
                return float(self.iterations) ** 2


def solve_equilibrium(
    rules: BanluckRules,
    *,
    algorithm: Algorithm = Algorithm.PCFR_PLUS,
    tolerance: float = 1e-7,
    max_iterations: int = 1_000_000,
    run: RegretRun | None = None,
    on_check: Callable[[RegretRun], None] | None = None,
) -> Equilibrium:
    """Iterate until the certified interval is no wider than the tolerance.

    Parameters
    ----------
    run
        A run to resume; the result is the same as if it had never been interrupted.
    on_check
        Called after every certification, with the run so far (to show progress, or to save it).

    Examples
    --------
    >>> solution = solve_equilibrium(BanluckRules(), tolerance=1e-6)
    >>> solution.exploitability <= 1e-6, f"{solution.value:.5f}"
    (True, '-0.01189')
    """
    verify_tolerance(tolerance)
    run = run or RegretRun.started(rules, algorithm)
    started = time.perf_counter() - run.seconds
    while not _is_done(run, tolerance, max_iterations):
        run.iterate()
        if run.iterations == next_check(run):
            run.seconds = time.perf_counter() - started
            run.check()
            if on_check is not None:
                on_check(run)
    player_plan, dealer_plan = run.average_plans()
    return equilibrium_of_plans(
        rules,
        run.algorithm,
        player_plan,
        dealer_plan,
        tolerance=tolerance,
        iterations=run.iterations,
        seconds=time.perf_counter() - started,
        curve=tuple(run.curve),
    )


def verify_tolerance(tolerance: float) -> None:
    """Check that an interval can become as narrow as a tolerance.

    >>> verify_tolerance(0)
    Traceback (most recent call last):
        ...
    croupier.errors.InputError: tolerance 0: a tolerance is a number above 0, such as 1e-9
    """
    if not tolerance > 0:
        raise InputError(f"tolerance {tolerance}: a tolerance is a number above 0, such as 1e-9")


def next_check(run: RegretRun) -> int:
    """Return the iteration of the next best response: a function of the last one alone, so that a resumed run keeps it."""
    if not run.curve:
        return _FIRST_CHECK
    last = run.curve[-1].iteration
    return last + max(_FIRST_CHECK, last // 10)


def _is_done(run: RegretRun, tolerance: float, max_iterations: int) -> bool:
    if run.iterations >= max_iterations:
        return True
    return bool(run.curve) and run.curve[-1].iteration == run.iterations and run.curve[-1].width <= tolerance
