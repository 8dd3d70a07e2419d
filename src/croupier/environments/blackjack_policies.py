"""Charts as policies for the blackjack environments."""

from typing import Any

from croupier.blackjack.engine.moves import Allowed, Move
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.chart import ROWS, UP_CARDS, Chart
from croupier.blackjack.solvers.chart_moves import move_of, row_of_hand, row_of_pair
from croupier.environments.blackjack import ACTIONS

_MOVES = (Move.HIT, Move.DOUBLE, Move.SPLIT, Move.SURRENDER)


class ChartPolicy:
    """Plays a chart: a function from an observation of ``croupier/Blackjack-v0`` to the number of an action.

    Insurance is declined: a chart says nothing about it.

    Examples
    --------
    >>> from croupier import blackjack
    >>> from croupier.environments import BlackjackEnvironment
    >>> env = BlackjackEnvironment("vegas-strip")
    >>> policy = ChartPolicy(blackjack.Chart.uniform("H"), env.rules)
    >>> observation, _ = env.reset(seed=1)
    >>> ACTIONS[policy(observation)]
    'hit'
    """

    def __init__(self, chart: Chart, rules: BlackjackRules) -> None:
        self.chart, self.rules = chart, rules

    def __call__(self, observation: dict[str, Any]) -> int:
        """Return what the chart does."""
        mask = observation["action_mask"]
        if mask[ACTIONS.index("insure")]:
            return ACTIONS.index("decline")
        allowed = Allowed(0)
        for move in _MOVES:
            if mask[ACTIONS.index(move.value)]:
                allowed |= Allowed.of(move)
        name = self._move(observation, allowed).value
        return ACTIONS.index(name if mask[ACTIONS.index(name)] else "decline")

    def _move(self, observation: dict[str, Any], allowed: Allowed) -> Move:
        letter = UP_CARDS[int(observation["up_card"])]
        if pair := int(observation["pair"]):
            move = move_of(self.chart[ROWS[row_of_pair(pair - 1)], letter], allowed, self.rules)
            if move is not None:
                return move
        row = row_of_hand(int(observation["total"]), bool(observation["is_soft"]))
        return move_of(self.chart[ROWS[row], letter], allowed, self.rules) or Move.STAND
