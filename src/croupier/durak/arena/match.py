"""A match of two engines: pairs of games, several at a time, recorded as they end, stopped when a sequential test is settled.

The cards of a pair depend only on the seed and its number, and a sequential test looks at the pairs in their order, not in the
order in which they end. So deterministic engines give the same result at any concurrency.
"""

import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any

from croupier import __version__
from croupier.durak.arena.engine_spec import Limits
from croupier.durak.arena.entrant import Entrant
from croupier.durak.arena.game_number import Deal, GameNumber, games_of_match
from croupier.durak.arena.journal import Journal
from croupier.durak.arena.log import GameLog
from croupier.durak.arena.outcome import GameOutcome, Tally
from croupier.durak.arena.pool import open_pool
from croupier.durak.arena.rating import EloEstimate, estimate_elo
from croupier.durak.arena.referee import Listener
from croupier.durak.arena.report import ResultTable, match_table
from croupier.durak.arena.scoreboard import Scoreboard
from croupier.durak.arena.slot import FinishedGame, Fixture
from croupier.durak.arena.sprt import Decision, Sprt
from croupier.durak.arena.verdict import Forfeit
from croupier.durak.engine.pack import PACK_SIZE
from croupier.durak.engine.record import GameRecord
from croupier.durak.engine.rules import DurakRules
from croupier.durak.engine.variant_record import VariantRecord
from croupier.errors import InputError
from croupier.extras import needs

if TYPE_CHECKING:
    import pandas as pd

#: Told after every game: the games over by now, the games to play, and the sum so far.
Progress = Callable[[int, int, Tally], None]


@dataclass(frozen=True, slots=True)
class MatchResult:
    """What a match has shown, told from the first engine's side.

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
    rules
        The rules of the games.

    Examples
    --------
    >>> from croupier import durak
    >>> result = durak.match(lambda seen: seen.playable[:1], "durak-dummy", pairs=10, seed=1)
    >>> result.wins, result.draws, result.losses, result.score
    (5, 1, 14, 0.275)
    >>> print(f"{result.elo:+.0f} ± {result.error:.0f} Elo")
    -168 ± 154 Elo
    """

    names: tuple[str, str]
    tally: Tally
    seed: int
    seconds: float = field(compare=False)
    games_played: int = field(compare=False)
    sprt: Sprt | None = None
    decision: Decision | None = None
    log_likelihood_ratio: float | None = None
    rules: DurakRules = field(default_factory=DurakRules)

    @property
    def wins(self) -> int:
        """Games that the first engine won."""
        return self.tally.wins

    @property
    def draws(self) -> int:
        """Drawn games."""
        return self.tally.draws

    @property
    def losses(self) -> int:
        """Games that the first engine lost."""
        return self.tally.losses

    @property
    def score(self) -> float:
        """The first engine's points a game, a draw being half a point."""
        return self._estimate.score

    @property
    def elo(self) -> float:
        """The Elo difference of the first engine over the second."""
        return self._estimate.elo

    @property
    def error(self) -> float:
        """Half the width of the 95 % interval of the Elo difference."""
        return self._estimate.error

    @property
    def los(self) -> float:
        """The likelihood of superiority: how likely it is that the first engine is the better one."""
        return self._estimate.los

    @property
    def first_forfeits(self) -> tuple[Forfeit | None, Forfeit | None]:
        """The first game that each engine lost by a fault: the verdict, the reason, the last lines and its error output."""
        first, second = self.tally.first_forfeits
        return first, second

    @property
    def _estimate(self) -> EloEstimate:
        return estimate_elo(self.tally.pair_counts)

    @property
    def games_per_second(self) -> float:
        """The speed of this run."""
        return self.games_played / self.seconds if self.games_played else 0.0

    @property
    def table(self) -> ResultTable:
        """The result as rows and notes for people."""
        return match_table(self)

    def __str__(self) -> str:
        return self.table.text()

    def _repr_html_(self) -> str:
        return self.table.html()

    def to_frame(self) -> "pd.DataFrame":
        """Return the games of each engine as a pandas table, one row an engine."""
        needs("plots")
        import pandas as pd  # noqa: PLC0415 - only a table needs it

        tally = self.tally
        rows = [
            (tally.wins, tally.draws, tally.losses, tally.points, tally.forfeits[0].total()),
            (tally.losses, tally.draws, tally.wins, tally.games - tally.points, tally.forfeits[1].total()),
        ]
        columns = ["won", "drawn", "lost", "points", "forfeited"]
        return pd.DataFrame(rows, columns=columns, index=pd.Index(self.names, name="engine"))

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        data = self.tally.to_dict() | {
            "first": self.names[0],
            "second": self.names[1],
            "seed": self.seed,
            "seconds": self.seconds,
            "games_per_second": self.games_per_second,
            "version": __version__,
            "rules": self.rules.changes(),
            "sprt": None,
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


def default_concurrency() -> int:
    """Return how many games are played at a time unless told otherwise: one for each processor."""
    return os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """How a match is to be played, whoever plays it.

    Attributes
    ----------
    pairs, seed
        How many pairs, and the seed of their decks.
    concurrency
        How many games at a time; as many as there are processors by default.
    sprt
        The sequential test that may end the match early.
    is_odd
        Whether the last pair has its first game only.
    rules
        The rules of the games, for two players.
    deals
        Fixed deals, one for each pair, over and over; without any, the seed deals.

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
    concurrency: int = field(default_factory=default_concurrency)
    sprt: Sprt | None = None
    is_odd: bool = False
    rules: DurakRules = field(default_factory=DurakRules)
    deals: tuple[Deal, ...] = ()

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
        if self.rules.players != 2:
            raise InputError(f"players = {self.rules.players}: a match is played by rules for two")
        if self.deals and len(self.rules.cards) != PACK_SIZE:
            raise InputError(
                f"deals: they are of {PACK_SIZE} cards; these rules have {len(self.rules.cards)}"
            )


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

    def enter(self, outcome: GameOutcome, record: GameRecord | VariantRecord | None) -> None:
        """Record a game; the log first, because a game of it that is missing in the save file is found there."""
        if self.log is not None and record is not None:
            self.log.append(record)
        if self.journal is not None:
            self.journal.append(outcome)


def play_match(
    first: Entrant,
    second: Entrant,
    plan: MatchPlan,
    *,
    limits: Limits | None = None,
    books: Books | None = None,
    listener: Listener | None = None,
) -> MatchResult:
    """Play a match; whatever happens, no process of an engine is left.

    Parameters
    ----------
    first, second
        The engines.
    plan
        Pairs, seed, games at a time, and the sequential test if one may end the match.
    limits
        How long a program may take to answer.
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
    fixture = Fixture(
        *(first, second, chosen, plan.seed, match_id),
        with_record=kept.log is not None,
        rules=plan.rules,
        deals=plan.deals,
    )
    board = kept.scoreboard(plan)
    with open_pool(fixture, plan.concurrency, sum(1 for _ in board.missing()), listener) as pool:
        return _play((first.name, second.name), plan, kept, board, pool.submit, pool.abort)


def _play(
    names: tuple[str, str],
    plan: MatchPlan,
    books: Books,
    board: Scoreboard,
    submit: Callable[[GameNumber], Future[FinishedGame]],
    abort: Callable[[], None],
) -> MatchResult:
    """Play what is missing, a few games ahead of the slots; only this thread counts and records."""
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
        plan.rules,
    )
