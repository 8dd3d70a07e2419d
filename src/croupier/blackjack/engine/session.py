"""Rounds one after another: one shoe until its cut card comes up, then the next, with statistics of each."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.engine.shoe import BlackjackShoe, ShoeSeed
from croupier.blackjack.engine.side_bets import SideBets
from croupier.blackjack.engine.state import Action, RoundState
from croupier.blackjack.engine.table import Table
from croupier.cards.seat_action import IllegalAction
from croupier.texts import say


@dataclass(frozen=True, slots=True)
class ShoeStatistics:
    """What happened in one shoe, or in several: rounds, cards, bets, and what the players won in all."""

    rounds: int = 0
    cards_used: int = 0
    hands: int = 0
    initial_bets: float = 0.0
    total_bets: float = 0.0
    result: float = 0.0

    def with_round(self, state: RoundState, cards_used: int) -> "ShoeStatistics":
        """Return the statistics with a finished round, after which the shoe has dealt so many cards."""
        return ShoeStatistics(
            rounds=self.rounds + 1,
            cards_used=cards_used,
            hands=self.hands + sum(len(seat.hands) for seat in state.seats),
            initial_bets=self.initial_bets + sum(seat.bet for seat in state.seats),
            total_bets=self.total_bets + sum(seat.total_bets for seat in state.seats),
            result=self.result - state.bank_result,
        )

    def __add__(self, other: "ShoeStatistics") -> "ShoeStatistics":
        return ShoeStatistics(
            self.rounds + other.rounds,
            self.cards_used + other.cards_used,
            self.hands + other.hands,
            self.initial_bets + other.initial_bets,
            self.total_bets + other.total_bets,
            self.result + other.result,
        )


@dataclass(frozen=True, slots=True)
class Session:
    """A table over many rounds. Shoes are shuffled from the seed, each by its number.

    Examples
    --------
    >>> from croupier.blackjack.engine import legal_actions
    >>> session = Session.opened(BlackjackRules(decks=1), seed=3)
    >>> for _ in range(10):
    ...     session = session.start_round(bets=[5])
    ...     while session.table is not None and (legal := legal_actions(session.table.state)):
    ...         session = session.act(legal[-1])
    >>> session.total.rounds, [shoe.rounds for shoe in session.shoes]
    (10, [6, 4])
    """

    rules: BlackjackRules
    seed: int
    shoe: BlackjackShoe
    table: Table | None = None
    past_shoes: tuple[ShoeStatistics, ...] = ()
    present_shoe: ShoeStatistics = ShoeStatistics()

    @classmethod
    def opened(cls, rules: BlackjackRules, seed: int) -> "Session":
        """Shuffle the first shoe."""
        return cls(rules, seed, BlackjackShoe.shuffled(rules, _shoe_seed(seed, 0)))

    @property
    def is_between_rounds(self) -> bool:
        """Whether bets can be made: no round is being played."""
        return self.table is None or self.table.state.is_over

    @property
    def shoes(self) -> tuple[ShoeStatistics, ...]:
        """The statistics of every shoe, the present one last."""
        return (*self.past_shoes, self.present_shoe)

    @property
    def total(self) -> ShoeStatistics:
        """The statistics of the whole session."""
        return sum(self.shoes, ShoeStatistics())

    def verify_start_round(self) -> None:
        """Raise unless the round before is over."""
        if not self.is_between_rounds:
            raise IllegalAction(say("blackjack.refused.not_over"))

    def start_round(self, bets: Sequence[float], side_bets: Sequence[SideBets] = ()) -> "Session":
        """Start a round and deal it, from a new shoe if the cut card has come up."""
        self.verify_start_round()
        session = self._reshuffled() if self.shoe.needs_shuffle else self
        return session._at(Table.opened(self.rules, session.shoe, bets, side_bets))

    def act(self, action: Action) -> "Session":
        """Do an action of the present round; the action that ends it counts it."""
        return self._at(self._playing().act(action))

    def advanced(self) -> "Session":
        """Let the dealer do what leaves nobody a choice."""
        return self._at(self._playing().advanced())

    def _playing(self) -> Table:
        if self.table is None:
            raise IllegalAction("no round has been started; make the bets first")
        return self.table

    def _at(self, table: Table) -> "Session":
        """Return the session with its table moved on; a round is counted when it comes to its end."""
        after = replace(self, table=table, shoe=table.shoe)
        is_counted = self.present_shoe.rounds == table.shoe.rounds_played
        if is_counted or not table.state.is_over:
            return after
        counted = self.present_shoe.with_round(table.state, table.shoe.cards_used)
        return replace(after, present_shoe=counted)

    def _reshuffled(self) -> "Session":
        past = (*self.past_shoes, self.present_shoe)
        shoe = BlackjackShoe.shuffled(self.rules, _shoe_seed(self.seed, len(past)))
        return replace(self, shoe=shoe, past_shoes=past, present_shoe=ShoeStatistics())


def _shoe_seed(seed: int, number: int) -> ShoeSeed:
    return (seed, number)
