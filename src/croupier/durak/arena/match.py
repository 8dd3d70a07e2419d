"""A match of two engines: pairs of games, several at a time, recorded as they end, stopped when the question is settled.

The cards of a pair depend on the seed and its number alone, and a sequential test looks at the pairs in their order, not in that
in which they end. Engines that always do the same in the same game therefore give the same result at any concurrency.
"""

import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import (
    FIRST_COMPLETED,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from croupier import __version__
from croupier.durak.arena.engine_spec import EngineSpec, Limits
from croupier.durak.arena.journal import Journal
from croupier.durak.arena.log import GameLog
from croupier.durak.arena.outcome import GameOutcome, Tally
from croupier.durak.arena.player import EnginePlayer, Player, PolicyPlayer
from croupier.durak.arena.rating import PairCounts
from croupier.durak.arena.referee import Listener, PlayedGame, play_game
from croupier.durak.arena.roster import Roster
from croupier.durak.arena.schedule import GameNumber, deal_of_pair, games_of_match
from croupier.durak.arena.sprt import Decision, Sprt
from croupier.durak.engine.observation import Policy
from croupier.durak.engine.record import GameRecord
from croupier.errors import InputError
from croupier.lab.streams import RandomStream

#: Told after every game: the games over by now, the games to play, and the sum so far.
Progress = Callable[[int, int, Tally], None]

#: Makes the policy of a player in this process for one game, from the game's own seed.
PolicyMaker = Callable[[int], Policy]


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
    with Roster() as roster:
        table = _EngineTable(
            first, second, chosen, roster, plan.seed, listener, match_id, kept.log is not None
        )
        pool = ThreadPoolExecutor(plan.concurrency, thread_name_prefix="durak")
        return _play((first.name, second.name), plan, kept, pool, table.play, roster.abort)


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
    pool = ProcessPoolExecutor(plan.concurrency) if plan.concurrency > 1 else ThreadPoolExecutor(1)
    table = _PolicyTable(first, second, plan.seed, kept.log is not None)
    return _play((first[0], second[0]), plan, kept, pool, table.play, lambda: None)


@dataclass(frozen=True, slots=True)
class _Finished:
    outcome: GameOutcome
    record: GameRecord | None


class _EngineTable:
    """Where programs play: every thread has a pair of players of its own."""

    def __init__(
        self,
        first: EngineSpec,
        second: EngineSpec,
        limits: Limits,
        roster: Roster,
        seed: int,
        listener: Listener | None,
        match_id: str | None,
        with_record: bool,
    ) -> None:
        self._specs, self._limits, self._roster = (first, second), limits, roster
        self._seed, self._listener, self._match_id = seed, listener, match_id
        self._with_record = with_record
        self._of_thread = threading.local()

    def play(self, number: GameNumber) -> _Finished:
        if not hasattr(self._of_thread, "players"):
            self._of_thread.players = tuple(
                EnginePlayer(spec, self._limits, self._roster) for spec in self._specs
            )
        finished = _play_number(
            self._of_thread.players, self._seed, number, self._listener, self._match_id, self._with_record
        )
        self._roster.verify_open()
        return finished


@dataclass(frozen=True, slots=True)
class _PolicyTable:
    """Where policies play; it travels to the worker processes."""

    first: tuple[str, PolicyMaker]
    second: tuple[str, PolicyMaker]
    seed: int
    with_record: bool

    def play(self, number: GameNumber) -> _Finished:
        players = (self._player(self.first, number, 0), self._player(self.second, number, 1))
        return _play_number(players, self.seed, number, None, None, self.with_record)

    def _player(self, entry: tuple[str, PolicyMaker], number: GameNumber, place: int) -> PolicyPlayer:
        name, maker = entry
        own_seed = RandomStream((self.seed, number.pair, number.is_swapped, place)).below(2**63)
        return PolicyPlayer(name, lambda: maker(own_seed))


def _play_number(
    players: tuple[Player, Player],
    seed: int,
    number: GameNumber,
    listener: Listener | None,
    match_id: str | None,
    with_record: bool,
) -> _Finished:
    deal = deal_of_pair(seed, number.pair)
    seats = players[::-1] if number.is_swapped else players
    game = play_game(seats, deal.deck, deal.leader, listener=listener)
    outcome = GameOutcome(number, game.result, deal.leader, game.forfeit)
    return _Finished(outcome, _record(game, seed, number, match_id) if with_record else None)


def _record(game: PlayedGame, seed: int, number: GameNumber, match_id: str | None) -> GameRecord:
    extra: dict[str, Any] = {"seed": seed, "pair": number.pair, "is_swapped": number.is_swapped}
    if match_id is not None:
        extra["match_id"] = match_id
    return game.record(extra)


class _Scoreboard:
    """Counts games as they end, and watches the pairs in their order for the sequential test."""

    def __init__(self, plan: MatchPlan, known: Mapping[GameNumber, GameOutcome]) -> None:
        self.plan = plan
        self.outcomes: dict[GameNumber, GameOutcome] = {}
        self.tally = Tally()
        self.decision = None if plan.sprt is None else Decision.GO_ON
        self._tested = PairCounts()
        for number in plan.numbers():
            if number in known:
                self.enter(known[number])

    @property
    def is_settled(self) -> bool:
        return self.decision in (Decision.ELO0, Decision.ELO1)

    def missing(self) -> Iterator[GameNumber]:
        return (number for number in self.plan.numbers() if number not in self.outcomes)

    def enter(self, outcome: GameOutcome) -> None:
        self.outcomes[outcome.number] = outcome
        self.tally.add(outcome)
        while self.plan.sprt is not None and not self.is_settled and (pair := self._next_pair()) is not None:
            self._tested = self._tested.with_pair(sum(outcome.points for outcome in pair))
            self.decision = self.plan.sprt.decide(self._tested)

    def _next_pair(self) -> tuple[GameOutcome, GameOutcome] | None:
        pair = self._tested.pairs
        games = [self.outcomes.get(GameNumber(pair, is_swapped)) for is_swapped in (False, True)]
        return (games[0], games[1]) if games[0] is not None and games[1] is not None else None

    def final_tally(self) -> Tally:
        """Return the sum of what the match consists of: with a settled test, the pairs that settled it."""
        if not self.is_settled:
            return Tally.of(self.outcomes[number] for number in sorted(self.outcomes))
        counted = (number for number in sorted(self.outcomes) if number.pair < self._tested.pairs)
        return Tally.of(self.outcomes[number] for number in counted)

    def result(self, names: tuple[str, str], seconds: float, games_played: int) -> MatchResult:
        ratio = None if self.plan.sprt is None else self.plan.sprt.log_likelihood_ratio(self._tested)
        return MatchResult(
            names,
            self.final_tally(),
            self.plan.seed,
            seconds,
            games_played,
            self.plan.sprt,
            self.decision,
            ratio,
        )


def _play(
    names: tuple[str, str],
    plan: MatchPlan,
    books: Books,
    pool: AbstractContextManager[Executor],
    play: Callable[[GameNumber], _Finished],
    abort: Callable[[], None],
) -> MatchResult:
    """Play what is missing, a few games ahead of the workers; only this thread counts and records."""
    known = {} if books.journal is None else books.journal.outcomes
    board = _Scoreboard(plan, known)
    todo = board.missing()
    started, games_played = time.perf_counter(), 0
    with pool as executor:

        def submit(count: int) -> set[Future[_Finished]]:
            return {executor.submit(play, number) for number in islice(todo, count)}

        try:
            pending = set() if board.is_settled else submit(2 * plan.concurrency)
            while pending and not board.is_settled:
                finished, pending = wait(pending, return_when=FIRST_COMPLETED)
                pending |= submit(len(finished))
                for future in finished:
                    game = future.result()
                    books.enter(game.outcome, game.record)
                    board.enter(game.outcome)
                    games_played += 1
                    if books.progress is not None:
                        books.progress(board.tally.games, plan.games, board.tally)
            if pending:
                abort()
                executor.shutdown(cancel_futures=True)
        except (
            BaseException
        ):  # Ctrl-C above all: engines that still think are ended, games not begun are dropped
            abort()
            executor.shutdown(cancel_futures=True)
            raise
    return board.result(names, time.perf_counter() - started, games_played)
