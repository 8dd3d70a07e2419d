"""An attacker's turn: play a card, or have nothing to add.

Operations come in pairs: ``verify_x`` raises and says why, ``x`` returns the state after it.
"""

from croupier.durak.engine.bout import discarded
from croupier.durak.engine.pack import card_text, cards_text, fits
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.state import Action, ActionKind, Cards, GameState, IllegalMove


def verify_attack(state: GameState, card: int) -> None:
    """Raise unless the player in turn may play this card: any on an empty table, else one of a rank that lies there."""
    verify_held(state, verify_phase(state, "attack", Phase.ATTACK), (card,))
    verify_ranks(state, (card,))


def attack(state: GameState, card: int) -> GameState:
    """Play an attack card. With the stock gone, the last card in hand may win the game at once."""
    verify_attack(state, card)
    seat = verify_phase(state, "attack", Phase.ATTACK)
    return state.after(seat, Action(ActionKind.ATTACK, (card,)), table=(*state.table, card), passed=())


def verify_finish(state: GameState) -> None:
    """Raise unless the player in turn may be done: everything on the table is beaten, and there is something on it."""
    verify_phase(state, "be done", Phase.ATTACK)
    if not state.table:
        raise IllegalMove("cannot be done: the table is empty; play a card first")


def finish(state: GameState) -> GameState:
    """Add nothing. Once nobody adds anything, the table goes out of play, all refill, and the defender attacks."""
    verify_finish(state)
    seat = verify_phase(state, "be done", Phase.ATTACK)
    after = state.after(seat, Action(ActionKind.DONE), passed=(*state.passed, seat))
    return discarded(after) if after.adder is None else after


def verify_phase(state: GameState, verb: str, phase: Phase) -> int:
    """Return the seat in turn; raise unless the game is in this phase."""
    seat = state.to_act
    if state.phase is phase and seat is not None:
        return seat
    number = 0 if seat is None else seat + 1
    now = {
        Phase.ATTACK: f"player {number} is to attack",
        Phase.DEFEND: f"player {number} is to beat {cards_text(state.table[-1:])} or take",
        Phase.THROW_IN: f"player {number} may throw in",
        Phase.OVER: "the game is over",
    }
    raise IllegalMove(f"cannot {verb} now: {now[state.phase]}")


def verify_held(state: GameState, seat: int, cards: Cards) -> None:
    """Raise unless a seat holds all these cards."""
    missing = [card for card in cards if card not in state.hands[seat]]
    if missing:
        raise IllegalMove(
            f"player {seat + 1} does not hold {_text(missing[0])}; the hand is {cards_text(state.hands[seat])}"
        )


def verify_ranks(state: GameState, cards: Cards) -> None:
    """Raise unless each card may be added to the table: all may while it is empty, else ranks that lie on it."""
    lying = state.table + state.waiting
    for card in cards:
        if not fits(card, lying):
            raise IllegalMove(f"cannot add {_text(card)}: its rank is not on the table ({cards_text(lying)})")


def _text(card: int) -> str:
    """Write a card, or the code where it is no card."""
    try:
        return card_text(card)
    except KeyError:
        return f"card code {card}"
