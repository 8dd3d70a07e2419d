"""The defender's turn: beat the next card, or take.

Operations come in pairs, as in :mod:`~croupier.durak.engine.attack`. Passing the attack on is in
:mod:`~croupier.durak.engine.transfer`.
"""

from croupier.durak.engine.attack import verify_held, verify_phase
from croupier.durak.engine.bout import after_defence, taken
from croupier.durak.engine.pack import SUITS, card_text
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.state import Action, ActionKind, GameState, IllegalMove


def verify_defend(state: GameState, card: int) -> None:
    """Raise unless the defender holds this card and it beats the last one on the table."""
    verify_phase(state, "defend", Phase.DEFEND)
    verify_held(state, state.defender, (card,))
    attacking = state.table[-1]
    if not state.rules.beats(card, attacking, state.trump_suit):
        raise IllegalMove(
            f"{card_text(card)} does not beat {card_text(attacking)} (trumps are {SUITS[state.trump_suit]})"
        )


def defend(state: GameState, card: int) -> GameState:
    """Beat the last card. A card that waits comes next; else the bout ends by itself when no further attack is possible."""
    verify_defend(state, card)
    table = (*state.table, card, *state.waiting[:1])
    action = Action(ActionKind.DEFEND, (card,))
    return after_defence(state.after(state.defender, action, table=table, waiting=state.waiting[1:]))


def verify_take(state: GameState) -> None:
    """Raise unless the defender is to answer an attack card."""
    verify_phase(state, "take", Phase.DEFEND)


def take(state: GameState) -> GameState:
    """Give up the bout and take its cards; all who may add cards are asked once for more before that."""
    verify_take(state)
    after = state.after(state.defender, Action(ActionKind.TAKE), is_taking=True, passed=())
    return taken(after) if after.adder is None else after
