"""The defender's turn: beat the last card, or take.

Operations come in pairs, as in :mod:`~croupier.durak.engine.attack`.
"""

from croupier.durak.engine.attack import verify_held, verify_phase
from croupier.durak.engine.bout import after_defence, taken
from croupier.durak.engine.pack import SUITS, beats, card_text
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.state import Action, ActionKind, GameState, IllegalMove


def verify_defend(state: GameState, card: int) -> None:
    """Raise unless the defender holds this card and it beats the last one on the table."""
    verify_phase(state, "defend", Phase.DEFEND)
    verify_held(state, state.defender, (card,))
    attacking = state.table[-1]
    if not beats(card, attacking, state.trump_suit):
        raise IllegalMove(
            f"{card_text(card)} does not beat {card_text(attacking)} (trumps are {SUITS[state.trump_suit]})"
        )


def defend(state: GameState, card: int) -> GameState:
    """Beat the last card. The bout ends by itself when a hand is empty or the rules allow no further attack card."""
    verify_defend(state, card)
    action = Action(ActionKind.DEFEND, (card,))
    return after_defence(state.after(state.defender, action, table=(*state.table, card)))


def verify_take(state: GameState) -> None:
    """Raise unless the defender is to answer an attack card."""
    verify_phase(state, "take", Phase.DEFEND)


def take(state: GameState) -> GameState:
    """Give up the bout and take its cards; an attacker who holds any is asked once for more before that."""
    verify_take(state)
    after = state.after(state.defender, Action(ActionKind.TAKE), is_taking=True)
    return after if state.hands[state.attacker] else taken(after)
