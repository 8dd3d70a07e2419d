"""A match, or everybody against everybody, as a job of the web app: engines of the list, a live standing, and a log."""

import math
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from croupier.durak.arena.engine_spec import EngineSpec
from croupier.durak.arena.entrant import told_apart
from croupier.durak.arena.log import GameLog
from croupier.durak.arena.match import Books, MatchPlan, MatchResult, play_match
from croupier.durak.arena.outcome import Tally
from croupier.durak.arena.own_engines import compile_search
from croupier.durak.arena.pairing import pairings
from croupier.durak.arena.sprt import Sprt
from croupier.durak.arena.tournament import fit_ratings
from croupier.durak.arena.verdict import Forfeit
from croupier.durak.engine.record import GameRecord
from croupier.durak.engine.variant_record import VariantRecord
from croupier.durak.play.refusal import DurakRefusal
from croupier.web.models.durak_engines import EngineList
from croupier.web.models.durak_logs import LogFolder

#: How many engines can meet, and how many pairs a match may have.
MOST_ENGINES, MOST_PAIRS = 6, 2_000

#: The most points in the plot of a match, and how many forfeits are listed one by one.
MOST_POINTS, TOLD_FORFEITS = 200, 12

#: The largest seed that a person may type.
LARGEST_SEED = 2**63 - 1


@dataclass(frozen=True, slots=True)
class ArenaPlan:
    """What is to be played.

    Attributes
    ----------
    engines
        Names of the list; with more than two of them, everybody plays everybody.
    pairs, seed, concurrency
        Pairs of games in each match, the seed of their cards, and how many games are played at a time.
    sprt
        The two Elo differences between which a sequential test decides; None to play all pairs.

    Raises
    ------
    DurakRefusal
        If it cannot be played, saying why.

    Examples
    --------
    >>> ArenaPlan(("durak-dummy",), pairs=1, seed=1)
    Traceback (most recent call last):
    croupier.durak.play.refusal.DurakRefusal: Choose 2 to 6 engines.
    """

    engines: tuple[str, ...]
    pairs: int
    seed: int
    concurrency: int = 1
    sprt: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        if not 2 <= len(self.engines) <= MOST_ENGINES:
            raise DurakRefusal("durak.refused.engine_count", limit=MOST_ENGINES)
        if not 1 <= self.pairs <= MOST_PAIRS:
            raise DurakRefusal("durak.refused.pairs", limit=MOST_PAIRS)
        if not 0 <= self.seed <= LARGEST_SEED:
            raise DurakRefusal("durak.refused.seed")
        if not 1 <= self.concurrency <= most_at_a_time():
            raise DurakRefusal("durak.refused.concurrency", limit=most_at_a_time())
        if self.sprt is not None:
            if len(self.engines) > 2:
                raise DurakRefusal("durak.refused.sprt_of_two")
            if not (-1000 <= self.sprt[0] < self.sprt[1] <= 1000):
                raise DurakRefusal("durak.refused.sprt")

    def match(self) -> MatchPlan:
        """Return the plan of each of its matches."""
        test = None if self.sprt is None else Sprt(*self.sprt)
        return MatchPlan(pairs=self.pairs, seed=self.seed, concurrency=self.concurrency, sprt=test)


@dataclass(frozen=True, slots=True)
class EloPoint:
    """How the Elo difference stood after some games, with its 95 % interval; None where that is infinite."""

    games: int
    elo: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class ToldForfeit:
    """A forfeited game: which engine, how, and what exactly happened."""

    engine: str
    verdict: str
    reason: str


@dataclass(frozen=True, slots=True)
class MatchStanding:
    """How a match stands, from the first engine's side.

    Attributes
    ----------
    names
        The two engines.
    wins, draws, losses, planned
        The games so far, and how many there are to play.
    elo, los
        The Elo difference, and how likely the first engine is the better one; None before the first pair is complete.
    forfeits
        How many games each of the two has forfeited, by verdict.
    ratio, bounds, hypotheses, decision
        The sequential test: its log-likelihood ratio, where it stops, the two Elo differences it is about, and what it has decided,
        if it has.
    trace
        How the Elo difference has moved.
    """

    names: tuple[str, str]
    wins: int
    draws: int
    losses: int
    planned: int
    elo: EloPoint | None
    los: float | None
    forfeits: tuple[dict[str, int], dict[str, int]]
    ratio: float | None = None
    bounds: tuple[float, float] | None = None
    hypotheses: tuple[float, float] | None = None
    decision: str = ""
    trace: tuple[EloPoint, ...] = ()

    @property
    def games(self) -> int:
        """The games that are over."""
        return self.wins + self.draws + self.losses


@dataclass(frozen=True, slots=True)
class EngineRating:
    """An engine's strength in the field, in Elo above the mean."""

    name: str
    elo: float
    error: float


@dataclass(frozen=True, slots=True)
class ArenaStanding:
    """How everything stands: the matches so far, the last forfeits, the ratings once every match is over, and the log."""

    matches: tuple[MatchStanding, ...]
    meetings: int
    forfeits: tuple[ToldForfeit, ...]
    ratings: tuple[EngineRating, ...]
    log: str
    seconds: float

    @property
    def games(self) -> int:
        """The games that are over."""
        return sum(match.games for match in self.matches)

    @property
    def planned(self) -> int:
        """The games to play in all; a sequential test may end a match with fewer."""
        return self.meetings * self.matches[0].planned if self.matches else 0

    @property
    def seconds_left(self) -> float | None:
        """How long the remaining games take at the speed so far; None before the first game is over."""
        return self.seconds / self.games * (self.planned - self.games) if self.games else None


def most_at_a_time() -> int:
    """Return how many games may be played at a time: one for each processor."""
    return os.cpu_count() or 1


def with_point(trace: tuple[EloPoint, ...], point: EloPoint) -> tuple[EloPoint, ...]:
    """Return the points of a plot with one more, if it has more games; every other point is dropped when there are too many.

    >>> point = EloPoint(2, 0.0, -300.0, 300.0)
    >>> with_point((point,), point) == (point,)
    True
    """
    if trace and point.games <= trace[-1].games:
        return trace
    longer = (*trace, point)
    return longer if len(longer) <= MOST_POINTS else (*longer[:-1:2], point)


def play_arena(
    plan: ArenaPlan, engines: EngineList, logs: LogFolder, report: Callable[[object], None]
) -> ArenaStanding:
    """Play a plan to its end; every process is gone when this returns or is stopped.

    Parameters
    ----------
    plan
        What to play.
    engines, logs
        The list that the engines are of, and where the log goes.
    report
        Called with an :class:`ArenaStanding` after every game; what it raises stops the play.
    """
    specs = told_apart([engines.spec(name) for name in plan.engines])
    path = logs.new_match(plan.engines, datetime.now())
    with _WatchedLog(path) as log:
        board = _Board(plan, specs, log, path.name, report)
        for first, second in pairings(len(specs), is_gauntlet=False):
            board.play(first, second)
    return board.standing()


class _WatchedLog(GameLog):
    """A log that remembers the forfeits it was told of."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.forfeits: list[ToldForfeit] = []

    def append(self, record: GameRecord | VariantRecord) -> None:
        super().append(record)
        if (forfeit := record.forfeit) is not None:
            names = (
                record.players
                if isinstance(record, VariantRecord)
                else (record.player1_name, record.player2_name)
            )
            seat = Forfeit.from_dict(forfeit).seat
            told = ToldForfeit(names[seat], forfeit["verdict"], forfeit["reason"])
            self.forfeits = [*self.forfeits, told][-TOLD_FORFEITS:]


@dataclass(slots=True)
class _Board:
    """Counts the matches as they are played."""

    plan: ArenaPlan
    specs: Sequence[EngineSpec]
    log: _WatchedLog
    log_name: str
    report: Callable[[object], None]
    matches: list[MatchStanding] = field(default_factory=list)
    results: dict[tuple[int, int], MatchResult] = field(default_factory=dict)
    begun: float = field(default_factory=time.perf_counter)

    def play(self, first: int, second: int) -> None:
        compile_search(self.specs)
        names = (self.specs[first].name, self.specs[second].name)
        plan = self.plan.match()
        trace: tuple[EloPoint, ...] = ()
        place = len(self.matches)
        self.matches.append(_match_standing(names, Tally(), plan, ()))
        self.report(self.standing())

        def progress(_done: int, _total: int, tally: Tally) -> None:
            nonlocal trace
            point = _elo(tally)
            if point is not None:
                trace = with_point(trace, point)
            self.matches[place] = _match_standing(names, tally, plan, trace)
            self.report(self.standing())

        books = Books(log=self.log, progress=progress)
        result = play_match(self.specs[first], self.specs[second], plan, books=books)
        final = _match_standing(names, result.tally, plan, trace)
        decision = "" if result.decision is None else str(result.decision)
        self.matches[place] = replace(final, decision=decision)
        self.results[first, second] = result

    def standing(self) -> ArenaStanding:
        return ArenaStanding(
            matches=tuple(self.matches),
            meetings=len(pairings(len(self.specs), is_gauntlet=False)),
            forfeits=tuple(self.log.forfeits),
            ratings=self._ratings(),
            log=self.log_name,
            seconds=time.perf_counter() - self.begun,
        )

    def _ratings(self) -> tuple[EngineRating, ...]:
        if len(self.specs) == 2 or len(self.results) < len(pairings(len(self.specs), is_gauntlet=False)):
            return ()
        fitted = fit_ratings(len(self.specs), self.results)
        ratings = [
            EngineRating(spec.name, rating.elo, rating.error)
            for spec, rating in zip(self.specs, fitted, strict=True)
        ]
        return tuple(sorted(ratings, key=lambda rating: -rating.elo))


def _match_standing(
    names: tuple[str, str], tally: Tally, plan: MatchPlan, trace: tuple[EloPoint, ...]
) -> MatchStanding:
    estimate = tally.estimate
    test = plan.sprt
    return MatchStanding(
        names=names,
        wins=tally.wins,
        draws=tally.draws,
        losses=tally.losses,
        planned=plan.games,
        elo=_elo(tally),
        los=None if estimate is None else estimate.los,
        forfeits=(dict(tally.forfeits[0]), dict(tally.forfeits[1])),
        ratio=None if test is None else test.log_likelihood_ratio(tally.pair_counts),
        bounds=None if test is None else test.bounds,
        hypotheses=None if test is None else (test.elo0, test.elo1),
        trace=trace,
    )


def _elo(tally: Tally) -> EloPoint | None:
    estimate = tally.estimate
    if estimate is None:
        return None
    low, high = (value if math.isfinite(value) else None for value in (estimate.low, estimate.high))
    return EloPoint(2 * tally.pair_counts.pairs, estimate.elo, low, high)
