"""A shared table: who sits there, who is the host, and a game that everybody sees from their own seat."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from croupier.errors import InputError
from croupier.saved_state import Saved, read_saved
from croupier.texts import say
from croupier.web.friends.game import Game, verified_bet
from croupier.web.friends.games import GAMES
from croupier.web.friends.payments import Payment
from croupier.web.friends.seats import Holder, Seat, Seats, engine_name, verified_name

#: How many people can have sat at a table in one evening, those who left included.
MOST_SEATS = 12


@dataclass(frozen=True, slots=True)
class Evening:
    """A table at one moment; see :class:`SharedTable`."""

    code: str
    host: str | None
    seats: Seats
    game: Game
    is_paused: bool = False
    is_ended: bool = False

    def seat_of(self, visitor: str) -> int | None:
        """Return the seat of a visitor; None for somebody who watches."""
        return next((number for number, seat in enumerate(self.seats) if seat.visitor == visitor), None)


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat as everybody sees it.

    Attributes
    ----------
    name, holder
        Who sits there, and who plays.
    is_host, is_mine
        Whether it is the host's, and the viewer's.
    total
        What it has won or lost, in cents or points.
    has_owner, is_here
        Whether it belongs to a person, and whether that person has the table open.
    """

    name: str
    holder: Holder
    is_host: bool
    is_mine: bool
    total: int
    has_owner: bool
    is_here: bool


@dataclass(frozen=True, slots=True)
class TableView:
    """Everything that one visitor may see of a table.

    Attributes
    ----------
    code, title
        The table's name in its link, and what is played.
    seat
        The viewer's seat; None for somebody who watches.
    is_host, host_is_here
        Whether the viewer is the host, and whether the host has the table open.
    seats
        All seats.
    game
        The game as this seat sees it; of which kind it is, the page of the game knows.
    moment
        What identifies the question to this seat.
    free
        How many seats are free; an engine's counts as free.
    watching
        How many visitors without a seat have the table open.
    payments
        Who owes whom.
    """

    code: str
    title: str
    kind: str
    seat: int | None
    is_host: bool
    host_is_here: bool
    is_paused: bool
    is_ended: bool
    is_playing: bool
    seats: tuple[SeatView, ...]
    game: Any
    moment: str
    free: int
    watching: int
    payments: tuple[Payment, ...]


class SharedTable:
    """One table and its people. Each method does all of what it says, or raises an InputError and changes nothing.

    Examples
    --------
    >>> from croupier.banluck import rules
    >>> from croupier.web.friends.banluck import BanluckEvening
    >>> table = SharedTable.opened("K7QM", "ann's phone", "Ann", BanluckEvening(rules(), seed=7))
    >>> table.join("ben's phone", "Ben")
    >>> table.act("ben's phone", "bet", amount=5)
    >>> table.act("ann's phone", "deal")
    >>> [seat.name for seat in table.view("ben's phone").seats]
    ['Ann', 'Ben']
    """

    def __init__(self, evening: Evening) -> None:
        # One attribute, exchanged whole: whoever looks from another thread sees the table before an action or after it.
        self._now = evening

    @classmethod
    def opened(cls, code: str, visitor: str, name: str, game: Game) -> Self:
        """Open a table; whoever opens it is its host and sits there."""
        seats: Seats = (Seat(verified_name(name), Holder.PERSON, visitor),)
        if game.is_filled:
            while len(seats) < game.largest:
                seats = (*seats, Seat(engine_name(seats), Holder.ENGINE))
        return cls(Evening(code, visitor, seats, game))

    @property
    def code(self) -> str:
        """The table's name in its link."""
        return self._now.code

    @property
    def now(self) -> Evening:
        """The whole table, all cards open: for saving and for looking back, not for a page."""
        return self._now

    def seat_of(self, visitor: str) -> int | None:
        """Return the seat of a visitor; None for somebody who watches."""
        return self._now.seat_of(visitor)

    # People come and go

    def join(self, visitor: str, name: str) -> None:
        """Give a visitor a free seat, or the one that was left under this name."""
        now, name = self._now, verified_name(name)
        self._verify_running()
        if now.seat_of(visitor) is not None:
            raise InputError(say("friends.refused.seated"))
        number = self._free_seat(name)
        seat = Seat(name, Holder.PERSON, visitor)
        seats = (*now.seats, seat) if number == len(now.seats) else _with_seat(now.seats, number, seat)
        self._now = replace(now, seats=seats, host=now.host or visitor)

    def leave(self, visitor: str) -> None:
        """Give up a seat. An engine plays the hand to its end; the totals stay."""
        number = self._verified_seat(visitor)
        self._empty(number)
        if self._now.host == visitor:
            people = (seat.visitor for seat in self._now.seats if seat.holder is Holder.PERSON)
            self._now = replace(self._now, host=next(people, None))

    def come_back(self, visitor: str) -> None:
        """Play again oneself where an engine has taken over."""
        number = self._verified_seat(visitor)
        self._hold(number, Holder.PERSON)

    def take_over(self, visitor: str, present: Collection[str]) -> None:
        """Become the host if the host is not there.

        Parameters
        ----------
        present
            The visitors who have the table open.
        """
        self._verified_seat(visitor)
        if self._now.host in present:
            raise InputError(say("friends.refused.host_here"))
        self._now = replace(self._now, host=visitor)

    # What the host can do

    def pause(self, visitor: str, *, paused: bool) -> None:
        """Stop the game for a while, or let it go on."""
        self._verify_host(visitor)
        self._verify_running()
        self._now = replace(self._now, is_paused=paused)

    def end(self, visitor: str) -> None:
        """End the evening; a hand that is not over does not count."""
        self._verify_host(visitor)
        self._verify_running()
        self._now = replace(self._now, is_ended=True, is_paused=False)

    def replace_by_engine(self, visitor: str, number: int) -> None:
        """Let an engine play for somebody who is away, until that person comes back."""
        self._verify_host(visitor)
        self._verify_number(number)
        if self._now.seats[number].holder is not Holder.PERSON:
            raise InputError(say("friends.refused.no_person", number=number + 1))
        self._hold(number, Holder.ENGINE)

    def remove(self, visitor: str, number: int) -> None:
        """Free a seat, so that its owner can take it again by name from another phone; an engine's seat goes."""
        self._verify_host(visitor)
        self._verify_number(number)
        if self._now.seats[number].visitor == visitor:
            raise InputError(say("friends.refused.yourself"))
        self._empty(number)

    def add_engine(self, visitor: str) -> None:
        """Seat an engine."""
        self._verify_host(visitor)
        self._verify_running()
        now = self._now
        dealt = sum(seat.is_dealt for seat in now.seats)
        if dealt >= now.game.largest or len(now.seats) >= MOST_SEATS:
            raise InputError(say("friends.refused.full", most=now.game.largest))
        self._now = replace(now, seats=(*now.seats, Seat(engine_name(now.seats), Holder.ENGINE)))

    def sit_out(self, visitor: str, number: int) -> None:
        """Let somebody sit out for whose bet everybody waits."""
        self._verify_host(visitor)
        self._verify_number(number)
        game = self._now.game
        if game.is_playing or game.is_filled:
            raise InputError(say("friends.refused.playing"))
        self._now = replace(self._now, game=game.sat_out(number))

    # The game

    def act(self, visitor: str, name: str, *, moment: str | None = None, amount: float | None = None) -> None:
        """Do what a person has chosen.

        Parameters
        ----------
        moment
            The question that the person saw; if the table has moved on, the answer is refused.
        amount
            The bet, where the choice is one.
        """
        number = self._verified_seat(visitor)
        now = self._now
        if now.is_paused:
            raise InputError(say("friends.refused.paused"))
        if now.seats[number].holder is not Holder.PERSON:
            raise InputError(say("friends.refused.engine_plays"))
        if moment is not None and moment != now.game.moment(number):
            raise InputError(say("friends.refused.moved_on"))
        cents = verified_bet(amount) if name == "bet" else None
        self._play(now.game.act(number, name, now.seats, cents))

    @property
    def engine_is_to_move(self) -> bool:
        """Whether everybody waits for an engine."""
        now = self._now
        if now.is_paused or now.is_ended or not self._has_people:
            return False
        turn = now.game.turn(now.seats)
        return turn is not None and now.seats[turn].is_engine

    def move_engine(self) -> None:
        """Let the engine that is to move make one move; it may think for a while."""
        if self.engine_is_to_move:
            moved = self._now.game.engine_moved(self._now.seats)
            if moved is not None:
                self._play(moved)

    def view(self, visitor: str, present: Collection[str] = ()) -> TableView:
        """Return what a visitor may see, and nothing else.

        Parameters
        ----------
        visitor
            The visitor.
        present
            The visitors who have the table open.
        """
        now, number = self._now, self._now.seat_of(visitor)
        totals = now.game.totals
        seats = tuple(
            SeatView(
                seat.shown,
                seat.holder,
                is_host=seat.visitor is not None and seat.visitor == now.host,
                is_mine=place == number,
                total=totals.get(place, 0),
                has_owner=seat.visitor is not None,
                is_here=seat.visitor in present,
            )
            for place, seat in enumerate(now.seats)
        )
        return TableView(
            code=now.code,
            title=now.game.title,
            kind=now.game.kind,
            seat=number,
            is_host=now.host == visitor,
            host_is_here=now.host in present,
            is_paused=now.is_paused,
            is_ended=now.is_ended,
            is_playing=now.game.is_playing,
            seats=seats,
            game=now.game.view(number, now.seats),
            moment="" if number is None else now.game.moment(number),
            free=self._free_count(),
            watching=sum(now.seat_of(other) is None for other in present),
            payments=now.game.payments(now.seats),
        )

    # Saving

    def to_state(self) -> dict[str, Any]:
        """Return the whole table as plain JSON, hidden cards included."""
        now = self._now
        saved = _Saved(
            code=now.code,
            host=now.host,
            seats=now.seats,
            kind=now.game.kind,
            game=now.game.to_state(),
            is_paused=now.is_paused,
            is_ended=now.is_ended,
        )
        return saved.model_dump(mode="json")

    @classmethod
    def from_state(cls, state: Mapping[str, Any]) -> Self:
        """Read a table back.

        Raises
        ------
        InputError
            If it is not such a table.
        """
        saved = read_saved(_Saved, state, "not a saved table for friends")
        if saved.kind not in GAMES:
            raise InputError(f"not a saved table for friends: no game '{saved.kind}'")
        game = GAMES[saved.kind](saved.game)
        return cls(Evening(saved.code, saved.host, saved.seats, game, saved.is_paused, saved.is_ended))

    # Checks and changes

    @property
    def _has_people(self) -> bool:
        return any(seat.holder is Holder.PERSON for seat in self._now.seats)

    def _verify_running(self) -> None:
        if self._now.is_ended:
            raise InputError(say("friends.refused.ended"))

    def _verify_host(self, visitor: str) -> None:
        if self._now.host != visitor:
            raise InputError(say("friends.refused.only_host"))

    def _verify_number(self, number: int) -> None:
        if not 0 <= number < len(self._now.seats):
            raise InputError(
                say("friends.refused.no_seat_number", number=number + 1, most=len(self._now.seats))
            )

    def _verified_seat(self, visitor: str) -> int:
        self._verify_running()
        number = self._now.seat_of(visitor)
        if number is None:
            raise InputError(say("friends.refused.no_seat"))
        return number

    def _free_seat(self, name: str) -> int:
        """Return the seat for somebody who joins: the one left under that name, a new one, or an engine's."""
        now = self._now
        for number, seat in enumerate(now.seats):
            if seat.name.casefold() == name.casefold():
                if seat.visitor is not None or seat.holder is Holder.ENGINE:
                    raise InputError(say("friends.refused.name_taken", name=seat.shown))
                return number
        if sum(seat.holder is not Holder.NOBODY for seat in now.seats) < now.game.largest:
            if len(now.seats) < MOST_SEATS:
                return len(now.seats)
            raise InputError(say("friends.refused.most_seats", most=MOST_SEATS))
        for number, seat in enumerate(now.seats):
            if seat.is_engine and seat.visitor is None:
                return number
        raise InputError(say("friends.refused.all_taken"))

    def _free_count(self) -> int:
        now = self._now
        taken = sum(seat.visitor is not None for seat in now.seats)
        return max(now.game.largest - taken, 0)

    def _empty(self, number: int) -> None:
        """Take a seat from its owner: an engine plays its hand to the end, and stays in a game whose seats are always filled."""
        now = self._now
        seat = now.seats[number]
        holder = Holder.NOBODY
        if now.game.is_filled:
            seat, holder = replace(seat, name=engine_name(now.seats)), Holder.ENGINE
        elif now.game.plays(number):
            holder = Holder.LEAVING
        self._now = replace(
            now, seats=_with_seat(now.seats, number, replace(seat, holder=holder, visitor=None))
        )

    def _hold(self, number: int, holder: Holder) -> None:
        now = self._now
        self._now = replace(
            now, seats=_with_seat(now.seats, number, replace(now.seats[number], holder=holder))
        )

    def _play(self, game: Game) -> None:
        """Take over what has happened; those who have left are gone once their hand is over."""
        seats = self._now.seats if game.is_playing else tuple(seat.left() for seat in self._now.seats)
        self._now = replace(self._now, game=game, seats=seats)


def _with_seat(seats: Seats, number: int, seat: Seat) -> Seats:
    return (*seats[:number], seat, *seats[number + 1 :])


class _Saved(Saved):
    """A table in JSON."""

    code: str
    host: str | None
    seats: tuple[Seat, ...]
    kind: str
    game: dict[str, Any]
    is_paused: bool
    is_ended: bool
