"""A person at the blackjack table: bets, every action, several hands, bankroll, history and a coach, in the terminal."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rich.console import Console
from rich.panel import Panel
from rich.table import Table as Grid

from croupier.blackjack.engine import (
    NO_SIDE_BETS,
    Action,
    ActionKind,
    BlackjackRules,
    RoundState,
    Session,
    SideBets,
    describe_action,
    forced_action,
    legal_actions,
)
from croupier.blackjack.engine.text import describe_dealer, describe_seat
from croupier.cli.prompt import Left, Prompt

if TYPE_CHECKING:
    from croupier.cli.blackjack_coach import Coach

_WORDS = {
    ActionKind.SURRENDER: "give up",
    ActionKind.KEEP: "keep",
    ActionKind.INSURE: "insure",
    ActionKind.DECLINE: "no insurance",
    ActionKind.HIT: "hit",
    ActionKind.STAND: "stand",
    ActionKind.DOUBLE: "double",
    ActionKind.SPLIT: "split",
}


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """One finished round of a session."""

    number: int
    bet: float
    won: float
    hands: str
    dealer: str


@dataclass(slots=True)
class BlackjackSession:
    """Rounds played one after another by a person who fills all seats of the table."""

    console: Console
    rules: BlackjackRules
    seats: int
    bankroll: float
    usual_bet: float
    seed: int
    side_bets: SideBets = NO_SIDE_BETS
    coach: "Coach | None" = None
    history: list[RoundRecord] = field(default_factory=list)

    def run(self) -> None:
        """Play until the person leaves or cannot bet any more; both end with the summary."""
        self.console.print(f"Blackjack, seed {self.seed}.")
        self.console.print(
            "[dim]Answer with a word or its first letters; [b]history[/b] and [b]quit[/b] work everywhere.[/dim]"
        )
        session = Session.opened(self.rules, self.seed)
        try:
            while self._largest_bet() >= self.rules.minimum_bet:
                session = self._play_round(session)
            bets = "smallest bet and the side bets" if self.side_bets.total else "smallest bet"
            self.console.print(f"[red]Your bankroll does not cover the {bets} any more.[/red]")
        except (Left, KeyboardInterrupt, EOFError):
            self.console.print()
        self._show_history()

    def _play_round(self, session: Session) -> Session:
        number = len(self.history) + 1
        if session.shoe.needs_shuffle:
            self.console.print("[dim]The cut card came up: a new shoe.[/dim]")
        self.console.rule(f"round {number}, bankroll {self.bankroll:g}")
        question = "your bet" if self.seats == 1 else f"your bet on each of {self.seats} hands"
        usual = min(max(self.usual_bet, self.rules.minimum_bet), self._largest_bet())
        bet = self._prompt.number(question, usual, self.rules.minimum_bet, self._largest_bet())
        session = session.start_round([bet] * self.seats, [self.side_bets] * self.seats)
        self._show(session)
        while legal := legal_actions(_state(session)):
            forced = forced_action(_state(session))
            action = forced or self._ask(session, legal)
            session = session.act(action)
            self.console.print(f"[dim]-[/dim] {describe_action(action)}")
            if forced is None or action.kind is ActionKind.COMPLETE:
                self._show(session)
        self._finish(session, number, bet)
        return session

    def _ask(self, session: Session, legal: tuple[Action, ...]) -> Action:
        """Ask for an action that the bankroll covers, and let the coach speak of it."""
        state = _state(session)
        affordable = [action for action in legal if self._covers(state, action)]
        if len(affordable) < len(legal):
            self.console.print(
                "[dim]Your bankroll does not cover another bet: no double, split or insurance.[/dim]"
            )
        action = self._prompt.choose({_WORDS[action.kind]: action for action in affordable})
        if self.coach is not None:
            self.console.print(self.coach.comment(session, action, affordable))
        return action

    def _covers(self, state: RoundState, action: Action) -> bool:
        if action.kind not in (ActionKind.DOUBLE, ActionKind.SPLIT, ActionKind.INSURE) or state.turn is None:
            return True
        bet = state.seats[state.turn.seat].bet
        more = bet / 2 if action.kind is ActionKind.INSURE else bet
        return sum(seat.total_bets for seat in state.seats) + more <= self.bankroll

    def _finish(self, session: Session, number: int, bet: float) -> None:
        state = _state(session)
        self._show(session)
        won = 0.0 - state.bank_result
        self.bankroll = round(self.bankroll + won, 2)
        colour = "green" if won > 0 else "red" if won < 0 else "yellow"
        self.console.print(f"[{colour}]You {_gain(won)}.[/{colour}] Bankroll {self.bankroll:g}.")
        hands = "; ".join(line for seat in range(self.seats) for line in describe_seat(state, seat))
        self.history.append(RoundRecord(number, bet, won, hands, describe_dealer(state)))

    def _show(self, session: Session) -> None:
        state = _state(session)
        grid = Grid.grid(padding=(0, 2))
        grid.add_row("dealer", describe_dealer(state, None if state.is_over else 0))
        for seat in range(self.seats):
            for line in describe_seat(state, seat):
                name = "you" if self.seats == 1 else f"hand {seat + 1}"
                grid.add_row(f"[bold green]{name}[/bold green]", line)
        self.console.print(Panel(grid, expand=False))

    def _largest_bet(self) -> float:
        return min(round(self.bankroll / self.seats - self.side_bets.total, 2), self.rules.maximum_bet)

    def _show_history(self) -> None:
        if not self.history:
            self.console.print("No round was played to its end.")
            return
        grid = Grid(title=f"rounds of seed {self.seed}", title_justify="left")
        for column in ("round", "bet", "won", "your hands", "dealer"):
            grid.add_column(column, justify="right" if column in ("round", "bet", "won") else "left")
        for record in self.history:
            grid.add_row(
                f"{record.number}", f"{record.bet:g}", f"{record.won:+g}", record.hands, record.dealer
            )
        self.console.print(grid)
        total = sum(record.won for record in self.history)
        self.console.print(f"You {_gain(total)} in all. Bankroll {self.bankroll:g}.")
        if self.coach is not None:
            self.console.print(f"Your choices cost {self.coach.total_cost:.3f} bets.")

    @property
    def _prompt(self) -> Prompt:
        return Prompt(self.console, self._show_history)


def _state(session: Session) -> RoundState:
    assert session.table is not None, "a round is being played"
    return session.table.state


def _gain(money: float) -> str:
    if money == 0:
        return "neither win nor lose"
    return f"{'win' if money > 0 else 'lose'} {abs(money):g}"
