"""Results as a table for people: plain text, HTML for notebooks, and the rows that other programs print."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from croupier.durak.arena.outcome import Tally
from croupier.durak.arena.sprt import Decision
from croupier.durak.arena.verdict import MEANING, Verdict

if TYPE_CHECKING:
    from croupier.durak.arena.match import MatchResult
    from croupier.durak.arena.tournament import TournamentResult

_SPRT_PHRASES = {
    Decision.GO_ON: "not settled",
    Decision.ELO0: "settled: elo0 is accepted",
    Decision.ELO1: "settled: elo1 is accepted",
}


class Note(NamedTuple):
    """A line under a table; the style is bold, red, dim, or none."""

    text: str
    style: str = ""


@dataclass(frozen=True, slots=True)
class ResultTable:
    """A title, rows of named values, and what there is to say about them.

    Examples
    --------
    >>> table = ResultTable("2 games", [{"engine": "a", "points": "2"}], [Note("a is better")])
    >>> print(table.text())
    2 games
    engine  points
    a            2
    a is better
    """

    title: str
    rows: Sequence[Mapping[str, str]]
    notes: Sequence[Note]

    @property
    def headings(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self.rows[0])

    @staticmethod
    def is_text(heading: str) -> bool:
        """Tell whether a column holds text, which begins on the left; numbers end on the right."""
        return heading in ("engine", "move", "chosen", "best", "class", "table", "hand")

    @property
    def widths(self) -> dict[str, int]:
        """How wide each column is."""
        return {name: max(len(name), *(len(row[name]) for row in self.rows)) for name in self.headings}

    def text(self) -> str:
        """Write the table as plain lines."""
        lines = [self.title]
        if self.rows:
            widths = self.widths
            for row in ({name: name for name in self.headings}, *self.rows):
                cells = (
                    row[name].ljust(width) if self.is_text(name) else row[name].rjust(width)
                    for name, width in widths.items()
                )
                lines.append("  ".join(cells).rstrip())
        return "\n".join([*lines, *(note.text for note in self.notes)])

    def html(self) -> str:
        """Write the table as HTML."""
        body = ""
        if self.rows:
            head = "".join(f"<th>{escape(name)}</th>" for name in self.headings)
            body = f"<table><tr>{head}</tr>{''.join(self._html_row(row) for row in self.rows)}</table>"
        notes = "".join(f"<div{_HTML_STYLES[note.style]}>{escape(note.text)}</div>" for note in self.notes)
        return f"<div><div><b>{escape(self.title)}</b></div>{body}{notes}</div>"

    def _html_row(self, row: Mapping[str, str]) -> str:
        cells = (
            f'<td style="text-align:{"left" if self.is_text(name) else "right"}">{escape(row[name])}</td>'
            for name in self.headings
        )
        return f"<tr>{''.join(cells)}</tr>"


_HTML_STYLES = {
    "": "",
    "bold": ' style="font-weight:bold"',
    "red": ' style="color:#b00020"',
    "dim": ' style="opacity:0.7"',
}


def match_table(result: "MatchResult") -> ResultTable:
    """Return a match as a table, and what it means."""
    tally = result.tally
    rows = [
        {
            "engine": name,
            "won": str(won),
            "drawn": str(tally.draws),
            "lost": str(lost),
            "points": f"{points:g}",
            "forfeited": str(tally.forfeits[place].total()),
        }
        for place, (name, won, lost, points) in enumerate(
            (
                (result.names[0], tally.wins, tally.losses, tally.points),
                (result.names[1], tally.losses, tally.wins, tally.games - tally.points),
            )
        )
    ]
    return ResultTable(f"{tally.games} games, {tally.pair_counts.pairs} pairs", rows, _match_notes(result))


def _match_notes(result: "MatchResult") -> list[Note]:
    tally, notes = result.tally, []
    if tally.estimate is not None:
        notes.append(Note(f"{result.names[0]}: {tally.estimate} (95% error from pairs)", "bold"))
    if result.sprt is not None and result.decision is not None:
        low, high = result.sprt.bounds
        notes.append(
            Note(
                f"SPRT {result.sprt.elo0:g} against {result.sprt.elo1:g} Elo: {_SPRT_PHRASES[result.decision]}, "
                f"LLR {result.log_likelihood_ratio:+.2f} of {low:+.2f} to {high:+.2f}"
            )
        )
    for name, verdicts, first in zip(result.names, tally.forfeits, tally.first_forfeits, strict=True):
        if verdicts and first is not None:
            counted = "; ".join(
                f"{verdict} {count} ({MEANING[Verdict(verdict)]})"
                for verdict, count in verdicts.most_common()
            )
            notes.append(
                Note(f"{name} forfeited {verdicts.total()}: {counted}. First: {first.reason}", "red")
            )
    shares = (
        f"Draws {tally.draws / tally.games:.1%}, first to move {tally.leader_points / tally.games:.1%} of the points; "
        if tally.games
        else ""
    )
    speed = f"{result.seconds:.1f} s, {result.games_per_second:.1f} games/s"
    notes.append(Note(f"{shares}pairs by points {_pair_points(tally)}; seed {result.seed}, {speed}", "dim"))
    return notes


def tournament_table(result: "TournamentResult") -> ResultTable:
    """Return the ratings of a tournament, the best engine first."""
    ratings = result.ratings()
    rows = []
    for place, engine in enumerate(result.order, start=1):
        points, games = result.total(engine)
        rows.append(
            {
                "": str(place),
                "engine": result.names[engine],
                "Elo": f"{round(ratings[engine].elo):+d}",
                "±": f"{ratings[engine].error:.0f}",
                "points": f"{points:g}",
                "games": str(games),
                "drawn": str(result.draws(engine)),
            }
        )
    fewest, most = result.pairs
    return ResultTable(
        f"{most if fewest == most else f'{fewest} to {most}'} pairs each, seed {result.seed}",
        rows,
        [Note("Elo above the mean of the field, 95 % error from pairs", "dim")],
    )


def cross_table(result: "TournamentResult") -> ResultTable:
    """Return the points of every engine against every other; engines are numbered by their places."""
    order = result.order
    rows = [
        {
            "": str(place),
            **{
                str(number): "" if (score := result.score(engine, other)) is None else f"{score[0]:g}"
                for number, other in enumerate(order, start=1)
            },
        }
        for place, engine in enumerate(order, start=1)
    ]
    return ResultTable(
        "points against", rows, [Note("The numbers are the places in the table of ratings.", "dim")]
    )


def tournament_notes(result: "TournamentResult") -> list[Note]:
    """Return the rounds of a tournament, what its sequential tests say, and who forfeited games and why."""
    notes = []
    if len(result.rounds) > 1:
        for number, meetings in enumerate(result.rounds, start=1):
            told = "; ".join(_meeting_phrase(result, *meeting) for meeting in meetings)
            notes.append(Note(f"Round {number}: {told}"))
    if result.winner is not None:
        notes.append(Note(f"{result.names[result.winner]} wins the cup", "bold"))
    for match in result.matches.values():
        if match.sprt is not None and match.decision is not None:
            test = f"SPRT {match.sprt.elo0:g} against {match.sprt.elo1:g} Elo"
            pairs = match.tally.pair_counts.pairs
            notes.append(
                Note(f"{' - '.join(match.names)}: {test} {_SPRT_PHRASES[match.decision]} after {pairs} pairs")
            )
    for engine in result.order:
        if lost := result.forfeits(engine):
            counted = ", ".join(f"{verdict} {count}" for verdict, count in lost.items())
            notes.append(Note(f"{result.names[engine]} forfeited {counted}", "red"))
    return notes


def _meeting_phrase(result: "TournamentResult", first: int, second: int) -> str:
    tally = result.matches[first, second].tally
    points = f"{tally.points:g}-{tally.games - tally.points:g}"
    return f"{result.names[first]} {points} {result.names[second]}"


def _pair_points(tally: Tally) -> str:
    kinds = ("0", "½", "1", "1½", "2")
    return ", ".join(f"{kind}: {count}" for kind, count in zip(kinds, tally.pair_counts.counts, strict=True))
