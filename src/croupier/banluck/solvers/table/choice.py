"""From the strategies of a table of two to an action at the engine's table."""

import numpy as np

from croupier.banluck.engine import Action, ActionKind, BanluckRules, GameState, Phase, legal_actions
from croupier.banluck.engine.multisets import Multiset, multiset_index, multiset_of
from croupier.banluck.engine.permissions import player_must_hit
from croupier.banluck.solvers.hand_table import Floats
from croupier.banluck.solvers.strategy import PLAYER_CARD_COUNTS, Shown
from croupier.banluck.solvers.table.dealer_states import COUNTS, ClosedAction, dealer_hands
from croupier.banluck.solvers.table.seat_hands import seat_hands
from croupier.banluck.solvers.table.strategy import TableStrategy

FIRST, SECOND = 0, 1


class TablePlay:
    """Tells what each side of a table of two does, in any state of the engine."""

    def __init__(self, rules: BanluckRules, strategy: TableStrategy) -> None:
        self.rules = rules
        self.strategy = strategy
        self._hands = seat_hands(rules)
        self._dealer_hands = dealer_hands(rules)
        self._dealer_place = {int(hand): place for place, hand in enumerate(self._dealer_hands.hands)}

    def probabilities(self, state: GameState) -> dict[Action, float]:
        """Return how often each legal action is taken by whoever is to act."""
        legal = legal_actions(state)
        if len(legal) == 1:
            return {legal[0]: 1.0}
        match state.phase:
            case Phase.SURRENDER:
                go = 1.0 - self._surrender(state)
                return {Action(ActionKind.SURRENDER): 1.0 - go, Action(ActionKind.KEEP): go}
            case Phase.PLAYER:
                hit = self._hit(state)
                return {action: hit if action.kind is ActionKind.HIT else 1.0 - hit for action in legal}
            case _:
                return self._dealer(state, legal)

    def _surrender(self, state: GameState) -> float:
        place = self._dealer_place[multiset_index(multiset_of(state.dealer_cards))]
        shown = [Shown.NOTHING, Shown.NOTHING]
        if state.specials_shown:
            shown = [
                Shown[state.hand_value(seat).hand_class.name]
                if state.hand_value(seat).is_ban
                else Shown.NOTHING
                for seat in (FIRST, SECOND)
            ]
        return float(self.strategy.surrender[place, shown[FIRST], shown[SECOND]])

    def _hit(self, state: GameState) -> float:
        seat = state.turn
        assert seat is not None, "a player is to act"
        hand = multiset_index(multiset_of(state.seats[seat].cards))
        if player_must_hit(state.hand_value(seat), self.rules):
            return 1.0
        other = state.seats[1 - seat]
        if not other.is_closed:
            return float(self.strategy.remaining[multiset_of(other.cards)][0][hand])
        if seat == FIRST:
            return float(self.strategy.seats.first[hand])
        return float(self.strategy.seats.second[PLAYER_CARD_COUNTS.index(len(other.cards)), hand])

    def _dealer(self, state: GameState, legal: tuple[Action, ...]) -> dict[Action, float]:
        place = self._dealer_place[multiset_index(multiset_of(state.dealer_cards))]
        choice = self._dealer_hands.choice_of[place]
        counts = [PLAYER_CARD_COUNTS.index(len(seat.cards)) for seat in state.seats]
        if len(state.closed_seats) == len(state.seats):
            chosen = self.strategy.dealer.closed[choice, counts[FIRST], counts[SECOND]]
            return _closed_actions(chosen, legal)
        (closed,) = state.closed_seats
        known = multiset_of(state.seats[1 - closed].cards)
        draw = float(self._draws(state, closed, known)[choice, counts[closed]])
        stop = Action(ActionKind.REVEAL, closed)
        if stop not in legal:
            stop = Action(ActionKind.DEALER_STAND)
        return {Action(ActionKind.DRAW): draw, stop: 1.0 - draw}

    def _draws(self, state: GameState, closed: int, known: Multiset) -> Floats:
        """Return the dealer's draws against one closed seat, by hand of choice and card count."""
        hands = self._hands
        value = state.hand_value(1 - closed)
        is_bust = value.is_bust and self.rules.both_bust == "player_loses"
        if value.is_ban or (is_bust and closed == SECOND):
            return self.strategy.remaining[known][1]
        hand = multiset_index(known)
        if is_bust:
            after_bust: Floats = self.strategy.dealer.second_known[COUNTS][
                int(np.searchsorted(hands.bust, hand))
            ]
            return after_bust
        count = PLAYER_CARD_COUNTS.index(len(known))
        place = int(hands.place[hand] - hands.first_of_count[count])
        dealer = self.strategy.dealer
        by_known = dealer.second_known if closed == FIRST else dealer.first_known
        draws: Floats = by_known[count][place]
        return draws


def _closed_actions(chosen: Floats, legal: tuple[Action, ...]) -> dict[Action, float]:
    actions = {
        ClosedAction.STOP: Action(ActionKind.DEALER_STAND),
        ClosedAction.DRAW: Action(ActionKind.DRAW),
        ClosedAction.OPEN_FIRST: Action(ActionKind.REVEAL, FIRST),
        ClosedAction.OPEN_SECOND: Action(ActionKind.REVEAL, SECOND),
    }
    found = dict.fromkeys(legal, 0.0)
    for kind, action in actions.items():
        if chosen[kind] > 0.0:
            found[action] += float(chosen[kind])
    return found
