"""A match of two engines: pairs of games, several at a time, recorded as they end, stopped when the question is settled.

The cards of a pair depend on the seed and its number alone, and a sequential test looks at the pairs in their order, not in that
in which they end. Engines that always do the same in the same game therefore give the same result at any concurrency.
"""

import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from croupier import __version__
from croupier.durak.arena.engine_spec import EngineSpec, Limits
from croupier.durak.arena.game_number import GameNumber, games_of_match
from croupier.durak.arena.journal import Journal
from croupier.durak.arena.log import GameLog
from croupier.durak.arena.outcome import GameOutcome, Tally
from croupier.durak.arena.policy_slot import PolicyMaker, PolicySlot
from croupier.durak.arena.pool import open_pool
from croupier.durak.arena.referee import Listener
from croupier.durak.arena.scoreboard import Scoreboard
from croupier.durak.arena.slot import FinishedGame, Fixture
from croupier.durak.arena.sprt import Decision, Sprt
from croupier.durak.engine.record import GameRecord
from croupier.errors import InputError

#: Told after every game: the games over by now, the games to play, and the sum so far.
Progress = Callable[[int, int, Tally], None]


@dataclass(frozen=True, slots=True)
class MatchResult:
    """What a match has shown so far.

    Attributes
    ----------
    names
        The two engines; everything is told from the first one's side.
    tally
        Wins, losses, draws, forfeits, pairs and the Elo difference they give.
    seed, seconds
        The seed, and how long this run took.
    games_played
        How many games this run played; those of an earlier run that was resumed are not among them.
    sprt, decision, log_likelihood_ratio
        The sequential test, if one was asked for, and what it says.
    """

    names: tuple[str, str]
    tally: Tally
    seed: int
    seconds: float = field(compare=False)
    games_played: int = field(compare=False)
    sprt: Sprt | None = None
    decision: Decision | None = None
    log_likelihood_ratio: float | None = None

    @property
    def games_per_second(self) -> float:
        """The speed of this run."""
        return self.games_played / self.seconds if self.games_played else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        data = self.tally.to_dict() | {
            "first": self.names[0],
            "second": self.names[1],
            "seed": self.seed,
            "seconds": self.seconds,
            "games_per_second": self.games_per_second,
            "version": __version__,
        }
        if self.sprt is not None:
            low, high = self.sprt.bounds
            data["sprt"] = {
                "elo0": self.sprt.elo0,
                "elo1": self.sprt.elo1,
                "alpha": self.sprt.alpha,
                "beta": self.sprt.beta,
                "llr": self.log_likelihood_ratio,
                "bounds": [low, high],
                "decision": self.decision,
            }
        return data


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """How a match is to be played, whoever plays it.

    Attributes
    ----------
    pairs, seed
        How many pairs, and the seed of their decks.
    concurrency
        How many games at a time; one a processor by default.
    sprt
        The sequential test that may end the match early.
    is_odd
        Whether the last pair has its first game only.

    Raises
    ------
    InputError
        If a number is out of its range.

    Examples
    --------
    >>> MatchPlan(pairs=0, seed=1)
    Traceback (most recent call last):
    croupier.errors.InputError: pairs = 0: at least 1 pair has to be played
    """

    pairs: int
    seed: int
    concurrency: int = field(default_factory=lambda: os.cpu_count() or 1)
    sprt: Sprt | None = None
    is_odd: bool = False

    @property
    def games(self) -> int:
        """How many games that is; an odd match leaves out the second game of its last pair."""
        return 2 * self.pairs - self.is_odd

    def numbers(self) -> Iterator[GameNumber]:
        """Yield the games in their order."""
        return islice(games_of_match(self.pairs), self.games)

    def __post_init__(self) -> None:
        if self.pairs < 1:
            raise InputError(f"pairs = {self.pairs}: at least 1 pair has to be played")
        if self.seed < 0:
            raise InputError(f"seed = {self.seed}: a seed is a whole number from 0 on")
        if self.concurrency < 1:
            raise InputError(f"concurrency = {self.concurrency}: at least 1 game at a time")


@dataclass(frozen=True, slots=True)
class Books:
    """Where games are recorded as they end: a save file, a log, somebody who watches; each may be missing."""

    journal: Journal | None = None
    log: GameLog | None = None
    progress: Progress | None = None

    def scoreboard(self, plan: MatchPlan) -> Scoreboard:
        """Return the standing before the first game of this run: that of the save file."""
        known = {} if self.journal is None else self.journal.outcomes
        return Scoreboard(list(plan.numbers()), plan.sprt, known)

    def enter(self, outcome: GameOutcome, record: GameRecord | None) -> None:
        """Record a game; the log first, because a game of it that is missing in the save file is found there."""
        if self.log is not None and record is not None:
            self.log.append(record)
        if self.journal is not None:
            self.journal.append(outcome)


def play_match(
    first: EngineSpec,
    second: EngineSpec,
    plan: MatchPlan,
    *,
    limits: Limits | None = None,
    books: Books | None = None,
    listener: Listener | None = None,
) -> MatchResult:
    """Play a match between two programs; whatever happens, no process of theirs is left.

    Parameters
    ----------
    first, second
        The engines.
    plan
        Pairs, seed, games at a time, and the sequential test if one may end the match.
    limits
        How long an answer may take.
    books
        Where games are recorded; games that the save file holds are not played again.
    listener
        Told of every line; with several games at a time their lines mix.

    Examples
    --------
    >>> from croupier.durak.arena.engine_spec import read_engine
    >>> dummy = read_engine("durak-dummy")
    >>> result = play_match(dummy, dummy, MatchPlan(pairs=1, seed=1))
    >>> result.tally.games, result.tally.pair_counts.counts
    (2, (0, 0, 1, 0, 0))
    """
    chosen, kept = limits or Limits(), books or Books()
    match_id = None if kept.journal is None else kept.journal.match_id
    fixture = Fixture(first, second, chosen, plan.seed, match_id, with_record=kept.log is not None)
    board = kept.scoreboard(plan)
    with open_pool(fixture, plan.concurrency, sum(1 for _ in board.missing()), listener) as pool:
        return _play((first.name, second.name), plan, kept, board, pool.submit, pool.abort)


def play_policy_match(
    first: tuple[str, PolicyMaker],
    second: tuple[str, PolicyMaker],
    plan: MatchPlan,
    *,
    books: Books | None = None,
) -> MatchResult:
    """Play a match between policies in worker processes of this program, each policy given by a name and its maker.

    The makers are sent to the workers and must be importable there.

    Examples
    --------
    >>> from croupier.durak.players.random_player import RandomPolicy
    >>> plan = MatchPlan(pairs=5, seed=1, concurrency=1)
    >>> play_policy_match(("one", RandomPolicy), ("other", RandomPolicy), plan).tally.games
    10
    """
    kept = books or Books()
    table = PolicySlot(first, second, plan.seed, with_record=kept.log is not None)
    names, board = (first[0], second[0]), kept.scoreboard(plan)
    with ProcessPoolExecutor(plan.concurrency) if plan.concurrency > 1 else ThreadPoolExecutor(1) as pool:
        return _play(
            names,
            plan,
            kept,
            board,
            lambda number: pool.submit(table.play, number),
            lambda: pool.shutdown(cancel_futures=True),
        )


def _play(
    names: tuple[str, str],
    plan: MatchPlan,
    books: Books,
    board: Scoreboard,
    submit: Callable[[GameNumber], Future[FinishedGame]],
    abort: Callable[[], None],
) -> MatchResult:
    """Play what is missing, a few games ahead of the tables; only this thread counts and records."""
    todo = board.missing()
    started, games_played = time.perf_counter(), 0
    try:
        ahead = 0 if board.is_settled else 2 * plan.concurrency
        pending = {submit(number) for number in islice(todo, ahead)}
        while pending and not board.is_settled:
            finished, pending = wait(pending, return_when=FIRST_COMPLETED)
            pending |= {submit(number) for number in islice(todo, len(finished))}
            for future in finished:
                game = future.result()
                books.enter(game.outcome, game.record)
                board.enter(game.outcome)
                games_played += 1
                if books.progress is not None:
                    books.progress(board.tally.games, plan.games, board.tally)
        if pending:
            abort()
    except BaseException:  # Ctrl-C above all: engines that still think are ended, games not begun are dropped
        abort()
        raise
    seconds, standing = time.perf_counter() - started, board.standing()
    return MatchResult(
        names,
        standing.tally,
        plan.seed,
        seconds,
        games_played,
        plan.sprt,
        standing.decision,
        standing.log_likelihood_ratio,
    )
