"""The charts of a solved game as grids of cells: letters, shades, and what a screen reader says of each."""

from collections.abc import Mapping
from dataclasses import dataclass

from croupier.banluck.analysis.chart import Cell, cells_of
from croupier.banluck.analysis.heat_map import HeatCell, HeatMap
from croupier.banluck.analysis.phrases import (
    advice_phrase,
    against_phrase,
    letter_phrase,
    row_phrase,
    way_phrase,
)
from croupier.banluck.analysis.solution import Solution
from croupier.banluck.analysis.strategy_book import Advice
from croupier.banluck.engine.multisets import format_multiset
from croupier.banluck.solvers.opponent import Role
from croupier.numerics.numbers import signed
from croupier.texts import figure, say
from croupier.web.models.banluck_question import Question

#: From here on a cell is painted a shade stronger: differences of expected units between its two actions.
SHADES = (0.02, 0.1, 0.3)

#: Costs that round to nothing.
_SMALLEST_COST = 5e-5


@dataclass(frozen=True, slots=True)
class GridCell:
    """One cell.

    Attributes
    ----------
    mark
        Its stable name, such as ``player-2-hard-16`` or ``dealer3-2-hard-17``.
    label
        A letter for an action, or how often the strategy goes on where it mixes.
    shade
        ``stop-0`` to ``stop-3`` and ``go-0`` to ``go-3``, by the better action and what the other costs; ``forced``.
    spoken
        The cell in words.
    question
        The likeliest hand of the cell, as a question to the explorer.
    """

    mark: str
    label: str
    shade: str
    spoken: str
    question: Question


@dataclass(frozen=True, slots=True)
class Grid:
    """A chart: a column a total, a row a number of cards, soft or hard; None where there is no decision."""

    title: str
    totals: tuple[int, ...]
    rows: tuple[tuple[str, tuple[GridCell | None, ...]], ...]


@dataclass(frozen=True, slots=True)
class Composition:
    """One hand of a cell: its name, both expected values, what to do, what a mistake costs, its share of the cell."""

    question: Question
    hand: str
    stop: str
    go: str
    advice: str
    cost: str
    share: str


def player_grid(game: Solution) -> Grid:
    """Lay out the player's chart.

    Examples
    --------
    >>> from croupier import banluck
    >>> grid = player_grid(banluck.solve())
    >>> cell = dict(grid.rows)["2 cards, hard"][grid.totals.index(16)]
    >>> cell.mark, cell.label
    ('player-2-hard-16', 'S')
    """
    return _grid(game.player_heat, cells_of(game.book.player_decisions), Role.PLAYER)


def dealer_grids(game: Solution) -> tuple[Grid, ...]:
    """Lay out the dealer's charts, one for each card count that the dealer can tell."""
    cells = cells_of(advice for advice in game.book.dealer_decisions if advice.go == "draw")
    return tuple(_grid(heat, cells, Role.DEALER) for heat in game.dealer_heats)


def compositions(game: Solution, question: Question) -> tuple[Composition, ...]:
    """List the hands that share the cell of a question, the likeliest first.

    Examples
    --------
    >>> from croupier.web.models.banluck_question import asked
    >>> from croupier import banluck
    >>> [row.hand for row in compositions(banluck.solve(), asked("T-6"))]
    ['T-6', '9-7', '8-8']
    """
    own = question.advice(game.book)
    decisions = game.book.player_decisions if question.side is Role.PLAYER else game.book.dealer_decisions
    members = [
        advice
        for advice in decisions
        if (advice.value, advice.against, advice.go) == (own.value, own.against, own.go)
    ]
    reach = sum(advice.reach for advice in members)
    return tuple(
        Composition(
            question=question.about(advice.hand),
            hand=format_multiset(advice.hand),
            stop="" if advice.ev_stop is None else signed(advice.ev_stop, 4),
            go=signed(advice.ev_go, 4),
            advice=advice_phrase(advice.advice),
            cost=figure(advice.cost_of_mistake, ".4f") if advice.cost_of_mistake >= _SMALLEST_COST else "0",
            share=figure(advice.reach / reach, ".1%") if reach > 0 else "",
        )
        for advice in sorted(members, key=lambda advice: -advice.reach)
    )


def _grid(heat: HeatMap, cells: Mapping[Cell, list[Advice]], side: Role) -> Grid:
    known = {
        (cell.row, cell.total): members for cell, members in cells.items() if cell.against == heat.against
    }
    count = heat.against.split()[0] if heat.against else ""
    player_cards = int(count) if count.isdigit() else 2
    rows = tuple(
        (
            row,
            tuple(
                _cell(heat.cells[row, total], (row, total), known[row, total], side, player_cards)
                if (row, total) in heat.cells
                else None
                for total in heat.totals
            ),
        )
        for row in heat.rows
    )
    is_player = side is Role.PLAYER
    title = (
        say("banluck.chart.player")
        if is_player
        else say("banluck.chart.holds", cards=against_phrase(heat.against))
    )
    return Grid(title, heat.totals, rows)


def _cell(
    cell: HeatCell, place: tuple[str, int], members: list[Advice], side: Role, player_cards: int
) -> GridCell:
    row, total = place
    cards, kind = row.split(" cards, ")
    chart = "player" if side is Role.PLAYER else f"dealer{player_cards}"
    likeliest = max(members, key=lambda advice: advice.reach)
    return GridCell(
        mark=f"{chart}-{cards}-{kind}-{total}",
        label=letter_phrase(cell.label, (cell.stop, cell.go), cell.go_frequency),
        shade=_shade(cell),
        spoken=_spoken(cell, row_phrase(row), total),
        question=Question(side, likeliest.hand, player_cards),
    )


def _shade(cell: HeatCell) -> str:
    gain = cell.gain
    if gain is None:
        return "forced"
    strength = sum(abs(gain) >= limit for limit in SHADES)
    return f"{'go' if gain > 0 else 'stop'}-{strength}"


def _spoken(cell: HeatCell, row: str, total: int) -> str:
    stop, go, worth = way_phrase(cell.stop), way_phrase(cell.go), _worth(cell.ev_go)
    if cell.ev_stop is None:
        return say("banluck.cell.forced", row=row, total=total, go=go, worth=worth)
    pure = {cell.go[0].upper(): go, cell.stop[0].upper(): stop}.get(cell.label)
    does = pure or say("banluck.cell.often", action=go, share=cell.go_frequency)
    stop_worth = _worth(cell.ev_stop)
    return say(
        "banluck.cell.free",
        row=row,
        total=total,
        does=does,
        stop=stop,
        stop_worth=stop_worth,
        go=go,
        worth=worth,
    )


def _worth(units: float) -> str:
    return signed(units, 3) or say("banluck.cell.unknown")
