"""A person at the durak table: games against any engine in the terminal, with hints, and a review at the end.

The person is a player like any other: the referee shows an observation and takes an answer. No card that is hidden from the
person's seat is in this module's reach before the game is over.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from rich.console import Console
from rich.panel import Panel
from rich.table import Table as Grid

from croupier.cards import CardError, format_card, format_cards, parse_cards
from croupier.cli.prompt import Left, Prompt
from croupier.durak.arena.log import GameLog
from croupier.durak.arena.player import Look, Player
from croupier.durak.arena.referee import PlayedGame, play_game
from croupier.durak.arena.schedule import deal_of_pair
from croupier.durak.engine.choices import can_pass, playable, verify_answer
from croupier.durak.engine.observation import Observation
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.protocol import READY
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import GameState, IllegalMove
from croupier.durak.engine.text import describe_result, sorted_hand
from croupier.durak.players.evidence import EnemyChoice, Evidence

_YOU = 0
_CLOSED_CARD = "░░"
_PASSES = {Phase.ATTACK: "done", Phase.DEFEND: "take", Phase.THROW_IN: "nothing"}


def pass_word(phase: Phase) -> str:
    """Return what playing no card is called.

    >>> pass_word(Phase.DEFEND)
    'take'
    """
    return _PASSES[phase]


class Adviser(Protocol):
    """Who knows better."""

    def hint(self, seen: Observation, evidence: Evidence) -> Sequence[tuple[tuple[int, ...], float]]:
        """Return moves with the score to expect from each (1 a win, half a draw), the best first."""
        ...

    def review(self, state: GameState, seat: int) -> Sequence[str]:
        """Say of a finished game which choices of a seat were not the best, and what they cost."""
        ...


@dataclass(slots=True)
class Person:
    """The player in front of the screen."""

    console: Console
    prompt: Prompt
    adviser: Adviser | None
    name: str = "you"
    errors: str = ""
    _evidence: Evidence = field(default_factory=Evidence)
    _told: int = 0

    def sit_down(self) -> None:
        """Forget the last game."""
        self._evidence, self._told = Evidence(), 0

    def confirm(self, line: str) -> str:  # noqa: ARG002 - what is dealt is shown with the next question
        """Say ok."""
        return READY

    def leave(self, last_line: str | None, *, at_fault: bool) -> None:
        """Stay: the next game begins when the person says so."""

    def ask(self, line: str, look: Look) -> str:  # noqa: ARG002 - a person is shown the table, not the line
        """Show the table and ask until the answer can be played."""
        seen = look()
        self._evidence.see(seen)
        self._tell_news()
        if seen.phase is Phase.THROW_IN and not (playable(seen) and seen.throw_in_limit):
            self.console.print("[dim]It takes, and you have nothing to throw in.[/dim]")
            self._evidence.play(seen, ())
            return ""
        self._show(seen)
        cards = self._answer(seen)
        self._evidence.play(seen, cards)
        return format_cards(cards)

    def _answer(self, seen: Observation) -> tuple[int, ...]:
        may_pass = can_pass(seen)
        words = [_PASSES[seen.phase]] if may_pass else []
        question = f"{_question(seen)} ({', '.join([*words, 'hint'] if self.adviser else words) or 'a card'})"
        while True:
            answer = self.prompt.ask(question)
            if answer in ("h", "hint") and self.adviser is not None:
                self._hint(seen)
                continue
            if may_pass and (answer == "" or _PASSES[seen.phase].startswith(answer)):
                return ()
            try:
                cards = parse_cards(answer)
                verify_answer(seen, cards)
            except CardError as error:
                self.console.print(f"{error}.", markup=False)
            except IllegalMove as error:
                self.console.print(str(error), markup=False)
            else:
                return cards

    def _hint(self, seen: Observation) -> None:
        assert self.adviser is not None, "there is somebody to ask"
        with self.console.status("thinking"):
            moves = self.adviser.hint(seen, self._evidence)
        for cards, score in moves[:5]:
            name = format_cards(cards, symbols=True) if cards else _PASSES[seen.phase]
            self.console.print(f"[dim]{name:12} expects {score:.3f} of a point[/dim]")

    def _tell_news(self) -> None:
        for choice in self._evidence.choices[self._told :]:
            self.console.print(f"[dim]-[/dim] it {_action_text(choice)}")
        self._told = len(self._evidence.choices)

    def _show(self, seen: Observation) -> None:
        grid = Grid.grid(padding=(0, 2))
        stock = f"{seen.deck_count} cards" if seen.deck_count else "empty"
        grid.add_row("stock", f"{stock}, trump {format_card(seen.trump, symbols=True)}")
        known = sorted_hand(seen.known_enemy, seen.trump_suit)
        closed = [_CLOSED_CARD] * (seen.enemy_count - len(known))
        grid.add_row("it", " ".join([*closed, format_cards(known, symbols=True)]).strip())
        grid.add_row("table", _table(seen) or "empty")
        hand = sorted_hand(seen.hand, seen.trump_suit)
        fits = playable(seen)
        words = [
            f"[bold green]{format_card(card, symbols=True)}[/bold green]"
            if card in fits
            else f"[dim]{format_card(card, symbols=True)}[/dim]"
            for card in hand
        ]
        grid.add_row("[bold]you[/bold]", " ".join(words))
        self.console.print(Panel(grid, expand=False))


def _question(seen: Observation) -> str:
    match seen.phase:
        case Phase.ATTACK:
            return "attack with" if not seen.table else "attack again with"
        case Phase.DEFEND:
            return f"beat {format_card(seen.table[-1], symbols=True)} with"
        case _:
            return f"it takes; throw in up to {seen.throw_in_limit}"


def _action_text(choice: EnemyChoice) -> str:
    cards = format_cards(choice.answer, symbols=True)
    match choice.phase:
        case Phase.ATTACK:
            return f"attacks with {cards}" if cards else "is done"
        case Phase.DEFEND:
            return f"beats with {cards}" if cards else "takes"
        case _:
            return f"throws in {cards}" if cards else "throws in nothing"


def _table(seen: Observation) -> str:
    pairs = [seen.table[place : place + 2] for place in range(0, len(seen.table), 2)]
    return "  ".join("/".join(format_card(card, symbols=True) for card in pair) for pair in pairs)


@dataclass(slots=True)
class DurakSession:
    """Games one after another, until the person leaves."""

    console: Console
    rules: DurakRules
    opponent: Player
    adviser: Adviser | None
    seed: int
    winner_leads: bool
    log: GameLog | None
    has_hints: bool
    has_review: bool
    results: list[str] = field(default_factory=list)

    def run(self) -> None:
        """Play until the person leaves; that ends with the score."""
        self.console.print(f"Durak against {self.opponent.name}, seed {self.seed}.")
        self.console.print(
            "[dim]Type a card such as 9H or TD; the green ones can be played. [b]history[/b] and [b]quit[/b] work "
            "everywhere.[/dim]"
        )
        person = Person(
            self.console, Prompt(self.console, self._show_history), self.adviser if self.has_hints else None
        )
        leader = None
        try:
            while True:
                leader = self._play(person, leader)
                person.prompt.enter("Enter for the next game")
        except (Left, KeyboardInterrupt, EOFError):
            self.console.print()
        self._show_history()

    def _play(self, person: Person, leader: int | None) -> int | None:
        """Play a game; return who leads the next one, None for the holder of the lowest trump."""
        number = len(self.results)
        self.console.rule(f"game {number + 1}")
        deal = deal_of_pair(self.seed, number)
        first = deal.leader if leader is None else leader
        self.console.print("You lead." if first == _YOU else "It leads.")
        game = play_game((person, self.opponent), deal.deck, first, rules=self.rules)
        if self.log is not None:
            self.log.append(game.record({"seed": self.seed}))
        self._finish(game)
        winner = game.state.winner
        return winner if self.winner_leads and game.forfeit is None else None

    def _finish(self, game: PlayedGame) -> None:
        if game.forfeit is not None:
            ending = f"It forfeits: {game.forfeit.reason}"
        else:
            names = {"player 1": "you", "player 2": "it", "you wins": "you win", "you is": "you are"}
            ending = describe_result(game.state)
            for word, name in names.items():
                ending = ending.replace(word, name)
            ending = f"{ending[0].upper()}{ending[1:]}."
        self.results.append({"1-0": "won", "0-1": "lost"}.get(str(game.result), "drawn"))
        self.console.print(f"[bold]{ending}[/bold]", highlight=False)
        if self.adviser is not None and self.has_review and game.forfeit is None:
            with self.console.status("looking at the game again"):
                lines = self.adviser.review(game.state, _YOU)
            for line in lines:
                self.console.print(line)

    def _show_history(self) -> None:
        if not self.results:
            self.console.print("No game was played to its end.")
            return
        counts = ", ".join(
            f"{self.results.count(word)} {word}" for word in ("won", "drawn", "lost") if word in self.results
        )
        games = "1 game" if len(self.results) == 1 else f"{len(self.results)} games"
        self.console.print(f"{games}: {counts}.")
