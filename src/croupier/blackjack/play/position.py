"""A table at one moment, and what follows from it: an action makes a new position as a whole, or none."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from croupier.blackjack.engine import (
    NO_SIDE_BETS,
    Action,
    RoundState,
    Session,
    SideBets,
    extra_bet,
    legal_actions,
)
from croupier.blackjack.play.phrases import money
from croupier.blackjack.play.records import NO_ROUNDS, Feedback, PricedChoice, RoundRecord, Statistics
from croupier.blackjack.play.view import choices_of, dealer_view, seat_view
from croupier.choices import Choice
from croupier.texts import in_row, say

if TYPE_CHECKING:  # a table without a coach does not wait for the solvers
    from croupier.blackjack.play.coach import Advice

#: Finished rounds that a table remembers one by one; the totals count all.
REMEMBERED_ROUNDS = 100


@dataclass(frozen=True, slots=True)
class Position:
    """Everything about a table.

    Attributes
    ----------
    session
        Shoe and round.
    bankroll, buy_in
        The money, bets on the table included, and what was started with.
    bets, side_bets
        Those of this round; between rounds, those of the next one unless others are made.
    is_priced, coach, advice, feedback
        Whether choices are priced at all, whether the person is told, what the choices of now are worth, and what the last one cost.
    system
        The counting system that is shown, if any.
    round_cost, round_choices
        What the mistakes of this round cost, in money, and its choices.
    statistics, history
        The totals; the last rounds.
    """

    session: Session
    bankroll: float
    buy_in: float
    bets: tuple[float, ...]
    side_bets: SideBets = NO_SIDE_BETS
    is_priced: bool = True
    coach: bool = False
    system: str | None = None
    advice: "Advice | None" = None
    feedback: Feedback | None = None
    round_cost: float = 0.0
    round_choices: tuple[PricedChoice, ...] = ()
    statistics: Statistics = NO_ROUNDS
    history: tuple[RoundRecord, ...] = ()

    @property
    def state(self) -> RoundState:
        """The round on the table."""
        assert self.session.table is not None, "a round is on the table"
        return self.session.table.state

    @property
    def is_playing(self) -> bool:
        """Whether a round is being played."""
        return not self.session.is_between_rounds

    @property
    def is_broke(self) -> bool:
        """Whether the bankroll has become too small for the smallest bet."""
        return not self.is_playing and self.bankroll < self.session.rules.minimum_bet

    @property
    def on_table(self) -> float:
        """All bets of the round on the table."""
        return sum(seat.total_bets for seat in self.state.seats)

    @property
    def left(self) -> float:
        """What is not on the table while a round is played."""
        return round(self.bankroll - self.on_table, 2)

    @property
    def affordable(self) -> tuple[Action, ...]:
        """The legal actions that the bankroll covers."""
        return self._covered(legal_actions(self.state))

    def _covered(self, legal: tuple[Action, ...]) -> tuple[Action, ...]:
        return tuple(action for action in legal if self.covers(action))

    def covers(self, action: Action) -> bool:
        """Tell whether what is left pays for an action."""
        return extra_bet(self.state, action) <= self.left

    def priced(self) -> "Position":
        """Price the decision that lies before the player, where there is one and the rules have exact values."""
        if not self.is_playing or not self.is_priced:
            return replace(self, advice=None)
        from croupier.blackjack.play.coach import advise, can_advise  # noqa: PLC0415 - it brings the solvers along

        return replace(
            self, advice=advise(self.session, self.affordable) if can_advise(self.session.rules) else None
        )

    def side_values(self) -> dict[str, float]:
        """Return what the coach says of the side bets before a round: what a unit on each is worth."""
        if not self.coach or self.is_playing:
            return {}
        from croupier.blackjack.play.coach import side_values  # noqa: PLC0415 - it brings the solvers along

        return side_values(self.session)

    def judged(self, action: Action) -> "Position":
        """Count what a choice gives away; the coach need not be on for that."""
        if action.seat is None:
            return replace(self, feedback=None)
        bet = self.state.seats[action.seat].bet
        if self.advice is None:
            unpriced = PricedChoice(action.seat, bet, action.kind.value)
            return replace(self, feedback=None, round_choices=(*self.round_choices, unpriced))
        turn = self.state.turn
        held = "" if turn is None else str(self.state.hand_value(*turn))
        advice = self.advice
        feedback = Feedback(
            action.kind.value, advice.worths, advice.cost(action.kind), bet, held, advice.bust
        )
        best = advice.best if feedback.cost > 0 else action.kind.value
        choice = PricedChoice(
            action.seat, bet, action.kind.value, best, advice.worths[advice.best], feedback.cost
        )
        return replace(
            self,
            feedback=feedback,
            round_cost=self.round_cost + feedback.cost * bet,
            round_choices=(*self.round_choices, choice),
            statistics=self.statistics.judged(feedback),
        )

    def reached(self, session: Session) -> "Position":
        """Move on to where an action has led: to the next decision, or to the end of the round, which is paid."""
        after = replace(self, session=session)
        return after.priced() if after.is_playing else after._paid()

    def _paid(self) -> "Position":
        state = self.state
        record = RoundRecord(
            number=self.statistics.rounds + 1,
            bet=self.on_table,
            won=round(0.0 - state.bank_result, 2),
            cost=self.round_cost,
            hands=in_row(
                [line for seat in range(len(state.seats)) for line in seat_view(state, seat).lines()],
                "list.semicolons",
            ),
            dealer=str(dealer_view(state)),
        )
        return replace(
            self,
            bankroll=round(self.bankroll + record.won, 2),
            advice=None,
            statistics=self.statistics.with_round(record),
            history=(*self.history, record)[-REMEMBERED_ROUNDS:],
        )._with_bets_it_can_pay()

    def _with_bets_it_can_pay(self) -> "Position":
        """Offer the same bets for the next round, or one that the bankroll covers."""
        if sum(self.bets) + self.side_bets.total * len(self.bets) <= self.bankroll:
            return self
        bet = max(min(self.bets[0], self.bankroll), self.session.rules.minimum_bet)
        return replace(self, bets=(bet,), side_bets=NO_SIDE_BETS)

    def choices(self) -> tuple[Choice, ...]:
        """List what can be done now."""
        if self.is_playing:
            shown, legal = self.advice if self.coach else None, legal_actions(self.state)
            return choices_of(self.state, legal, self._covered(legal), shown)
        if self.is_broke:
            return (Choice("rebuy", say("blackjack.do.rebuy", amount=money(self.buy_in)), "b"),)
        return (Choice("deal", say("blackjack.do.deal"), "Enter"),)

    def note(self, choices: tuple[Choice, ...]) -> str:
        """Say what a person might wonder about who has these choices."""
        if self.is_broke:
            return say("blackjack.note.broke")
        if self.is_playing:
            is_short = not all(choice.enabled for choice in choices)
            return say("blackjack.note.short") if is_short else ""
        is_cut = self.session.rules.shuffle == "shoe" and self.session.shoe.needs_shuffle
        return say("blackjack.note.cut") if is_cut else ""
