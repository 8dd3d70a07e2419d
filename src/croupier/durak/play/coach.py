"""The coach of a table: what each move is worth, and what a move has cost, from what the player can know.

Hints, the coach, the review of a table and that of a replayed game all ask :func:`values_of`, so they cannot disagree.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache

from croupier.durak.engine.actions import act
from croupier.durak.engine.dealing import begun
from croupier.durak.engine.state import GameState
from croupier.durak.play.facts import YOU, JudgedMove, TableFacts
from croupier.durak.players.budget import Budget
from croupier.durak.players.evaluation import MoveValue
from croupier.durak.players.review import advice, classify
from croupier.errors import InputError

#: How long hints, the coach and the review think about a move, in rounds of the search, and their seed: the same numbers on
#: any machine, and one verdict of coach and review.
ADVICE_BUDGET, ADVICE_SEED = Budget(rounds=10_000), 1

#: How many positions are remembered; a game has some twenty choices.
_REMEMBERED_POSITIONS = 2000


@lru_cache(maxsize=_REMEMBERED_POSITIONS)
def values_of(game: GameState) -> tuple[MoveValue, ...]:
    """Return what each move of the player in turn is worth, the best first; nothing where there is no choice.

    >>> from croupier.durak.engine.dealing import start
    >>> from croupier.durak.engine.rules import DurakRules
    >>> from croupier.durak.engine.pack import PACK
    >>> len(values_of(start(DurakRules(), PACK)))
    6
    """
    try:
        return advice(game, ADVICE_BUDGET, ADVICE_SEED)
    except InputError as error:
        raise AssertionError("a table shows what adds up to a pack of cards") from error


def advice_for(game: GameState) -> tuple[MoveValue, ...]:
    """Return what each of the person's moves is worth, the best first; nothing where there is no choice."""
    return values_of(game) if game.to_act == YOU else ()


def judged_move(facts: TableFacts, cards: tuple[int, ...]) -> JudgedMove | None:
    """Judge a move by the advice that was given before it; None where that says nothing of the move."""
    return _judged(len(facts.game.history), YOU, facts.advice, cards)


def judged_game(
    game: GameState, seats: Sequence[int] = (YOU,), report: Callable[[object], None] | None = None
) -> tuple[JudgedMove, ...]:
    """Judge every choice of some seats in a game.

    Parameters
    ----------
    game
        The game.
    seats
        Whose choices.
    report
        Told after every action how many of how many are done; it may raise to stop the work.
    """
    moves: list[JudgedMove] = []
    before = begun(game)
    for number, action in enumerate(game.history):
        if before.to_act in seats:
            judged = _judged(number, before.to_act or 0, values_of(before), action.cards)
            moves += [] if judged is None else [judged]
        before = act(before, action)
        if report is not None:
            report((number + 1, len(game.history)))
    return tuple(moves)


def _judged(
    number: int, seat: int, values: tuple[MoveValue, ...], cards: tuple[int, ...]
) -> JudgedMove | None:
    played = next((value for value in values if set(value.cards) == set(cards)), None)
    if played is None:
        return None
    loss = max(0.0, values[0].expected_score - played.expected_score)
    return JudgedMove(number, played, values[0], loss, classify(loss), seat)
