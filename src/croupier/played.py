"""What a finished hand leaves behind for the player's own statistics: what it won, and the price of every decision in it.

A hand is split into three parts, all counted in bets:

- *worth*: what the cards were worth with best play when the player first had a choice;
- *mistakes*: what the player's decisions gave away on average;
- *luck*: everything else, which is what the cards did afterwards. Its average is zero.

A durak game counts in points above one half: a win is +½, a loss −½.
"""

from typing import Any, Literal

from pydantic import Field

from croupier.saved_state import Saved, SavedText, read_saved

GameName = Literal["banluck", "blackjack", "durak"]

#: Differences below this are no mistakes.
NO_MISTAKE = 1e-6


class PricedDecision(Saved):
    """One decision and its price.

    Attributes
    ----------
    chosen, best
        What was done, and what was best: names of actions.
    cost
        What the choice gave away on average, in bets.
    error
        The standard error of the cost where it was found by sampling; 0 where it is exact.
    """

    chosen: str
    best: str
    cost: float = Field(ge=0)
    error: float = Field(default=0.0, ge=0)

    @property
    def is_right(self) -> bool:
        """Whether nothing was better."""
        return self.cost <= NO_MISTAKE


class PlayedHand(Saved):
    """A finished hand, round or game.

    Attributes
    ----------
    game, key
        The game, and what tells the hand from all others of the visitor.
    setting
        By which rules or against whom it was played.
    stake, won
        The bet in money, and what the hand won, in bets.
    worth
        What the cards were worth at the first choice; None where decisions have no price (yet). Without a choice it is what was won.
    decisions
        The priced decisions.
    story
        The hand in one line.

    Examples
    --------
    >>> hit = PricedDecision(chosen="hit", best="stand", cost=0.04)
    >>> hand = PlayedHand(game="banluck", key="7/1", setting="reference", stake=5, won=-1, worth=-0.45, decisions=(hit,))
    >>> hand.cost, round(hand.luck, 2)
    (0.04, -0.51)
    >>> PlayedHand.from_data(hand.to_data()) == hand
    True
    """

    game: GameName
    key: str
    setting: str
    stake: float
    won: float
    worth: float | None
    decisions: tuple[PricedDecision, ...] = ()
    story: SavedText = ""

    @property
    def is_priced(self) -> bool:
        """Whether the decisions have prices."""
        return self.worth is not None

    @property
    def cost(self) -> float:
        """What the decisions gave away."""
        return sum(decision.cost for decision in self.decisions)

    @property
    def luck(self) -> float:
        """What the cards did after the first choice; 0 where nothing has a price."""
        return 0.0 if self.worth is None else self.won - self.worth + self.cost

    def to_data(self) -> dict[str, Any]:
        """Return it as JSON."""
        return self.model_dump(mode="json")

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> "PlayedHand":
        """Read it back."""
        return read_saved(cls, data, "not a played hand")
