"""Blackjack for friends: up to seven people at one shoe, against the bank."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import Field

from croupier.blackjack.engine import (
    BLACKJACK,
    Action,
    ActionKind,
    RoundState,
    Session,
    legal_actions,
)
from croupier.blackjack.engine.betting import MAX_SEATS, verify_bet
from croupier.blackjack.play.saved import SavedSession, load_session, save_session
from croupier.blackjack.play.view import choices_of
from croupier.choices import Choice
from croupier.errors import InputError
from croupier.saved_state import Saved, read_saved
from croupier.texts import say
from croupier.web.friends.betting import Bets
from croupier.web.friends.game import listed, not_possible
from croupier.web.friends.payments import Payment, settled_between
from croupier.web.friends.seats import BANK, Seats

KIND = "blackjack"


@dataclass(frozen=True, slots=True)
class BlackjackEvening:
    """Rounds one after another from one shoe; everybody bets, and anybody deals once all have.

    Attributes
    ----------
    session
        Rules, shoe, and the round on the table.
    number
        How many rounds were dealt.
    bets
        Those of the next round.
    players
        The seats in the round on the table, in order.
    won
        What each of them won or lost in the last round, in cents.
    totals
        What each seat has won or lost, in cents; the bank has the rest.

    Examples
    --------
    >>> from croupier.blackjack import rules
    >>> from croupier.web.friends.seats import Seat
    >>> seats = (Seat("Ann"), Seat("Ben"))
    >>> evening = BlackjackEvening(Session.opened(rules(), seed=3))
    >>> evening = evening.act(0, "bet", seats, 500).act(1, "bet", seats, 1000).act(0, "deal", seats)
    >>> evening.players, evening.turn(seats)
    ((0, 1), 0)
    """

    session: Session
    number: int = 0
    bets: Bets = field(default_factory=Bets)
    players: tuple[int, ...] = ()
    won: tuple[int, ...] = ()
    totals: Mapping[int, int] = field(default_factory=dict)

    kind = KIND
    largest = MAX_SEATS
    is_filled = False

    @property
    def title(self) -> str:
        """The game and its rules in a line."""
        return say("friends.title.blackjack", rules=BLACKJACK.describe(self.session.rules))

    @property
    def state(self) -> RoundState | None:
        """The round on the table, the hole card among it: for the engine, not for a page."""
        return None if self.session.table is None else self.session.table.state

    @property
    def is_playing(self) -> bool:
        """Whether a round is under way."""
        return not self.session.is_between_rounds

    def plays(self, seat: int) -> bool:
        """Say whether a seat takes part in the round that is under way."""
        return self.is_playing and seat in self.players

    def turn(self, seats: Seats) -> int | None:
        """Return the seat that has to act; None between rounds, when everybody bets and anybody deals."""
        del seats
        state = self.state
        if not self.is_playing or state is None or state.turn is None:
            return None
        return self.players[state.turn.seat]

    def moment(self, seat: int) -> str:
        """Return the round, and how much has happened in it."""
        del seat
        state = self.state
        return f"{self.number}/{len(state.history) if self.is_playing and state is not None else 'bets'}"

    def why_no_deal(self, seats: Seats) -> str:
        """Say what the deal waits for; nothing if the cards can be dealt."""
        awaited = self.bets.awaited(seats)
        if awaited:
            names = listed([seats[seat].shown for seat in awaited])
            return say("friends.prompt.waiting_bets", names=names)
        return "" if self._betting(seats) else say("friends.prompt.all_out")

    def choices(self, seat: int, seats: Seats) -> tuple[Choice, ...]:
        """Return what a seat can do now."""
        state = self.state
        if self.is_playing and state is not None:
            if self.turn(seats) != seat:
                return ()
            legal = legal_actions(state)
            return choices_of(state, legal, legal, None)
        if not seats[seat].is_dealt:
            return ()
        bet = self.bets.of(seat, seats)
        sit_out = Choice("sit-out", say("friends.do.sit_out"), "o")
        if not bet:
            out = (sit_out,) if bet is None else ()
            return (Choice("bet", say("friends.do.bet"), "Enter"), *out)
        deal = Choice("deal", say("blackjack.do.deal"), "Enter", enabled=not self.why_no_deal(seats))
        return (deal, Choice("bet", say("friends.do.change_bet"), "b"), sit_out)

    def act(self, seat: int, name: str, seats: Seats, cents: int | None = None) -> "BlackjackEvening":
        """Do what a seat has chosen: bet, deal, play."""
        choices = self.choices(seat, seats)
        if name not in (choice.name for choice in choices if choice.enabled):
            raise not_possible(name, choices)
        match name:
            case "bet":
                bet = cents or self.bets.offered(seat)
                verify_bet(self.session.rules, bet / 100)
                return replace(self, bets=self.bets.with_bet(seat, bet))
            case "sit-out":
                return replace(self, bets=self.bets.sitting_out(seat))
            case "deal":
                return self._dealt(seats)
        state = self.state
        assert state is not None, "a round is under way"
        return self._done(next(action for action in legal_actions(state) if action.kind == name))

    def sat_out(self, seat: int) -> "BlackjackEvening":
        """Let a seat sit out that others wait for."""
        return replace(self, bets=self.bets.sitting_out(seat))

    def engine_moved(self, seats: Seats) -> "BlackjackEvening | None":
        """Let an engine play: by what each choice is worth exactly, or as the dealer plays where nothing is known."""
        from croupier.blackjack.play.coach import advise, can_advise  # noqa: PLC0415 - it brings the solvers along

        seat, state = self.turn(seats), self.state
        if seat is None or state is None or state.turn is None or not seats[seat].is_engine:
            return None
        legal = legal_actions(state)
        if can_advise(self.session.rules):
            best = advise(self.session, legal).best
        else:
            is_low = state.hand_value(*state.turn).total < 17
            wanted = (ActionKind.HIT, ActionKind.DECLINE, ActionKind.KEEP) if is_low else ()
            best = next((action.kind.value for action in legal if action.kind in wanted), "stand")
        return self._done(next((action for action in legal if action.kind == best), legal[-1]))

    def _betting(self, seats: Seats) -> list[int]:
        return [seat for seat in range(len(seats)) if self.bets.of(seat, seats)]

    def _dealt(self, seats: Seats) -> "BlackjackEvening":
        players = self._betting(seats)
        bets = [(self.bets.of(seat, seats) or 0) / 100 for seat in players]
        session = self.session.start_round(bets).advanced()
        after = replace(
            self,
            session=session,
            number=self.number + 1,
            players=tuple(players),
            won=(),
            bets=self.bets.next_hand(),
        )
        return after._paid()

    def _done(self, action: Action) -> "BlackjackEvening":
        return replace(self, session=self.session.act(action).advanced())._paid()

    def _paid(self) -> "BlackjackEvening":
        state = self.state
        if self.is_playing or state is None:
            return self
        won = tuple(round((result or 0.0) * 100) for result in state.results)
        totals = dict(self.totals)
        for seat, cents in zip(self.players, won, strict=True):
            totals[seat] = totals.get(seat, 0) + cents
        return replace(self, won=won, totals=totals)

    def payments(self, seats: Seats) -> tuple[Payment, ...]:
        """Say who owes the bank, and whom the bank owes."""
        totals = [(seats[seat].shown, cents) for seat, cents in self.totals.items()]
        return settled_between((*totals, (BANK, -sum(cents for _, cents in totals))))

    def view(self, seat: int | None, seats: Seats) -> Any:
        """Return what a seat may see."""
        from croupier.web.friends.blackjack_view import view_of  # noqa: PLC0415 - it is made of this

        return view_of(self, seat, seats)

    def to_state(self) -> dict[str, Any]:
        """Return the evening as plain JSON, the shoe included."""
        saved = _Saved(
            session=save_session(self.session),
            number=self.number,
            bets=self.bets,
            players=self.players,
            won=self.won,
            totals=dict(self.totals),
        )
        return saved.model_dump(mode="json")

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> "BlackjackEvening":
        """Read an evening back, in the middle of a round if it was left there.

        Raises
        ------
        InputError
            If it is not such an evening.
        """
        saved = read_saved(_Saved, state, "not a saved evening of blackjack")
        session = load_session(saved.session)
        evening = cls(session, saved.number, saved.bets, saved.players, saved.won, saved.totals)
        if evening.state is not None and len(evening.state.seats) != len(saved.players):
            raise InputError("not a saved evening of blackjack: the round has other players")
        return evening


class _Saved(Saved):
    """An evening in JSON."""

    session: SavedSession
    number: int = Field(ge=0)
    bets: Bets
    players: tuple[int, ...]
    won: tuple[int, ...]
    totals: dict[int, int]
