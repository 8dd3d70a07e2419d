"""A person at the Banluck table: bets, decisions, bankroll and history, in the terminal."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rich.console import Console
from rich.panel import Panel
from rich.table import Table as Grid

from croupier.banluck.engine import (
    DEALER,
    Action,
    ActionKind,
    BanluckRules,
    GameState,
    Phase,
    Table,
    describe_action,
    describe_settlement,
    legal_actions,
)
from croupier.banluck.engine.text import ACTION_VERBS, describe_dealer, describe_seat
from croupier.banluck.solvers.opponent import Opponent, Role
from croupier.cards import Shoe
from croupier.cli.prompt import Left, Prompt
from croupier.numerics.streams import RandomStream

if TYPE_CHECKING:
    from croupier.cli.banluck_coach import Coach

HUMAN_SEAT = 0
SMALLEST_BET = 0.01


@dataclass(frozen=True, slots=True)
class HandRecord:
    """One finished hand of a session."""

    number: int
    bet: float
    won: float
    cards: str
    dealer_cards: str
    story: str


@dataclass(slots=True)
class Session:
    """Hands played one after another by a person against simple opponents.

    As a player, the person sits at the first seat. As the dealer, the person holds the bank against all seats, each of
    which bets the usual bet.
    """

    console: Console
    rules: BanluckRules
    opponent: Opponent
    role: Role
    players: int
    bankroll: float
    usual_bet: float
    seed: int
    first_cards: tuple[int, ...] = ()
    coach: "Coach | None" = None
    history: list[HandRecord] = field(default_factory=list)

    def run(self) -> None:
        """Play until the person leaves or the bankroll is gone; both end with the summary."""
        self.console.print(f"You are the {self.role}, against {self.opponent.name}. Seed {self.seed}.")
        self.console.print(
            "[dim]Answer with a word or its first letters; [b]history[/b] and [b]quit[/b] work everywhere.[/dim]"
        )
        try:
            while self.bankroll >= SMALLEST_BET:
                self._play_hand()
            self.console.print("[red]Your bankroll is gone.[/red]")
        except (Left, KeyboardInterrupt, EOFError):
            self.console.print()
        self._show_history()

    def _play_hand(self) -> None:
        number = len(self.history) + 1
        self.console.rule(f"hand {number}, bankroll {self.bankroll:g}")
        bet = self._ask_bet()
        stream = RandomStream((self.seed, number, 1))
        shoe = Shoe.stacked(self.first_cards if number == 1 else (), (self.seed, number))
        table = Table.opened(self.rules, shoe, self.players)
        self._show_table(table.state)
        while not table.state.is_over:
            legal = legal_actions(table.state)
            mine = len(legal) > 1 and self._is_mine(table.state)
            action = self._ask_action(legal) if mine else self.opponent.choose(table.state, stream)
            if mine and self.coach is not None:
                self.console.print(self.coach.comment(table.state, action))
            before, table = table.state, table.act(action)
            self._tell(before, table.state, action)
        self._finish(table.state, number, bet)

    def _is_mine(self, state: GameState) -> bool:
        if self.role is Role.PLAYER:
            return state.turn == HUMAN_SEAT
        return state.phase in (Phase.SURRENDER, Phase.REVEAL, Phase.DEALER)

    def _tell(self, before: GameState, after: GameState, action: Action) -> None:
        """Say what happened, and show the table again whenever the person sees something new."""
        is_draw = action.kind in (ActionKind.HIT, ActionKind.DRAW)
        # Of others it would tell that their closed hand was below the minimum.
        forced = is_draw and self._is_mine(before) and len(legal_actions(before)) == 1
        announced = ", the fifth card, announced" if _is_fifth_card(after, action) else ""
        self.console.print(f"[dim]-[/dim] {describe_action(action)}{announced}{' (must)' if forced else ''}")
        sees_more = (
            action.kind in (ActionKind.SHOW, ActionKind.REVEAL)
            or self._is_mine(before)
            or self._is_mine(after)
        )
        if sees_more and not after.is_over:
            self._show_table(after)

    def _show_table(self, state: GameState) -> None:
        viewer = None if state.is_over else (HUMAN_SEAT if self.role is Role.PLAYER else DEALER)
        grid = Grid.grid(padding=(0, 2))
        grid.add_row(self._name("dealer", self.role is Role.DEALER), describe_dealer(state, viewer))
        for seat in range(len(state.seats)):
            is_me = self.role is Role.PLAYER and seat == HUMAN_SEAT
            grid.add_row(self._name(f"player {seat + 1}", is_me), describe_seat(state, seat, viewer))
        self.console.print(Panel(grid, expand=False))

    @staticmethod
    def _name(name: str, is_me: bool) -> str:
        return f"[bold green]{name} (you)[/bold green]" if is_me else name

    def _finish(self, state: GameState, number: int, bet: float) -> None:
        self._show_table(state)
        if self.role is Role.PLAYER:
            settlement = state.seats[HUMAN_SEAT].settlement
            assert settlement is not None, "the hand is over"
            won, story = settlement.units * bet, describe_settlement(settlement)
        else:
            won, story = state.dealer_result * bet, ", ".join(f"{units or 0:+g}" for units in state.results)
        self.bankroll = round(self.bankroll + won, 2)
        colour = "green" if won > 0 else "red" if won < 0 else "yellow"
        self.console.print(f"[{colour}]You {_gain(won)}.[/{colour}] Bankroll {self.bankroll:g}.")
        cards = (
            describe_seat(state, HUMAN_SEAT).split("  ")[0]
            if self.role is Role.PLAYER
            else _count(self.players, "player")
        )
        self.history.append(HandRecord(number, bet, won, cards, describe_dealer(state), story))

    def _ask_bet(self) -> float:
        if self.role is Role.DEALER:
            self._prompt.enter(f"each player bets {self.usual_bet:g}; [b]Enter[/b] deals")
            return self.usual_bet
        most = self.bankroll
        return self._prompt.number("your bet", min(self.usual_bet, most), SMALLEST_BET, most)

    def _ask_action(self, legal: tuple[Action, ...]) -> Action:
        return self._prompt.choose({_choice_text(action): action for action in legal})

    @property
    def _prompt(self) -> Prompt:
        return Prompt(self.console, self._show_history)

    def _show_history(self) -> None:
        if not self.history:
            self.console.print("No hand was played to its end.")
            return
        grid = Grid(title=f"{_count(len(self.history), 'hand')}, seed {self.seed}", title_justify="left")
        is_player = self.role is Role.PLAYER
        for column in (
            "hand",
            "bet",
            "won",
            "you" if is_player else "against",
            "dealer",
            "" if is_player else "players' units",
        ):
            grid.add_column(column, justify="right" if column in ("hand", "bet", "won") else "left")
        for record in self.history:
            row = (
                f"{record.number}",
                f"{record.bet:g}",
                f"{record.won:+g}",
                record.cards,
                record.dealer_cards,
                record.story,
            )
            grid.add_row(*row)
        self.console.print(grid)
        total = sum(record.won for record in self.history)
        self.console.print(f"You {_gain(total)} in all. Bankroll {self.bankroll:g}.")
        if self.coach is not None:
            self.console.print(f"Your choices cost {self.coach.total_cost:.3f} units.")


def _choice_text(action: Action) -> str:
    word = ACTION_VERBS[action.kind]
    return (
        f"{word} {action.seat + 1}" if action.kind is ActionKind.REVEAL and action.seat is not None else word
    )


def _is_fifth_card(after: GameState, action: Action) -> bool:
    return (
        action.kind is ActionKind.HIT and action.seat is not None and len(after.seats[action.seat].cards) == 5
    )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _gain(money: float) -> str:
    if money == 0:
        return "neither win nor lose"
    return f"{'win' if money > 0 else 'lose'} {abs(money):g}"
