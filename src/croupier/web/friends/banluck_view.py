"""What one person may see of an evening of Banluck. A closed card of somebody else is None here, and nothing else is shown."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from croupier.banluck.engine import (
    DEALER,
    Action,
    ActionKind,
    Observation,
    Phase,
    evaluate,
    forfeits,
    observe,
)
from croupier.banluck.engine.observation import SeenHand
from croupier.banluck.engine.rules import MAX_CARDS
from croupier.banluck.engine.text import hand_name
from croupier.banluck.play.phrases import tone_of
from croupier.texts import say
from croupier.web.friends.banluck import BanluckEvening, EveningHand
from croupier.web.friends.game import Asked
from croupier.web.friends.payments import money, signed_money
from croupier.web.friends.seats import Seats

#: The viewer who sees only what everybody sees.
_NOBODY = -2

#: Which sentence tells of an action.
_TOLD = {
    ActionKind.DEAL: "deals",
    ActionKind.KEEP: "keeps",
    ActionKind.SURRENDER: "surrenders",
    ActionKind.REVEAL: "opens",
    ActionKind.STAND: "stands",
    ActionKind.DRAW: "draws",
    ActionKind.DEALER_STAND: "stands",
}


@dataclass(frozen=True, slots=True)
class HandPlace:
    """One hand on the table.

    Attributes
    ----------
    seat, name
        Whose it is.
    cards
        None for a card that this viewer does not see.
    value, result, tone
        What the hand is, how it was settled, and whether that was a ``win``, a ``loss`` or a ``push``; empty while it is closed.
    note
        The bet, or what the seat does.
    is_dealer, is_mine, is_turn
        Whether it is the dealer's, the viewer's, and whether everybody waits for it.
    """

    seat: int
    name: str
    cards: tuple[int | None, ...]
    value: str
    result: str
    tone: str
    note: str
    is_dealer: bool
    is_mine: bool
    is_turn: bool


@dataclass(frozen=True, slots=True)
class PastHand:
    """A hand that is over, in words: all its cards were shown."""

    number: int
    dealer: str
    won: str
    hands: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BanluckEveningView:
    """Everything that one person may know of an evening.

    Attributes
    ----------
    number
        The hand that is played, or was played last; 0 before the first.
    places
        The hands on the table, the dealer's first; before a deal, everybody with their bets.
    asked
        What the person is asked.
    outcome, tone
        How the hand ended for the person; empty while it is played, and for those who watch.
    told
        What has happened in the hand.
    past
        The last hands, the latest first.
    """

    number: int
    places: tuple[HandPlace, ...]
    asked: Asked
    outcome: str
    tone: str
    told: tuple[str, ...]
    past: tuple[PastHand, ...]


def view_of(evening: BanluckEvening, seat: int | None, seats: Seats) -> BanluckEveningView:
    """Show an evening to a seat, or to somebody who watches."""
    seen = _seen(evening, seat)
    won = evening.played[-1].won_by(seat) if _is_settled(evening) and seat is not None else None
    return BanluckEveningView(
        number=evening.number,
        places=_places(evening, seen, seat, seats),
        asked=_asked(evening, seat, seats),
        outcome="" if won is None else _outcome(won),
        tone="" if won is None else tone_of(won),
        told=() if seen is None else tuple(_told(evening, seen, seats)),
        past=tuple(_past(hand, seat, seats) for hand in reversed(evening.played[-12:])),
    )


def _is_settled(evening: BanluckEvening) -> bool:
    return bool(evening.played) and not evening.is_playing


def _viewer(evening: BanluckEvening, seat: int | None) -> int:
    """Return through whose eyes the engine shows the hand."""
    if seat == evening.dealer:
        return DEALER
    return evening.players.index(seat) if seat in evening.players else _NOBODY


def _seen(evening: BanluckEvening, seat: int | None) -> Observation | None:
    """Return what a seat sees of the hand.

    While the dealer is asked about a hard 15, all see the same as without one: Ban hands if they are shown before the question,
    and no settlement. While a hand that can take no more cards has its turn, nobody sees that it stands.
    """
    state = evening.state
    if state is None:
        return None
    if evening.is_opening and evening.rules.surrender == "after_specials" and state.has_ban:
        state = replace(state, specials_shown=True)
    seen = observe(state, _viewer(evening, seat))
    return seen if evening.holding is None else replace(seen, events=seen.events[:-1])


def _places(
    evening: BanluckEvening, seen: Observation | None, seat: int | None, seats: Seats
) -> tuple[HandPlace, ...]:
    turn = evening.turn(seats)
    if seen is None:
        dealer = evening.dealer_now(seats)
        order = range(len(seats))
        return tuple(
            _empty_place(evening, place, seats, is_dealer=place == dealer, is_mine=place == seat)
            for place in sorted(order, key=lambda place: place != dealer)
            if seats[place].is_dealt
        )
    hands = [(evening.dealer, seen.dealer), *zip(evening.players, seen.seats, strict=True)]
    placed: list[HandPlace] = []
    for number, (place, hand) in enumerate(hands):
        value = evaluate(hand.open_cards, evening.rules) if hand.open_cards else None
        stake = "" if number == 0 else say("friends.note.bet", bet=money(evening.stakes[number - 1]))
        placed.append(
            HandPlace(
                seat=place,
                name=seats[place].shown,
                cards=hand.cards,
                value="" if value is None else hand_name(value, evening.rules),
                result="" if number == 0 else _result(hand, evening.stakes[number - 1]),
                tone="" if hand.settlement is None else tone_of(hand.settlement.units),
                note=stake if evening.is_playing else _next_bet(evening, place, seats) or stake,
                is_dealer=number == 0,
                is_mine=place == seat,
                is_turn=evening.is_playing and place == turn,
            )
        )
    present = {place for place, _ in hands}
    waiting = [place for place in range(len(seats)) if place not in present and seats[place].is_dealt]
    return (
        *placed,
        *(_empty_place(evening, place, seats, is_dealer=False, is_mine=place == seat) for place in waiting),
    )


def _empty_place(
    evening: BanluckEvening, place: int, seats: Seats, *, is_dealer: bool, is_mine: bool
) -> HandPlace:
    note = "" if evening.is_playing else _next_bet(evening, place, seats)
    if not note and not is_dealer:
        is_out = evening.bets.is_out(place)
        key = "sits_out" if is_out else "next_hand" if evening.is_playing else ""
        note = say(f"friends.note.{key}") if key else ""
    return HandPlace(place, seats[place].shown, (), "", "", "", note, is_dealer, is_mine, is_turn=False)


def _next_bet(evening: BanluckEvening, place: int, seats: Seats) -> str:
    """Say what a seat does in the next hand, before it is dealt."""
    if place == evening.dealer_now(seats):
        return say("friends.note.deals_next" if evening.number else "friends.note.deals")
    bet = evening.bets.of(place, seats)
    key = "thinks" if bet is None else "sits_out" if bet == 0 else "next_bet"
    return say(f"friends.note.{key}", bet=money(bet or 0))


def _result(hand: SeenHand, stake: int) -> str:
    """Say what a hand won or lost, in money, and why."""
    if hand.settlement is None:
        return ""
    reason = say(f"banluck.reason.{hand.settlement.outcome.name.lower()}")
    return say("friends.note.settled", won=signed_money(round(hand.settlement.units * stake)), reason=reason)


def _outcome(won: int) -> str:
    return say(f"friends.outcome.{tone_of(won)}", amount=money(abs(won)))


def _asked(evening: BanluckEvening, seat: int | None, seats: Seats) -> Asked:
    choices = () if seat is None else evening.choices(seat, seats)
    if not evening.is_playing:
        return _asked_before(evening, seat, seats)
    turn = evening.turn(seats)
    if not choices or seat is None:
        name = "" if turn is None else seats[turn].shown
        return Asked(say(f"friends.prompt.{'dealing' if evening.is_opening else 'to_act'}", name=name))
    return Asked(_question(evening, seat), choices)


def _asked_before(evening: BanluckEvening, seat: int | None, seats: Seats) -> Asked:
    dealer = evening.dealer_now(seats)
    if dealer is None:
        return Asked(say("friends.prompt.all_out"), () if seat is None else evening.choices(seat, seats))
    waits = evening.why_no_deal(dealer, seats) or say("friends.prompt.to_deal", name=seats[dealer].shown)
    if seat is None or not seats[seat].is_dealt:
        return Asked(waits)
    choices = evening.choices(seat, seats)
    if seat == dealer:
        return Asked(evening.why_no_deal(dealer, seats) or say("friends.prompt.you_deal"), choices)
    bet = evening.bets.of(seat, seats)
    offered = evening.bets.offered(seat)
    if bet is None:
        return Asked(say("friends.prompt.bet"), choices, offered)
    if bet == 0:
        return Asked(say("friends.prompt.you_sit_out"), choices, offered)
    return Asked(say("friends.prompt.you_bet", bet=money(bet), waits=waits), choices, offered)


def _question(evening: BanluckEvening, seat: int) -> str:
    state = evening.state
    assert state is not None, "a hand is under way"
    if seat == evening.dealer:
        held = hand_name(state.dealer_value, evening.rules)
        if evening.is_opening:
            is_hard = state.phase is Phase.SURRENDER
            return say("friends.prompt.open_hard" if is_hard else "friends.prompt.open", hand=held)
        return say("friends.prompt.against", hand=held, closed=len(state.closed_seats))
    value = state.hand_value(evening.players.index(seat))
    name = hand_name(value, evening.rules)
    if evening.holding is not None:
        return say("friends.prompt.stand", hand=name)
    key = "hit_or_lose" if forfeits(value, evening.rules) else "hit_or_stand"
    return say(f"banluck.prompt.{key}", value=name, minimum=evening.rules.player_minimum)


def _told(evening: BanluckEvening, seen: Observation, seats: Seats) -> Iterator[str]:
    """Tell what the viewer has seen happen, a sentence an action."""
    cards = dict.fromkeys(range(len(evening.players)), 2)
    shown = [event for event in seen.events if not (evening.is_opening and event.kind is ActionKind.SHOW)]
    for event in shown:
        if event.kind is ActionKind.HIT and event.seat is not None:
            cards[event.seat] += 1
            key = "hits_fifth" if cards[event.seat] == MAX_CARDS else "hits"
            yield say(f"friends.told.{key}", name=seats[evening.players[event.seat]].shown)
        else:
            yield _sentence(event, evening, seats)


def _sentence(event: Action, evening: BanluckEvening, seats: Seats) -> str:
    if event.kind is ActionKind.SHOW:
        return say("banluck.told.shown")
    player = "" if event.seat is None else seats[evening.players[event.seat]].shown
    name = player if event.kind is ActionKind.STAND else seats[evening.dealer].shown
    return say(f"friends.told.{_TOLD[event.kind]}", name=name, player=player)


def _past(hand: EveningHand, seat: int | None, seats: Seats) -> PastHand:
    held = zip((hand.dealer, *hand.players), hand.cards, hand.won, strict=True)
    lines = [
        say("friends.told.past", name=seats[place].shown, cards=cards, won=signed_money(won))
        for place, cards, won in held
    ]
    mine = None if seat is None else hand.won_by(seat)
    return PastHand(
        hand.number, seats[hand.dealer].shown, "" if mine is None else signed_money(mine), tuple(lines)
    )
