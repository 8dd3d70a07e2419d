"""A visitor's own statistics over all sessions and games: the profit curve, luck against skill, mistakes by kind, and exports."""

import csv
import io
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from croupier.played import PlayedHand
from croupier.runs.played import Figures, StoredHand

GAMES = ("banluck", "blackjack", "durak")

#: A curve has at most this many points; more cannot be told apart on a screen.
MOST_POINTS = 300

#: How many hands are listed.
LISTED_HANDS = 20

#: A spreadsheet would take a text that begins with one of these for a formula.
_FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")

_COLUMNS = (
    "finished",
    "game",
    "setting",
    "stake",
    "won",
    "worth",
    "mistakes",
    "luck",
    "decisions",
    "right",
    "choices",
    "story",
)


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The sums after so many hands, in bets: what was won, and what the decisions were worth, without the luck after them."""

    hands: int
    won: float
    expected: float


@dataclass(frozen=True, slots=True)
class MistakeKind:
    """A kind of mistake: what was done, what was better, how often, and what all of them gave away, in bets."""

    game: str
    chosen: str
    best: str
    count: int
    cost: float


@dataclass(frozen=True, slots=True)
class FinishedHand:
    """A hand and when it ended."""

    finished: datetime
    hand: PlayedHand


@dataclass(frozen=True, slots=True)
class MyGame:
    """A visitor's statistics.

    Attributes
    ----------
    total
        The figures of all hands.
    by_game
        The figures of each game that was played.
    curve
        The profit over time.
    mistakes
        The kinds of mistakes among the hands that are kept one by one, the dearest first.
    latest
        The last hands, the newest first.
    """

    total: Figures
    by_game: dict[str, Figures]
    curve: tuple[CurvePoint, ...]
    mistakes: tuple[MistakeKind, ...]
    latest: tuple[FinishedHand, ...]


def my_game(stored: Sequence[StoredHand], game: str = "") -> MyGame:
    """Work out the statistics of some hands, the oldest first.

    Parameters
    ----------
    stored
        A visitor's hands.
    game
        The only game to look at; all of them if empty.

    Examples
    --------
    >>> my_game([]).total.hands
    0
    """
    chosen = [entry for entry in stored if game in ("", entry.game)]
    by_game = {name: _sum(entry for entry in stored if entry.game == name) for name in GAMES}
    hands = finished_hands(chosen)
    return MyGame(
        total=_sum(chosen),
        by_game={name: figures for name, figures in by_game.items() if figures.hands},
        curve=_thinned(_curve(chosen)),
        mistakes=_mistakes(hands),
        latest=tuple(reversed(hands[-LISTED_HANDS:])),
    )


def finished_hands(stored: Sequence[StoredHand]) -> tuple[FinishedHand, ...]:
    """Return the hands that are kept one by one."""
    return tuple(
        FinishedHand(entry.finished, PlayedHand.from_data(entry.hand))
        for entry in stored
        if entry.hand is not None
    )


def to_csv(stored: Sequence[StoredHand]) -> str:
    """Write hands as a table for a spreadsheet, one row each; hands that were added up long ago are one row a game.

    >>> to_csv([]).strip()
    'finished,game,setting,stake,won,worth,mistakes,luck,decisions,right,choices,story'
    """
    sheet = io.StringIO()
    writer = csv.DictWriter(sheet, _COLUMNS, lineterminator="\r\n")
    writer.writeheader()
    for entry in stored:
        writer.writerow({name: _cell(value) for name, value in _row(entry).items()})
    return sheet.getvalue()


def to_json(stored: Sequence[StoredHand]) -> str:
    """Write hands as JSON, with every decision and its price.

    >>> to_json([])
    '{"hands": [], "earlier": []}'
    """
    earlier = [entry for entry in stored if entry.hand is None]
    data = {
        "hands": [
            {"finished": entry.finished.isoformat(), "luck": entry.hand.luck, **entry.hand.to_data()}
            for entry in finished_hands(stored)
        ],
        "earlier": [
            {
                "game": entry.game,
                "until": entry.finished.isoformat(),
                "hands": entry.figures.hands,
                "won": entry.figures.won,
                "mistakes": entry.figures.cost,
                "luck": entry.figures.luck,
            }
            for entry in earlier
        ],
    }
    return json.dumps(data, ensure_ascii=False, indent=None)


def _row(entry: StoredHand) -> dict[str, Any]:
    figures = entry.figures
    row: dict[str, Any] = {
        "finished": entry.finished.isoformat(timespec="seconds"),
        "game": entry.game,
        "won": round(figures.won, 6),
        "decisions": figures.decisions,
        "right": figures.right,
    }
    if figures.priced:
        row |= {name: round(getattr(figures, name), 6) for name in ("worth", "luck")}
        row["mistakes"] = round(figures.cost, 6)
    if entry.hand is None:
        return row | {"story": f"{figures.hands} earlier hands"}
    hand = PlayedHand.from_data(entry.hand)
    choices = "; ".join(
        f"{decision.chosen} ({decision.best} was better by {decision.cost:.4f})"
        if not decision.is_right
        else decision.chosen
        for decision in hand.decisions
    )
    return row | {"setting": hand.setting, "stake": hand.stake, "choices": choices, "story": hand.story}


def _cell(value: Any) -> Any:
    """Return what is written into a cell: a text that would be taken for a formula begins with an apostrophe.

    >>> _cell("=1+1"), _cell(-0.5)
    ("'=1+1", -0.5)
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA_SIGNS) else value


def _sum(entries: Any) -> Figures:
    total = Figures()
    for entry in entries:
        total += entry.figures
    return total


def _curve(stored: Sequence[StoredHand]) -> list[CurvePoint]:
    points, total = [CurvePoint(0, 0.0, 0.0)], Figures()
    for entry in stored:
        total += entry.figures
        points.append(CurvePoint(total.hands, total.won, total.won - total.luck))
    return points


def _thinned(points: Sequence[CurvePoint]) -> tuple[CurvePoint, ...]:
    """Return points at even distances, the first and the last among them."""
    if len(points) <= MOST_POINTS:
        return tuple(points)
    step = (len(points) - 1) / (MOST_POINTS - 1)
    return tuple(points[round(place * step)] for place in range(MOST_POINTS))


def _mistakes(hands: Sequence[FinishedHand]) -> tuple[MistakeKind, ...]:
    counts: dict[tuple[str, str, str], int] = defaultdict(int)
    costs: dict[tuple[str, str, str], float] = defaultdict(float)
    for entry in hands:
        for decision in entry.hand.decisions:
            if not decision.is_right:
                kind = (entry.hand.game, decision.chosen, decision.best)
                counts[kind] += 1
                costs[kind] += decision.cost
    kinds = [MistakeKind(*kind, counts[kind], costs[kind]) for kind in counts]
    return tuple(sorted(kinds, key=lambda kind: -kind.cost))
