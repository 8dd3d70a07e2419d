"""A person at the blackjack table in the terminal: shows the views of the table and reads the answers."""

from dataclasses import dataclass

from rich.console import Console
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table as Grid

from croupier.blackjack.engine import NO_SIDE_BETS, SideBets
from croupier.blackjack.engine.side_bets import SIDE_BETS
from croupier.blackjack.play.phrases import gained, money, rules_summary, signed_money
from croupier.blackjack.play.table import BlackjackTable
from croupier.cli.prompt import Left, Prompt
from croupier.errors import InputError


@dataclass(slots=True)
class BlackjackSession:
    """Rounds played one after another by a person who plays all hands of the table."""

    console: Console
    table: BlackjackTable
    seed: int
    hands: int = 1
    usual_bet: float = 5
    side_bets: SideBets = NO_SIDE_BETS

    def run(self) -> None:
        """Play until the person leaves or cannot bet any more; both end with the summary."""
        self.console.print(
            f"Blackjack, seed {self.seed}: {rules_summary(self.table.view.rules)}.", highlight=False
        )
        self.console.print(
            "[dim]Answer with a word, its first letters or its marked letter; [b]history[/b] and [b]quit[/b] work everywhere.[/dim]"
        )
        try:
            while self._largest_bet() >= self.table.view.rules.minimum_bet:
                self._play_round()
            bets = "smallest bet and the side bets" if self.side_bets.total else "smallest bet"
            self.console.print(f"[red]Your bankroll does not cover the {bets} any more.[/red]")
        except (Left, KeyboardInterrupt, EOFError):
            self.console.print()
        self._show_history()

    def _play_round(self) -> None:
        view = self.table.view
        if view.note:
            self.console.print(f"[dim]{view.note}[/dim]")
        self.console.rule(f"round {view.statistics.rounds + 1}, bankroll {money(view.bankroll)}")
        self._bet()
        self._show_table()
        while not self.table.view.is_betting:
            self._choose()
            self._show_table()
        view = self.table.view
        won = view.history[-1].won
        colour = "green" if won > 0 else "red" if won < 0 else "yellow"
        self.console.print(
            f"[{colour}]{view.prompt}[/{colour}] Bankroll {money(view.bankroll)}.", highlight=False
        )

    def _bet(self) -> None:
        """Ask for a bet until the table takes it."""
        question = "your bet" if self.hands == 1 else f"your bet on each of {self.hands} hands"
        smallest, largest = self.table.view.rules.minimum_bet, self._largest_bet()
        if told := self._side_values():
            self.console.print(f"[dim]coach: {told}[/dim]", highlight=False)
        while True:
            usual = min(max(self.usual_bet, smallest), largest)
            bet = self._prompt.number(question, usual, smallest, largest)
            try:
                self.table.bet(*[bet] * self.hands, side_bets=self.side_bets)
            except InputError as error:
                self.console.print(f"{error}.", markup=False)
            else:
                return

    def _side_values(self) -> str:
        """Say what the coach thinks of the side bets that are made every round."""
        values, amounts = self.table.view.side_values, self.side_bets.amounts
        return ", ".join(
            f"a unit on {bet.name} is worth {values[bet.key]:+.2%}"
            for bet in SIDE_BETS
            if amounts[bet.key] and bet.key in values
        )

    def _choose(self) -> None:
        """Ask for one of the choices that can be paid, make it, and say what the coach thinks of it."""
        view = self.table.view
        if view.note:
            self.console.print(f"[dim]{view.note}[/dim]")
        if (
            len(view.seats) > 1
            or len(view.seats[0].hands) > 1
            or view.choices[0].name in ("insure", "surrender")
        ):
            self.console.print(view.prompt, highlight=False)
        choices = [choice for choice in view.choices if choice.enabled]
        self.table.act(self._prompt.pick(choices).name)
        feedback = self.table.view.feedback
        if feedback is not None:
            colour = "green" if feedback.is_right else "yellow"
            self.console.print(f"[{colour}]coach: {escape(str(feedback))}[/{colour}]", highlight=False)

    def _show_table(self) -> None:
        view = self.table.view
        for event in view.events:
            self.console.print(f"[dim]-[/dim] {event}", highlight=False)
        grid = Grid.grid(padding=(0, 2))
        for name, line in view.lines():
            grid.add_row(name if name == "dealer" else f"[bold green]{name}[/bold green]", line)
        self.console.print(Panel(grid, expand=False))

    def _largest_bet(self) -> float:
        return self.table.largest_bet(self.hands, self.side_bets)

    def _show_history(self) -> None:
        view = self.table.view
        totals = view.statistics
        if not totals.rounds:
            self.console.print("No round was played to its end.")
            return
        shown = "rounds" if totals.rounds == len(view.history) else f"the last {len(view.history)} rounds"
        grid = Grid(title=f"{shown} of seed {self.seed}", title_justify="left")
        for column in ("round", "bet", "won", "your hands", "dealer"):
            grid.add_column(column, justify="right" if column in ("round", "bet", "won") else "left")
        for record in view.history:
            grid.add_row(
                f"{record.number}", money(record.bet), signed_money(record.won), record.hands, record.dealer
            )
        self.console.print(grid)
        total = gained(totals.won, person=True)
        bankroll = money(view.bankroll + view.on_table)
        self.console.print(f"You {total} in all. Bankroll {bankroll}.", highlight=False)
        if totals.decisions:
            self.console.print(
                f"{totals.right} of {totals.decisions} choices were right; the mistakes cost {totals.cost:.2f} in expectation.",
                highlight=False,
            )

    @property
    def _prompt(self) -> Prompt:
        return Prompt(self.console, self._show_history)
