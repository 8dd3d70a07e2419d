"""The coach: what a choice at the table costs.

The figures come from :class:`~croupier.banluck.play.strategies.PricedStrategies`, and hold for best play afterwards.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from croupier.banluck.analysis.action_prices import Prices
from croupier.banluck.analysis.phrases import OPENING
from croupier.banluck.engine import Action, ActionKind
from croupier.banluck.play.strategies import ACTION_WORDS

#: Differences below the solver's own tolerance are no mistakes.
NO_MISTAKE = 1e-6

#: Actions that take a card, or keep a hand: of two that are worth the same, the other one is advised.
_GOING_ON = (ActionKind.HIT, ActionKind.DRAW, ActionKind.KEEP)


@dataclass(frozen=True, slots=True)
class Judgement:
    """A choice and the best other one, in expected units of whoever decides; NaN where best play never gets there.

    Figures that were sampled have a standard error of their difference; exact ones have none.
    """

    chosen: str
    rejected: str
    worth: float
    rejected_worth: float
    error: float = 0.0

    @property
    def is_known(self) -> bool:
        """Whether there is anything to compare: best play of the other side lets the decision come up."""
        return not math.isnan(self.worth)

    @property
    def cost(self) -> float:
        """What the choice gives up, in units; 0 where sampling cannot tell (within two standard errors).

        >>> round(Judgement("hit", "stand", -0.48, -0.45).cost, 2), Judgement("hit", "stand", 0.2, 0.1).cost
        (0.03, 0.0)
        >>> Judgement("hit", "stand", -0.48, -0.45, error=0.02).cost
        0.0
        """
        given_up = self.rejected_worth - self.worth
        return given_up if self.is_known and given_up > max(0.0, 2 * self.error) else 0.0

    @property
    def is_close(self) -> bool:
        """Whether sampling cannot tell which of the two is better."""
        return NO_MISTAKE < abs(self.rejected_worth - self.worth) <= 2 * self.error

    @property
    def is_right(self) -> bool:
        """Whether nothing better was there, as far as the solver can tell."""
        return self.cost < NO_MISTAKE


def best_action(worth: Mapping[Action, float]) -> Action:
    """Return the action that is worth most.

    >>> best_action({Action(ActionKind.HIT, 0): -0.48, Action(ActionKind.STAND, 0): -0.45}).kind
    <ActionKind.STAND: 'stand'>
    """
    return max(worth, key=lambda action: (worth[action], action.kind not in _GOING_ON))


def judge(prices: Prices, action: Action) -> Judgement:
    """Compare an action with the best other one that was there.

    Examples
    --------
    >>> hit, stand = Action(ActionKind.HIT, 0), Action(ActionKind.STAND, 0)
    >>> judge(Prices({hit: -0.48, stand: -0.45}), hit)
    Judgement(chosen='hit', rejected='stand', worth=-0.48, rejected_worth=-0.45, error=0.0)
    """
    worth = prices.worth
    other = best_action({choice: units for choice, units in worth.items() if choice != action})
    is_one_of_several = sum(choice.kind is ActionKind.REVEAL for choice in worth) > 1
    chosen, rejected = (
        f"{OPENING}{choice.seat + 1}"
        if is_one_of_several and choice.kind is ActionKind.REVEAL and choice.seat is not None
        else ACTION_WORDS[choice.kind]
        for choice in (action, other)
    )
    return Judgement(chosen, rejected, worth[action], worth[other], prices.error)
