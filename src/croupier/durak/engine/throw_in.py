"""After a take: all who may add cards to the attack are asked once for more of the ranks on the table.

Operations come in pairs, as in :mod:`~croupier.durak.engine.attack`.
"""

from collections.abc import Sequence

from croupier.durak.engine.attack import verify_held, verify_phase, verify_ranks
from croupier.durak.engine.bout import taken
from croupier.durak.engine.pack import fits
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.state import Action, ActionKind, Cards, GameState, IllegalMove


def throw_in_candidates(state: GameState) -> Cards:
    """Return the cards of the player in turn whose rank lies on the table, lowest code first; the limit is not applied."""
    seat = verify_phase(state, "throw in", Phase.THROW_IN)
    return tuple(sorted(card for card in state.hands[seat] if fits(card, state.table + state.waiting)))


def verify_throw_in(state: GameState, cards: Sequence[int]) -> None:
    """Raise unless the player may throw in these cards; a card named twice counts once, and none is always right."""
    seat = verify_phase(state, "throw in", Phase.THROW_IN)
    distinct = tuple(dict.fromkeys(cards))
    limit = state.throw_in_limit
    if len(distinct) > limit:
        raise IllegalMove(f"cannot throw in {len(distinct)} cards: at most {limit} may be added now")
    verify_held(state, seat, distinct)
    verify_ranks(state, distinct)


def throw_in(state: GameState, cards: Sequence[int]) -> GameState:
    """Add cards to what the defender takes. With the stock gone, throwing in the last card may win the game at once."""
    verify_throw_in(state, cards)
    seat = verify_phase(state, "throw in", Phase.THROW_IN)
    distinct = tuple(dict.fromkeys(cards))
    action = Action(ActionKind.THROW_IN, distinct)
    passed, thrown_in = (*state.passed, seat), state.thrown_in + distinct
    after = state.after(seat, action, thrown_in=thrown_in, passed=passed)
    return after if after.is_over or after.adder is not None else taken(after)
