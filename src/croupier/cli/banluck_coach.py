"""A coach at the terminal table: what each action was worth, and what the choice cost."""

from croupier.banluck.analysis.coach import judge
from croupier.banluck.analysis.strategy_book import StrategyBook
from croupier.banluck.engine import Action, GameState


class Coach:
    """Comments on a person's decisions, heads-up, by a pair of strategies."""

    def __init__(self, book: StrategyBook) -> None:
        self._book = book
        self.total_cost = 0.0

    def comment(self, state: GameState, action: Action) -> str:
        """Say what an action is worth against the alternative, and add its cost to the total."""
        judgement = judge(self._book, state, action)
        if not judgement.is_known:
            return "[dim]coach: best play of the other side never gets here, so there is nothing to compare[/dim]"
        self.total_cost += judgement.cost
        word = judgement.chosen
        compared = (
            f"{word} is worth {judgement.worth:+.3f}, {judgement.rejected} {judgement.rejected_worth:+.3f}"
        )
        if judgement.is_right:
            return f"[green]coach: {compared}: right[/green]"
        return f"[yellow]coach: {compared}: {word} costs {judgement.cost:.3f}[/yellow]"
