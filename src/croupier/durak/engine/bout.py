"""How a bout ends: the table is discarded or taken, hands are refilled, and the next bout begins."""

from dataclasses import replace
from typing import Any

from croupier.durak.engine.dealing import refilled, with_cards_dealt
from croupier.durak.engine.state import GameState, placed


def after_defence(state: GameState) -> GameState:
    """Return the state after an attack card was beaten: the bout goes on while somebody can attack and has to be answered.

    A game that has ended stays as it is, with its last cards on the table.
    """
    if state.open_count or state.is_over:
        return state
    if state.attack_room <= 0 or not state.hands[state.defender] or state.adder is None:
        return discarded(state)
    return state


def discarded(state: GameState) -> GameState:
    """Return the state after a beaten bout: the table goes out of play, all refill, and the defender attacks."""
    cleared = _cleared(state, discarded=state.discarded + state.table, takes=0)
    return _next_bout(refilled(cleared, state.attacker, state.defender), state.defender)


def taken(state: GameState) -> GameState:
    """Return the state after a take: the defender gets every card of the bout, and the player after it attacks."""
    cards = state.table + state.waiting + state.thrown_in
    known = placed(state.taken, state.defender, state.taken[state.defender] + cards)
    cleared = with_cards_dealt(_cleared(state, taken=known), state.defender, cards)
    full = refilled(cleared, state.attacker, state.defender)
    takes = state.takes + 1 if full.drawn == state.drawn else 0
    return _next_bout(replace(full, takes=takes), (state.defender + 1) % len(state.hands))


def _cleared(state: GameState, **changes: Any) -> GameState:
    """Return the state with an empty table and nothing dealt yet."""
    return replace(
        state,
        table=(),
        waiting=(),
        thrown_in=(),
        is_taking=False,
        passed=(),
        shown=(),
        bout=state.bout + 1,
        dealt=((),) * len(state.hands),
        **changes,
    )


def _next_bout(state: GameState, seat: int) -> GameState:
    """Return the state with a seat attacking, or the next one that holds cards; where the game is over, the seat itself."""
    attacker = seat
    if not state.is_over:
        attacker = next(place for place in state.seats_from(seat) if state.hands[place])
    target = state.target_of(attacker)
    defender = (attacker + 1) % len(state.hands) if target is None else target
    return replace(state, attacker=attacker, defender=defender)
