"""A person at the durak table in the terminal: shows the table's views, and passes on what the person types."""

from dataclasses import dataclass
from datetime import datetime

from rich.console import Console
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table as Grid

from croupier.cards import CardError
from croupier.cli.prompt import Left, Prompt
from croupier.durak.arena.log import GameLog
from croupier.durak.play.facts import CALLED_OFF
from croupier.durak.play.phrases import (
    answer_phrase,
    engine_title,
    move_phrase,
    prompt,
    review_phrases,
    short_name,
    short_names,
    verdict_phrase,
)
from croupier.durak.play.refusal import DurakRefusal
from croupier.durak.play.table import DurakTable
from croupier.durak.play.typed_cards import read_typed_cards
from croupier.durak.play.view import DurakView
from croupier.texts import DEFAULT_LANGUAGE, Texts

_CLOSED_CARD = "░░"
_LISTED_ADVICE = 5

#: What answering without a card is called, in any phase.
_PASSES = ("done", "take", "nothing", "nothing more")


@dataclass(slots=True)
class DurakSession:
    """Games at a table one after another, until the person leaves.

    Attributes
    ----------
    console, table, seed
        The terminal, the table, and the seed of its cards.
    log
        Where games are recorded, if they are.
    has_hints, has_review
        Whether hints are given, and whether a game is reviewed at its end.
    """

    console: Console
    table: DurakTable
    seed: int
    log: GameLog | None
    has_hints: bool
    has_review: bool
    _told: int = 0

    def run(self) -> None:
        """Play until the person leaves; that ends with the score."""
        texts = Texts(DEFAULT_LANGUAGE)
        opponent = engine_title(self.table.view().setting.opponent, texts)
        self.console.print(f"Durak against {escape(opponent)}, seed {self.seed}.", highlight=False)
        self.console.print(
            "[dim]Type a card such as 9H or TD; the green ones can be played. [b]history[/b] and [b]quit[/b] work "
            "everywhere.[/dim]"
        )
        keyboard = Prompt(self.console, self._show_history)
        try:
            while True:
                self._play(keyboard, texts)
                keyboard.enter("Enter for the next game")
                self.table.deal_next()
        except (Left, KeyboardInterrupt, EOFError):
            self.console.print()
        self._show_history()

    def _play(self, keyboard: Prompt, texts: Texts) -> None:
        """Play one game to its end."""
        started, self._told = datetime.now(), 0
        view = self.table.view()
        self.console.rule(texts("durak.game", number=view.number))
        self.console.print(texts("durak.you_lead" if view.you_led else "durak.opponent_leads"))
        while (view := self.table.view()).ending is None:
            if view.is_opponents:
                self.table.let_opponent_move()
            else:
                self._tell_news(view, texts)
                self._show(view, texts)
                self._answer(keyboard, view, texts)
        self._tell_news(view, texts)
        self._finish(view, texts, started)

    def _answer(self, keyboard: Prompt, view: DurakView, texts: Texts) -> None:
        """Ask until the answer can be played, and play it."""
        passing = answer_phrase(view.phase, (), texts) if view.can_pass else ""
        words = [word for word in (passing, "hint" if self.has_hints else "") if word]
        question = f"{prompt(view, texts).rstrip('.')} ({', '.join(words) or 'a card'})"
        while True:
            answer = keyboard.ask(question)
            if answer in ("h", "hint"):
                self._hint(texts)
                continue
            is_pass = bool(passing) and passing.startswith(answer)
            if answer in _PASSES and not is_pass:
                self.console.print(f"'{answer}' is not possible now. {prompt(view, texts)}", markup=False)
                continue
            try:
                self.table.play(() if is_pass else read_typed_cards(answer))
            except (CardError, DurakRefusal) as error:
                self.console.print(f"{str(error).rstrip('.')}.", markup=False)
            else:
                self._told += 1  # the person knows their own move
                return

    def _hint(self, texts: Texts) -> None:
        if not self.has_hints:
            self.console.print("There are no hints; to get them, start with --hints.")
            return
        with self.console.status("thinking"):
            self.table.ask_hint()
        view = self.table.view()
        for value in view.advice[:_LISTED_ADVICE]:
            name = answer_phrase(view.phase, value.cards, texts)
            self.console.print(f"[dim]{name:12} expects {value.expected_score:.3f} of a point[/dim]")
        if not view.advice:
            self.console.print("[dim]There is only one thing to do.[/dim]")

    def _tell_news(self, view: DurakView, texts: Texts) -> None:
        for move in view.moves[self._told :]:
            self.console.print(f"[dim]-[/dim] {move_phrase(move, texts)}", highlight=False)
        self._told = len(view.moves)

    def _show(self, view: DurakView, texts: Texts) -> None:
        grid = Grid.grid(padding=(0, 2))
        stock = (
            texts("durak.stock_count", count=view.deck_count)
            if view.deck_count
            else texts("durak.stock_empty")
        )
        grid.add_row("stock", f"{stock}, {texts('durak.trump').lower()} {short_name(view.trump)}")
        closed = [_CLOSED_CARD] * (view.enemy_count - len(view.known_enemy))
        grid.add_row("opponent", " ".join([*closed, short_names(view.known_enemy)]).strip())
        pairs = ("/".join(short_name(card) for card in pair if card is not None) for pair in view.table)
        grid.add_row("table", "  ".join(pairs) or "empty")
        cards = (
            f"[{'bold green' if held.is_playable else 'dim'}]{short_name(held.card)}[/]" for held in view.hand
        )
        grid.add_row("[bold]you[/bold]", " ".join(cards))
        self.console.print(Panel(grid, expand=False))

    def _finish(self, view: DurakView, texts: Texts, started: datetime) -> None:
        ending = view.ending
        if ending is None:
            raise AssertionError("the game is over")
        self.console.print(f"[bold]{prompt(view, texts)}[/bold]", highlight=False)
        if ending.verdict:
            self.console.print(f"{verdict_phrase(ending.verdict, texts)}. {ending.reason}", markup=False)
        if ending.outcome == CALLED_OFF:
            return
        if self.log is not None:
            self.log.append(self.table.record("you", started, datetime.now(), {"seed": self.seed}))
        if self.has_review and not ending.verdict:
            with self.console.status("looking at the game again"):
                self.table.judge()
            for line in review_phrases(self.table.view(), texts):
                self.console.print(line, markup=False, highlight=False)

    def _show_history(self) -> None:
        won, drawn, lost = self.table.view().score
        games = won + drawn + lost
        if not games:
            self.console.print("No game was played to its end.")
            return
        counts = ((won, "won"), (drawn, "drawn"), (lost, "lost"))
        told = ", ".join(f"{count} {word}" for count, word in counts if count)
        self.console.print(f"{games} {'game' if games == 1 else 'games'}: {told}.")
