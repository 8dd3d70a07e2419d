"""From a strategy to an action at the table."""

from collections.abc import Mapping

from croupier.banluck.engine import Action, ActionKind, GameState, HandClass, Phase, legal_actions
from croupier.banluck.engine.multisets import multiset_index, multiset_of
from croupier.banluck.solvers.strategy import PLAYER_CARD_COUNTS, DealerStrategy, PlayerStrategy, Shown
from croupier.numerics.streams import RandomStream


def choose_action(
    state: GameState, player: PlayerStrategy, dealer: DealerStrategy, stream: RandomStream
) -> Action:
    """Choose among the legal actions as the side to move would.

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
    return drawn_action(action_probabilities(state, player, dealer), stream)


def drawn_action(probabilities: Mapping[Action, float], stream: RandomStream) -> Action:
    """Draw an action by its probability; where there is only one, no luck is used.

    >>> drawn_action({Action(ActionKind.DRAW): 0.0, Action(ActionKind.DEALER_STAND): 1.0}, RandomStream(1)).kind
    <ActionKind.DEALER_STAND: 'dealer-stand'>
    """
    *others, last = probabilities
    if not others:
        return last
    luck = stream.uniform()
    for action in others:
        luck -= probabilities[action]
        if luck < 0:
            return action
    return last


def action_probabilities(
    state: GameState, player: PlayerStrategy, dealer: DealerStrategy
) -> dict[Action, float]:
    """Return how often whoever is to act takes each legal action, going on (hit, draw) first.

    A dealer strategy speaks of one player. Against several, each closed player is asked about in turn: those
    whom it would not draw against are opened if they can be, and the dealer draws if it would against
    anybody left.

    Examples
    --------
    >>> from croupier.banluck.engine import BanluckRules, deal, new_hand
    >>> from croupier.banluck.solvers.fixed import classic_dealer, stand_on
    >>> from croupier.cards import parse_cards
    >>> rules = BanluckRules()
    >>> state = deal(new_hand(rules), [parse_cards("10H 5C")], parse_cards("9C KD"))
    >>> action_probabilities(state, stand_on(16, rules), classic_dealer(rules))[Action(ActionKind.HIT, 0)]
    1.0
    """
    legal = legal_actions(state)
    if len(legal) == 1:
        return {legal[0]: 1.0}
    match state.phase:
        case Phase.SURRENDER:
            first = dealer.surrender[multiset_index(multiset_of(state.dealer_cards)), shown_to_dealer(state)]
        case Phase.PLAYER:
            first = player.hit[multiset_index(multiset_of(state.seats[legal[0].seat or 0].cards))]
        case _:
            return _dealer_probabilities(state, dealer)
    return {legal[0]: float(first), legal[1]: 1.0 - float(first)}


def _dealer_probabilities(state: GameState, dealer: DealerStrategy) -> dict[Action, float]:
    draw = dealer.draw[multiset_index(multiset_of(state.dealer_cards))]
    asked_up_to = _last_opened_seat(state)
    draws = float(asked_up_to >= 0 and any(seat < asked_up_to for seat in state.revealable_seats))
    stands = 1.0 - draws
    opens: dict[Action, float] = {}
    # A dealer who may not use card counts decides once, whoever is closed.
    asked = state.closed_seats[:1] if state.rules.reveal == "none" else state.closed_seats
    for seat in asked:
        against = float(draw[PLAYER_CARD_COUNTS.index(len(state.seats[seat].cards))])
        if seat not in state.revealable_seats:
            draws, stands = draws + stands * against, stands * (1.0 - against)
        elif seat >= asked_up_to:
            opens[Action(ActionKind.REVEAL, seat)] = (draws + stands) * (1.0 - against)
            draws, stands = (draws + stands) * against, 0.0
    wished = {Action(ActionKind.DRAW): draws, **opens, Action(ActionKind.DEALER_STAND): stands}
    legal = legal_actions(state)
    allowed = {action: probability for action, probability in wished.items() if action in legal}
    if (
        rest := 1.0 - sum(allowed.values())
    ) > 0:  # what the rules forbid becomes the first thing that they allow
        allowed[legal[0]] = allowed.get(legal[0], 0.0) + rest
    return allowed


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
