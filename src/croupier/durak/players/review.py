"""What each move of a game was worth, by the master's evaluation.

A move is judged by what its player could know when it was made. The hidden cards of the game play no part in it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from croupier.durak.engine.actions import act
from croupier.durak.engine.dealing import begun
from croupier.durak.engine.observation import Observation, observe
from croupier.durak.engine.state import GameState
from croupier.durak.players.budget import Budget
from croupier.durak.players.evaluation import Evaluator, MoveValue
from croupier.durak.players.evidence import Evidence
from croupier.durak.players.master import only_answer
from croupier.durak.players.splitmix import SplitMix64

#: The search looks at every move of a reviewed game, not only at the promising ones.
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
    loss
        The expected score that the move gave away.
    move_class
        How good it was.
    """

    number: int
    seat: int
    seen: Observation
    played: MoveValue
    best: MoveValue
    loss: float
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
    for before, _, cards in _turns(state):
        if before.to_act == seat:
            seen = observe(before, seat)
            followed.see(seen)
            followed.play(seen, cards)
    if state.to_act == seat:
        followed.see(observe(state, seat))
    return followed


def review(
    state: GameState,
    budget: Budget = DEFAULT_BUDGET,
    seed: int = 1,
    *,
    seats: Sequence[int] = (0, 1),
    progress: Callable[[int, int], None] | None = None,
) -> tuple[MoveReview, ...]:
    """Judge the moves of a game; moves without a choice are left out.

    Parameters
    ----------
    state
        The game, finished or not.
    budget
        How long to think about each move.
    seed
        The seed of the search.
    seats
        Whose moves to judge.
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
    evaluator = _reviewer(state)
    seeds = SplitMix64(seed)
    followed = (Evidence(), Evidence())
    reviews = []
    for before, number, cards in _turns(state):
        seat = before.to_act
        if seat is not None and seat in seats:
            seen = observe(before, seat)
            followed[seat].see(seen)
            if only_answer(seen) is None:
                evaluator.forget()  # a move is judged alike whatever was judged before
                values = evaluator.evaluate(seen, followed[seat], budget, seeds.next_word())
                reviews.append(_judged(number, seat, seen, cards, values))
            followed[seat].play(seen, cards)
        if progress is not None:
            progress(number + 1, len(state.history))
    return tuple(reviews)


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


def _turns(state: GameState) -> Iterator[tuple[GameState, int, tuple[int, ...]]]:
    """Yield each position of a game with the number of the action that followed it, and its cards."""
    before = begun(state)
    for number, action in enumerate(state.history):
        yield before, number, action.cards
        before = act(before, action)


def _judged(
    number: int, seat: int, seen: Observation, cards: tuple[int, ...], values: tuple[MoveValue, ...]
) -> MoveReview:
    best = values[0]
    played = next(value for value in values if set(value.cards) == set(cards))
    loss = max(0.0, best.expected_score - played.expected_score)
    return MoveReview(number, seat, seen, played, best, loss, classify(loss))
