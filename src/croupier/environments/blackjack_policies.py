"""Charts as policies for the blackjack environments, and policies as charts."""

from collections.abc import Callable
from typing import Any

import numpy as np

from croupier.blackjack.engine.moves import Allowed, Move
from croupier.blackjack.engine.permissions import HandFacts, most_hands, why_not_double, why_not_surrender
from croupier.blackjack.engine.rules import BlackjackRules
from croupier.blackjack.solvers.chart import ROWS, UP_CARDS, Chart, Code
from croupier.blackjack.solvers.chart_moves import move_of, row_of_hand, row_of_pair
from croupier.cards import ACE_CLASS
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


#: What a policy says of two cards, as a chart's code, with what it says where that is not allowed.
_CODES = {
    ("hit", ""): Code.HIT,
    ("stand", ""): Code.STAND,
    ("double", "hit"): Code.DOUBLE,
    ("double", "stand"): Code.DOUBLE_OR_STAND,
    ("split", ""): Code.SPLIT,
    ("surrender", "hit"): Code.SURRENDER,
    ("surrender", "stand"): Code.SURRENDER_OR_STAND,
    ("surrender", "split"): Code.SURRENDER_OR_SPLIT,
}

Policy = Callable[[dict[str, Any]], int]


def policy_chart(policy: Policy, rules: BlackjackRules) -> Chart:
    """Write down what a policy does with every first two cards, so that :func:`croupier.blackjack.price` can price it exactly.

    A policy that looks at nothing but total, softness, pair, up-card and what is legal *is* this chart. Of one that looks at more, the chart
    is what it does with the first two cards.

    Parameters
    ----------
    policy
        From an observation of ``croupier/Blackjack-v0`` to the number of a legal action.
    rules
        The rules it plays by.

    Examples
    --------
    >>> from croupier import blackjack
    >>> rules = blackjack.rules("vegas-strip")
    >>> best = blackjack.analyse(rules).chart
    >>> blackjack.price(rules, policy_chart(ChartPolicy(best, rules), rules)).loss < 1e-6
    True
    """
    cells = {}
    for row in ROWS:
        for up_card, letter in enumerate(UP_CARDS):
            cells[row, letter] = _code(policy, rules, row, up_card)
    return Chart.uniform("S").replace(cells)


def _code(policy: Policy, rules: BlackjackRules, row: str, up_card: int) -> Code:
    """Ask for one cell: with everything that is allowed, then again without what was chosen, if a chart has a second choice for it."""
    seen = _first_cards(row, up_card)
    legal = {"stand", "hit"} | _extras(rules, seen, up_card)
    choices: list[str] = []
    while not choices or choices[-1] in ("double", "surrender"):
        mask = np.array([name in legal for name in ACTIONS], np.int8)
        choices.append(ACTIONS[policy(seen | {"action_mask": mask})])
        legal -= {choices[-1]}
        if choices[0] == "double":
            legal &= {"stand", "hit"}
        elif choices[0] == "surrender":
            legal -= {"double"}
    return _CODES[choices[0], choices[-1] if len(choices) > 1 else ""]


def _first_cards(row: str, up_card: int) -> dict[str, Any]:
    """Return the observation of a row of a chart."""
    softness, _, total = row.rpartition(" ")
    pair = 0
    if "," in row or "-" in row:
        pair = 1 + ROWS.index(row) - row_of_pair(0)
        is_ace = pair - 1 == ACE_CLASS
        value, is_soft = (12, True) if is_ace else (2 * (pair + 1), False)
    else:
        value, is_soft = int(total), softness == "soft"
    return {
        "phase": 0, "total": value, "is_soft": int(is_soft), "pair": pair, "cards": 2, "up_card": up_card, "hand": 0, "hands": 1,
    }  # fmt: skip


def _extras(rules: BlackjackRules, seen: dict[str, Any], up_card: int) -> set[str]:
    """Return what may be done with the first two cards, besides standing and hitting."""
    facts = HandFacts(seen["total"], bool(seen["is_soft"]))
    allowed = set()
    if why_not_double(rules, facts) is None:
        allowed.add("double")
    if seen["pair"] and most_hands(rules, seen["pair"] - 1) > 1:
        allowed.add("split")
    if why_not_surrender(rules, facts, against_ace=up_card == ACE_CLASS) is None:
        allowed.add("surrender")
    return allowed
