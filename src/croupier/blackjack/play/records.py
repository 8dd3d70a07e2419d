"""What a table writes down: every choice with its price, every round, and the totals of the session."""

from dataclasses import dataclass, replace

from croupier.blackjack.play.phrases import way_phrase
from croupier.choices import JudgedChoices, reason
from croupier.numerics.numbers import signed
from croupier.saved_state import SavedText
from croupier.texts import say


@dataclass(frozen=True, slots=True)
class Feedback:
    """What the coach says of the last choice.

    Attributes
    ----------
    action, worths
        What was chosen, and what everything was worth, in initial bets.
    cost
        What the choice gave away, in initial bets.
    bet
        The initial bet.
    hand, bust
        The total that was held, and the chance that the next card would have bust it; empty and None before the turns.
    """

    action: str
    worths: dict[str, float]
    cost: float
    bet: float
    hand: SavedText = ""
    bust: float | None = None

    @property
    def why(self) -> str:
        """The reason in one sentence; empty where there was only one thing to do."""
        if len(self.worths) < 2:
            return ""
        return reason(self.worths, unit="bets", hand=self.hand, bust=self.bust)

    @property
    def is_right(self) -> bool:
        """Whether nothing was better."""
        return self.cost <= 0

    @property
    def verdict(self) -> str:
        """Whether the choice was right, or what it cost."""
        if self.is_right:
            return say("blackjack.feedback.right", action=way_phrase(self.action))
        return say(
            "blackjack.feedback.cost",
            action=way_phrase(self.action),
            cost=self.cost,
            money=self.cost * self.bet,
        )

    def __str__(self) -> str:
        ranked = sorted(self.worths.items(), key=lambda entry: -entry[1])
        worths = ", ".join(f"{name} {signed(worth, 4)}" for name, worth in ranked)
        return f"{self.verdict}: {worths}"


@dataclass(frozen=True, slots=True)
class PricedChoice:
    """A choice of the round on the table: whose, for which bet, what it was and what was best, in initial bets of its seat.

    Where the rules have no exact values, ``best`` is empty.
    """

    seat: int
    bet: float
    chosen: str
    best: str = ""
    best_worth: float = 0.0
    cost: float = 0.0

    @property
    def is_priced(self) -> bool:
        """Whether it has a price."""
        return bool(self.best)


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """One finished round: all that was bet in it, what it won, and what its mistakes cost on average, in money."""

    number: int
    bet: float
    won: float
    cost: float
    hands: SavedText
    dealer: SavedText


@dataclass(frozen=True, slots=True)
class Statistics(JudgedChoices):
    """The totals of a session, in money.

    Attributes
    ----------
    rounds, staked, won
        Rounds played to their end, all that was bet in them, and what they won.
    """

    rounds: int = 0
    staked: float = 0.0
    won: float = 0.0

    def judged(self, feedback: Feedback) -> "Statistics":
        """Return the totals with another choice that was priced."""
        return self.with_choice(is_right=feedback.is_right, cost=feedback.cost * feedback.bet)

    def with_round(self, record: RoundRecord) -> "Statistics":
        """Return the totals with another finished round."""
        return replace(
            self,
            rounds=record.number,
            staked=round(self.staked + record.bet, 2),
            won=round(self.won + record.won, 2),
        )


NO_ROUNDS = Statistics()
