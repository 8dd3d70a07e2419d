"""Many engines against each other, in one of the formats of :mod:`~croupier.durak.arena.pairing`, and their ratings."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from croupier.durak.arena.engine_spec import Limits
from croupier.durak.arena.entrant import Entrant, told_apart
from croupier.durak.arena.journal import Journal
from croupier.durak.arena.log import GameLog
from croupier.durak.arena.match import Books, MatchPlan, MatchResult, Progress, play_match
from croupier.durak.arena.pairing import Meeting, TournamentFormat, new_pairing
from croupier.durak.arena.rating_fit import Rating, fit_pairs
from croupier.durak.arena.report import Note, ResultTable, cross_table, tournament_notes, tournament_table
from croupier.extras import needs
from croupier.files import make_folder

if TYPE_CHECKING:
    import pandas as pd

#: Told before a match begins: the names of its two engines.
Announce = Callable[[str, str], None]


@dataclass(frozen=True, slots=True)
class TournamentResult:
    """What a tournament has shown: every match by the places of its two engines in the list of names.

    Attributes
    ----------
    names
        The engines.
    matches
        The matches.
    format, rounds
        How it was played, and the meetings of each round.

    Examples
    --------
    >>> from croupier import durak
    >>> def careless(seen):
    ...     return seen.playable[:1]
    >>> print(durak.tournament([careless, "durak-dummy"], pairs=5, seed=1))
    5 pairs each, seed 1
       engine        Elo    ±  points  games  drawn
    1  durak-dummy  +116  103     8.5     10      1
    2  careless     -116  103     1.5     10      1
    Elo above the mean of the field, 95 % error from pairs
    points against
         1    2
    1       8.5
    2  1.5
    The numbers are the places in the table of ratings.
    """

    names: tuple[str, ...]
    matches: Mapping[Meeting, MatchResult]
    format: TournamentFormat = TournamentFormat.ROUND_ROBIN
    rounds: tuple[tuple[Meeting, ...], ...] = ()

    @property
    def winner(self) -> int | None:
        """Who won a knockout, by its place in the list of names; None in any other format."""
        if self.format is not TournamentFormat.KNOCKOUT:
            return None
        ((first, second),) = self.rounds[-1]
        return first if _score(self.matches[first, second]) >= 0.5 else second

    def score(self, engine: int, opponent: int) -> tuple[float, int] | None:
        """Return an engine's points against another and the games they played; None if they did not meet."""
        if (match := self.matches.get((engine, opponent))) is not None:
            return match.tally.points, match.tally.games
        if (match := self.matches.get((opponent, engine))) is not None:
            return match.tally.games - match.tally.points, match.tally.games
        return None

    def total(self, engine: int) -> tuple[float, int]:
        """Return all points and games of an engine."""
        met = [score for other in range(len(self.names)) if (score := self.score(engine, other)) is not None]
        return sum(points for points, _ in met), sum(games for _, games in met)

    def forfeits(self, engine: int) -> dict[str, int]:
        """Return how many games an engine forfeited, by verdict."""
        counts: dict[str, int] = {}
        for players, match in self.matches.items():
            if engine in players:
                for verdict, count in match.tally.forfeits[players.index(engine)].items():
                    counts[verdict] = counts.get(verdict, 0) + count
        return counts

    def draws(self, engine: int) -> int:
        """Return how many games of an engine were drawn."""
        return sum(match.tally.draws for players, match in self.matches.items() if engine in players)

    def ratings(self) -> tuple[Rating, ...]:
        """Fit one rating for each engine to all matches; see :func:`fit_ratings`."""
        return fit_ratings(len(self.names), self.matches)

    @property
    def seed(self) -> int:
        """The seed of every match."""
        return next(iter(self.matches.values())).seed

    @property
    def pairs(self) -> tuple[int, int]:
        """The fewest and the most pairs of games of a match: a sequential test may end some of them early."""
        counts = [match.tally.pair_counts.pairs for match in self.matches.values()]
        return min(counts), max(counts)

    @property
    def order(self) -> list[int]:
        """The places of the engines in the list of names, the best engine first."""
        ratings = self.ratings()
        return sorted(range(len(self.names)), key=lambda engine: -ratings[engine].elo)

    @property
    def table(self) -> ResultTable:
        """The ratings as rows for people, the best engine first."""
        return tournament_table(self)

    @property
    def cross_table(self) -> ResultTable:
        """The points of every engine against every other, in the same order."""
        return cross_table(self)

    @property
    def notes(self) -> list[Note]:
        """The rounds, what the sequential tests say, and who forfeited games and why."""
        return tournament_notes(self)

    def __str__(self) -> str:
        return "\n".join([self.table.text(), self.cross_table.text(), *(note.text for note in self.notes)])

    def _repr_html_(self) -> str:
        return self.table.html() + self.cross_table.html() + ResultTable("", [], self.notes).html()

    def to_frame(self) -> "pd.DataFrame":
        """Return the engines as a pandas table, the best one first."""
        needs("plots")
        import pandas as pd  # noqa: PLC0415 - only a table needs it

        engines = self.to_dict()["engines"]
        frame = pd.DataFrame(engines).drop(columns="forfeits").rename(columns={"name": "engine"})
        return frame.set_index("engine").sort_values("elo", ascending=False)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        ratings = self.ratings()
        return {
            "engines": [
                {
                    "name": name,
                    "points": self.total(number)[0],
                    "games": self.total(number)[1],
                    "draws": self.draws(number),
                    "forfeits": self.forfeits(number),
                    "elo": ratings[number].elo,
                    "elo_error": ratings[number].error,
                }
                for number, name in enumerate(self.names)
            ],
            "matches": [match.to_dict() for match in self.matches.values()],
            "format": str(self.format),
            "rounds": [
                [[self.names[engine] for engine in pair] for pair in played] for played in self.rounds
            ],
            "winner": None if self.winner is None else self.names[self.winner],
        }


def play_tournament(
    engines: Sequence[Entrant],
    plan: MatchPlan,
    *,
    format_: TournamentFormat = TournamentFormat.ROUND_ROBIN,
    rounds: int | None = None,
    limits: Limits | None = None,
    log: GameLog | None = None,
    save: Path | None = None,
    resume: bool = False,
    progress: Progress | None = None,
    announce: Announce | None = None,
) -> TournamentResult:
    """Play every pairing as a match of its own, all from the same decks.

    Parameters
    ----------
    engines
        At least two; engines of the same name are told apart by a number.
    plan
        The pairs of each match, the seed, the games at a time, and the sequential test that may end a match early.
    format_, rounds
        Who meets whom, and how many rounds a Swiss tournament has.
    limits, log, progress
        As in a match.
    save, resume
        A folder with one save file for each match, and whether to resume from it.
    announce
        Told before each match.
    """
    chosen = limits or Limits()
    field = told_apart(engines)
    matches: dict[Meeting, MatchResult] = {}
    played: list[tuple[Meeting, ...]] = []
    pairing = new_pairing(format_, len(field), rounds)
    if save is not None:
        make_folder(save, what="save folder")
    while meetings := pairing.next_round({meeting: _score(match) for meeting, match in matches.items()}):
        played.append(tuple(meetings))
        for first, second in meetings:
            if announce is not None:
                announce(field[first].name, field[second].name)
            with (
                nullcontext()
                if save is None
                else Journal(
                    save / f"{first + 1:02}-{second + 1:02}.match",
                    field[first],
                    field[second],
                    chosen,
                    seed=plan.seed,
                    new_seed=plan.seed,
                    deals=plan.deals,
                    resume=resume,
                ) as journal
            ):
                matches[first, second] = play_match(
                    field[first], field[second], plan, limits=chosen, books=Books(journal, log, progress)
                )
    return TournamentResult(tuple(spec.name for spec in field), matches, format_, tuple(played))


def _score(match: MatchResult) -> float:
    """Return the first engine's points per game."""
    return match.tally.points / match.tally.games


def fit_ratings(engines: int, matches: Mapping[Meeting, MatchResult]) -> tuple[Rating, ...]:
    """Fit one Elo rating for each engine to the matches of a tournament; the mean is 0."""
    return fit_pairs(engines, {meeting: match.tally.pair_counts for meeting, match in matches.items()})
