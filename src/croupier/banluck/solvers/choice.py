"""From a strategy to an action at the table."""

from croupier.banluck.engine import Action, ActionKind, GameState, HandClass, Phase, legal_actions
from croupier.banluck.engine.multisets import multiset_index, multiset_of
from croupier.banluck.solvers.strategy import PLAYER_CARD_COUNTS, DealerStrategy, PlayerStrategy, Shown
from croupier.numerics.streams import RandomStream


def choose_action(
    state: GameState, player: PlayerStrategy, dealer: DealerStrategy, stream: RandomStream
) -> Action:
    """Choose among the legal actions as the side to move would.

    A dealer strategy speaks of one player. Against several, each closed player is asked about in turn: those
    whom it would not draw against are opened if they can be, and the dealer draws if it would against
    anybody left.

    Examples
    --------
    >>> from croupier.banluck.engine import BanluckRules, DealtHand
    >>> from croupier.banluck.solvers.fixed import classic_dealer, stand_on
    >>> from croupier.cards import Shoe
    >>> rules = BanluckRules()
    >>> table = DealtHand.opened(rules, Shoe.shuffled(seed=5))
    >>> choose_action(table.state, stand_on(16, rules), classic_dealer(rules), RandomStream(5)).kind
    <ActionKind.STAND: 'stand'>
    """
    legal = legal_actions(state)
    if len(legal) == 1:
        return legal[0]
    match state.phase:
        case Phase.SURRENDER:
            probability = dealer.surrender[
                multiset_index(multiset_of(state.dealer_cards)), shown_to_dealer(state)
            ]
            return Action(ActionKind.SURRENDER if stream.uniform() < probability else ActionKind.KEEP)
        case Phase.PLAYER:
            probability = player.hit[multiset_index(multiset_of(state.seats[legal[0].seat or 0].cards))]
            return legal[0] if stream.uniform() < probability else legal[1]
        case _:
            return _choose_dealer_action(state, dealer, stream)


def _choose_dealer_action(state: GameState, dealer: DealerStrategy, stream: RandomStream) -> Action:
    draw = dealer.draw[multiset_index(multiset_of(state.dealer_cards))]
    legal = legal_actions(state)
    asked_up_to = _last_opened_seat(state)
    draws = asked_up_to >= 0 and any(seat < asked_up_to for seat in state.revealable_seats)
    for seat in state.closed_seats:
        can_be_opened = seat in state.revealable_seats
        if can_be_opened and seat < asked_up_to:
            continue
        if stream.uniform() < draw[PLAYER_CARD_COUNTS.index(len(state.seats[seat].cards))]:
            draws = True
        elif can_be_opened:
            return Action(ActionKind.REVEAL, seat)
    preferred = Action(ActionKind.DRAW if draws else ActionKind.DEALER_STAND)
    return preferred if preferred in legal else legal[0]


def _last_opened_seat(state: GameState) -> int:
    """Return the seat opened last at the present total, or -1: seats before it were asked about already."""
    last = state.history[-1]
    return last.seat if last.kind is ActionKind.REVEAL and last.seat is not None else -1


def shown_to_dealer(state: GameState) -> Shown:
    """Return the best Ban hand that players have shown before the dealer decides on the surrender.

    >>> from croupier.banluck.engine import BanluckRules, DealtHand
    >>> from croupier.cards import Shoe
    >>> shown_to_dealer(DealtHand.opened(BanluckRules(), Shoe.shuffled(seed=5)).state).name
    'NOTHING'
    """
    if not state.specials_shown:
        return Shown.NOTHING
    best = max(state.hand_value(seat).hand_class for seat in state.closed_seats)
    return {HandClass.BAN_LUCK: Shown.BAN_LUCK, HandClass.BAN_BAN: Shown.BAN_BAN}.get(best, Shown.NOTHING)
