"""Which cards of a hand of Banluck lie open, read from the table in the rules and not from the code that shows them."""

from croupier.banluck.engine import GameState
from croupier.web.friends.banluck import BanluckEvening


def public_cards(evening: BanluckEvening, state: GameState) -> set[int]:
    """Return what lies open, by the table in the rules: shown Ban hands, settled hands, the dealer once one was opened."""
    if state.is_over and not evening.is_playing:
        return set(state.dealt_cards)
    shows = state.specials_shown or (
        evening.is_opening and evening.rules.surrender == "after_specials" and state.has_ban
    )
    found: set[int] = set()
    for place, player in enumerate(state.seats):
        if player.settlement is not None or (shows and state.hand_value(place).is_ban):
            found |= set(player.cards)
    has_opened = any(action.kind == "reveal" for action in state.history)
    if has_opened or state.is_over or (shows and state.dealer_value.is_ban):
        found |= set(state.dealer_cards)
    return found


def own_cards(evening: BanluckEvening, state: GameState, seat: int) -> set[int]:
    if seat == evening.dealer:
        return set(state.dealer_cards)
    return set(state.seats[evening.players.index(seat)].cards) if seat in evening.players else set()
