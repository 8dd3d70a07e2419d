"""From the strategies of a table of any number of players to an action at the engine's table."""

from croupier.banluck.engine import Action, ActionKind, BanluckRules, GameState, Phase, legal_actions
from croupier.banluck.engine.multisets import multiset_index, multiset_of
from croupier.banluck.engine.permissions import player_must_hit
from croupier.banluck.solvers.strategy import PLAYER_CARD_COUNTS
from croupier.banluck.solvers.table.counts_strategy import CountsStrategy
from croupier.banluck.solvers.table.dealt_hands import cards_of
from croupier.banluck.solvers.table.situations import (
    ACTIONS,
    DRAW,
    KINDS,
    OPEN,
    STOP,
    situation_key,
    situations,
)


class CountsPlay:
    """Tells what each side of a table does, in any state of the engine."""

    def __init__(self, rules: BanluckRules, strategy: CountsStrategy) -> None:
        self.rules = rules
        self.strategy = strategy
        self._situations = situations(rules, strategy.players)
        self._cards = cards_of(rules)

    def probabilities(self, state: GameState) -> dict[Action, float]:
        """Return how often each legal action is taken by whoever is to act."""
        legal = legal_actions(state)
        if len(legal) == 1:
            return {legal[0]: 1.0}
        match state.phase:
            case Phase.SURRENDER:
                voids = self._surrender(state)
                return {Action(ActionKind.SURRENDER): voids, Action(ActionKind.KEEP): 1.0 - voids}
            case Phase.PLAYER:
                hit = self._hit(state)
                return {action: hit if action.kind is ActionKind.HIT else 1.0 - hit for action in legal}
            case _:
                return self._dealer(state)

    def _surrender(self, state: GameState) -> float:
        surrender = self.strategy.dealer.surrender
        place = self._cards.dealer_place[multiset_index(multiset_of(state.dealer_cards))]
        shown = 0
        if surrender.shape[1] > 1:
            shown = sum(state.hand_value(seat).is_ban for seat in range(len(state.seats)))
        return float(surrender[place, shown])

    def _hit(self, state: GameState) -> float:
        seat = state.turn
        assert seat is not None, "a player is to act"
        if player_must_hit(state.hand_value(seat), self.rules):
            return 1.0
        earlier = [len(other.cards) for other in state.seats[:seat] if other.is_closed]
        two_cards = earlier.count(2)
        row = self.strategy.seat_hits(seat, two_cards, len(earlier) - two_cards)
        return float(row[multiset_index(multiset_of(state.seats[seat].cards))])

    def _dealer(self, state: GameState) -> dict[Action, float]:
        choice = self._cards.choice[multiset_index(multiset_of(state.dealer_cards))]
        chances = self.strategy.dealer.closed[self.state_number(state), choice]
        found = dict.fromkeys(legal_actions(state), 0.0)
        for action in range(ACTIONS):
            if chances[action] > 0.0:
                found[self._action(state, action)] += float(chances[action])
        return found

    def _action(self, state: GameState, action: int) -> Action:
        if action in {STOP, DRAW}:
            return Action(ActionKind.DRAW if action == DRAW else ActionKind.DEALER_STAND)
        seat = next(
            seat for seat in state.closed_seats if self._kind(len(state.seats[seat].cards)) == action - OPEN
        )
        return Action(ActionKind.REVEAL, seat)

    def _kind(self, cards: int) -> int:
        return int(self._situations.kind_of[PLAYER_CARD_COUNTS.index(cards)])

    def state_number(self, state: GameState) -> int:
        """Return the number of the dealer's state (see :mod:`~croupier.banluck.solvers.table.situations`)."""
        begun, closed = [0] * KINDS, [0] * KINDS
        bans = 0
        for number, seat in enumerate(state.seats):
            hand = multiset_index(multiset_of(seat.cards))
            bans += bool(self._cards.is_ban[hand])
            if self._cards.is_ban[hand] or self._cards.is_shown_bust[hand]:
                continue
            kind = self._kind(len(seat.cards))
            begun[kind] += 1
            closed[kind] += number in state.closed_seats
        found = self._situations
        situation = int(found.number[situation_key(found, bans, tuple(begun))])
        first, last = found.first_state[situation], found.first_state[situation + 1]
        return next(
            number for number in range(int(first), int(last)) if found.closed[number].tolist() == closed
        )
