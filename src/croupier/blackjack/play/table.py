"""A blackjack table in the browser: bets, rounds, bankroll, statistics, a coach and a count, all behind a view."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from croupier.blackjack.counting.system import find_system, verify_countable
from croupier.blackjack.engine import (
    NO_SIDE_BETS,
    Action,
    ActionKind,
    BlackjackRules,
    IllegalAction,
    RoundState,
    Session,
    SideBets,
    legal_actions,
    verify_start_round,
)
from croupier.blackjack.engine.text import describe_dealer, describe_seat
from croupier.blackjack.play.coach import Advice, advise, can_advise, verify_advise
from croupier.blackjack.play.saved import Saved, SavedSession, load_session, read_saved, save_session
from croupier.blackjack.play.view import (
    NO_ROUNDS,
    DealerView,
    Feedback,
    RoundRecord,
    Statistics,
    TableView,
    choices_of,
    count_view,
    dealer_view,
    money,
    prompt_of,
    seat_view,
    shoe_view,
)
from croupier.choices import Choice
from croupier.errors import InputError
from croupier.operations import is_allowed

#: What a person starts with, unless it is said otherwise.
USUAL_BANKROLL = 1000.0
LARGEST_BANKROLL = 1e9

#: Finished rounds that a table remembers one by one; the statistics count all.
_REMEMBERED_ROUNDS = 100

#: Actions that put more on the table, and how much, in initial bets.
_EXTRA_BETS = {ActionKind.DOUBLE: 1.0, ActionKind.SPLIT: 1.0, ActionKind.INSURE: 0.5}

_NO_ROUND = "no round is being played; make the bets first"


@dataclass(frozen=True, slots=True)
class _Position:
    """Everything about a table, at one moment: an action replaces it as a whole, or not at all."""

    session: Session
    bankroll: float
    buy_in: float
    bets: tuple[float, ...]
    side_bets: SideBets = NO_SIDE_BETS
    coach: bool = False
    system: str | None = None
    advice: Advice | None = None
    feedback: Feedback | None = None
    round_cost: float = 0.0
    statistics: Statistics = NO_ROUNDS
    history: tuple[RoundRecord, ...] = ()


class SavedTable(Saved):
    """A table as it is saved."""

    session: SavedSession
    bankroll: float
    buy_in: float
    bets: list[float]
    side_bets: SideBets
    coach: bool
    system: str | None
    feedback: Feedback | None
    round_cost: float
    statistics: Statistics
    history: list[RoundRecord]


class BlackjackTable:
    """A table at which one person plays all seats.

    Examples
    --------
    >>> table = BlackjackTable.opened(BlackjackRules(decks=4), seed=3)
    >>> table.deal([10])
    >>> view = table.view()
    >>> view.prompt, [choice.name for choice in view.choices], view.bankroll, view.on_table
    ('Your hand: 17 against 5.', ['hit', 'stand', 'double'], 990.0, 10.0)
    >>> table.act("stand")
    >>> table.view().prompt
    'You lose 10.'
    >>> table.act("stand")
    Traceback (most recent call last):
    croupier.blackjack.engine.state.IllegalAction: no round is being played; make the bets first
    """

    def __init__(self, position: _Position) -> None:
        self._now = position

    @classmethod
    def opened(
        cls, rules: BlackjackRules, *, seed: int, bankroll: float = USUAL_BANKROLL, coach: bool = False
    ) -> Self:
        """Sit down with a bankroll at a freshly shuffled shoe."""
        verify_bankroll(rules, bankroll)
        bankroll = round(bankroll, 2)
        bet = min(max(10.0, rules.minimum_bet), rules.maximum_bet, bankroll)
        session = Session.opened(rules, seed)
        return cls(_Position(session, bankroll, bankroll, (bet,), coach=coach and can_advise(rules)))

    @property
    def moment(self) -> tuple[int, int]:
        """How far the session is: rounds that are over, and what has happened in the one on the table.

        A page that acts on what it shows compares it, so that a click too many does not decide what was not seen yet.
        """
        table = self._now.session.table
        return self._now.statistics.rounds, 0 if table is None else len(table.state.history)

    def deal(self, bets: Sequence[float], side_bets: SideBets = NO_SIDE_BETS) -> None:
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
        now = self._now
        now.session.verify_start_round()
        sides = (side_bets,) * len(bets)
        verify_start_round(now.session.rules, bets, sides)
        self._verify_covered(bets, side_bets)
        session = now.session.start_round(bets, sides).advanced()
        placed = replace(now, bets=tuple(float(bet) for bet in bets), side_bets=side_bets)
        self._now = _reached(replace(placed, feedback=None, round_cost=0.0), session)

    def act(self, name: str) -> None:
        """Do what a choice of the view names, and let the dealer do what follows from it.

        Raises
        ------
        InputError
            If it is not offered, or the bankroll does not cover it.
        """
        now = self._now
        if not _is_playing(now.session):
            raise IllegalAction(_NO_ROUND)
        state = _state(now.session)
        legal = legal_actions(state)
        action = next((action for action in legal if action.kind == name), None)
        if action is None:
            offered = ", ".join(action.kind.value for action in legal)
            raise IllegalAction(f"cannot {name} now; you can {offered}")
        if not _covers(now, action):
            raise InputError(f"your bankroll does not cover it: {money(_left(now))} is left")
        self._now = _reached(_judged(now, action), now.session.act(action).advanced())

    def set_coach(self, on: bool) -> None:
        """Switch the coach on or off."""
        if on:
            verify_advise(self._now.session.rules)
        self._now = replace(self._now, coach=on)

    def set_count(self, system: str | None) -> None:
        """Show a count, by the name of its system, or none."""
        if system is not None:
            find_system(system)
            verify_countable(self._now.session.rules)
        self._now = replace(self._now, system=system)

    def verify_rebuy(self) -> None:
        """Raise unless the bankroll has become too small to go on."""
        if not _is_broke(self._now):
            raise InputError("you can buy in again when your bankroll does not cover the smallest bet")

    def can_rebuy(self) -> bool:
        """Tell whether the bankroll has become too small to go on."""
        return is_allowed(self.verify_rebuy)

    def rebuy(self) -> None:
        """Add what was started with to a bankroll that has become too small."""
        self.verify_rebuy()
        self._now = replace(self._now, bankroll=round(self._now.bankroll + self._now.buy_in, 2))

    def view(self) -> TableView:
        """Return everything that the browser may know, and nothing else."""
        now = self._now
        session = now.session
        is_playing, is_broke = _is_playing(session), _is_broke(now)
        state = None if session.table is None else session.table.state
        return TableView(
            rules=session.rules,
            prompt="Place your bets." if state is None else prompt_of(state),
            note=_note(now),
            is_betting=not is_playing,
            is_broke=is_broke,
            dealer=DealerView((), "") if state is None else dealer_view(state),
            seats=() if state is None else tuple(seat_view(state, seat) for seat in range(len(state.seats))),
            choices=_choices(now),
            bankroll=_left(now) if is_playing else now.bankroll,
            on_table=_on_table(session) if is_playing else 0.0,
            bets=now.bets,
            side_bets=now.side_bets,
            shoe=shoe_view(session),
            count=None if now.system is None else count_view(session, now.system),
            coach=now.coach,
            feedback=now.feedback if now.coach else None,
            statistics=now.statistics,
            history=now.history,
        )

    def to_state(self) -> dict[str, Any]:
        """Return the whole table as JSON, the shoe and the round among it."""
        now = self._now
        saved = SavedTable(
            session=save_session(now.session),
            bankroll=now.bankroll,
            buy_in=now.buy_in,
            bets=list(now.bets),
            side_bets=now.side_bets,
            coach=now.coach,
            system=now.system,
            feedback=now.feedback,
            round_cost=now.round_cost,
            statistics=now.statistics,
            history=list(now.history),
        )
        return saved.model_dump(mode="json")

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        """Read a table back, in the middle of a round if it was saved there.

        Raises
        ------
        InputError
            If it is not such a table.
        """
        saved = read_saved(SavedTable, state, "blackjack table")
        session = load_session(saved.session)
        if saved.system is not None:
            find_system(saved.system)
            verify_countable(session.rules)
        position = _Position(
            session=session,
            bankroll=saved.bankroll,
            buy_in=saved.buy_in,
            bets=tuple(saved.bets),
            side_bets=saved.side_bets,
            coach=saved.coach,
            system=saved.system,
            feedback=saved.feedback,
            round_cost=saved.round_cost,
            statistics=saved.statistics,
            history=tuple(saved.history),
        )
        return cls(replace(position, advice=_advice(position)))

    def _verify_covered(self, bets: Sequence[float], side_bets: SideBets) -> None:
        amounts = (*bets, side_bets.perfect_pairs, side_bets.twenty_one_plus_three)
        for amount in amounts:
            if round(amount, 2) != amount:
                raise InputError(f"a bet of {amount:.10g}; bets go to the hundredth, such as {amount:.2f}")
        total = sum(bets) + side_bets.total * len(bets)
        if total > self._now.bankroll:
            raise InputError(
                f"bets of {money(total)} in all; your bankroll is {money(self._now.bankroll)}, bet less or on fewer hands"
            )


def verify_bankroll(rules: BlackjackRules, bankroll: float) -> None:
    """Raise unless somebody can sit down with a bankroll.

    >>> verify_bankroll(BlackjackRules(minimum_bet=5), 2)
    Traceback (most recent call last):
    croupier.errors.InputError: a bankroll of 2; the smallest bet is 5, and the largest bankroll 1,000,000,000
    """
    if not rules.minimum_bet <= bankroll <= LARGEST_BANKROLL:
        raise InputError(
            f"a bankroll of {bankroll:.10g}; the smallest bet is {money(rules.minimum_bet)}, "
            f"and the largest bankroll {money(LARGEST_BANKROLL)}"
        )


def _state(session: Session) -> RoundState:
    assert session.table is not None, "a round is on the table"
    return session.table.state


def _is_playing(session: Session) -> bool:
    return not session.is_between_rounds


def _on_table(session: Session) -> float:
    return sum(seat.total_bets for seat in _state(session).seats)


def _left(now: _Position) -> float:
    """Return what is not on the table while a round is played."""
    return round(now.bankroll - _on_table(now.session), 2)


def _is_broke(now: _Position) -> bool:
    return not _is_playing(now.session) and now.bankroll < now.session.rules.minimum_bet


def _covers(now: _Position, action: Action) -> bool:
    """Tell whether what is left pays for an action."""
    extra = _EXTRA_BETS.get(action.kind, 0.0)
    return extra == 0 or (
        action.seat is not None and extra * _state(now.session).seats[action.seat].bet <= _left(now)
    )


def _affordable(now: _Position) -> tuple[Action, ...]:
    return tuple(action for action in legal_actions(_state(now.session)) if _covers(now, action))


def _advice(now: _Position) -> Advice | None:
    """Price the decision that lies before the player, where there is one and the rules have exact values."""
    if not _is_playing(now.session) or not can_advise(now.session.rules):
        return None
    return advise(now.session, _affordable(now))


def _judged(now: _Position, action: Action) -> _Position:
    """Count what a choice gives away; the coach need not be on for that."""
    if now.advice is None or action.seat is None:
        return replace(now, feedback=None)
    bet = _state(now.session).seats[action.seat].bet
    feedback = Feedback(action.kind.value, now.advice.worths, now.advice.cost(action.kind), bet)
    cost = feedback.cost * bet
    counted = replace(
        now.statistics,
        decisions=now.statistics.decisions + 1,
        right=now.statistics.right + feedback.is_right,
        cost=now.statistics.cost + cost,
    )
    return replace(now, feedback=feedback, round_cost=now.round_cost + cost, statistics=counted)


def _reached(now: _Position, session: Session) -> _Position:
    """Move on to where an action has led: to the next decision, or to the end of the round, which is paid."""
    after = replace(now, session=session)
    if _is_playing(session):
        return replace(after, advice=_advice(after))
    state = _state(session)
    won = round(0.0 - state.bank_result, 2)
    staked = _on_table(session)
    record = RoundRecord(
        number=now.statistics.rounds + 1,
        bet=staked,
        won=won,
        cost=now.round_cost,
        hands="; ".join(line for seat in range(len(state.seats)) for line in describe_seat(state, seat)),
        dealer=describe_dealer(state),
    )
    return replace(
        after,
        bankroll=round(now.bankroll + won, 2),
        advice=None,
        statistics=replace(
            now.statistics,
            rounds=record.number,
            staked=round(now.statistics.staked + staked, 2),
            won=round(now.statistics.won + won, 2),
        ),
        history=(*now.history, record)[-_REMEMBERED_ROUNDS:],
    )


def _choices(now: _Position) -> tuple[Choice, ...]:
    if _is_playing(now.session):
        state = _state(now.session)
        shown = now.advice if now.coach else None
        return choices_of(state, legal_actions(state), _affordable(now), shown)
    if _is_broke(now):
        return (Choice("rebuy", f"Buy in again for {money(now.buy_in)}", "b"),)
    return (Choice("deal", "Deal", "Enter"),)


def _note(now: _Position) -> str:
    """Say what a person might wonder about."""
    if _is_broke(now):
        return "Your bankroll does not cover the smallest bet any more."
    if _is_playing(now.session):
        if len(_affordable(now)) < len(legal_actions(_state(now.session))):
            return "Your bankroll does not cover another bet."
        return ""
    return "The cut card has come up: the next round has a new shoe." if _cut_card_is_out(now.session) else ""


def _cut_card_is_out(session: Session) -> bool:
    return session.rules.shuffle == "shoe" and session.shoe.needs_shuffle
