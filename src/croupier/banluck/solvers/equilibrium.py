"""A solved rule set: both strategies, and the interval that they prove for the value of the game."""

from dataclasses import dataclass
from typing import Any

from croupier import __version__
from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.algorithm import Algorithm
from croupier.banluck.solvers.best_response import certify
from croupier.banluck.solvers.hand_table import Floats
from croupier.banluck.solvers.plans import dealer_strategy, player_strategy, policy_of_plan
from croupier.banluck.solvers.sequence_game import sequence_game
from croupier.banluck.solvers.strategy import DealerStrategy, PlayerStrategy


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The certified interval after some iterations."""

    iteration: int
    lower: float
    upper: float
    seconds: float

    @property
    def width(self) -> float:
        """The exploitability: upper minus lower."""
        return self.upper - self.lower


@dataclass(frozen=True, slots=True, eq=False)
class Equilibrium:
    """An equilibrium to within its exploitability, in units per hand from the player's side.

    Attributes
    ----------
    value
        The middle of the certified interval, at most half the exploitability away from the true value.
    lower, upper
        What the player gets at least with ``player``, and at most against ``dealer``: the value lies between.
    """

    rules: BanluckRules
    algorithm: Algorithm
    player: PlayerStrategy
    dealer: DealerStrategy
    lower: float
    upper: float
    tolerance: float
    iterations: int
    seconds: float
    curve: tuple[CurvePoint, ...]
    version: str = __version__

    @property
    def value(self) -> float:
        """The value of the game, in units per hand."""
        return (self.lower + self.upper) / 2

    @property
    def exploitability(self) -> float:
        """What both sides together give away at most: upper minus lower, down to rounding."""
        return max(self.upper - self.lower, 0.0)

    @property
    def converged(self) -> bool:
        """Whether the interval is as narrow as was asked for."""
        return self.exploitability <= self.tolerance

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain JSON data; strategies are exported as tables."""
        return {
            "value": self.value,
            "lower": self.lower,
            "upper": self.upper,
            "exploitability": self.exploitability,
            "tolerance": self.tolerance,
            "converged": self.converged,
            "iterations": self.iterations,
            "seconds": self.seconds,
            "algorithm": self.algorithm.value,
            "curve": [
                {
                    "iteration": point.iteration,
                    "lower": point.lower,
                    "upper": point.upper,
                    "seconds": point.seconds,
                }
                for point in self.curve
            ],
            "rules": self.rules.model_dump(mode="json"),
            "version": self.version,
        }

    def __str__(self) -> str:
        return (
            f"value {self.value:+.9f} units/hand, certified in [{self.lower:+.9f}, {self.upper:+.9f}], "
            f"exploitability {self.exploitability:.1e} ({self.algorithm}, {self.iterations} iterations, {self.seconds:.2f} s)"
        )


def equilibrium_of_plans(
    rules: BanluckRules,
    algorithm: Algorithm,
    player_plan: Floats,
    dealer_plan: Floats,
    *,
    tolerance: float,
    iterations: int,
    seconds: float,
    curve: tuple[CurvePoint, ...] = (),
) -> Equilibrium:
    """Turn plans into strategies and certify these, whatever the solver believed of its plans."""
    game = sequence_game(rules)
    player = player_strategy(
        game, policy_of_plan(game.player, player_plan, game.player_gradient(dealer_plan))
    )
    dealer = dealer_strategy(
        game, policy_of_plan(game.dealer, dealer_plan, -game.dealer_gradient(player_plan))
    )
    certificate = certify(player, dealer, rules)
    return Equilibrium(
        rules,
        algorithm,
        player,
        dealer,
        certificate.lower,
        certificate.upper,
        tolerance,
        iterations,
        seconds,
        curve,
    )
