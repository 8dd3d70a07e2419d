"""Matches and tournaments as one call: engine objects, functions and programs against each other."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from os import PathLike
from pathlib import Path

from croupier.durak.arena.deals import read_deals
from croupier.durak.arena.engine_spec import Limits
from croupier.durak.arena.entrant import EntrantLike, startable
from croupier.durak.arena.game_number import Deal
from croupier.durak.arena.journal import Journal
from croupier.durak.arena.log import GameLog, logged_outcomes
from croupier.durak.arena.match import (
    Books,
    MatchPlan,
    MatchResult,
    Progress,
    default_concurrency,
    play_match,
)
from croupier.durak.arena.pairing import TournamentFormat, new_pairing, read_format
from croupier.durak.arena.referee import Listener
from croupier.durak.arena.sprt import Sprt
from croupier.durak.arena.tournament import Announce, TournamentResult, play_tournament
from croupier.durak.engine.rules import DurakRules
from croupier.errors import InputError
from croupier.numerics.streams import fresh_seed

#: Pairs of games unless told otherwise, and at most with a sequential test.
USUAL_PAIRS, SPRT_PAIRS = 100, 10_000

FileLike = str | PathLike[str]


def match(
    first: EntrantLike,
    second: EntrantLike,
    pairs: int | None = None,
    seed: int | None = None,
    *,
    sprt: Sprt | tuple[float, float] | None = None,
    concurrency: int | None = None,
    limits: Limits | None = None,
    log: FileLike | None = None,
    save: FileLike | None = None,
    resume: bool = False,
    durable: bool = False,
    progress: Progress | None = None,
    listener: Listener | None = None,
    rules: DurakRules | None = None,
    deals: str | None = None,
) -> MatchResult:
    """Play a match: pairs of games from one deck with the seats swapped.

    Engines can be objects of :class:`~croupier.durak.Engine`, functions from an observation to cards, installed names
    (``"durak-dummy"``), command lines (``"durak-master --time-ms 10"``) and programs (``"./my_engine"``). Whatever an
    engine does wrong loses it that game, with a verdict.

    Parameters
    ----------
    first, second
        The engines; the result is told from the first one's side.
    pairs
        How many pairs of games: 100, up to 10,000 with ``sprt``, or one for each of ``deals``.
    seed
        The seed of the decks, and of the chance of engine objects. Without one, a fresh seed; the result names it.
    sprt
        Two Elo differences; the match ends when it is settled whether the first engine is better by the greater one or only by
        the smaller one.
    concurrency
        Games at a time; as many as there are processors by default. With an engine object, one game at a time.
    limits
        How long a program may take to start and to answer. Engine objects have no limit.
    log
        A file to which every game is appended.
    save, resume
        A file that records the match, and whether to resume it from there. For matches between programs.
    durable
        Whether every game is forced to the disk.
    progress
        Called after every game: games over, games to play, and the sum so far.
    listener
        Told of every line of both conversations.
    rules
        Rules for two players; by default those of the protocol. By others than 36 cards and caps, engines are spoken to by the
        second version of the protocol. Such matches cannot be saved and resumed.
    deals
        Fixed deals instead of those of the seed: a file with the 36 cards of a pack a line, or ``openings``, the suite of 100 deals that
        comes with the package. With more pairs than deals they begin again.

    Raises
    ------
    InputError
        If an engine cannot be found or started, or a number is out of its range.

    Examples
    --------
    >>> from croupier import durak
    >>> def cheapest(seen):
    ...     return seen.by_cost(seen.playable)[:1]
    >>> def careless(seen):
    ...     return seen.playable[:1]
    >>> result = durak.match(cheapest, careless, pairs=20, seed=1)
    >>> result.wins, result.draws, result.losses
    (30, 1, 9)
    >>> print(f"{result.elo:+.0f} Elo, error {result.error:.0f}, better with probability {result.los:.1%}")
    +203 Elo, error 138, better with probability 100.0%
    """
    test = Sprt(*sprt) if isinstance(sprt, tuple) else sprt
    one, other = startable((first, second), rules)
    fixed = () if deals is None else read_deals(deals)
    if resume and save is None:
        raise InputError("resume: name the file that the match was saved in")
    if save is not None and rules is not None and rules != DurakRules():
        raise InputError("save: only matches by the rules of the protocol are saved")
    with ExitStack() as stack:
        journal = None
        if save is not None:
            journal = stack.enter_context(
                Journal(
                    Path(save),
                    one,
                    other,
                    limits or Limits(),
                    seed=seed,
                    new_seed=fresh_seed(),
                    deals=fixed,
                    resume=resume,
                    durable=durable,
                )
            )
            seed = journal.seed
            if log is not None and Path(log).exists():
                journal.adopt(logged_outcomes(Path(log), journal.match_id))
        plan = MatchPlan(
            pairs=_pairs(pairs, test, fixed),
            seed=fresh_seed() if seed is None else seed,
            concurrency=default_concurrency() if concurrency is None else concurrency,
            sprt=test,
            rules=rules or DurakRules(),
            deals=fixed,
        )
        book = stack.enter_context(_opened_log(log, durable=durable))
        books = Books(journal, book, progress)
        return play_match(one, other, plan, limits=limits, books=books, listener=listener)


def tournament(
    engines: Sequence[EntrantLike],
    pairs: int | None = None,
    seed: int | None = None,
    *,
    gauntlet: bool = False,
    format: str = TournamentFormat.ROUND_ROBIN,  # noqa: A002 - what people call it
    rounds: int | None = None,
    sprt: Sprt | tuple[float, float] | None = None,
    concurrency: int | None = None,
    limits: Limits | None = None,
    log: FileLike | None = None,
    save: FileLike | None = None,
    resume: bool = False,
    progress: Progress | None = None,
    announce: Announce | None = None,
    deals: str | None = None,
) -> TournamentResult:
    """Play a tournament, all matches from the same decks: everybody against everybody unless another format is named.

    Parameters
    ----------
    engines
        At least two, named as in :func:`match`; engines of one name are told apart by a number.
    pairs, seed, concurrency, limits, log, progress, deals
        As in :func:`match`, for each pairing.
    gauntlet
        Short for ``format="gauntlet"``.
    format
        ``round-robin``; ``gauntlet`` (the first engine meets all the others, and they do not meet each other); ``swiss`` (each round pairs
        engines of like scores); ``knockout`` (the list is the seeding; whoever loses a match is out).
    rounds
        The rounds of a Swiss tournament; by default as many as a knockout would take.
    sprt
        As in :func:`match`: each match ends when it is settled whether its first engine is better.
    save, resume
        A folder with one save file for each match, and whether to resume from there. Needs a seed.
    announce
        Told before each match who plays it.

    Examples
    --------
    >>> from croupier import durak
    >>> def cheapest(seen):
    ...     return seen.by_cost(seen.playable)[:1]
    >>> def careless(seen):
    ...     return seen.playable[:1]
    >>> result = durak.tournament([cheapest, careless, "durak-dummy"], pairs=5, seed=1)
    >>> [row["engine"] for row in result.table.rows]
    ['durak-dummy', 'cheapest', 'careless']
    """
    if resume and save is None:
        raise InputError("resume: name the folder that the tournament was saved in")
    if save is not None and seed is None:
        raise InputError("save: a tournament that is to be resumed needs a seed")
    kind = TournamentFormat.GAUNTLET if gauntlet else read_format(format)
    new_pairing(kind, len(engines), rounds)
    entrants = startable(engines)
    test = Sprt(*sprt) if isinstance(sprt, tuple) else sprt
    fixed = () if deals is None else read_deals(deals)
    plan = MatchPlan(
        pairs=_pairs(pairs, test, fixed),
        seed=fresh_seed() if seed is None else seed,
        concurrency=default_concurrency() if concurrency is None else concurrency,
        sprt=test,
        deals=fixed,
    )
    with _opened_log(log) as book:
        return play_tournament(
            entrants,
            plan,
            format_=kind,
            rounds=rounds,
            limits=limits,
            log=book,
            save=None if save is None else Path(save),
            resume=resume,
            progress=progress,
            announce=announce,
        )


def _pairs(pairs: int | None, test: Sprt | None, deals: Sequence[Deal]) -> int:
    if pairs is not None:
        return pairs
    return (len(deals) or USUAL_PAIRS) if test is None else SPRT_PAIRS


@contextmanager
def _opened_log(path: FileLike | None, *, durable: bool = False) -> Iterator[GameLog | None]:
    if path is None:
        yield None
    else:
        with GameLog(Path(path), durable=durable) as log:
            yield log
