"""How a game of a match ended, and the sum of all its games."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from croupier.durak.arena.game_number import GameNumber
from croupier.durak.arena.rating import EloEstimate, PairCounts, estimate_elo
from croupier.durak.arena.verdict import Forfeit
from croupier.durak.engine.state import Result
from croupier.errors import InputError

_POINTS_OF_PLAYER1 = {Result.FIRST: 1.0, Result.DRAW: 0.5, Result.SECOND: 0.0}


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """How one game of a match ended.

    Attributes
    ----------
    number
        Which game it was.
    result
        The result as the log has it: 1-0 is a win of the first seat, whoever sat there.
    leader
        The seat that led the first bout.
    forfeit
        The fault that decided it, if one did.
    """

    number: GameNumber
    result: Result
    leader: int
    forfeit: Forfeit | None = None

    @property
    def points(self) -> float:
        """The first engine's points.

        >>> GameOutcome(GameNumber(0, is_swapped=True), Result.FIRST, leader=0).points
        0.0
        """
        points = _POINTS_OF_PLAYER1[self.result]
        return 1 - points if self.number.is_swapped else points

    @property
    def leader_points(self) -> float:
        """The points of the player who led."""
        points = _POINTS_OF_PLAYER1[self.result]
        return 1 - points if self.leader else points

    @property
    def forfeiting_engine(self) -> int | None:
        """Which engine forfeited, 0 or 1 in the order of the match; None if neither did."""
        return None if self.forfeit is None else self.forfeit.seat ^ self.number.is_swapped

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "pair": self.number.pair,
            "is_swapped": self.number.is_swapped,
            "result": str(self.result),
            "leader": self.leader,
            "forfeit": None if self.forfeit is None else self.forfeit.to_dict(),
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "GameOutcome":
        """Read what :meth:`to_dict` wrote.

        >>> outcome = GameOutcome(GameNumber(3, is_swapped=True), Result.DRAW, leader=1)
        >>> GameOutcome.from_dict(outcome.to_dict()) == outcome
        True
        """
        try:
            number = GameNumber(int(data["pair"]), bool(data["is_swapped"]))
            forfeit = None if data["forfeit"] is None else Forfeit.from_dict(data["forfeit"])
            return cls(number, Result(data["result"]), int(data["leader"]), forfeit)
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"not the outcome of a game ({type(error).__name__}: {error})") from None


@dataclass(slots=True)
class Tally:
    """The sum over games, from the first engine's side; it grows as games end.

    Examples
    --------
    >>> tally = Tally()
    >>> for is_swapped, result in ((False, Result.FIRST), (True, Result.DRAW)):
    ...     tally.add(GameOutcome(GameNumber(0, is_swapped), result, leader=0))
    >>> tally.wins, tally.losses, tally.draws, tally.pair_counts.counts
    (1, 0, 1, (0, 0, 0, 1, 0))
    """

    wins: int = 0
    losses: int = 0
    draws: int = 0
    leader_points: float = 0.0
    forfeits: tuple[Counter[str], Counter[str]] = field(default_factory=lambda: (Counter(), Counter()))
    first_forfeits: list[Forfeit | None] = field(default_factory=lambda: [None, None], compare=False)
    pair_counts: PairCounts = field(default_factory=PairCounts)
    _half_pairs: dict[int, float] = field(default_factory=dict)

    @classmethod
    def of(cls, outcomes: Iterable[GameOutcome]) -> "Tally":
        """Add up games."""
        tally = cls()
        for outcome in outcomes:
            tally.add(outcome)
        return tally

    def add(self, outcome: GameOutcome) -> None:
        """Count one more game."""
        self.wins += outcome.points == 1
        self.losses += outcome.points == 0
        self.draws += outcome.points == 0.5
        self.leader_points += outcome.leader_points
        if outcome.forfeit is not None and outcome.forfeiting_engine is not None:
            engine = outcome.forfeiting_engine
            self.forfeits[engine][str(outcome.forfeit.verdict)] += 1
            self.first_forfeits[engine] = self.first_forfeits[engine] or outcome.forfeit
        other = self._half_pairs.pop(outcome.number.pair, None)
        if other is None:
            self._half_pairs[outcome.number.pair] = outcome.points
        else:
            self.pair_counts = self.pair_counts.with_pair(other + outcome.points)

    @property
    def games(self) -> int:
        """How many games were counted."""
        return self.wins + self.losses + self.draws

    @property
    def points(self) -> float:
        """The first engine's points."""
        return self.wins + self.draws / 2

    @property
    def forfeit_count(self) -> int:
        """How many games were forfeited, by whichever engine."""
        return sum(counter.total() for counter in self.forfeits)

    @property
    def estimate(self) -> EloEstimate | None:
        """The Elo difference; None before the first pair is complete."""
        return estimate_elo(self.pair_counts) if self.pair_counts.pairs else None

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        unknown = dict.fromkeys(("score", "elo", "elo_error", "elo_low", "elo_high", "los"))
        return {
            "wins": self.wins,
            "losses": self.losses,
            "draws": self.draws,
            "forfeits": self.forfeit_count,
            "forfeits_by_engine": [dict(counter) for counter in self.forfeits],
            **(unknown if self.estimate is None else self.estimate.to_dict()),
            "games": self.games,
            "pairs": self.pair_counts.pairs,
            "pair_counts": list(self.pair_counts.counts),
            "draw_rate": self._share(self.draws),
            "leader_score": self._share(self.leader_points),
        }

    def _share(self, points: float) -> float | None:
        return points / self.games if self.games else None
