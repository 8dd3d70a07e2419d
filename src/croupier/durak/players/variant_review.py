"""What the moves of games were worth that the master's own search does not cover: any number of players, any pack, transfers, teams.

The search of :mod:`~croupier.durak.players.variant_master` judges, from what the player could know. Half of a budget finds the best move. The
other half compares it with the one that was played, with the same new deals for both, so that a move which looked best by luck is not
held against the player. The deals are independent, so the error of the loss is that of the mean difference. Games are played out
by sample engines in all seats: scores are what they would make of the move, and nothing is proved.
"""

import math
from typing import NamedTuple

from croupier.durak.engine.state import Action, ActionKind, GameState
from croupier.durak.players.budget import Budget
from croupier.durak.players.evaluation import MoveValue
from croupier.durak.players.variant_master import Results, VariantSearch, candidates

_PASSING_ON = (ActionKind.TRANSFER, ActionKind.SHOW)


class Comparison(NamedTuple):
    """What a move was worth, what the best one was worth, and the standard error of the difference."""

    played: MoveValue
    best: MoveValue
    error: float


def compared_move(state: GameState, action: Action, budget: Budget, seed: int) -> Comparison | None:
    """Compare a move with the best one; None where the rules left no choice.

    Parameters
    ----------
    state
        The game before the move. Of the other hands and the stock, only what the player in turn may know is used.
    action
        The move.
    budget, seed
        How many games are played to their end, or how long; and the seed of the hidden cards.

    Examples
    --------
    >>> from croupier.durak.engine.dealing import start
    >>> from croupier.durak.engine.rules import DurakRules
    >>> rules = DurakRules(players=3)
    >>> state = start(rules, rules.cards, leader=0)
    >>> highest = Action(ActionKind.ATTACK, state.hands[0][-1:])
    >>> found = compared_move(state, highest, Budget(rounds=2000), seed=1)
    >>> found.played.expected_score < found.best.expected_score, 0 < found.error < 0.03
    (True, True)
    """
    moves = candidates(state)
    number = next((place for place, move in enumerate(moves) if _is_same(move, action)), len(moves))
    if number == len(moves):
        moves.append(action)
    if len(moves) == 1:
        return None
    search = VariantSearch(state, moves, seed)
    best = search.best(_half(budget))
    if best == number:
        value = _value(action, search.compared([number], budget), 0)
        return Comparison(value, value, 0.0)
    results = search.compared([number, best], budget)
    played = _value(action, results, 0)
    if results[:, 0].sum(dtype=int) >= results[:, 1].sum(dtype=int):
        return Comparison(played, played, 0.0)
    difference = (results[:, 1] - results[:, 0]) / 2
    error = float(difference.std(ddof=1)) / math.sqrt(len(results)) if len(results) > 1 else 1.0
    return Comparison(played, _value(moves[best], results, 1), error)


def _half(budget: Budget) -> Budget:
    if budget.rounds is not None:
        return Budget(rounds=max(1, budget.rounds // 2))
    return Budget(time_ms=(budget.time_ms or 0.0) / 2)


def _is_same(one: Action, other: Action) -> bool:
    return one.kind is other.kind and set(one.cards) == set(other.cards)


def _value(move: Action, results: Results, column: int) -> MoveValue:
    score = float(results[:, column].mean()) / 2
    passing = move.kind.value if move.kind in _PASSING_ON else ""
    return MoveValue(move.cards, score, len(results), passing=passing, hands=len(results))
