"""Exact best responses: the most that either side can get against a given opponent.

They certify everything else: against the player's strategy the dealer can hold the player to ``lower``, against the
dealer's strategy the player can get ``upper``, and the value of the game lies between the two.
"""

from dataclasses import dataclass

from croupier.banluck.engine.rules import BanluckRules
from croupier.banluck.solvers.hand_table import Floats
from croupier.banluck.solvers.plans import (
    best_reply,
    dealer_policy,
    dealer_strategy,
    plan_of,
    player_policy,
    player_strategy,
)
from croupier.banluck.solvers.sequence_game import SequenceGame, sequence_game
from croupier.banluck.solvers.strategy import DealerStrategy, PlayerStrategy


@dataclass(frozen=True, slots=True)
class Certificate:
    """An interval that contains the value of the game, from a pair of strategies.

    Attributes
    ----------
    value
        What the player gets when both strategies meet, in units per hand.
    lower
        What the player gets at least with this strategy, whatever the dealer does.
    upper
        What the player gets at most against the dealer's strategy.
    """

    value: float
    lower: float
    upper: float

    @property
    def exploitability(self) -> float:
        """What the two sides together could gain by answering each other perfectly: upper minus lower."""
        return self.upper - self.lower


def best_player(dealer: DealerStrategy, rules: BanluckRules) -> tuple[float, PlayerStrategy]:
    """Return the most that a player can get against a dealer, and how.

    Examples
    --------
    >>> from croupier.banluck.solvers.fixed import classic_dealer
    >>> value, strategy = best_player(classic_dealer(BanluckRules()), BanluckRules())
    >>> f"{value:.6f}"
    '0.012375'
    """
    game = sequence_game(rules)
    gradient = game.player_gradient(plan_of(game.dealer, dealer_policy(game, dealer)))
    value, policy = best_reply(game.player, gradient)
    return value, player_strategy(game, policy)


def best_dealer(player: PlayerStrategy, rules: BanluckRules) -> tuple[float, DealerStrategy]:
    """Return the least to which a dealer can hold a player, and how.

    Examples
    --------
    >>> from croupier.banluck.solvers.fixed import stand_on
    >>> value, strategy = best_dealer(stand_on(16, BanluckRules()), BanluckRules())
    >>> f"{value:.6f}"
    '-0.040486'
    """
    game = sequence_game(rules)
    gradient = game.dealer_gradient(plan_of(game.player, player_policy(game, player)))
    value, policy = best_reply(game.dealer, -gradient)
    return -value, dealer_strategy(game, policy)


def certify(player: PlayerStrategy, dealer: DealerStrategy, rules: BanluckRules) -> Certificate:
    """Return what a pair of strategies is worth, and the interval that it proves for the game.

    Examples
    --------
    >>> from croupier.banluck.solvers.fixed import classic_dealer, stand_on
    >>> certificate = certify(stand_on(16, BanluckRules()), classic_dealer(BanluckRules()), BanluckRules())
    >>> certificate.lower < certificate.value < certificate.upper
    True
    """
    game = sequence_game(rules)
    player_plan = plan_of(game.player, player_policy(game, player))
    dealer_plan = plan_of(game.dealer, dealer_policy(game, dealer))
    return certify_plans(game, player_plan, dealer_plan)


def certify_plans(game: SequenceGame, player_plan: Floats, dealer_plan: Floats) -> Certificate:
    """Certify a pair of plans, as :func:`certify` does a pair of strategies."""
    gradient = game.player_gradient(dealer_plan)
    upper, _ = best_reply(game.player, gradient)
    negated_lower, _ = best_reply(game.dealer, -game.dealer_gradient(player_plan))
    return Certificate(float(player_plan @ gradient), -negated_lower, upper)
