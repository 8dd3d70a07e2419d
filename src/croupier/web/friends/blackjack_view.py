"""What one person may see of blackjack among friends: all hands lie open, but for the dealer's hole card."""

from dataclasses import dataclass

from croupier.blackjack.engine import RoundState
from croupier.blackjack.play.view import DealerView, HandView, ShoeView, dealer_view, seat_view, shoe_view
from croupier.texts import say
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
        tone="" if won is None else _tone(won),
        shoe=shoe_view(evening.session),
    )


def _won(evening: BlackjackEvening, seat: int | None) -> int | None:
    if evening.is_playing or not evening.won or seat is None:
        return None
    return dict(zip(evening.players, evening.won, strict=True)).get(seat)


def _outcome(won: int) -> str:
    return say(f"friends.outcome.{_tone(won)}", amount=money(abs(won)))


def _tone(won: int) -> str:
    return "win" if won > 0 else "loss" if won < 0 else "push"


def _place(evening: BlackjackEvening, number: int, seat: int | None, seats: Seats) -> BlackjackPlace:
    state = evening.state
    hands: tuple[HandView, ...] = ()
    notes: tuple[str, ...] = ()
    if state is not None and number in evening.players:
        shown = seat_view(state, evening.players.index(number))
        hands, notes = shown.hands, shown.side_notes
    return BlackjackPlace(
        seat=number,
        name=seats[number].shown,
        hands=hands,
        notes=notes,
        note=_note(evening, number, seats),
        is_turn=evening.turn(seats) == number,
        is_mine=number == seat,
    )


def _note(evening: BlackjackEvening, number: int, seats: Seats) -> str:
    """Say what a seat does in the next round, and what it won in this one."""
    if evening.is_playing:
        return "" if number in evening.players else say("friends.note.next_round")
    won = dict(zip(evening.players, evening.won, strict=False)).get(number)
    bet = evening.bets.of(number, seats)
    key = "thinks" if bet is None else "sits_out" if bet == 0 else "bets"
    following = say(f"friends.note.{key}", bet=money(bet or 0))
    return following if won is None else say("friends.won_and", won=signed_money(won), next=following)


def _asked(evening: BlackjackEvening, seat: int | None, seats: Seats) -> Asked:
    state = evening.state
    choices = () if seat is None else evening.choices(seat, seats)
    if evening.is_playing and state is not None:
        turn = evening.turn(seats)
        if turn != seat or seat is None:
            if turn is None:
                return Asked(say("friends.prompt.dealer_plays"))
            return Asked(say("friends.prompt.to_act", name=seats[turn].shown))
        return Asked(_question(state), choices)
    waits = evening.why_no_deal(seats)
    if seat is None or not seats[seat].is_dealt:
        return Asked(waits or say("friends.prompt.all_made"))
    bet, offered = evening.bets.of(seat, seats), evening.bets.offered(seat)
    if bet is None:
        rules = evening.session.rules
        limits = say("friends.prompt.bet_limits", least=rules.minimum_bet, most=rules.maximum_bet)
        return Asked(limits, choices, offered)
    if bet == 0:
        return Asked(say("friends.prompt.you_sit_out"), choices, offered)
    waits = waits or say("friends.prompt.all_made_deal")
    return Asked(say("friends.prompt.you_bet", bet=money(bet), waits=waits), choices, offered)


def _question(state: RoundState) -> str:
    assert state.turn is not None, "a player is to act"
    several = len(state.seats[state.turn.seat].hands) > 1
    which = say(f"blackjack.name.your{'_part' if several else ''}", part=state.turn.hand + 1)
    return say("friends.prompt.your_hand", name=which, value=str(state.hand_value(*state.turn)))
