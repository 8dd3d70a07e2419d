"""A blackjack table for one person: bets, rounds, bankroll, totals, a coach and a count. Terminal and browser show its view."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self

from croupier.blackjack.counting.system import find_system, verify_countable
from croupier.blackjack.engine import (
    NO_SIDE_BETS,
    BlackjackRules,
    IllegalAction,
    Session,
    SideBets,
    legal_actions,
    verify_start_round,
)
from croupier.blackjack.play.count import count_view
from croupier.blackjack.play.phrases import events_of, money, prompt_of
from croupier.blackjack.play.played import played_round
from croupier.blackjack.play.position import Position
from croupier.blackjack.play.records import Feedback, PricedChoice, RoundRecord, Statistics
from croupier.blackjack.play.saved import SavedSession, load_session, save_session
from croupier.blackjack.play.view import DealerView, TableView, dealer_view, seat_view, shoe_view
from croupier.errors import InputError
from croupier.numerics.streams import fresh_seed
from croupier.played import PlayedHand
from croupier.saved_state import Saved, read_saved
from croupier.texts import say

if TYPE_CHECKING:  # a table without a coach does not wait for the solvers
    from croupier.blackjack.play.coach import Advice

#: What a person starts with, unless it is said otherwise.
USUAL_BANKROLL = 1000.0
LARGEST_BANKROLL = 1e9


class SavedTable(Saved):
    """A table as it is saved."""

    session: SavedSession
    bankroll: float
    buy_in: float
    bets: tuple[float, ...]
    side_bets: SideBets
    is_priced: bool = True
    coach: bool
    system: str | None
    feedback: Feedback | None
    round_cost: float
    round_choices: tuple[PricedChoice, ...] = ()
    statistics: Statistics
    history: tuple[RoundRecord, ...]


class BlackjackTable:
    """A table at which one person plays all seats; :func:`table` opens one.

    Leaving it as a context manager closes it: what is on the table can still be seen, but nothing can be done any more.

    Examples
    --------
    >>> with table(BlackjackRules(decks=4), seed=3) as mine:
    ...     mine.bet(10)
    ...     print(mine.view)
    ...     print(mine.actions, mine.advice.best)
    ...     mine.act("stand")
    ...     print(mine.view.prompt, mine.view.bankroll)
    dealer  5♠ ░░
    you     Q♣ 7♦  17, bet 10
    Your hand: 17 against 5.
    ('hit', 'stand', 'double') stand
    You lose 10. 990.0
    >>> mine.act("deal")
    Traceback (most recent call last):
    croupier.errors.InputError: this table is closed; open another one
    """

    def __init__(self, position: Position) -> None:
        self._now = position
        self._is_closed = False

    @classmethod
    def opened(
        cls,
        rules: BlackjackRules,
        *,
        seed: int,
        bankroll: float = USUAL_BANKROLL,
        coach: bool = False,
        is_priced: bool = True,
    ) -> Self:
        """Sit down with a bankroll at a freshly shuffled shoe.

        Parameters
        ----------
        coach
            Whether the view tells what choices are worth, where the rules have exact values.
        is_priced
            Whether choices are priced for the totals. Without it the table needs no solver, and the coach stays silent.
        """
        verify_bankroll(rules, bankroll)
        bankroll = round(bankroll, 2)
        bet = min(max(10.0, rules.minimum_bet), rules.maximum_bet, bankroll)
        opened = cls(Position(Session.opened(rules, seed), bankroll, bankroll, (bet,), is_priced=is_priced))
        if coach and is_priced and _why_no_coach(rules) is None:
            opened.set_coach(True)
        return opened

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._is_closed = True

    @property
    def moment(self) -> tuple[int, int]:
        """How far the session is: rounds that are over, and what has happened in the one on the table.

        A page that acts on what it shows compares it, so that a click too many does not decide what was not seen yet.
        """
        round_ = self._now.session.table
        return self._now.statistics.rounds, 0 if round_ is None else len(round_.state.history)

    @property
    def played(self) -> PlayedHand | None:
        """The last round, for the player's own statistics; None before it is over."""
        return played_round(self._now, self._now.session.seed)

    @property
    def actions(self) -> tuple[str, ...]:
        """The names of what can be done now, for :meth:`act`."""
        return tuple(choice.name for choice in self._now.choices() if choice.enabled)

    @property
    def advice(self) -> "Advice | None":
        """What each action is exactly worth now, by all cards seen; None between rounds and where there are no exact values."""
        return self._now.advice

    def bet(self, *bets: float, side_bets: SideBets = NO_SIDE_BETS) -> None:
        """Bet on one hand or several and deal, from a new shoe if the cut card has come up.

        Parameters
        ----------
        bets
            A bet for every hand.
        side_bets
            What goes on the side bets of every hand.

        Raises
        ------
        InputError
            If the round before is not over, a bet is not one that the table takes, or the bankroll does not cover them.
        """
        self._verify_open()
        now = self._now
        now.session.verify_start_round()
        sides = (side_bets,) * len(bets)
        verify_start_round(now.session.rules, bets, sides)
        self._verify_covered(bets, side_bets)
        session = now.session.start_round(bets, sides).advanced()
        placed = replace(now, bets=tuple(float(bet) for bet in bets), side_bets=side_bets)
        self._now = replace(placed, feedback=None, round_cost=0.0, round_choices=()).reached(session)

    def act(self, name: str) -> None:
        """Do one of :attr:`actions`, and let the dealer do what follows from it.

        ``deal`` makes the bets of the round before once more; ``rebuy`` adds to a bankroll that is gone.

        Raises
        ------
        InputError
            If it is not offered, or the bankroll does not cover it.
        """
        self._verify_open()
        now = self._now
        if not now.is_playing:
            if name not in (offered := [choice.name for choice in now.choices()]):
                raise IllegalAction(say("blackjack.refused.no_round", name=name, offered=", ".join(offered)))
            if name == "rebuy":
                self.rebuy()
            else:
                self.bet(*now.bets, side_bets=now.side_bets)
            return
        legal = legal_actions(now.state)
        action = next((action for action in legal if action.kind == name), None)
        if action is None:
            offered = [action.kind.value for action in legal]
            raise IllegalAction(say("blackjack.refused.action", name=name, offered=", ".join(offered)))
        if not now.covers(action):
            raise InputError(say("blackjack.refused.not_covered", left=money(now.left)))
        self._now = now.judged(action).reached(now.session.act(action).advanced())

    def set_coach(self, on: bool) -> None:
        """Let the coach speak, or not."""
        if on and (problem := _why_no_coach(self._now.session.rules)) is not None:
            raise problem
        self._now = replace(self._now, coach=on)

    def set_count(self, system: str | None) -> None:
        """Show a count, by the name of its system, or none."""
        if system is not None:
            find_system(system)
            verify_countable(self._now.session.rules)
        self._now = replace(self._now, system=system)

    def rebuy(self) -> None:
        """Add what was started with to a bankroll that has become too small; a larger one is refused."""
        self._verify_open()
        if not self._now.is_broke:
            raise InputError(say("blackjack.refused.rebuy"))
        self._now = replace(self._now, bankroll=round(self._now.bankroll + self._now.buy_in, 2))

    def largest_bet(self, hands: int, side_bets: SideBets = NO_SIDE_BETS) -> float:
        """Return the largest bet on each of some hands that table and bankroll allow, to the hundredth.

        >>> table(bankroll=100).largest_bet(3)
        33.33
        """
        covered = math.floor(100 * self._now.bankroll / hands + 1e-6) / 100 - side_bets.total
        return min(round(covered, 2), self._now.session.rules.maximum_bet)

    @property
    def view(self) -> TableView:
        """Everything that the person may know, and nothing else."""
        now = self._now
        session, is_playing = now.session, now.is_playing
        state = None if session.table is None else session.table.state
        choices = now.choices()
        return TableView(
            rules=session.rules,
            prompt=say("blackjack.prompt.bets") if state is None else prompt_of(state),
            note=now.note(choices),
            events=() if state is None else events_of(state),
            is_betting=not is_playing,
            is_broke=now.is_broke,
            dealer=DealerView((), "") if state is None else dealer_view(state),
            seats=() if state is None else tuple(seat_view(state, seat) for seat in range(len(state.seats))),
            choices=choices,
            bankroll=now.left if is_playing else now.bankroll,
            on_table=now.on_table if is_playing else 0.0,
            bets=now.bets,
            side_bets=now.side_bets,
            shoe=shoe_view(session),
            count=None if now.system is None else count_view(session, now.system),
            coach=now.coach,
            feedback=now.feedback if now.coach else None,
            statistics=now.statistics,
            history=now.history,
            side_values=now.side_values(),
        )

    def to_state(self) -> dict[str, Any]:
        """Return the whole table as JSON, the shoe and the round among it."""
        now = self._now
        others = {name: getattr(now, name) for name in SavedTable.model_fields if name != "session"}
        return SavedTable(session=save_session(now.session), **others).model_dump(mode="json")

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        """Read a table back, in the middle of a round if it was saved there.

        Raises
        ------
        InputError
            If it is not such a table.
        """
        saved = read_saved(SavedTable, state, "saved blackjack table")
        session = load_session(saved.session)
        if saved.system is not None:
            find_system(saved.system)
            verify_countable(session.rules)
        others = {name: getattr(saved, name) for name in SavedTable.model_fields if name != "session"}
        return cls(Position(session=session, **others).priced())

    def _verify_open(self) -> None:
        if self._is_closed:
            raise InputError(say("blackjack.refused.closed"))

    def _verify_covered(self, bets: Sequence[float], side_bets: SideBets) -> None:
        amounts = (*bets, *side_bets.amounts.values())
        for amount in amounts:
            if round(amount, 2) != amount:
                raise InputError(say("blackjack.refused.hundredth", amount=amount))
        total = sum(bets) + side_bets.total * len(bets)
        if round(total, 2) > self._now.bankroll:
            raise InputError(
                say("blackjack.refused.total", total=money(total), bankroll=money(self._now.bankroll))
            )


def table(
    rules: BlackjackRules | None = None,
    *,
    seed: int | None = None,
    bankroll: float = USUAL_BANKROLL,
    coach: bool = True,
) -> BlackjackTable:
    """Open a table and play it yourself.

    Parameters
    ----------
    rules
        The rules; the default ones if none are given.
    seed
        The same seed deals the same cards. A fresh one is chosen if none is given.
    bankroll
        The money to start with.
    coach
        Whether the view shows what every choice is worth; :attr:`BlackjackTable.advice` has it either way.

    Examples
    --------
    >>> mine = table(seed=7)
    >>> mine.bet(10, 20)
    >>> print(mine.view)
    dealer  T♥ ░░
    hand 1  T♥ 9♠  19, bet 10
    hand 2  4♠ 5♥  9, bet 20
    Hand 1: 19 against 10.
    """
    chosen = BlackjackRules() if rules is None else rules
    return BlackjackTable.opened(
        chosen, seed=fresh_seed() if seed is None else seed, bankroll=bankroll, coach=coach
    )


def verify_bankroll(rules: BlackjackRules, bankroll: float) -> None:
    """Raise unless somebody can sit down with a bankroll.

    >>> verify_bankroll(BlackjackRules(minimum_bet=5), 2)
    Traceback (most recent call last):
    croupier.errors.InputError: a bankroll of 2; the smallest bet is 5, and the largest bankroll 1,000,000,000
    """
    if not rules.minimum_bet <= bankroll <= LARGEST_BANKROLL:
        raise InputError(
            say(
                "blackjack.refused.bankroll",
                bankroll=bankroll,
                least=money(rules.minimum_bet),
                most=money(LARGEST_BANKROLL),
            )
        )


def _why_no_coach(rules: BlackjackRules) -> InputError | None:
    """Return what is wrong with a coach under these rules, if something is."""
    from croupier.blackjack.play.coach import verify_advise  # noqa: PLC0415 - it brings the solvers along

    try:
        verify_advise(rules)
    except InputError as problem:
        return problem
    return None
