"""The dealer's turn: open players, draw, stand. Operations come in pairs, as in :mod:`~croupier.banluck.engine.dealing`."""

from dataclasses import replace

from croupier.banluck.engine.dealing import verify_phase
from croupier.banluck.engine.permissions import (
    DealerPermission,
    dealer_permission,
    must_be_opened,
    openable,
)
from croupier.banluck.engine.rules import MAX_CARDS
from croupier.banluck.engine.state import (
    Action,
    ActionKind,
    GameState,
    Phase,
)
from croupier.cards.seat_action import IllegalAction


def verify_reveal(state: GameState, seat: int) -> None:
    """Raise unless the dealer is at a total of choice and the seat is a closed one of enough cards."""
    verify_phase(state, "open a player", Phase.REVEAL)
    if seat not in state.revealable_seats:
        names = ", ".join(str(seat + 1) for seat in state.revealable_seats)
        raise IllegalAction(
            f"cannot open player {seat + 1}: only closed {openable(state.rules)} can be opened, now {names}"
        )


def reveal(state: GameState, seat: int) -> GameState:
    """Open one player and settle at the dealer's present total."""
    verify_reveal(state, seat)
    return state.settled((seat,)).with_action(Action(ActionKind.REVEAL, seat))


def verify_draw(state: GameState, card: int | None = None) -> None:
    """Raise unless the dealer may draw and the card, if one is named, is still in the deck."""
    verify_phase(state, "draw", Phase.REVEAL, Phase.DEALER)
    if _must_open(state):
        raise IllegalAction(f"cannot draw yet: {openable(state.rules)} must be opened first")
    if dealer_permission(state.dealer_value, state.rules) is DealerPermission.STOP:
        raise IllegalAction(
            f"cannot draw on {state.dealer_value}: the dealer stands above {state.rules.dealer_choice_max}"
        )
    if card is not None:
        state.verify_undealt((card,))


def draw(state: GameState, card: int) -> GameState:
    """Give the dealer a card. A bust or a fifth card settles everybody who is still closed."""
    verify_draw(state, card)
    after = replace(state, dealer_cards=(*state.dealer_cards, card)).with_action(
        Action(ActionKind.DRAW, cards=(card,))
    )
    hand = after.dealer_value
    is_final = hand.is_bust or hand.card_count == MAX_CARDS
    return after.settled(after.closed_seats) if is_final else after


def verify_dealer_stand(state: GameState) -> None:
    """Raise unless the dealer may stand against the players who are still closed.

    Where everybody still closed can be opened, the dealer opens them instead: it pays the same, and the table
    sees a reveal.
    """
    verify_phase(state, "stand as the dealer", Phase.REVEAL, Phase.DEALER)
    if dealer_permission(state.dealer_value, state.rules) is DealerPermission.DRAW:
        raise IllegalAction(
            f"the dealer cannot stand on {state.dealer_value}: below {state.rules.dealer_minimum} the dealer must draw"
        )
    if _must_open(state):
        raise IllegalAction(f"the dealer cannot stand yet: {openable(state.rules)} must be opened first")
    if state.phase is Phase.REVEAL and state.revealable_seats == state.closed_seats:
        raise IllegalAction(
            "the dealer cannot stand: every closed player can be opened, so open them or draw"
        )


def dealer_stand(state: GameState) -> GameState:
    """End the hand: everybody who is still closed is opened and settled."""
    verify_dealer_stand(state)
    return state.settled(state.closed_seats).with_action(Action(ActionKind.DEALER_STAND))


def _must_open(state: GameState) -> bool:
    """Tell whether the dealer is at a total of choice and has to open somebody before anything else."""
    if state.phase is not Phase.REVEAL:
        return False
    return any(must_be_opened(len(state.seats[seat].cards), state.rules) for seat in state.revealable_seats)
