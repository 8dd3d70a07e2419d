"""Everybody at a person's table but the person."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from croupier.banluck.engine import Action, BanluckRules, GameState
from croupier.banluck.solvers.choice import choose_action
from croupier.banluck.solvers.fixed import classic_dealer, stand_on
from croupier.banluck.solvers.strategy import DealerStrategy, PlayerStrategy
from croupier.numerics.streams import RandomStream

if TYPE_CHECKING:  # the solvers behind a solution are heavy, and a simple opponent needs none of them
    from croupier.banluck.solvers.equilibrium import Equilibrium


class Role(StrEnum):
    """The side that a person takes."""

    PLAYER = "player"
    DEALER = "dealer"


class OpponentName(StrEnum):
    """Who plays the other side."""

    SIMPLE = "simple"
    EQUILIBRIUM = "equilibrium"


@dataclass(frozen=True, slots=True)
class Opponent:
    """Everybody at the table but the person: what they are called and how they play."""

    name: str
    player: PlayerStrategy
    dealer: DealerStrategy

    @classmethod
    def simple(cls, rules: BanluckRules, role: Role) -> "Opponent":
        """Return the opponents of a first evening: the classic dealer, and players who stand on the minimum.

        >>> Opponent.simple(BanluckRules(), Role.PLAYER).name
        'the classic dealer'
        """
        name = "the classic dealer" if role is Role.PLAYER else "players who stand on the minimum"
        return cls(name, stand_on(rules.player_minimum, rules), classic_dealer(rules))

    @classmethod
    def equilibrium(cls, solution: "Equilibrium") -> "Opponent":
        """Return opponents who play as a solution does."""
        return cls("the equilibrium", solution.player, solution.dealer)

    def choose(self, state: GameState, stream: RandomStream) -> Action:
        """Choose an action for whoever is to move."""
        return choose_action(state, self.player, self.dealer, stream)
