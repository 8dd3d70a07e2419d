"""After a take: the attacker may add cards of the ranks on the table, once.

Operations come in pairs, as in :mod:`~croupier.durak.engine.attack`.
"""

from collections.abc import Sequence

from croupier.durak.engine.attack import verify_held, verify_phase, verify_ranks
from croupier.durak.engine.bout import taken
from croupier.durak.engine.pack import fits
from croupier.durak.engine.phases import Phase
from croupier.durak.engine.state import Action, ActionKind, Cards, GameState, IllegalMove


def throw_in_candidates(state: GameState) -> Cards:
    """Return the attacker's cards whose rank lies on the table, lowest code first; the limit is not applied."""
    return tuple(sorted(card for card in state.hands[state.attacker] if fits(card, state.table)))


def verify_throw_in(state: GameState, cards: Sequence[int]) -> None:
    """Raise unless the attacker may throw in these cards; a card named twice counts once, and none is always right."""
    verify_phase(state, "throw in", Phase.THROW_IN)
    distinct = tuple(dict.fromkeys(cards))
    limit = state.throw_in_limit
    if len(distinct) > limit:
        raise IllegalMove(f"cannot throw in {len(distinct)} cards: at most {limit} may be added now")
    verify_held(state, state.attacker, distinct)
    verify_ranks(state, distinct)


def throw_in(state: GameState, cards: Sequence[int]) -> GameState:
    """Add cards to what the defender takes. With the stock gone, throwing in the last card wins the game at once."""
    verify_throw_in(state, cards)
    distinct = tuple(dict.fromkeys(cards))
    after = state.after(state.attacker, Action(ActionKind.THROW_IN, distinct), thrown_in=distinct)
    return after if after.is_over else taken(after)
