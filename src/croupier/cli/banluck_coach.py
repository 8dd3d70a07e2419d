"""A coach at the terminal table: what each action was worth, and what the choice cost."""

import math

from croupier.banluck.analysis.strategy_book import Advice, StrategyBook
from croupier.banluck.engine import Action, ActionKind, GameState, Phase
from croupier.banluck.engine.multisets import multiset_of
from croupier.banluck.solvers.choice import shown_to_dealer

_WORDS = {
    ActionKind.HIT: "hit",
    ActionKind.STAND: "stand",
    ActionKind.SURRENDER: "surrender",
    ActionKind.KEEP: "keep",
    ActionKind.DRAW: "draw",
    ActionKind.REVEAL: "reveal",
    ActionKind.DEALER_STAND: "stand",
}

#: Differences below the solver's own tolerance are no mistakes.
_NO_MISTAKE = 1e-6


class Coach:
    """Comments on a person's decisions, heads-up, by a pair of strategies."""

    def __init__(self, book: StrategyBook) -> None:
        self._book = book
        self.total_cost = 0.0

    def comment(self, state: GameState, action: Action) -> str:
        """Say what an action is worth against the alternative, and add its cost to the total."""
        advice = self._advice(state)
        word = _WORDS[action.kind]
        other = advice.stop if word == advice.go else advice.go
        chosen, rejected = advice.expected(word), advice.expected(other)
        if math.isnan(chosen):
            return "[dim]coach: best play of the other side never gets here, so there is nothing to compare[/dim]"
        cost = max(rejected - chosen, 0.0)
        self.total_cost += cost
        compared = f"{word} is worth {chosen:+.3f}, {other} {rejected:+.3f}"
        if cost < _NO_MISTAKE:
            return f"[green]coach: {compared}: right[/green]"
        return f"[yellow]coach: {compared}: {word} costs {cost:.3f}[/yellow]"

    def _advice(self, state: GameState) -> Advice:
        if state.turn is not None:
            return self._book.player_advice(multiset_of(state.seats[state.turn].cards))
        dealer = multiset_of(state.dealer_cards)
        if state.phase is Phase.SURRENDER:
            return self._book.surrender_advice(dealer, shown_to_dealer(state))
        return self._book.dealer_advice(dealer, len(state.seats[state.closed_seats[0]].cards))
