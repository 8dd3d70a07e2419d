"""What one person may see of durak among friends: the own hand, what lies on the table, and how many cards the others hold."""

from dataclasses import dataclass

from croupier.durak.engine.observation import known_cards, observe
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.state import GameState
from croupier.durak.play.view import HandCard, variant_hand
from croupier.texts import say
from croupier.web.friends.durak import DurakEvening, Played
from croupier.web.friends.game import Asked, listed
from croupier.web.friends.seats import Seats

#: How many moves are shown.
SHOWN_MOVES = 14


@dataclass(frozen=True, slots=True)
class DurakSeat:
    """A player: how many cards, which of them everybody knows, and what the seat does in this bout."""

    seat: int
    name: str
    count: int
    known: tuple[int, ...]
    roles: tuple[str, ...]
    is_turn: bool
    is_mine: bool


@dataclass(frozen=True, slots=True)
class DurakEveningView:
    """Everything that one person may know of an evening.

    Attributes
    ----------
    number
        The game's number, from 1; 0 before the first.
    seats
        All players.
    trump
        The open card under the stock; None before the first game.
    stock, discard
        How many cards the stock and the discard pile hold.
    pairs
        What lies on the table: attack cards with what beat them.
    hand, phase
        The own cards, and what this person is asked for; None while somebody else is.
    throw_in_limit
        How many cards this person may throw in.
    transfers, shows
        The cards with which this person may pass the attack on, or which need only be shown.
    moves
        The last moves of the game, each with the player's name.
    """

    number: int
    seats: tuple[DurakSeat, ...]
    trump: int | None
    stock: int
    discard: int
    pairs: tuple[tuple[int, int | None], ...]
    hand: tuple[HandCard, ...]
    phase: Phase | None
    throw_in_limit: int
    transfers: tuple[int, ...]
    shows: tuple[int, ...]
    moves: tuple[tuple[str, Played], ...]
    asked: Asked


def view_of(evening: DurakEvening, seat: int | None, seats: Seats) -> DurakEveningView:
    """Show an evening to a seat, or to somebody who watches."""
    state = evening.state
    names = [place.shown for place in seats]
    if state is None:
        players = tuple(
            DurakSeat(place, name, 0, (), (), False, place == seat) for place, name in enumerate(names)
        )
        return DurakEveningView(
            0, players, None, 0, 0, (), (), None, 0, (), (), (), _asked(evening, seat, names)
        )
    seen = None if seat is None else observe(state, seat)
    is_asked = seat is not None and state.to_act == seat
    variant = seen.variant if is_asked and seen is not None else None
    return DurakEveningView(
        number=evening.number,
        seats=tuple(_player(state, place, seat, names[place]) for place in range(len(state.hands))),
        trump=state.trump,
        stock=state.deck_count,
        discard=len(state.discarded),
        pairs=_pairs(state),
        hand=() if seen is None else variant_hand(seen, is_asked=is_asked),
        phase=state.phase if is_asked else None,
        throw_in_limit=seen.throw_in_limit if is_asked and seen is not None else 0,
        transfers=() if variant is None else variant.transfers,
        shows=() if variant is None else variant.shows,
        moves=tuple((names[move.seat], move) for move in evening.moves[-SHOWN_MOVES:]),
        asked=_asked(evening, seat, names),
    )


def _player(state: GameState, place: int, seat: int | None, name: str) -> DurakSeat:
    roles: list[str] = []
    if not state.is_over:
        roles += [say("durak.party.attacks")] if place == state.attacker else []
        roles += [say("durak.party.defends")] if place == state.defender else []
    rules = state.rules
    if seat is not None and place != seat and rules.side_of(place) == rules.side_of(seat):
        roles.append(say("durak.party.partner"))
    if state.is_over and place in state.losers:
        roles.append(say("friends.people.fool"))
    return DurakSeat(
        seat=place,
        name=name,
        count=len(state.hands[place]),
        known=() if place == seat else known_cards(state, place),
        roles=tuple(roles),
        is_turn=place == state.to_act,
        is_mine=place == seat,
    )


def _pairs(state: GameState) -> tuple[tuple[int, int | None], ...]:
    """Return what lies on the table: attack cards with what beat them, those that wait, those thrown in."""
    table = state.table
    pairs = [
        (table[place], table[place + 1] if place + 1 < len(table) else None)
        for place in range(0, len(table), 2)
    ]
    return (*pairs, *((card, None) for card in (*state.waiting, *state.thrown_in)))


def _asked(evening: DurakEvening, seat: int | None, names: list[str]) -> Asked:
    state = evening.state
    choices = () if seat is None else evening.choices(seat)
    if state is None:
        return Asked(say("friends.prompt.durak_deal"), choices)
    if state.is_over:
        return Asked(_ending(state, seat, names), choices)
    if seat is None or state.to_act != seat:
        return Asked(say("friends.prompt.durak_turn", name=names[state.to_act or 0]), choices)
    match state.phase:
        case Phase.DEFEND:
            return Asked(say("friends.prompt.durak_defend"), choices)
        case Phase.THROW_IN:
            limit = observe(state, seat).throw_in_limit
            return Asked(say("durak.party.throw_in", limit=limit), choices)
        case _:
            return Asked(say("durak.party.add" if state.table else "durak.party.lead"), choices)


def _ending(state: GameState, seat: int | None, names: list[str]) -> str:
    if not state.losers:
        return say("durak.party.drawn")
    fools = listed([say("friends.prompt.you") if loser == seat else names[loser] for loser in state.losers])
    return say("friends.prompt.durak_over", fools=fools)
