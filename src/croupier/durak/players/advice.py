"""The master's advice as data: what each move is worth before it is made, and what a game's moves were worth after it."""

from dataclasses import dataclass

from croupier.durak.engine.observation import Observation
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.state import GameState
from croupier.durak.players.budget import Budget
from croupier.durak.players.evaluation import Evaluator, MoveValue
from croupier.durak.players.evidence import Evidence
from croupier.durak.players.review import DEFAULT_BUDGET, MoveClass, MoveReview, review

#: Moves that a review does not find fault with.
FINE = (MoveClass.BEST, MoveClass.GOOD)


@dataclass(frozen=True, slots=True)
class GameReview:
    """The choices of one player in a game, judged.

    Examples
    --------
    >>> GameReview(()).worse, GameReview(()).lost
    ((), 0)
    """

    moves: tuple[MoveReview, ...]

    @property
    def worse(self) -> tuple[MoveReview, ...]:
        """The moves that were less than good."""
        return tuple(move for move in self.moves if move.move_class not in FINE)

    @property
    def fine(self) -> int:
        """How many choices were good or best."""
        return len(self.moves) - len(self.worse)

    @property
    def lost(self) -> float:
        """The expected score that all of them gave away."""
        return sum(move.loss for move in self.moves)


class MasterAdviser:
    """The master's evaluation, from what a person may know.

    Parameters
    ----------
    rules
        The rules of the table.
    seed
        Where chance begins; the same for every question.
    budget
        How long to think about a hint.
    review_budget
        How long to think about each move of a game that is reviewed.

    Examples
    --------
    >>> from croupier.durak.engine.dealing import start
    >>> from croupier.durak.engine.observation import observe
    >>> from croupier.durak.engine.pack import PACK
    >>> adviser = MasterAdviser(DurakRules(), seed=1, budget=Budget(rounds=100))
    >>> len(adviser.moves(observe(start(DurakRules(), PACK), seat=0), Evidence()))
    6
    """

    def __init__(
        self, rules: DurakRules, seed: int, budget: Budget, review_budget: Budget = DEFAULT_BUDGET
    ) -> None:
        self._evaluator = Evaluator(rules.attack_cap(2))
        self._seed, self._budget, self._review_budget = seed, budget, review_budget

    def moves(self, seen: Observation, evidence: Evidence) -> tuple[MoveValue, ...]:
        """Return every move with the score to expect from it, the best first."""
        return self._evaluator.evaluate(seen, evidence, self._budget, self._seed)

    def review(self, state: GameState, seat: int) -> GameReview:
        """Judge the choices of a seat in a game."""
        return GameReview(review(state, self._review_budget, self._seed, seats=(seat,)))
