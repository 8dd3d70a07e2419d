"""A person at the Banluck table in the terminal: shows the views of the table and reads the answers."""

from dataclasses import dataclass

from rich.console import Console
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table as Grid

from croupier.banluck.play.phrases import gain
from croupier.banluck.play.session import SMALLEST_BET
from croupier.banluck.play.table import BanluckTable
from croupier.banluck.solvers.opponent import Role
from croupier.cli.prompt import Left, Prompt

_COLOURS = {"win": "green", "loss": "red", "push": "yellow"}
_REMARK_COLOURS = {"right": "green", "mistake": "yellow", "unknown": "dim"}


@dataclass(slots=True)
class BanluckSession:
    """Hands played one after another by a person, as a player at the first seat or as the banker."""

    console: Console
    table: BanluckTable
    strategies: str = ""

    def run(self) -> None:
        """Play until the person leaves or the bankroll is gone; both end with the summary."""
        view = self.table.view
        self.console.print(f"You are the {view.role}. {view.table}. Seed {self.table.seed}.", highlight=False)
        self.console.print(
            "[dim]Answer with a word or its first letters; [b]history[/b] and [b]quit[/b] work everywhere.[/dim]"
        )
        try:
            while self.table.view.bankroll >= SMALLEST_BET:
                self._play_hand()
            self.console.print(f"[red]{self.table.view.prompt}[/red]")
        except (Left, KeyboardInterrupt, EOFError):
            self.console.print()
        self._show_history()

    def _play_hand(self) -> None:
        view = self.table.view
        self.console.rule(f"hand {view.number + 1}, bankroll {view.bankroll:g}")
        self.table.bet(self._ask_bet())
        self._show_strategies()
        told = self._show_table(0)
        while self.table.view.is_playing:
            words = {name.replace("-", " "): name for name in self.table.actions}
            self.table.act(self._prompt.choose(words))
            remark = self.table.view.remark
            if remark is not None:
                colour = _REMARK_COLOURS[remark.tone]
                self.console.print(f"[{colour}]coach: {escape(remark.text)}[/{colour}]", highlight=False)
            told = self._show_table(told)
        view = self.table.view
        colour = _COLOURS[view.outcome_tone]
        self.console.print(
            f"[{colour}]{view.outcome}.[/{colour}] Bankroll {view.bankroll:g}.", highlight=False
        )

    def _show_strategies(self) -> None:
        """Say by which strategies the others go, whenever that has changed."""
        strategies = self.table.view.strategies
        if strategies != self.strategies:
            self.strategies = strategies
            self.console.print(f"[dim]{strategies}[/dim]", highlight=False)

    def _show_table(self, told: int) -> int:
        """Tell what has happened since the person last looked, and show the cards; return how much has been told."""
        view = self.table.view
        for sentence in view.told[told:]:
            self.console.print(f"[dim]-[/dim] {sentence}", highlight=False)
        grid = Grid.grid(padding=(0, 2))
        for place in view.places:
            name = f"[bold green]{place.name}[/bold green]" if place.is_mine else place.name
            grid.add_row(name, str(place))
        self.console.print(Panel(grid, expand=False), highlight=False)
        return len(view.told)

    def _ask_bet(self) -> float:
        view = self.table.view
        if view.role is Role.DEALER:
            self._prompt.enter(f"each player bets {view.offered_bet:g}; [b]Enter[/b] deals")
            return view.offered_bet
        return self._prompt.number("your bet", view.offered_bet, SMALLEST_BET, view.bankroll)

    @property
    def _prompt(self) -> Prompt:
        return Prompt(self.console, self._show_history)

    def _show_history(self) -> None:
        view = self.table.view
        totals = view.totals
        if not totals.hands:
            self.console.print("No hand was played to its end.")
            return
        hands = f"{totals.hands} hand{'' if totals.hands == 1 else 's'}"
        shown = hands if totals.hands == len(view.history) else f"the last {len(view.history)} of {hands}"
        grid = Grid(title=f"{shown}, seed {self.table.seed}", title_justify="left")
        for column in ("hand", "bet", "won", "you" if view.role is Role.PLAYER else "players", "dealer", ""):
            grid.add_column(column, justify="right" if column in ("hand", "bet", "won") else "left")
        for record in view.history:
            figures = (f"{record.number}", f"{record.bet:g}", f"{record.won:+g}")
            grid.add_row(*figures, record.cards, record.dealer_cards, record.story)
        self.console.print(grid, highlight=False)
        self.console.print(f"{gain(totals.won)} in all. Bankroll {view.bankroll:g}.", highlight=False)
        if view.coach:
            self.console.print(f"Your choices cost {totals.cost:.3f} units.", highlight=False)
