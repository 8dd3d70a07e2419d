"""The coach of a table: what each move is worth, and what a move has cost, from what the person can know."""

from croupier.durak.engine.state import GameState
from croupier.durak.play.facts import YOU, JudgedMove, TableFacts
from croupier.durak.players.budget import Budget
from croupier.durak.players.evaluation import MoveValue
from croupier.durak.players.review import advice, classify, review
from croupier.errors import InputError

#: How long hints, the coach and the review think about a move, in rounds of the search, and their seed: the same numbers on
#: any machine, and one verdict of coach and review.
ADVICE_BUDGET, ADVICE_SEED = Budget(rounds=10_000), 1


def advice_for(game: GameState) -> tuple[MoveValue, ...]:
    """Return what each of the person's moves is worth, the best first; nothing where there is no choice.

    >>> from croupier.durak.engine.dealing import start
    >>> from croupier.durak.engine.rules import DurakRules
    >>> from croupier.durak.engine.pack import PACK
    >>> len(advice_for(start(DurakRules(), PACK)))
    6
    """
    if game.to_act != YOU:
        return ()
    try:
        return advice(game, ADVICE_BUDGET, ADVICE_SEED)
    except InputError as error:
        raise AssertionError("a table shows what adds up to a pack of cards") from error


def judged_move(facts: TableFacts, cards: tuple[int, ...]) -> JudgedMove | None:
    """Judge a move by the advice that was given before it; None where that says nothing of the move."""
    played = next((value for value in facts.advice if set(value.cards) == set(cards)), None)
    if played is None:
        return None
    best = facts.advice[0]
    loss = max(0.0, best.expected_score - played.expected_score)
    return JudgedMove(len(facts.game.history), played, best, loss, classify(loss))


def judged_game(game: GameState) -> tuple[JudgedMove, ...]:
    """Judge every choice of the person in a game."""
    return tuple(
        JudgedMove(move.number, move.played, move.best, move.loss, move.move_class)
        for move in review(game, ADVICE_BUDGET, ADVICE_SEED, seats=(YOU,))
    )
