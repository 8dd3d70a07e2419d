"""How a bout ends: the table is discarded or taken, hands are refilled, and the next bout begins."""

from dataclasses import replace

from croupier.durak.engine.dealing import refilled, with_cards_dealt
from croupier.durak.engine.state import GameState


def after_defence(state: GameState) -> GameState:
    """Return the state after an attack card was beaten: the bout goes on unless a hand is empty or no attack is left.

    A game that has ended stays as it is, with its last cards on the table.
    """
    if state.is_over:
        return state
    if state.attack_room <= 0 or not (state.hands[0] and state.hands[1]):
        return discarded(state)
    return state


def discarded(state: GameState) -> GameState:
    """Return the state after a beaten bout: the table goes out of play, both refill, and the defender attacks."""
    cleared = replace(
        state,
        table=(),
        discarded=state.discarded + state.table,
        attacker=state.defender,
        bout=state.bout + 1,
        dealt=((), ()),
    )
    return refilled(cleared, first=state.attacker)


def taken(state: GameState) -> GameState:
    """Return the state after a take: the defender gets every card of the bout, and the attacker attacks again."""
    cards = state.table + state.thrown_in
    known = list(state.taken)
    known[state.defender] += cards
    cleared = replace(
        state,
        table=(),
        thrown_in=(),
        is_taking=False,
        bout=state.bout + 1,
        dealt=((), ()),
        taken=(known[0], known[1]),
    )
    return refilled(with_cards_dealt(cleared, state.defender, cards), first=state.attacker)
