"""A rating list that lasts: results of matches, added over time to a file, and the ratings that they all give together.

The file is JSON, one line each: a header, then a line for each match that was added. An engine is known by its name and its version, so a new
version begins anew beside the old one.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from croupier import __version__
from croupier.durak.arena.append_file import AppendFile, whole_json_lines
from croupier.durak.arena.engine_spec import EngineSpec
from croupier.durak.arena.entrant import Entrant
from croupier.durak.arena.game_number import GameNumber
from croupier.durak.arena.log import stream_log
from croupier.durak.arena.outcome import GameOutcome, Tally
from croupier.durak.arena.own_engines import is_own
from croupier.durak.arena.pairing import Meeting
from croupier.durak.arena.rating import PairCounts
from croupier.durak.arena.rating_fit import connected_with, fit_pairs
from croupier.durak.arena.report import Note, ResultTable
from croupier.durak.engine.record import GameRecord
from croupier.errors import InputError
from croupier.files import read_text

_FORMAT = "croupier durak ratings 1"

#: The engine that a list is anchored to unless another one is named, if it is there.
_USUAL_ANCHOR = "durak-dummy"


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """The pairs of one match, from the first engine's side, and when they were added."""

    first: str
    second: str
    pair_counts: tuple[int, ...]
    added_at: str


@dataclass(frozen=True, slots=True)
class ListedRating:
    """An engine of a rating list.

    Attributes
    ----------
    name
        The engine and its version.
    elo, error
        Its rating and the 95 % error, both relative to the anchor.
    pairs, score
        The pairs of games it has played, and its points per game.
    is_connected
        Whether a chain of matches connects it with the anchor. Without one, its rating says nothing beside the anchor's.
    """

    name: str
    elo: float
    error: float
    pairs: int
    score: float
    is_connected: bool


class RatingList:
    """A rating list in a file.

    Examples
    --------
    >>> import tempfile
    >>> from croupier import durak
    >>> def careless(seen):
    ...     return seen.playable[:1]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     ratings = RatingList(Path(folder) / "engines.ratings")
    ...     ratings.add(durak.match("durak-dummy", careless, pairs=20, seed=1))
    ...     print(ratings.table().text())
    engines.ratings: 1 match, 40 games
       engine        Elo   ±  score  games
    1  durak-dummy     0   0  73.8%     40
    2  careless     -169  93  26.2%     40
    Elo above durak-dummy, which is 0; 95 % error of the difference to it
    """

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self._matches = _read(self._path) if self._path.exists() and self._path.stat().st_size else []

    @property
    def matches(self) -> tuple[RatedMatch, ...]:
        """The matches in the order in which they were added."""
        return tuple(self._matches)

    @property
    def engines(self) -> tuple[str, ...]:
        """Every engine, in the order in which they were first added."""
        return tuple(dict.fromkeys(name for match in self._matches for name in (match.first, match.second)))

    def add(self, *results: Any, names: tuple[str, str] | None = None) -> None:
        """Add the pairs of matches; each is on the disk when this returns.

        Parameters
        ----------
        results
            Matches (:class:`~croupier.durak.MatchResult`).
        names
            What the two engines are called in the list; by default as in the match.
        """
        self.add_pairs((*(names or result.names), result.tally.pair_counts) for result in results)

    def add_pairs(self, results: Iterable[tuple[str, str, PairCounts]]) -> None:
        """Add pairs of games, each with the names of its two engines."""
        added_at = datetime.now(UTC).isoformat(timespec="seconds")
        with AppendFile(self._path, "rating list", durable=True, repaired=whole_json_lines) as file:
            if not self._path.stat().st_size:
                file.append(json.dumps({"format": _FORMAT}) + "\n")
            for first, second, counts in results:
                if first == second:
                    raise InputError(
                        f"'{first}' against itself says nothing about its rating; give two versions two names"
                    )
                if counts.pairs:
                    match = RatedMatch(first, second, counts.counts, added_at)
                    file.append(json.dumps(asdict(match)) + "\n")
                    self._matches.append(match)

    def add_log(self, path: str | Path) -> int:
        """Add the complete pairs of a log; return how many there were. Games that the arena did not write have no pairs."""
        pairs = list(_logged_pairs(Path(path)))
        self.add_pairs(pairs)
        return sum(counts.pairs for _, _, counts in pairs)

    def ratings(self, anchor: str | None = None, anchor_elo: float = 0.0) -> tuple[ListedRating, ...]:
        """Return every engine with its rating, the best first; those that nothing connects with the anchor come last.

        Parameters
        ----------
        anchor
            The engine whose rating is fixed; by default a ``durak-dummy``, else the engine that was added first.
        anchor_elo
            Its rating.

        Raises
        ------
        InputError
            If the list is empty, or the anchor is not in it.
        """
        names = list(self.engines)
        fixed = names.index(self.anchor(anchor))
        merged = _merged(self._matches, names)
        fitted = fit_pairs(len(names), merged, fixed)
        connected = connected_with(fixed, len(names), list(merged))
        listed = []
        for place, name in enumerate(names):
            own = [(meeting, counts) for meeting, counts in merged.items() if place in meeting]
            pairs = sum(counts.pairs for _, counts in own)
            points = sum(
                counts.pairs * (counts.score if meeting[0] == place else 1 - counts.score)
                for meeting, counts in own
            )
            rating = fitted[place]
            listed.append(
                ListedRating(
                    name, rating.elo + anchor_elo, rating.error, pairs, points / pairs, place in connected
                )
            )
        return tuple(sorted(listed, key=lambda rating: (not rating.is_connected, -rating.elo)))

    def anchor(self, named: str | None = None) -> str:
        """Return the engine that the list is anchored to."""
        names = self.engines
        if not names:
            raise InputError(
                f"rating list '{self._path}' is empty; add matches with --ratings or a log with --add"
            )
        if named is not None and named not in names:
            raise InputError(f"anchor '{named}' is not in the list; engines are {', '.join(names)}")
        usual = next((name for name in names if name.split(" ")[0] == _USUAL_ANCHOR), names[0])
        return usual if named is None else named

    def table(self, anchor: str | None = None, anchor_elo: float = 0.0) -> ResultTable:
        """Return the list as a table for people."""
        listed = self.ratings(anchor, anchor_elo)
        games = 2 * sum(sum(match.pair_counts) for match in self._matches)
        count = len(self._matches)
        rows = [
            {
                "": str(place),
                "engine": rating.name,
                "Elo": f"{round(rating.elo)}" if rating.is_connected else "?",
                "±": f"{rating.error:.0f}" if rating.is_connected else "",
                "score": f"{rating.score:.1%}",
                "games": str(2 * rating.pairs),
            }
            for place, rating in enumerate(listed, start=1)
        ]
        fixed = self.anchor(anchor)
        notes = [
            Note(f"Elo above {fixed}, which is {anchor_elo:g}; 95 % error of the difference to it", "dim")
        ]
        if not all(rating.is_connected for rating in listed):
            notes.append(Note(f"? no chain of matches leads from this engine to {fixed}", "dim"))
        title = f"{self._path.name}: {count} match{'' if count == 1 else 'es'}, {games} games"
        return ResultTable(title, rows, notes)

    def to_dict(self, anchor: str | None = None, anchor_elo: float = 0.0) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "file": str(self._path),
            "matches": len(self._matches),
            "anchor": self.anchor(anchor),
            "anchor_elo": anchor_elo,
            "engines": [asdict(rating) for rating in self.ratings(anchor, anchor_elo)],
        }


def rated_name(entrant: Entrant) -> str:
    """Return what an engine is called in a rating list: its name and its version, ours being the version of Croupier.

    >>> rated_name(EngineSpec(("/bin/mine",), "mine", version="1.2"))
    'mine 1.2'
    """
    version = entrant.version if isinstance(entrant, EngineSpec) else ""
    if isinstance(entrant, EngineSpec) and not version and is_own(entrant):
        version = __version__
    return f"{entrant.name} {version}".strip()


def _merged(matches: Iterable[RatedMatch], names: list[str]) -> dict[Meeting, PairCounts]:
    """Add up the matches of each two engines, from the side of the one that comes first in the list."""
    merged: dict[Meeting, PairCounts] = {}
    for match in matches:
        first, second = names.index(match.first), names.index(match.second)
        counts = match.pair_counts if first < second else match.pair_counts[::-1]
        meeting = (min(first, second), max(first, second))
        before = merged.get(meeting, PairCounts()).counts
        merged[meeting] = PairCounts(tuple(old + new for old, new in zip(before, counts, strict=True)))
    return merged


def _read(path: Path) -> list[RatedMatch]:
    whole, _, torn = read_text(path, what="rating list").rpartition("\n")
    header, *lines = [*whole.splitlines(), *([torn] if _parsed(torn) else [])] or [""]
    if _parsed(header).get("format") != _FORMAT:
        raise InputError(f"rating list '{path}': not a rating list of durak engines")
    matches = []
    for number, line in enumerate(lines, start=2):
        match = _match(_parsed(line))
        if match is None:
            raise InputError(f"rating list '{path}', line {number}: not a match")
        matches.append(match)
    return matches


def _match(data: dict[str, Any]) -> RatedMatch | None:
    """Return the match of a line; None where it is none."""
    names = [data.get(key) for key in ("first", "second", "added_at")]
    counts = data.get("pair_counts")
    is_match = (
        all(isinstance(name, str) for name in names)
        and isinstance(counts, list)
        and len(counts) == len(PairCounts().counts)
        and all(type(count) is int and count >= 0 for count in counts)
    )
    return (
        RatedMatch(data["first"], data["second"], tuple(data["pair_counts"]), data["added_at"])
        if is_match
        else None
    )


def _parsed(line: str) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def _logged_pairs(path: Path) -> Iterator[tuple[str, str, PairCounts]]:
    """Yield the engines of each match in a log and their pairs: games with one seed and one number, with swapped seats."""
    tallies: dict[tuple[str, str, int], Tally] = {}
    for game in stream_log(path):
        if not isinstance(game, GameRecord) or not {"seed", "pair", "is_swapped"} <= game.extra.keys():
            continue
        is_swapped = bool(game.extra["is_swapped"])
        players = (game.player1_name, game.player2_name)
        first, second = players[::-1] if is_swapped else players
        number = GameNumber(int(game.extra["pair"]), is_swapped)
        tally = tallies.setdefault((first, second, int(game.extra["seed"])), Tally())
        tally.add(GameOutcome(number, game.result, leader=0))
    for (first, second, _), tally in tallies.items():
        yield first, second, tally.pair_counts
