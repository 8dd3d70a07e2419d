"""What one person may see of blackjack among friends: all hands lie open, but for the dealer's hole card."""

from dataclasses import dataclass

from croupier.blackjack.engine import BlackjackRules, RoundState
from croupier.blackjack.play.view import DealerView, HandView, ShoeView, dealer_view, seat_view, shoe_view
from croupier.web.friends.blackjack import BlackjackEvening
from croupier.web.friends.game import Asked
from croupier.web.friends.payments import money, signed_money
from croupier.web.friends.seats import Seats


@dataclass(frozen=True, slots=True)
class BlackjackPlace:
    """A player: the hands on the table, the bets beside them in words, and what the seat does next."""

    seat: int
    name: str
    hands: tuple[HandView, ...]
    notes: tuple[str, ...]
    note: str
    is_turn: bool
    is_mine: bool


@dataclass(frozen=True, slots=True)
class BlackjackEveningView:
    """Everything that one person may know of an evening.

    Attributes
    ----------
    number
        The round's number, from 1; 0 before the first.
    dealer
        The dealer's cards; None before the first round.
    places
        The players.
    outcome, tone
        What the person won or lost in the round; empty while it is played.
    shoe
        The shoe from outside.
    """

    number: int
    dealer: DealerView | None
    places: tuple[BlackjackPlace, ...]
    asked: Asked
    outcome: str
    tone: str
    shoe: ShoeView


def view_of(evening: BlackjackEvening, seat: int | None, seats: Seats) -> BlackjackEveningView:
    """Show an evening to a seat, or to somebody who watches."""
    state = evening.state
    won = _won(evening, seat)
    return BlackjackEveningView(
        number=evening.number,
        dealer=None if state is None else dealer_view(state),
        places=tuple(
            _place(evening, number, seat, seats)
            for number in range(len(seats))
            if seats[number].is_dealt or number in evening.players
        ),
        asked=_asked(evening, seat, seats),
        outcome="" if won is None else _outcome(won),
        tone="" if won is None else "win" if won > 0 else "loss" if won < 0 else "push",
        shoe=shoe_view(evening.session),
    )


def _won(evening: BlackjackEvening, seat: int | None) -> int | None:
    if evening.is_playing or not evening.won or seat is None:
        return None
    return dict(zip(evening.players, evening.won, strict=True)).get(seat)


def _outcome(won: int) -> str:
    return "You break even" if won == 0 else f"You {'win' if won > 0 else 'lose'} {money(abs(won))}"


def _place(evening: BlackjackEvening, number: int, seat: int | None, seats: Seats) -> BlackjackPlace:
    state = evening.state
    hands: tuple[HandView, ...] = ()
    notes: tuple[str, ...] = ()
    if state is not None and number in evening.players:
        shown = seat_view(state, evening.players.index(number))
        hands, notes = shown.hands, shown.side_notes
    return BlackjackPlace(
        seat=number,
        name=seats[number].name,
        hands=hands,
        notes=notes,
        note=_note(evening, number, seats),
        is_turn=evening.turn(seats) == number,
        is_mine=number == seat,
    )


def _note(evening: BlackjackEvening, number: int, seats: Seats) -> str:
    """Say what a seat does in the next round, and what it won in this one."""
    if evening.is_playing:
        return "" if number in evening.players else "plays from the next round"
    won = dict(zip(evening.players, evening.won, strict=False)).get(number)
    result = "" if won is None else f"{signed_money(won)} · "
    bet = evening.bets.of(number, seats)
    following = "thinks about the bet" if bet is None else "sits out" if bet == 0 else f"bets {money(bet)}"
    return f"{result}{following}"


def _asked(evening: BlackjackEvening, seat: int | None, seats: Seats) -> Asked:
    state = evening.state
    choices = () if seat is None else evening.choices(seat, seats)
    if evening.is_playing and state is not None:
        turn = evening.turn(seats)
        if turn != seat or seat is None:
            return Asked(f"{seats[turn].name} is to act." if turn is not None else "The dealer plays.")
        return Asked(_question(state), choices)
    waits = evening.why_no_deal(seats)
    if seat is None or not seats[seat].is_dealt:
        return Asked(waits or "All bets are made.")
    bet, offered = evening.bets.of(seat, seats), evening.bets.offered(seat)
    if bet is None:
        return Asked(f"Make your bet: {_limits(evening.session.rules)}.", choices, offered)
    if bet == 0:
        return Asked("You sit out. Bet to play again.", choices, offered)
    return Asked(f"You bet {money(bet)}. {waits or 'All bets are made: deal.'}", choices, offered)


def _limits(rules: BlackjackRules) -> str:
    return f"{rules.minimum_bet:g} to {rules.maximum_bet:g}"


def _question(state: RoundState) -> str:
    assert state.turn is not None, "a player is to act"
    several = len(state.seats[state.turn.seat].hands) > 1
    which = f"Your hand {state.turn.hand + 1}" if several else "Your hand"
    return f"{which}: {state.hand_value(*state.turn)}."
