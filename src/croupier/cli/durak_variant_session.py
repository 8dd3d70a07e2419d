"""A person at a durak table with any rules in the terminal: shows the table's views, and passes on what the person types."""

from dataclasses import dataclass
from datetime import datetime

from rich.console import Console
from rich.panel import Panel
from rich.table import Table as Grid

from croupier.cli.prompt import Left, Prompt
from croupier.durak.arena.log import GameLog
from croupier.durak.engine.pack import HAND_SIZE
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.rules import DURAK
from croupier.durak.engine.text import describe_action, show_cards
from croupier.durak.engine.variant_record import build_variant_record
from croupier.durak.play.game import PASSES
from croupier.durak.play.variant_table import YOU, VariantTable, VariantView, read_reply
from croupier.errors import InputError

_CLOSED_CARD = "░░"


@dataclass(slots=True)
class VariantSession:
    """Games at a table one after another, until the person leaves.

    Attributes
    ----------
    console, table
        The terminal and the table.
    log
        Where games are recorded, if they are.
    """

    console: Console
    table: VariantTable
    log: GameLog | None = None
    _told: int = 0

    def run(self) -> None:
        """Play until the person leaves; that ends with the score."""
        table = self.table
        others = ", ".join(
            f"player {seat + 1} is {name}" for seat, name in enumerate(table.names) if seat != YOU
        )
        self.console.print(
            f"Durak, {DURAK.describe(table.rules)}, seed {table.seed}.", markup=False, highlight=False
        )
        self.console.print(f"You are player 1; {others}.", highlight=False)
        keyboard = Prompt(self.console, self._show_history)
        try:
            while True:
                self._play(keyboard)
                keyboard.enter("Enter for the next game")
                table.deal_next()
        except (Left, KeyboardInterrupt, EOFError):
            self.console.print()
        self._show_history()

    def _play(self, keyboard: Prompt) -> None:
        """Play one game to its end."""
        started, self._told = datetime.now(), 0
        self.console.rule(f"Game {self.table.view().number}")
        while not (view := self.table.view()).is_over:
            if view.turn != YOU:
                self.table.let_others_move()
                continue
            self._tell_news(view)
            self._show(view)
            self._answer(keyboard, view)
        self._tell_news(view)
        self._finish(view, started)

    def _answer(self, keyboard: Prompt, view: VariantView) -> None:
        """Ask until the answer can be played, and play it."""
        question = _question(view)
        while True:
            try:
                self.table.play(read_reply(keyboard.ask(question), view.seen, self.table.rules))
            except InputError as error:
                self.console.print(f"{str(error).rstrip('.')}.", markup=False)
            else:
                return

    def _tell_news(self, view: VariantView) -> None:
        for move in view.moves[self._told :]:
            self.console.print(f"[dim]-[/dim] {describe_action(move.action, move.seat)}", highlight=False)
        self._told = len(view.moves)

    def _show(self, view: VariantView) -> None:
        seen = view.seen
        grid = Grid.grid(padding=(0, 2))
        stock = f"{seen.deck_count} cards" if seen.deck_count else "empty"
        grid.add_row("stock", f"{stock}, open card {show_cards([seen.trump])}")
        for seat in range(1, len(view.counts)):
            closed = view.counts[seat] - len(view.known[seat])
            hand = f"{closed} closed" if closed > HAND_SIZE else " ".join([_CLOSED_CARD] * closed)
            shown = " ".join(part for part in (hand, show_cards(view.known[seat])) if part)
            grid.add_row(f"player {seat + 1}{_role(view, seat)}", shown or "out")
        pairs = [seen.table[place : place + 2] for place in range(0, len(seen.table), 2)]
        waiting = () if seen.variant is None else seen.variant.waiting
        lying = [
            "/".join(show_cards([card]) for card in pair) for pair in [*pairs, *((card,) for card in waiting)]
        ]
        grid.add_row("table", "  ".join(lying) or "empty")
        passing = () if seen.variant is None else (*seen.variant.transfers, *seen.variant.shows)
        cards = (
            f"[{'bold green' if card in seen.playable else 'bold yellow' if card in passing else 'dim'}]"
            f"{show_cards([card])}[/]"
            for card in seen.by_cost(seen.hand)
        )
        grid.add_row(f"[bold]you{_role(view, YOU)}[/bold]", " ".join(cards))
        self.console.print(Panel(grid, expand=False))

    def _finish(self, view: VariantView, started: datetime) -> None:
        if not view.losers:
            verdict = "A draw: nobody is the fool."
        elif YOU in view.losers:
            verdict = "You are the fool." if len(view.losers) == 1 else "Your side has lost."
        else:
            names = " and ".join(f"player {seat + 1}" for seat in view.losers)
            verdict = f"You are out; {names} {'is the fool' if len(view.losers) == 1 else 'have lost'}."
        self.console.print(f"[bold]{verdict}[/bold]", highlight=False)
        if self.log is not None:
            table = self.table
            self.log.append(
                build_variant_record(
                    table.state,
                    table.names,
                    started.isoformat(),
                    datetime.now().isoformat(),
                    table.seed,
                )
            )

    def _show_history(self) -> None:
        won, drawn, lost = self.table.view().score
        if not won + drawn + lost:
            self.console.print("No game was played to its end.")
            return
        counts = ((won, "escaped"), (drawn, "drawn"), (lost, "lost"))
        told = ", ".join(f"{count} {word}" for count, word in counts if count)
        games = won + drawn + lost
        self.console.print(f"{games} {'game' if games == 1 else 'games'}: {told}.")


def _role(view: VariantView, seat: int) -> str:
    return " (attacks)" if seat == view.attacker else " (defends)" if seat == view.defender else ""


def _question(view: VariantView) -> str:
    """Say what the person is asked for, and which words work."""
    seen, words = view.seen, []
    if seen.can_pass:
        words.append(PASSES[seen.phase])
    if seen.variant is not None and seen.variant.transfers:
        words.append(f"pass {show_cards(seen.variant.transfers)}")
    if seen.variant is not None and seen.variant.shows:
        words.append(f"show {show_cards(seen.variant.shows)}")
    match seen.phase:
        case Phase.ATTACK:
            asked = "Add a card" if seen.table else "Attack"
        case Phase.DEFEND:
            asked = f"Beat {show_cards(seen.table[-1:])}"
        case _:
            asked = f"Throw in up to {seen.throw_in_limit}"
    return f"{asked} ({', '.join(words) or 'a card'})"
