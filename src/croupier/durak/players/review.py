"""What each move of a game was worth, by the master's evaluation.

A move is judged by what its player could know when it was made. The hidden cards of the game play no part in it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from croupier.durak.engine.actions import act
from croupier.durak.engine.dealing import begun
from croupier.durak.engine.observation import Observation, observe
from croupier.durak.engine.state import Action, GameState
from croupier.durak.players.budget import Budget
from croupier.durak.players.evaluation import Evaluator, MoveValue
from croupier.durak.players.evidence import Evidence
from croupier.durak.players.master import only_answer
from croupier.durak.players.splitmix import SplitMix64

#: The search of a review looks at every move, not only at the promising ones, and explores as much after the first one: its scores
#: then scatter less over seeds, and no more than their errors say.
_EXPLORATION = 1.4

#: How long a review thinks about each move by default.
DEFAULT_BUDGET = Budget(rounds=10_000)


class MoveClass(StrEnum):
    """How good a move was, by the expected score that it gave away (see :data:`CLASS_LIMITS`)."""

    BEST = "best"
    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


#: A move is of the first class whose limit its loss does not exceed; the score of a won game is 1, of a drawn one ½.
CLASS_LIMITS = (
    (MoveClass.BEST, 0.02),
    (MoveClass.GOOD, 0.05),
    (MoveClass.INACCURACY, 0.1),
    (MoveClass.MISTAKE, 0.2),
    (MoveClass.BLUNDER, 1.0),
)


#: Classes that a review does not find fault with.
FINE = (MoveClass.BEST, MoveClass.GOOD)


@dataclass(frozen=True, slots=True)
class MoveReview:
    """One move of a game, and what would have been better.

    Attributes
    ----------
    number
        The number of the action in the game's history, from 0.
    seat
        Who moved.
    seen
        What the player knew.
    played, best
        The move made, and the best one.
    loss, error
        The expected score that the move gave away, and its standard error; 0 where both scores are proved.
    move_class
        How good it was.
    """

    number: int
    seat: int
    seen: Observation
    played: MoveValue
    best: MoveValue
    loss: float
    error: float
    move_class: MoveClass


def classify(loss: float) -> MoveClass:
    """Return the class of a move that gave away an expected score.

    >>> classify(0.0), classify(0.07), classify(0.5)
    (<MoveClass.BEST: 'best'>, <MoveClass.INACCURACY: 'inaccuracy'>, <MoveClass.BLUNDER: 'blunder'>)
    """
    return next(name for name, limit in CLASS_LIMITS if loss <= limit or limit == 1.0)


def evidence_of(state: GameState, seat: int) -> Evidence:
    """Return what a player has learnt from the other's choices so far, by replaying the game.

    Examples
    --------
    >>> from croupier.durak.engine.dealing import start
    >>> from croupier.durak.engine.pack import PACK
    >>> from croupier.durak.engine.rules import DurakRules
    >>> evidence_of(start(DurakRules(), PACK), seat=0).choices
    []
    """
    followed = Evidence()
    for before, _, action in _turns(state):
        if before.to_act == seat:
            seen = observe(before, seat)
            followed.see(seen)
            followed.play(seen, action.cards)
    if state.to_act == seat:
        followed.see(observe(state, seat))
    return followed


def review(
    state: GameState,
    budget: Budget = DEFAULT_BUDGET,
    seed: int = 1,
    *,
    seats: Sequence[int] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[MoveReview, ...]:
    """Judge the moves of a game by any rules; moves without a choice are left out.

    Parameters
    ----------
    state
        The game, finished or not.
    budget
        How long to think about each move.
    seed
        The seed of the search.
    seats
        Whose moves to judge; by default everybody's.
    progress
        Told after every action how many of how many are done.

    Examples
    --------
    >>> from croupier.durak.engine.actions import answer
    >>> from croupier.durak.engine.dealing import start
    >>> from croupier.durak.engine.pack import PACK, card_text
    >>> from croupier.durak.engine.rules import DurakRules
    >>> game = answer(start(DurakRules(), PACK), PACK[:1])
    >>> [only] = review(game, Budget(rounds=500))
    >>> card_text(only.played.cards[0])
    '6C'
    """
    judge = _SearchJudge(state) if state.rules.is_compiled else _judged_variant
    judged_seats = range(len(state.hands)) if seats is None else seats
    seeds = SplitMix64(seed)
    reviews = []
    for before, number, action in _turns(state):
        if before.to_act in judged_seats:
            found = judge(before, number, action, budget, seeds)
            reviews += [] if found is None else [found]
        if progress is not None:
            progress(number + 1, len(state.history))
    return tuple(reviews)


class _SearchJudge:
    """Judges games of two players with 36 cards, by the master's search; it follows what each player learns from the other's choices."""

    def __init__(self, state: GameState) -> None:
        self._evaluator = _reviewer(state)
        self._followed = (Evidence(), Evidence())

    def __call__(
        self, before: GameState, number: int, action: Action, budget: Budget, seeds: SplitMix64
    ) -> MoveReview | None:
        """Judge a move; None where the rules left no choice."""
        seat = before.to_act or 0
        seen, followed, judged = observe(before, seat), self._followed[seat], None
        followed.see(seen)
        if only_answer(seen) is None:
            self._evaluator.forget()  # a move is judged alike whatever was judged before
            values = self._evaluator.evaluate(seen, followed, budget, seeds.next_word())
            played = next(value for value in values if set(value.cards) == set(action.cards))
            loss = max(0.0, values[0].expected_score - played.expected_score)
            error = played.loss_error(values[0])
            judged = MoveReview(number, seat, seen, played, values[0], loss, error, classify(loss))
        followed.play(seen, action.cards)
        return judged


def _judged_variant(
    before: GameState, number: int, action: Action, budget: Budget, seeds: SplitMix64
) -> MoveReview | None:
    """Judge a move of any other game; None where the rules left no choice."""
    # The kernels load Numba, which the compiled search of two players does without.
    from croupier.durak.players.variant_review import compared_move  # noqa: PLC0415

    found = compared_move(before, action, budget, seeds.next_word())
    if found is None:
        return None
    played, best, error = found
    seat = before.to_act or 0
    loss = best.expected_score - played.expected_score
    return MoveReview(number, seat, observe(before, seat), played, best, loss, error, classify(loss))


def advice(state: GameState, budget: Budget = DEFAULT_BUDGET, seed: int = 1) -> tuple[MoveValue, ...]:
    """Return what each move of the player in turn is worth, the best first; nothing where there is no choice.

    A :func:`review` of this player's moves, with the same budget and seed, says the same of the move that is made.

    Examples
    --------
    >>> from croupier.durak.engine.dealing import start
    >>> from croupier.durak.engine.pack import PACK
    >>> from croupier.durak.engine.rules import DurakRules
    >>> len(advice(start(DurakRules(), PACK), Budget(rounds=500)))
    6
    """
    seat = state.to_act
    if seat is None or only_answer(observe(state, seat)) is not None:
        return ()
    seeds = SplitMix64(seed)
    for before, _, _ in _turns(state):
        if before.to_act == seat and only_answer(observe(before, seat)) is None:
            seeds.next_word()
    return _reviewer(state).evaluate(
        observe(state, seat), evidence_of(state, seat), budget, seeds.next_word()
    )


def _reviewer(state: GameState) -> Evaluator:
    return Evaluator(state.rules.attack_cap(2), exploration=_EXPLORATION)


def _turns(state: GameState) -> Iterator[tuple[GameState, int, Action]]:
    """Yield each position of a game with the number of the action that followed it, and the action."""
    before = begun(state)
    for number, action in enumerate(state.history):
        yield before, number, action
        before = act(before, action)
