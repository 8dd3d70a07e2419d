"""A coach at the terminal table: says what each action is worth, and what the choice cost."""

from collections.abc import Sequence

from croupier.blackjack.engine import Action, BlackjackRules, Session
from croupier.blackjack.play.coach import Advice, advise, verify_advise


class Coach:
    """Prices a person's decisions exactly, from all cards that the person has seen in this shoe."""

    def __init__(self, rules: BlackjackRules) -> None:
        verify_advise(rules)
        self.total_cost = 0.0

    def comment(self, session: Session, action: Action, legal: Sequence[Action]) -> str:
        """Say what an action is worth against the others, in bets, and add its cost to the total."""
        advice = advise(session, legal)
        cost = advice.cost(action.kind)
        self.total_cost += cost
        colour = "yellow" if cost > 0 else "green"
        return f"[{colour}]coach: {_verdict(advice, action.kind, cost)}[/{colour}]"


def _verdict(advice: Advice, name: str, cost: float) -> str:
    if "insure" in advice.worths:
        verdict = f"your choice costs {cost:.3f}" if cost > 0 else "right"
        return f"insurance is worth {advice.worths['insure']:+.3f} bets: {verdict}"
    ranked = sorted(advice.worths.items(), key=lambda entry: -entry[1])
    worths = ", ".join(f"{word} {worth:+.3f}" for word, worth in ranked)
    return f"{worths}: {name} costs {cost:.3f}" if cost > 0 else f"{worths}: right"
