"""A game looked at after its end: every choice judged by what its player could know."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

from croupier.cards import format_cards
from croupier.durak.arena.report import Note, ResultTable
from croupier.durak.engine.observation import Observation
from croupier.durak.engine.pack import cards_text
from croupier.durak.engine.record import GameRecord
from croupier.durak.engine.state import GameState
from croupier.durak.engine.variant_record import VariantRecord
from croupier.durak.play.game import PASSES, Game
from croupier.durak.players.budget import Budget
from croupier.durak.players.evaluation import MoveValue
from croupier.durak.players.review import DEFAULT_BUDGET, FINE, MoveReview
from croupier.durak.players.review import review as reviewed_moves
from croupier.errors import InputError
from croupier.extras import needs

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Review:
    """The choices of a game, judged; those that the rules left no choice about are not among them.

    Attributes
    ----------
    moves
        Each choice: what its player saw, what was played, what was best, and the expected score that it gave away.
    names
        What the players are called.
    budget, seed
        How long the search thought about each choice, and its seed.

    Examples
    --------
    >>> from croupier import durak
    >>> print(durak.review(durak.Game.deal(seed=4).play("8S")))
    Review of player 1 - player 2
    move        table  hand               chosen  best   cost  error  class
    1 player 2  empty  7♦ 9♣ J♥ Q♦ K♣ 8♠  8♠      7♦    0.076  0.020  inaccuracy
    player 1: 0 of 0 choices were good; cost 0.00 points
    player 2: 0 of 1 choices were good; cost 0.08 points
    """

    moves: tuple[MoveReview, ...]
    names: tuple[str, ...]
    budget: Budget
    seed: int

    @property
    def worse(self) -> tuple[MoveReview, ...]:
        """The choices that were less than good."""
        return tuple(move for move in self.moves if move.move_class not in FINE)

    def lost(self, seat: int) -> float:
        """Return the expected score that the choices of a seat gave away; a game won is worth 1."""
        return sum(move.loss for move in self.moves if move.seat == seat)

    @property
    def table(self) -> ResultTable:
        """The choices as rows for people, and what they add up to."""
        rows = [
            {
                "move": f"{move.number + 1} {self.names[move.seat]}",
                "table": _shown(move.seen.table) or "empty",
                "hand": _shown(move.seen.by_cost(move.seen.hand)),
                "chosen": _answer(move.played, move.seen),
                "best": _answer(move.best, move.seen),
                "cost": f"{move.loss:.3f}",
                "error": f"{move.error:.3f}",
                "class": move.move_class.value,
            }
            for move in self.moves
        ]
        notes = []
        for seat, name in enumerate(self.names):
            own = [move for move in self.moves if move.seat == seat]
            fine = sum(move.move_class in FINE for move in own)
            notes.append(
                Note(f"{name}: {fine} of {len(own)} choices were good; cost {self.lost(seat):.2f} points")
            )
        return ResultTable(f"Review of {' - '.join(self.names)}", rows, notes)

    def __str__(self) -> str:
        return self.table.text()

    def _repr_html_(self) -> str:
        return self.table.html()

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "names": list(self.names),
            "rounds": self.budget.rounds,
            "time_ms": self.budget.time_ms,
            "seed": self.seed,
            "moves": [
                {
                    "number": move.number,
                    "player": move.seat + 1,
                    "phase": move.seen.phase.value,
                    "hand": cards_text(move.seen.hand),
                    "table": cards_text(move.seen.table),
                    "played": _word(move.played),
                    "best": _word(move.best),
                    "score": move.played.expected_score,
                    "best_score": move.best.expected_score,
                    "loss": move.loss,
                    "error": move.error,
                    "is_exact": move.best.is_exact,
                    "class": move.move_class.value,
                }
                for move in self.moves
            ],
        }

    def to_frame(self) -> "pd.DataFrame":
        """Return the choices as a pandas table, one row a choice."""
        needs("plots")
        import pandas as pd  # noqa: PLC0415 - only a table needs it

        return pd.DataFrame(self.to_dict()["moves"])


def review(
    game: Game | GameState | GameRecord | VariantRecord | str | PathLike[str],
    *,
    rounds: int | None = None,
    time_ms: float | None = None,
    seed: int = 1,
    seats: Sequence[int] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Review:
    """Judge every choice of a game by what its player could know when it was made.

    The scores are the search's of ``durak-master``: between two players with 36 cards, exact once every card is known, and estimates before
    that. Games by other rules are played out by sample engines, and every score is an estimate. A game won is worth 1, a drawn
    one ½.

    Parameters
    ----------
    game
        A game, a position with its history, a record, or a log (its text or its path; the first game of it).
    rounds, time_ms
        How long to think about each choice: rounds of the search (10,000), or milliseconds.
    seed
        The seed of the search: with ``rounds``, the same review on any machine.
    seats
        Whose choices to judge; by default everybody's.
    progress
        Told after every action how many of how many are done.

    Examples
    --------
    >>> from croupier import durak
    >>> game = durak.Game.deal(seed=4).play("8S")
    >>> [only] = durak.review(game).moves
    >>> durak.cards_text(only.best.cards), str(only.move_class)
    ('7D', 'inaccuracy')
    """
    if rounds is not None and time_ms is not None:
        raise InputError("review: give rounds or time_ms, not both")
    budget = DEFAULT_BUDGET if rounds is None and time_ms is None else Budget(time_ms, rounds)
    played = _game(game)
    moves = reviewed_moves(played.state, budget, seed, seats=seats, progress=progress)
    return Review(moves, played.names, budget, seed)


def mistake_line(found: Review, move: MoveReview) -> str:
    """Write a choice of a review as one line: who, what, what was better, and what it cost.

    Examples
    --------
    >>> from croupier import durak
    >>> found = durak.review(durak.Game.deal(seed=4).play("8S"))
    >>> mistake_line(found, found.worse[0])
    'move 1, player 2: inaccuracy: 8♠ instead of 7♦, cost 0.08 ± 0.02; hand 7♦ 9♣ J♥ Q♦ K♣ 8♠, table empty'
    """
    seen = move.seen
    chosen, best = _answer(move.played, seen), _answer(move.best, seen)
    sure = ", proved" if move.best.is_exact else f" ± {move.error:.2f}"
    hand, table = _shown(seen.by_cost(seen.hand)), _shown(seen.table) or "empty"
    return (
        f"move {move.number + 1}, {found.names[move.seat]}: {move.move_class}: {chosen} instead of {best}, "
        f"cost {move.loss:.2f}{sure}; hand {hand}, table {table}"
    )


def _game(game: Game | GameState | GameRecord | VariantRecord | str | PathLike[str]) -> Game:
    if isinstance(game, Game):
        return game
    if isinstance(game, GameState):
        return Game(game)
    if isinstance(game, GameRecord | VariantRecord):
        return Game.from_record(game)
    return Game.from_log(game)


def _shown(cards: Sequence[int]) -> str:
    return format_cards(cards, symbols=True)


def _answer(value: MoveValue, seen: Observation) -> str:
    return f"{value.passing} {_shown(value.cards)}".strip() or PASSES[seen.phase]


def _word(value: MoveValue) -> str:
    """Return a move as :meth:`Game.play` takes it; nothing for no card."""
    return f"{value.passing} {cards_text(value.cards)}".strip()
